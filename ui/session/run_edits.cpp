#include "session/run_edits.h"

#include "session/background_work.h"
#include "text/to_qt.h"

#include <utility>

namespace blockloom::ui {

RunEdits::RunEdits(QObject* parent) : QObject(parent), work_(new BackgroundWork(this)) {
    connect(work_, &BackgroundWork::finished, this, &RunEdits::next);
}

RunEdits::~RunEdits() {
    delete work_; // waits for the one in progress
    for (const Edit& edit : waiting_) (void)perform(edit);
}

Status RunEdits::perform(const Edit& edit) {
    return edit.change(edit.folder.toStdString());
}

void RunEdits::enqueue(const QString& folder, Change change) {
    waiting_.push_back({folder, std::move(change)});
    if (!work_->running()) next();
}

bool RunEdits::busy() const {
    return work_->running() || !waiting_.empty();
}

void RunEdits::next() {
    if (waiting_.empty()) {
        Q_EMIT done();
        return;
    }
    work_->start([this, edit = std::move(waiting_.front())](const BackgroundWork::Delivery& deliver,
                                                            ProgressSink&, std::stop_token) {
        const Status changed = perform(edit);
        if (changed) return;
        deliver([this, message = to_qt(changed.error().message)] { Q_EMIT failed(message); });
    });
    waiting_.pop_front();
}

} // namespace blockloom::ui
