#include "window/find_box.h"

#include "look/icons.h"
#include "session/background_work.h"
#include "session/session.h"

#include <QAction>
#include <QKeyEvent>
#include <QListWidget>

#include <algorithm>

namespace blockloom::ui {

FindBox::FindBox(Session* session, QWidget* parent)
    : QLineEdit(parent), session_(session), answers_(new QListWidget(this)),
      others_(new BackgroundWork(this)) {
    setObjectName(QStringLiteral("find"));
    setPlaceholderText(tr("Find a transaction, key or block"));
    setAccessibleName(tr("Find a transaction, key or block"));
    setToolTip(tr("Find by number, hash, key or height (Ctrl+F)"));
    addAction(icon("search"), LeadingPosition);
    setClearButtonEnabled(true);
    setFixedWidth(300);
    // A separate window that never takes the focus: typing continues while it is open.
    answers_->setWindowFlags(Qt::ToolTip);
    answers_->setProperty("popup", true);
    answers_->setFocusPolicy(Qt::NoFocus);
    answers_->setFocusProxy(this);
    answers_->setAccessibleName(tr("Search results"));
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
        if (count > 0)
            take(qMax(answers_->currentRow(), 0));
        else
            take_first_ = looking_;
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
    take_first_ = false;
    const auto range = session_->range();
    if (!range || text().trimmed().isEmpty()) {
        others_->cancel();
        hideAnswers();
        return;
    }
    const int row = session_->currentRow();
    const auto block = session_->currentBlock();
    const FindResult result = find_in(*range, row, block.get(), text(), most);
    found_ = result.found;
    whole_ = result.whole;
    const int left = most - static_cast<int>(found_.size());
    others_->start([this, range, row, text = text(), left](const BackgroundWork::Delivery& deliver,
                                                           ProgressSink&, std::stop_token stop) {
        const FindResult more = find_elsewhere(*range, row, text, left, stop);
        deliver([this, more] {
            found_ += more.found;
            whole_ = whole_ && more.whole;
            looking_ = false;
            if (take_first_) return take(0);
            if (answers_->isVisible()) showAnswers();
        });
    });
    looking_ = true;
    showAnswers();
}

void FindBox::showAnswers() {
    const int current = std::max(answers_->currentRow(), 0);
    answers_->clear();
    for (const Found& found : found_)
        answers_->addItem(QStringLiteral("%1   %2").arg(found.title, found.detail));
    if (looking_ && found_.size() < most)
        answers_->addItem(tr("Searching the other blocks…"));
    else if (found_.isEmpty())
        answers_->addItem(tr("Nothing found in this range"));
    if (!looking_ && !whole_)
        answers_->addItem(tr("Incomplete: only part of the range was searched"));
    if (!found_.isEmpty())
        answers_->setCurrentRow(std::min(current, static_cast<int>(found_.size()) - 1));
    const int rows = qMin(answers_->count(), 12);
    const int height_of = rows * qMax(answers_->sizeHintForRow(0), 20) + 6;
    answers_->resize(std::max(width(), answers_->sizeHintForColumn(0) + 24), height_of);
    // Never beyond the right edge of the window, where the box is.
    const QPoint right = mapToGlobal(QPoint(width(), height() + 2));
    answers_->move(right.x() - answers_->width(), right.y());
    answers_->show();
}

void FindBox::take(int at) {
    if (at < 0 || at >= found_.size()) return;
    const Found found = found_.at(at);
    others_->cancel();
    take_first_ = false;
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
