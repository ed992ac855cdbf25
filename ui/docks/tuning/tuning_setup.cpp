#include "docks/tuning/tuning_setup.h"

#include "look/plain_text.h"
#include "look/theme_style.h"
#include "models/tuning_words.h"
#include "session/backends.h"
#include "session/runs.h"
#include "session/tunings.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr int caption_width = 84, device_width = 260;

QLabel* caption_of(const QString& text, QWidget* control) {
    auto* label = new QLabel(text);
    set_role(label, "second");
    label->setFixedWidth(caption_width);
    label->setBuddy(control);
    return label;
}

template <typename To> std::vector<To> converted(const std::vector<std::uint64_t>& values) {
    std::vector<To> made;
    for (const std::uint64_t value : values) made.push_back(static_cast<To>(value));
    return made;
}

template <typename From> std::vector<std::uint64_t> widened(const std::vector<From>& values) {
    return {values.begin(), values.end()};
}

} // namespace

TuningSetup::TuningSetup(Tunings* tunings, Runs* runs, QWidget* parent)
    : QWidget(parent), tunings_(tunings), runs_(runs), scope_(new QComboBox),
      rows_(new QVBoxLayout(this)), devices_(new QVBoxLayout), strategies_(new QGridLayout),
      placement_(new QComboBox), seconds_(new QSpinBox),
      coarse_(new QCheckBox(tr("Skip points predicted to be slow"))), points_(new QLabel) {
    rows_->setContentsMargins(12, 10, 12, 12);
    rows_->setSpacing(8);
    auto* heading = new QLabel(tr("Sweep"));
    set_role(heading, "heading");
    rows_->addWidget(heading);

    const auto add = [this](const QString& caption, QWidget* control) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(caption_of(caption, control));
        row->addWidget(control, 1);
        rows_->addLayout(row);
        control->setAccessibleName(tr("Sweep: %1").arg(caption));
    };
    scope_->setObjectName(QStringLiteral("tuningScope"));
    scope_->addItems({QString(), QString()});
    scope_->setFocusPolicy(Qt::StrongFocus);
    scope_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    scope_->setToolTip(tr("Which blocks each point replays: the whole range, or those selected in "
                          "the list of blocks"));
    add(tr("Replays"), scope_);

    // Names of devices are long: they have the whole width.
    rows_->addWidget(caption_of(tr("Devices"), nullptr));
    devices_->setSpacing(4);
    rows_->addLayout(devices_);
    addStrategies();

    workers_ = addList(tr("Workers"), "tuningWorkers", tr("Threads per run, separated by commas"),
                       QStringLiteral("1, 2, 4"));
    batch_min_ =
        addList(tr("Batch min"), "tuningBatchMin",
                tr("Block windows with fewer transactions run serially; separated by commas"),
                QStringLiteral("1, 4, 16"));
    batch_max_ = addList(tr("Batch max"), "tuningBatchMax",
                         tr("Transactions that run together, separated by commas; \"all\": as many "
                            "as the processor or device prefers"),
                         QStringLiteral("64, 1024, all"));
    windows_ = addList(tr("Block window"), "tuningWindows",
                       tr("Blocks that are executed together, separated by commas"),
                       QStringLiteral("1, 4, 16"));
    slices_ = addList(tr("Slices"), "tuningSlices",
                      tr("Instructions that a device runs before it returns to the host, separated "
                         "by commas; \"auto\": set by the device"),
                      QStringLiteral("auto, 2500"));
    placement_->setObjectName(QStringLiteral("tuningPlacement"));
    placement_->setFocusPolicy(Qt::StrongFocus);
    placement_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    placement_->addItems({tr("device alone"), tr("shared with the workers"), tr("both ways")});
    placement_->setToolTip(tr("Who runs the rounds of a device: it alone, or shared with the "
                              "workers, which run those that they finish sooner"));
    add(tr("Placement"), placement_);

    seconds_->setObjectName(QStringLiteral("tuningSeconds"));
    seconds_->setRange(0, 36'000);
    seconds_->setSpecialValueText(tr("no limit"));
    seconds_->setSuffix(tr(" s"));
    seconds_->setToolTip(
        tr("Total measured time; the initial points are always measured, however long that takes"));
    add(tr("Budget"), seconds_);
    coarse_->setObjectName(QStringLiteral("tuningCoarse"));
    coarse_->setToolTip(tr("The ends and the middle of each axis are measured first; other points "
                           "are measured only if they are predicted to be at most a quarter slower "
                           "than the best. Skipped points stay predicted (dashed)"));
    rows_->addWidget(coarse_);
    points_->setObjectName(QStringLiteral("tuningPoints"));
    points_->setWordWrap(true);
    rows_->addWidget(points_);
    rows_->addStretch(1);

    connect(scope_, &QComboBox::activated, this, [this](int at) {
        tunings_->setScope(at == 0 ? Tunings::Scope::range : Tunings::Scope::blocks);
    });
    connect(placement_, &QComboBox::activated, this, &TuningSetup::take);
    connect(seconds_, &QSpinBox::valueChanged, this, [this](int seconds) {
        if (!following_) tunings_->setSeconds(static_cast<unsigned>(seconds));
    });
    connect(coarse_, &QCheckBox::toggled, this, [this](bool on) {
        if (!following_) tunings_->setCoarse(on);
    });
    connect(runs_, &Runs::backendsChanged, this, &TuningSetup::showBackends);
    connect(tunings_, &Tunings::choiceChanged, this, &TuningSetup::showChoices);
    connect(tunings_, &Tunings::changed, this, &TuningSetup::showChoices);
    const runs::TuningSpace& space = tunings_->space();
    workers_->setText(list_text(widened(space.workers), {}));
    batch_min_->setText(list_text(widened(space.batch_min), QStringLiteral("0")));
    batch_max_->setText(list_text(widened(space.batch_max), tr("all")));
    slices_->setText(list_text(widened(space.slices), tr("auto")));
    windows_->setText(list_text(widened(space.windows), {}));
    placement_->setCurrentIndex(space.hybrid.size() > 1 ? 2
                                                        : static_cast<int>(space.hybrid.front()));
    showBackends();
    showChoices();
}

QLineEdit* TuningSetup::addList(const QString& caption, const char* name, const QString& tip,
                                const QString& placeholder) {
    auto* edit = new QLineEdit;
    edit->setObjectName(QLatin1StringView(name));
    edit->setAccessibleName(tr("Sweep: %1").arg(caption));
    edit->setToolTip(tip);
    edit->setPlaceholderText(placeholder);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(caption_of(caption, edit));
    row->addWidget(edit, 1);
    rows_->addLayout(row);
    connect(edit, &QLineEdit::textEdited, this, &TuningSetup::take);
    return edit;
}

void TuningSetup::addStrategies() {
    rows_->addWidget(caption_of(tr("Strategies"), nullptr));
    strategies_->setHorizontalSpacing(12);
    strategies_->setVerticalSpacing(4);
    const auto& swept = tunings_->space().strategies;
    for (const StrategyChoice& strategy : runs_->strategies()) {
        const auto named = execute::strategy_named(strategy.name.toStdString());
        if (!named) continue;
        auto* box = new QCheckBox(strategy.name);
        box->setObjectName(QStringLiteral("tuningBy:%1").arg(strategy.name));
        box->setAccessibleName(tr("Sweep strategy %1").arg(strategy.name));
        box->setToolTip(*named == execute::Strategy::serial
                            ? tr("%1. A single point, on the CPU").arg(strategy.about)
                            : strategy.about);
        box->setProperty("strategy", static_cast<int>(*named));
        box->setChecked(std::find(swept.begin(), swept.end(), *named) != swept.end());
        connect(box, &QCheckBox::toggled, this, &TuningSetup::take);
        const int at = strategies_->count();
        strategies_->addWidget(box, at / 2, at % 2);
    }
    strategies_->setColumnStretch(1, 1);
    rows_->addLayout(strategies_);
}

void TuningSetup::showBackends() {
    while (QLayoutItem* item = devices_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Backend& backend : runs_->backends()) {
        if (backend.key == QLatin1StringView("auto")) continue;
        const bool cpu = backend.key == QLatin1StringView("cpu");
        const QString name = backend.device.isEmpty() || cpu ? backend.name : backend.device;
        auto* box = new QCheckBox(fontMetrics().elidedText(name, Qt::ElideRight, device_width));
        box->setObjectName(QStringLiteral("tuningOn:%1").arg(backend.key));
        box->setAccessibleName(tr("Sweep on %1").arg(backend.name));
        box->setToolTip(backend.usable() ? backend.name
                                         : tr("Cannot be used: %1").arg(backend.why));
        box->setEnabled(backend.usable());
        box->setProperty("backend", backend.key);
        const auto& on = tunings_->space().backends;
        box->setChecked(std::find(on.begin(), on.end(), backend.key.toStdString()) != on.end());
        connect(box, &QCheckBox::toggled, this, &TuningSetup::take);
        devices_->addWidget(box);
    }
}

/// The entered values if they are valid; otherwise the reason why not.
void TuningSetup::take() {
    runs::TuningSpace space = tunings_->space();
    why_.clear();
    const auto read = [this](QLineEdit* edit, const QString& what, const QString& zero,
                             auto& into) {
        const auto values = read_list(edit->text(), zero);
        if (!values) {
            why_ = tr("%1: expected numbers separated by commas, found \"%2\"")
                       .arg(what, edit->text());
            return;
        }
        into = converted<typename std::decay_t<decltype(into)>::value_type>(*values);
    };
    read(workers_, tr("Workers"), {}, space.workers);
    if (std::any_of(space.workers.begin(), space.workers.end(),
                    [](unsigned count) { return count > 1024; }))
        why_ = tr("Workers: expected at most 1,024");
    read(batch_min_, tr("Batch min"), QStringLiteral("0"), space.batch_min);
    read(batch_max_, tr("Batch max"), tr("all"), space.batch_max);
    read(windows_, tr("Block window"), {}, space.windows);
    if (std::any_of(space.windows.begin(), space.windows.end(),
                    [](std::uint32_t blocks) { return blocks > RunLimits::most_window; }))
        why_ = tr("Block window: expected at most %1")
                   .arg(count_text(quint64(RunLimits::most_window)));
    read(slices_, tr("Slices"), tr("auto"), space.slices);
    const int placement = placement_->currentIndex();
    space.hybrid = placement == 2
                       ? std::vector<std::uint32_t>{0, 1}
                       : std::vector<std::uint32_t>{static_cast<std::uint32_t>(placement)};
    space.backends.clear();
    for (int i = 0; i < devices_->count(); ++i)
        if (auto* box = qobject_cast<QCheckBox*>(devices_->itemAt(i)->widget());
            box != nullptr && box->isChecked() && box->isEnabled())
            space.backends.push_back(box->property("backend").toString().toStdString());
    if (space.backends.empty()) why_ = tr("Devices: choose at least one");
    space.strategies.clear();
    for (int i = 0; i < strategies_->count(); ++i)
        if (auto* box = qobject_cast<QCheckBox*>(strategies_->itemAt(i)->widget());
            box != nullptr && box->isChecked())
            space.strategies.push_back(
                static_cast<execute::Strategy>(box->property("strategy").toInt()));
    if (space.strategies.empty()) why_ = tr("Strategies: choose at least one");
    if (why_.isEmpty())
        tunings_->setSpace(space);
    else
        Q_EMIT tunings_->choiceChanged();
}

QString TuningSetup::whyNot() const {
    return why_;
}

void TuningSetup::showChoices() {
    following_ = true;
    scope_->setItemText(0, tunings_->scope() == Tunings::Scope::range
                               ? tr("the whole range, %1").arg(tunings_->scopeWords())
                               : tr("the whole range"));
    scope_->setItemText(1, tunings_->scope() == Tunings::Scope::blocks
                               ? tr("the selected blocks, %1").arg(tunings_->scopeWords())
                               : tr("the selected blocks"));
    scope_->setCurrentIndex(static_cast<int>(tunings_->scope()));
    seconds_->setValue(static_cast<int>(tunings_->seconds()));
    coarse_->setChecked(tunings_->coarse());
    const auto& on = tunings_->space().backends;
    const bool device =
        std::any_of(on.begin(), on.end(), [](const std::string& key) { return key != "cpu"; });
    slices_->setEnabled(device);
    placement_->setEnabled(device && tunings_->doing() == Tunings::Doing::nothing);
    const std::size_t points = tunings_->points();
    set_role(points_, why_.isEmpty() ? "caption" : "warning");
    QString words = tr("%1 in the sweep; each replays %2")
                        .arg(counted(points, tr("point"), tr("points")), tunings_->scopeWords());
    if (const QString note = tunings_->scopeNote(); !note.isEmpty()) words += tr(". %1").arg(note);
    show_sentence(*points_, why_.isEmpty() ? words : why_);
    const bool idle = tunings_->doing() == Tunings::Doing::nothing;
    for (QWidget* control : std::initializer_list<QWidget*>{
             scope_, workers_, batch_min_, batch_max_, windows_, seconds_, coarse_})
        control->setEnabled(idle);
    for (int i = 0; i < strategies_->count(); ++i)
        strategies_->itemAt(i)->widget()->setEnabled(idle);
    following_ = false;
}

} // namespace blockloom::ui
