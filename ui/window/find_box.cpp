#include "window/find_box.h"

#include "look/icons.h"
#include "session/session.h"

#include <QAction>
#include <QKeyEvent>
#include <QListWidget>

namespace blockloom::ui {

FindBox::FindBox(Session* session, QWidget* parent)
    : QLineEdit(parent), session_(session), answers_(new QListWidget(this)) {
    setObjectName(QStringLiteral("find"));
    setPlaceholderText(tr("Find a transaction, key, block"));
    setAccessibleName(tr("Find a transaction, key or block"));
    setToolTip(tr("Find by number, hash, key or height (Ctrl+F)"));
    addAction(icon("search"), LeadingPosition);
    setClearButtonEnabled(true);
    setFixedWidth(300);
    // A window of its own that never takes the focus: typing goes on while it is open.
    answers_->setWindowFlags(Qt::ToolTip);
    answers_->setFocusPolicy(Qt::NoFocus);
    answers_->setFocusProxy(this);
    answers_->setAccessibleName(tr("What was found"));
    answers_->setUniformItemSizes(true);
    answers_->hide();
    installEventFilter(this);
    connect(this, &QLineEdit::textChanged, this, &FindBox::look);
    connect(answers_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { take(answers_->row(item)); });
    connect(session_, &Session::rangeChanged, this, &FindBox::hideAnswers);
}

bool FindBox::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && answers_->isVisible()) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Down || key == Qt::Key_Up) event->accept();
    }
    return QLineEdit::eventFilter(watched, event);
}

void FindBox::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(found_.size());
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        if (count == 0) break;
        answers_->setCurrentRow(
            (answers_->currentRow() + (event->key() == Qt::Key_Down ? 1 : count - 1)) % count);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (count > 0) take(qMax(answers_->currentRow(), 0));
        return;
    case Qt::Key_Escape:
        if (answers_->isVisible())
            hideAnswers();
        else
            clear();
        return;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void FindBox::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    hideAnswers();
}

void FindBox::look() {
    answers_->clear();
    found_.clear();
    const auto range = session_->range();
    if (!range || text().trimmed().isEmpty()) {
        hideAnswers();
        return;
    }
    const auto block = session_->currentBlock();
    const FindResult result = find_in(*range, session_->currentRow(), block.get(), text());
    found_ = result.found;
    for (const Found& found : found_)
        answers_->addItem(QStringLiteral("%1   %2").arg(found.title, found.detail));
    if (found_.isEmpty()) answers_->addItem(tr("Nothing found in this block"));
    if (!result.whole) answers_->addItem(tr("Only the first names were looked at"));
    if (!found_.isEmpty()) answers_->setCurrentRow(0);
    const int rows = qMin(answers_->count(), 12);
    answers_->resize(width(), rows * qMax(answers_->sizeHintForRow(0), 20) + 6);
    answers_->move(mapToGlobal(QPoint(0, height() + 2)));
    answers_->show();
}

void FindBox::take(int at) {
    if (at < 0 || at >= found_.size()) return;
    const Found found = found_.at(at);
    hideAnswers();
    session_->setCurrentRow(found.row);
    if (found.task) session_->selectTask(found.task);
    if (found.key) session_->selectKey(found.key);
    selectAll();
}

void FindBox::hideAnswers() {
    answers_->hide();
}

} // namespace blockloom::ui
