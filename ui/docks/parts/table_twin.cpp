#include "docks/parts/table_twin.h"

#include "look/table.h"
#include "models/twin_model.h"
#include "scene/gantt.h"
#include "scene/make_view_table.h"
#include "session/measured_run.h"
#include "session/shortage.h"
#include "text/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <thread>

namespace blockloom::ui {

struct TableTwin::State {
    TwinModel* model = nullptr;
    Table* view = nullptr;
    QLineEdit* filter = nullptr;
    QLabel* note = nullptr;
    ViewJob job;
    bool filled = true; ///< the model holds the rows of `job`, or they are being made
    bool quiet = false; ///< the selection is being shown, not chosen
    quint64 wish = 0;   ///< counts fillings: an older one drops itself
    std::optional<quint32> task, key;
    std::jthread worker;
};

TableTwin::TableTwin(QWidget* parent) : QWidget(parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.model = new TwinModel(this);
    s.view = new Table(tr("The view as a table"), this);
    s.view->setModel(s.model);
    s.view->setSortingEnabled(true);
    s.view->setTextElideMode(Qt::ElideMiddle); // keys and hashes differ at both ends
    s.view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    s.filter = new QLineEdit(this);
    s.filter->setPlaceholderText(tr("Filter rows"));
    s.filter->setAccessibleName(tr("Filter rows"));
    s.filter->setClearButtonEnabled(true);
    s.filter->setMaximumWidth(260);
    s.note = new QLabel(this);
    s.note->setProperty("role", QStringLiteral("second"));

    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(12);
    row->addWidget(s.filter, 1);
    row->addWidget(s.note, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(s.view, 1);
    setFocusProxy(s.view);
    setTabOrder(s.filter, s.view);

    connect(s.filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        state_->quiet = true;
        state_->model->setFilter(text);
        state_->quiet = false;
        select(state_->task, state_->key);
        showNote();
    });
    connect(s.view, &Table::chosen, this, [this](const QModelIndex& current) {
        State& state = *state_;
        if (state.quiet || !current.isValid()) return;
        Q_EMIT chosen(state.model->task(current.row()), state.model->key(current.row()));
    });
}

TableTwin::~TableTwin() {
    state_->worker = {}; // while this object still exists: the thread posts to it
}

void TableTwin::show(const ViewJob& job) {
    state_->job = job;
    state_->filled = false;
    if (isVisible()) fill();
}

void TableTwin::clear() {
    State& s = *state_;
    ++s.wish;
    s.job = {};
    s.filled = true;
    s.quiet = true;
    s.model->setTable(nullptr);
    s.quiet = false;
    showNote();
}

void TableTwin::showEvent(QShowEvent* event) {
    if (!state_->filled) fill();
    QWidget::showEvent(event);
}

// The pairs of a matrix are enumerated again for this: not on the GUI thread.
void TableTwin::fill() {
    State& s = *state_;
    if (!s.job.block) return;
    s.filled = true;
    const quint64 wish = ++s.wish;
    const auto make = [this, wish, job = s.job](const std::stop_token& stop) {
        std::shared_ptr<const scene::ViewTable> table =
            job.measured ? scene::make_gantts_table(job.block->analysis.index, job.schedule,
                                                    job.measured->drawn)
                         : scene::make_view_table(job.block->analysis, job.options, job.schedule,
                                                  100'000, stop);
        if (stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            this,
            [this, wish, table] {
                if (wish == state_->wish) take(table);
            },
            Qt::QueuedConnection);
    };
    s.worker = {}; // the one before ends first
    (void)without_shortage([&] {
        s.worker = std::jthread(
            [make](const std::stop_token& stop) { (void)without_shortage([&] { make(stop); }); });
    });
}

void TableTwin::take(std::shared_ptr<const scene::ViewTable> table) {
    State& s = *state_;
    const bool other_columns = s.model->columnCount() != static_cast<int>(table->columns().size());
    s.quiet = true;
    s.model->setTable(std::move(table));
    s.quiet = false;
    if (other_columns) {
        s.view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        for (int c = 0; c < s.model->columnCount(); ++c) {
            const QString name = s.model->headerData(c, Qt::Horizontal).toString();
            const bool wide = s.model->data(s.model->index(0, c), Qt::FontRole).isValid();
            s.view->setColumnWidth(c,
                                   wide ? 420 : s.view->fontMetrics().horizontalAdvance(name) + 48);
        }
    }
    select(s.task, s.key);
    showNote();
}

void TableTwin::showNote() {
    State& s = *state_;
    const auto shown = static_cast<quint64>(s.model->rowCount());
    QString text =
        shown == s.model->allRows()
            ? counted(shown, tr("row"), tr("rows"))
            : tr("%1 of %2")
                  .arg(count_text(shown), counted(s.model->allRows(), tr("row"), tr("rows")));
    if (const QString left_out = s.model->note(); !left_out.isEmpty())
        text += QStringLiteral(" · ") + left_out;
    s.note->setText(text);
}

void TableTwin::select(std::optional<quint32> task, std::optional<quint32> key) {
    State& s = *state_;
    s.task = task;
    s.key = key;
    const QModelIndex current = s.view->currentIndex();
    // The row that was chosen may be one of several of its task: it stays.
    if (current.isValid() && task && s.model->task(current.row()) == task) return;
    if (current.isValid() && key && s.model->key(current.row()) == key) return;
    const int row = s.model->rowOf(task, key);
    s.quiet = true;
    if (row < 0) {
        s.view->clearSelection();
        s.view->setCurrentIndex({});
    } else {
        s.view->setCurrentIndex(s.model->index(row, 0));
        s.view->selectRow(row);
        s.view->scrollTo(s.model->index(row, 0));
    }
    s.quiet = false;
}

TwinModel* TableTwin::model() const {
    return state_->model;
}

QTableView* TableTwin::view() const {
    return state_->view;
}

} // namespace blockloom::ui
