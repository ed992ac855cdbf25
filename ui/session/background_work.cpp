#include "session/background_work.h"

#include "session/shortage.h"

#include <algorithm>

namespace blockloom::ui {

void LatestProgress::report(const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    latest_ = progress;
}

Progress LatestProgress::latest() const {
    const std::scoped_lock lock(mutex_);
    return latest_;
}

BackgroundWork::BackgroundWork(QObject* parent) : QObject(parent) {}

BackgroundWork::~BackgroundWork() {
    for (Running& job : jobs_) job.thread.request_stop(); // all first, so that they end together
    jobs_.clear();
}

void BackgroundWork::start(Job job) {
    cancel();
    running_ = true;
    const quint64 generation = ++generation_;
    auto progress = std::make_shared<LatestProgress>();
    // The destructor joins before this object goes, so `this` is good for the whole run; what is
    // still queued then is dropped with the object.
    const auto end = [this, generation] {
        QMetaObject::invokeMethod(
            this, [this, generation] { retire(generation); }, Qt::QueuedConnection);
    };
    auto work = [this, generation, progress, end, job = std::move(job)](std::stop_token stop) {
        const Delivery deliver = [this, generation](std::function<void()> act) {
            QMetaObject::invokeMethod(
                this,
                [this, generation, act = std::move(act)] {
                    if (running_ && generation == generation_) act();
                },
                Qt::QueuedConnection);
        };
        (void)without_shortage([&] { job(deliver, *progress, std::move(stop)); });
        end();
    };
    std::jthread thread;
    if (!without_shortage([&] { thread = std::jthread(std::move(work)); })) end();
    jobs_.push_back({generation, std::move(progress), std::move(thread)});
}

void BackgroundWork::cancel() {
    running_ = false;
    for (Running& job : jobs_) job.thread.request_stop();
}

bool BackgroundWork::running() const {
    return running_;
}

Progress BackgroundWork::latest() const {
    return jobs_.empty() ? Progress{} : jobs_.back().progress->latest();
}

void BackgroundWork::retire(quint64 generation) {
    const auto at = std::find_if(jobs_.begin(), jobs_.end(), [generation](const Running& job) {
        return job.generation == generation;
    });
    if (at != jobs_.end())
        jobs_.erase(at); // its thread has nothing left to do, so it joins at once
    if (!running_ || generation != generation_) return;
    running_ = false;
    Q_EMIT finished();
}

} // namespace blockloom::ui
