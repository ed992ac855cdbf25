#include "docks/log_dock.h"

#include "look/cells.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/log_model.h"
#include "session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

namespace blockloom::ui {

LogDock::LogDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("log"), tr("Log"), parent), model_(new LogModel(this)),
      table_(new Table(tr("Log"))), whole_(new QLabel) {
    table_->setModel(model_);
    table_->setItemDelegateForColumn(LogModel::Level, new MarkCell(table_));
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->resizeSection(
        LogModel::Time,
        table_->fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.000")) + 20);
    table_->horizontalHeader()->resizeSection(LogModel::Level, 80);
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    // A narrow panel cuts its lines: the selected one, else the newest, is shown in full below.
    set_role(whole_, "second");
    whole_->setObjectName(QStringLiteral("wholeLine"));
    whole_->setAccessibleName(tr("Full text of the line"));
    whole_->setContentsMargins(8, 4, 8, 4);
    whole_->setWordWrap(true);
    whole_->setMinimumWidth(1);
    whole_->setMaximumHeight(4 * fontMetrics().lineSpacing() + 8);
    whole_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(table_, 1);
    column->addWidget(whole_);
    setBody(body);
    setEmptyPage(tr("What was opened, analysed, run and left out is logged here."));
    showEmpty(true);
    setHelp(tr("<b>Log</b>: what was opened, analysed, run and left out, with times. Copied rows "
               "are plain text."));
    addTitleButton("copy", tr("Copy the selected lines"), {}, [this] { table_->copy(); });
    connect(table_, &Table::chosen, this, &LogDock::showWhole);
    // The newest line stays in view, also when the panel is shown or resized, until the user
    // scrolls away from it.
    QScrollBar* const bar = table_->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this,
            [this, bar] { at_end_ = bar->value() == bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar] {
        if (at_end_) bar->setValue(bar->maximum());
    });
    connect(session, &Session::logged, this, &LogDock::note);
}

void LogDock::note(const QString& level, const QString& message) {
    model_->append(level, message);
    showEmpty(false);
    showWhole();
}

void LogDock::showWhole() {
    const QModelIndex current = table_->currentIndex();
    const int row = current.isValid() ? current.row() : model_->rowCount() - 1;
    const QString line = model_->index(row, LogModel::Message).data().toString();
    show_sentence(*whole_, line);
    whole_->setToolTip(line);
}

} // namespace blockloom::ui
