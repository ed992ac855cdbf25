#include "docks/log_dock.h"

#include "look/cells.h"
#include "look/table.h"
#include "models/log_model.h"
#include "session/session.h"

#include <QHeaderView>
#include <QScrollBar>

namespace blockloom::ui {

LogDock::LogDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("log"), tr("Log"), parent), model_(new LogModel(this)),
      table_(new Table(tr("Log"))) {
    table_->setModel(model_);
    table_->setItemDelegateForColumn(LogModel::Level, new MarkCell(table_));
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->resizeSection(LogModel::Time, 104);
    table_->horizontalHeader()->resizeSection(LogModel::Level, 96);
    setBody(table_);
    setEmptyPage(tr("What is opened, analysed and left out is noted here."));
    showEmpty(true);
    setHelp(
        tr("<b>Log</b>: what was opened, analysed and left out, with times. Rows copy as text."));
    addTitleButton("copy", tr("Copy the selected lines"), {}, [this] { table_->copy(); });
    connect(session, &Session::logged, this, &LogDock::note);
}

void LogDock::note(const QString& level, const QString& message) {
    const QScrollBar* bar = table_->verticalScrollBar();
    const bool at_end = bar->value() == bar->maximum();
    model_->append(level, message);
    showEmpty(false);
    if (at_end) table_->scrollToBottom();
}

} // namespace blockloom::ui
