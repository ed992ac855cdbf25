#include "window/tool_row.h"

#include "look/icons.h"
#include "look/theme_style.h"
#include "models/recent_model.h"
#include "session/backends.h"
#include "session/rules.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "window/work_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>
#include <tuple>

namespace blockloom::ui {
namespace {

/// Below this width the window is tight, and only the main controls stay in the row.
constexpr int roomy_width = 1400, usual_width = 1480, wide_width = 1580, roomiest_width = 1680,
              widest_width = 1760, folded_width = 560, compact_width = 1200;

QString cost_name(trace::CostUnit unit) {
    switch (unit) {
    case trace::CostUnit::gas:
        return QStringLiteral("gas");
    case trace::CostUnit::fuel:
        return QStringLiteral("fuel");
    case trace::CostUnit::compute_units:
        return QStringLiteral("compute units");
    case trace::CostUnit::measured_ns:
        return QStringLiteral("measured");
    case trace::CostUnit::unit:
        break;
    }
    return QStringLiteral("unit");
}

} // namespace

ToolRow::ToolRow(Session* session, Runs* runs, RecentModel* recent, QWidget* parent)
    : QToolBar(tr("Tools"), parent), session_(session), runs_(runs), recent_(recent),
      run_(new QPushButton(tr("Run"))), row_(new QWidget(this)), more_(new QToolButton),
      work_(new WorkBar(session, runs)) {
    setObjectName(QStringLiteral("main"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setFixedHeight(height_px);

    line_ = new QHBoxLayout(row_);
    line_->setContentsMargins(4, 4, 8, 6);
    line_->setSpacing(8);
    range_ = add(tr("Range"), 176, 0);
    backend_ = add(tr("Backend"), 168, 0);
    backend_->setObjectName(QStringLiteral("backend"));
    run_strategy_ = add(tr("Strategy"), 104, roomy_width);
    run_strategy_->setObjectName(QStringLiteral("runStrategy"));
    model_ = add(tr("Conflict model"), 128, usual_width);
    cost_ = add(tr("Cost"), 104, usual_width);
    strategy_ = add(tr("Schedule"), 112, roomy_width);
    workers_ = add(tr("Workers"), 68, 0);
    batch_min_ = add(tr("Batch min"), 68, wide_width);
    batch_min_->setObjectName(QStringLiteral("batchMin"));
    batch_max_ = add(tr("Batch max"), 80, roomiest_width);
    batch_max_->setObjectName(QStringLiteral("batchMax"));
    window_ = add(tr("Window"), 68, roomiest_width);
    window_->setObjectName(QStringLiteral("blockWindow"));
    placement_ = add(tr("Placement"), 80, widest_width);
    placement_->setObjectName(QStringLiteral("placement"));
    repetitions_ = add(tr("Repeat"), 60, roomy_width);
    repetitions_->setObjectName(QStringLiteral("repetitions"));
    verify_ = new QCheckBox(tr("Verify"), row_);
    verify_->setObjectName(QStringLiteral("verifyRuns"));
    verify_->setFocusPolicy(Qt::StrongFocus);
    verify_->setToolTip(tr("After the repetitions of a run, its blocks are executed again in block "
                           "order on the CPU, by the engine that the run did not use (serial "
                           "reference); digest, statuses and fuel of every block must match. The "
                           "measured times do not include this"));
    auto* verify_box = new QWidget(row_);
    auto* verify_column = new QVBoxLayout(verify_box);
    verify_column->setContentsMargins(0, 0, 0, 4);
    verify_column->addStretch(1);
    verify_column->addWidget(verify_);
    addItem(verify_box, compact_width);
    run_->setObjectName(QStringLiteral("run"));
    run_->setProperty("primary", true);
    run_->setFixedHeight(26);
    run_->setAccessibleName(tr("Run: replay the open range"));

    // A menu with one widget: opens and closes like every other menu, by key too.
    auto* menu = new QMenu(more_);
    auto* holder = new QWidgetAction(menu);
    more_panel_ = new QWidget(menu);
    more_line_ = new QVBoxLayout(more_panel_);
    more_line_->setContentsMargins(8, 8, 8, 8);
    holder->setDefaultWidget(more_panel_);
    menu->addAction(holder);
    more_->setText(tr("More"));
    more_->setIcon(icon("more"));
    more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    more_->setAccessibleName(tr("More controls"));
    more_->setToolTip(tr("Controls that do not fit here"));
    more_->setProperty("framed", true);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setMenu(menu);
    more_->setFocusPolicy(Qt::TabFocus);
    line_->addWidget(more_, 0, Qt::AlignBottom);
    more_->hide();
    line_->addWidget(run_, 0, Qt::AlignBottom);
    line_->addStretch(1);
    line_->addWidget(work_, 4);
    addWidget(row_);

    model_->addItems({name_of(conflict::ConflictModel::single_version),
                      name_of(conflict::ConflictModel::multi_version)});
    model_->setToolTip(tr("Single-version: every conflict orders two tasks. Multi-version: only a "
                          "read of an earlier task's write does"));
    strategy_->addItems({tr("levels"), tr("list (dag)"), tr("optimistic")});
    strategy_->setToolTip(tr("Simulated schedule: with a barrier after each level, driven by "
                             "dependencies, or optimistic with aborts"));
    for (const quint32 workers : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U})
        workers_->addItem(QString::number(workers), workers);
    workers_->setObjectName(QStringLiteral("runWorkers"));
    workers_->setEditable(true);
    workers_->setInsertPolicy(QComboBox::NoInsert);
    workers_->setCompleter(nullptr); // it would turn a 3 into 32
    workers_->setValidator(new QIntValidator(1, static_cast<int>(Runs::most_workers), workers_));
    workers_->lineEdit()->setAccessibleName(tr("Workers of the next run"));

    for (const unsigned times : {1U, 6U, 10U, 12U, 20U, 50U, 100U})
        repetitions_->addItem(count_text(times), times);
    repetitions_->setToolTip(tr("Repetitions of the next run on the same state; a 95 % interval of "
                                "the median needs several; 12 are enough"));

    for (const int size : {1, 4, 16, 64, 256}) batch_min_->addItem(count_text(quint64(size)), size);
    for (const int size : {16, 64, 256, 1024, 4096, 16384, 65536})
        batch_max_->addItem(count_text(quint64(size)), size);
    batch_max_->addItem(tr("all"), 0);
    for (const int blocks : {1, 2, 4, 8, 16, 32})
        window_->addItem(count_text(quint64(blocks)), blocks);
    placement_->addItem(tr("shared"), true);
    placement_->addItem(tr("device"), false);

    connect(range_, &QComboBox::activated, this, [this](int at) {
        const QStringList sources = range_->itemData(at).toStringList();
        if (range_->itemData(at).isNull())
            Q_EMIT openDialogRequested();
        else if (sources != session_->sources())
            Q_EMIT openRequested(sources);
        showRecent();
    });
    connect(model_, &QComboBox::activated, this,
            [this](int at) { session_->setModel(static_cast<conflict::ConflictModel>(at)); });
    connect(cost_, &QComboBox::activated, this, [this](int at) { session_->setUseCost(at == 1); });
    connect(strategy_, &QComboBox::activated, this,
            [this](int at) { session_->setStrategy(static_cast<schedule::Strategy>(at)); });
    const auto take_workers = [this] {
        runs_->setWorkers(workers_->currentText().toUInt());
        showRun(); // also where nothing changed: the field shows the value in use
    };
    connect(workers_, &QComboBox::activated, this, take_workers);
    connect(workers_->lineEdit(), &QLineEdit::editingFinished, this, take_workers);
    connect(session_, &Session::optionsChanged, this, &ToolRow::showSession);
    connect(session_, &Session::scheduleChanged, this, &ToolRow::showSession);
    connect(session_, &Session::rangeChanged, this, &ToolRow::showRecent);
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(recent_, changed, this, &ToolRow::showRecent);
    connect(backend_, &QComboBox::activated, this,
            [this](int at) { runs_->setBackend(backend_->itemData(at).toString()); });
    connect(run_strategy_, &QComboBox::activated, this,
            [this](int at) { runs_->setStrategy(run_strategy_->itemText(at)); });
    connect(batch_min_, &QComboBox::activated, this, [this](int at) {
        RunLimits limits = runs_->limits();
        limits.batch_min = batch_min_->itemData(at).toULongLong();
        if (limits.batch_max != 0) limits.batch_max = std::max(limits.batch_max, limits.batch_min);
        runs_->setLimits(limits);
    });
    connect(batch_max_, &QComboBox::activated, this, [this](int at) {
        RunLimits limits = runs_->limits();
        limits.batch_max = batch_max_->itemData(at).toULongLong();
        if (limits.batch_max != 0) limits.batch_min = std::min(limits.batch_min, limits.batch_max);
        runs_->setLimits(limits);
    });
    connect(window_, &QComboBox::activated, this, [this](int at) {
        RunLimits limits = runs_->limits();
        limits.window = window_->itemData(at).toUInt();
        runs_->setLimits(limits);
    });
    connect(placement_, &QComboBox::activated, this, [this](int at) {
        RunLimits limits = runs_->limits();
        limits.hybrid = placement_->itemData(at).toBool();
        runs_->setLimits(limits);
    });
    connect(repetitions_, &QComboBox::activated, this,
            [this](int at) { runs_->setRepetitions(repetitions_->itemData(at).toUInt()); });
    connect(verify_, &QCheckBox::toggled, runs_, &Runs::setVerifies);
    run_->setFocusPolicy(
        Qt::TabFocus); // when disabled during the run, it would pass on the focus of a click
    connect(run_, &QPushButton::clicked, runs_, &Runs::start);
    connect(runs_, &Runs::backendsChanged, this, &ToolRow::showBackends);
    connect(runs_, &Runs::choiceChanged, this, &ToolRow::showRun);
    connect(session_, &Session::busyChanged, this, &ToolRow::showRun);
    connect(session_, &Session::rangeChanged, this, &ToolRow::showRun);
    for (const StrategyChoice& strategy : runs_->strategies())
        run_strategy_->addItem(strategy.name);
    showBackends();
    showSession();
    showRecent();
    // Unfolded it would keep a wide window from becoming narrow, and folds only when it is.
    row_->setMinimumWidth(folded_width);
    fold();
}

/// Entry `at`: greyed with its reason where it cannot be chosen.
void ToolRow::offer(QComboBox* box, int at, const QString& why, const QString& about) {
    if (auto* items = qobject_cast<QStandardItemModel*>(box->model()))
        items->item(at)->setEnabled(why.isEmpty());
    const QString tip = why.isEmpty()     ? about
                        : about.isEmpty() ? tr("Unavailable: %1").arg(why)
                                          : tr("%1\nUnavailable: %2").arg(about, why);
    box->setItemData(at, tip, Qt::ToolTipRole);
    box->setItemData(at, tip, Qt::AccessibleDescriptionRole);
}

void ToolRow::showBackends() {
    backend_->clear();
    for (const Backend& backend : runs_->backends()) {
        backend_->addItem(icon(backend.key.startsWith(QLatin1StringView("vulkan")) ? "gpu" : "cpu"),
                          backend.name, backend.key);
        offer(backend_, backend_->count() - 1, backend.why, backend.details);
    }
    int widest = 0;
    for (int i = 0; i < backend_->count(); ++i)
        widest = std::max(widest, backend_->fontMetrics().horizontalAdvance(backend_->itemText(i)));
    backend_->view()->setMinimumWidth(widest + 56); // names are read whole
    showRun();
}

void ToolRow::showRun() {
    backend_->setCurrentIndex(std::max(0, backend_->findData(runs_->backend())));
    for (const StrategyChoice& choice : runs_->strategies())
        offer(run_strategy_, run_strategy_->findText(choice.name), choice.why, choice.about);
    run_strategy_->setCurrentIndex(std::max(0, run_strategy_->findText(runs_->strategy())));
    const bool serial = runs_->strategy() == QLatin1StringView(name_of(execute::Strategy::serial));
    workers_->setCurrentIndex(workers_->findData(runs_->workers()));
    workers_->setEditText(QString::number(runs_->workers()));
    workers_->setToolTip(serial ? tr("The serial strategy uses one worker")
                                : tr("CPU workers of the next run, 1 to %1. The predicted schedule "
                                     "has its own setting in the Schedule panel")
                                      .arg(count_text(Runs::most_workers)));
    verify_->setChecked(runs_->verifies());
    repetitions_->setCurrentIndex(std::max(0, repetitions_->findData(runs_->repetitions())));
    showLimits();
    backend_->setToolTip(
        tr("Where the next run executes messages\n%1")
            .arg(backend_->itemData(backend_->currentIndex(), Qt::ToolTipRole).toString()));
    run_strategy_->setToolTip(
        tr("Strategy of the next run\n%1")
            .arg(run_strategy_->itemData(run_strategy_->currentIndex(), Qt::ToolTipRole)
                     .toString()));
    const QString why = session_->busy() ? tr("Busy: wait for the operation in progress to finish")
                                         : runs_->whyNot();
    run_->setEnabled(why.isEmpty());
    run_->setIcon(QIcon(
        icon_pixmap("run", why.isEmpty() ? current_theme().button_text : current_theme().text3, 16,
                    run_->devicePixelRatioF())));
    run_->setToolTip(why.isEmpty() ? tr("Replay the open range and keep the run (Ctrl+Return)")
                                   : why);
}

/// A size that is not in the list is added to it.
void ToolRow::showLimits() {
    const bool serial = runs_->strategy() == QLatin1StringView(name_of(execute::Strategy::serial));
    for (const auto& [box, value, tip] :
         {std::tuple{batch_min_, quint64(runs_->limits().batch_min),
                     tr("Block windows with fewer transactions run serially")},
          {batch_max_, quint64(runs_->limits().batch_max),
           tr("Transactions that run together; all: as many as the processor or device "
              "prefers")},
          {window_, quint64(runs_->limits().window), tr("Blocks that are executed together")}}) {
        int at = box->findData(value);
        if (at < 0) {
            at = 0;
            while (at < box->count() && box->itemData(at).toULongLong() - 1 < value - 1) ++at;
            box->insertItem(at, count_text(value), value);
        }
        box->setCurrentIndex(at);
        box->setEnabled(!serial);
        box->setToolTip(!serial          ? tip
                        : box == window_ ? tr("The serial strategy executes one block at a time")
                                         : tr("The serial strategy does not use batches"));
    }
    const bool cpu = serial || runs_->backend() == QLatin1StringView("cpu");
    placement_->setCurrentIndex(placement_->findData(runs_->limits().hybrid));
    placement_->setEnabled(!cpu);
    placement_->setToolTip(
        cpu ? tr("The next run uses the CPU only; with a device, the workers can share its rounds")
            : tr("Who executes the rounds of a device\nshared: the workers, too; they run the "
                 "rounds that they finish sooner\ndevice: the device alone"));
}

QComboBox* ToolRow::add(const QString& caption, int width, int folds_below) {
    auto* box = new QWidget(row_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* label = new QLabel(caption, box);
    set_role(label, "caption");
    auto* combo = new QComboBox(box);
    combo->setFixedWidth(width);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContentsOnFirstShow);
    combo->setAccessibleName(caption);
    combo->setFocusPolicy(Qt::StrongFocus);
    label->setBuddy(combo);
    column->addWidget(label);
    column->addWidget(combo);
    addItem(box, folds_below);
    return combo;
}

void ToolRow::addItem(QWidget* widget, int folds_below) {
    line_->insertWidget(static_cast<int>(items_.size()), widget);
    items_.push_back({widget, folds_below});
}

void ToolRow::addOffer(QAction* action) {
    auto* button = new QToolButton(row_);
    button->setDefaultAction(action);
    button->setText(tr("Use tuned"));
    button->setAccessibleName(tr("Use the tuned settings"));
    button->setObjectName(QStringLiteral("useTuned"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("framed", true);
    button->setFocusPolicy(Qt::TabFocus);
    line_->insertWidget(line_->indexOf(run_), button, 0, Qt::AlignBottom);
    const auto show = [button, action] {
        button->setText(tr("Use tuned")); // the action's is a sentence
        button->setVisible(action->isEnabled());
    };
    connect(action, &QAction::changed, button, show);
    show();
}

void ToolRow::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && run_ != nullptr) showRun();
}

void ToolRow::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fold();
}

int ToolRow::folded() const {
    int count = 0;
    for (const Item& item : items_) count += item.widget->parentWidget() == more_panel_ ? 1 : 0;
    return count;
}

void ToolRow::fold() {
    int place = 0, behind = 0;
    for (const Item& item : items_) {
        const bool tight = width() < item.folds_below;
        const bool is_folded = item.widget->parentWidget() == more_panel_;
        if (tight != is_folded) {
            if (tight)
                more_line_->insertWidget(behind, item.widget);
            else
                line_->insertWidget(place, item.widget);
            item.widget->show();
        }
        ++(tight ? behind : place);
    }
    more_->setVisible(behind > 0);
}

void ToolRow::showSession() {
    model_->setCurrentIndex(static_cast<int>(session_->options().model));
    strategy_->setCurrentIndex(static_cast<int>(session_->strategy()));
    const auto block = session_->currentBlock();
    const bool own = block && !block->trace->cost.empty();
    cost_->clear();
    cost_->addItem(QStringLiteral("unit"));
    if (own) cost_->addItem(cost_name(block->trace->cost_unit));
    cost_->setCurrentIndex(own && session_->options().use_cost ? 1 : 0);
    cost_->setEnabled(own);
    cost_->setToolTip(own ? tr("Cost of a task")
                          : tr("This trace contains no costs: every task costs 1"));
}

void ToolRow::showRecent() {
    range_->clear();
    if (const auto range = session_->range())
        range_->addItem(recent_->distinct(to_qt(range->title), session_->sources()),
                        session_->sources());
    for (int row = 0; row < recent_->rowCount(); ++row)
        if (!recent_->isMissing(row) && recent_->at(row).sources != session_->sources())
            range_->addItem(recent_->distinct(recent_->at(row).title, recent_->at(row).sources),
                            recent_->at(row).sources);
    range_->addItem(tr("Open…"));
    range_->setCurrentIndex(0);
    range_->setToolTip(session_->sources().join(QLatin1Char('\n')));
}

} // namespace blockloom::ui
