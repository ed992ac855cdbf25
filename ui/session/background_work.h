// Work off the GUI thread: only one job is current; older ones are asked to stop and their results
// dropped.
#pragma once

#include "base/progress.h"

#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace blockloom::ui {

/// Keeps the latest report until it is polled: however often the work reports, the window repaints
/// no more often than it polls.
class LatestProgress final : public ProgressSink {
public:
    void report(const Progress& progress) override;
    [[nodiscard]] Progress latest() const;

private:
    mutable std::mutex mutex_;
    Progress latest_;
};

/// Lives on the GUI thread. A job runs in a std::jthread and hands over results by `Delivery`,
/// which runs its function on the GUI thread only while the job is still current.
class BackgroundWork : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void(std::function<void()>)>;
    using Job =
        std::function<void(const Delivery& deliver, ProgressSink& progress, std::stop_token stop)>;

    explicit BackgroundWork(QObject* parent = nullptr);
    ~BackgroundWork() override; ///< asks all jobs to stop and waits for them

    void start(Job job); ///< replaces the current one
    void cancel();       ///< returns at once; the job delivers nothing more
    [[nodiscard]] bool running() const;
    [[nodiscard]] Progress latest() const;

Q_SIGNALS:
    void finished(); ///< the current job has ended without being cancelled; all its deliveries have
                     ///< been made

private:
    struct Running {
        quint64 generation = 0;
        std::shared_ptr<LatestProgress> progress;
        std::jthread thread;
    };
    void retire(quint64 generation);

    quint64 generation_ = 0; ///< number of the current job
    bool running_ = false;
    std::vector<Running> jobs_; ///< the current one and those that are still stopping
};

} // namespace blockloom::ui
