#include "session/live_spans.h"

#include "execute/live_run.h"
#include "execute/recording.h"
#include "session/background_work.h"
#include "session/runs.h"

#include <algorithm>
#include <ctime>
#include <thread>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t most_spans = 24'000;        ///< of all lanes
constexpr Nanoseconds most_shown = 5'000'000'000; ///< older ones are too narrow to be watched
constexpr Nanoseconds soonest = 100'000'000, latest = 1'000'000'000;
constexpr Nanoseconds capacity_share = 100; ///< a hundredth of what all processors can do

/// Processor time of this thread: others that have the processor cost nothing here.
Nanoseconds own_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

LiveView view_of(const execute::Recording& recording, std::size_t most, profile::BusySoFar& busy) {
    LiveView view;
    profile::SoFar now = recording.so_far(most);
    recording.add_busy(busy);
    const Nanoseconds end = std::max<Nanoseconds>(now.trace.duration, 1);
    view.newest = {std::clamp<Nanoseconds>(end - most_shown, std::min(now.from, end - 1), end - 1),
                   end};
    view.host = busy.host.shares(end, std::max(busy.workers, 1U));
    view.device = busy.device.shares(end, 1);
    view.timeline = std::make_shared<const profile::Timeline>(now.trace);
    view.statistics = std::make_shared<const profile::RangeStatistics>(
        profile::statistics_of(*view.timeline, view.newest));
    return view;
}

} // namespace

LiveSpans::LiveSpans(Runs* runs, QObject* parent)
    : QObject(parent), runs_(runs), work_(new BackgroundWork(this)) {
    pace_.setSingleShot(true);
    pace_.setTimerType(Qt::CoarseTimer);
    connect(&pace_, &QTimer::timeout, this, &LiveSpans::look);
    connect(work_, &BackgroundWork::finished, this, &LiveSpans::rest);
    connect(runs_, &Runs::liveChanged, this, [this] {
        if (wanted_ && runs_->running() && !isLooking()) look();
    });
}

LiveSpans::~LiveSpans() {
    delete work_;
}

bool LiveSpans::isReading() const {
    return work_->running();
}

void LiveSpans::setWanted(bool wanted) {
    if (wanted == wanted_) return;
    wanted_ = wanted;
    if (!wanted) return pace_.stop();
    stood_still_ = false;
    if (!isReading()) look();
}

void LiveSpans::rest() {
    if (!wanted_ || !runs_->running()) return;
    const auto cores = static_cast<Nanoseconds>(std::max(std::thread::hardware_concurrency(), 1U));
    const Nanoseconds wait = std::clamp(cost_ * capacity_share / cores, soonest, latest);
    pace_.start(static_cast<int>(wait / 1'000'000));
}

void LiveSpans::look() {
    const auto live = runs_->live();
    if (!wanted_ || live == nullptr || !runs_->running()) return;
    const auto snapshot = live->latest();
    auto recording = live->recording();
    const bool still = snapshot->state == execute::LiveState::paused;
    if (recording == nullptr || (still && stood_still_ && recording == recording_)) {
        cost_ = 0;
        return rest();
    }
    stood_still_ = still;
    if (recording != std::exchange(recording_, recording))
        busy_ = std::make_shared<profile::BusySoFar>();
    const std::size_t most =
        std::clamp<std::size_t>(most_spans / (snapshot->workers + 2), 256, 8192);
    work_->start([this, recording = std::move(recording), busy = busy_,
                  most](const BackgroundWork::Delivery& deliver, ProgressSink&, std::stop_token) {
        const Nanoseconds before = own_time();
        auto view = std::make_shared<const LiveView>(view_of(*recording, most, *busy));
        deliver([this, view, cost = own_time() - before] {
            cost_ = cost;
            if (wanted_) Q_EMIT seen(view);
        });
    });
}

} // namespace blockloom::ui
