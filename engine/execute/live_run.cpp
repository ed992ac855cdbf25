#include "execute/live_run.h"

#include "execute/recording.h"
#include "execute/replayed_block.h"
#include "profile/usage_sampler.h"

#include <algorithm>
#include <utility>

namespace blockloom::execute {
namespace {

constexpr Nanoseconds frame_time = 1'000'000'000 / 60;

double a_second(std::uint64_t count, Nanoseconds time) noexcept {
    return time <= 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(time);
}

} // namespace

double LiveSnapshot::tasks_a_second() const noexcept {
    return a_second(done.tasks, elapsed);
}

double LiveSnapshot::blocks_a_second() const noexcept {
    return a_second(done.blocks, elapsed);
}

double LiveSnapshot::busy_share() const noexcept {
    const double all = static_cast<double>(elapsed) * std::max(workers, 1U);
    return all <= 0 ? 0 : std::min(static_cast<double>(busy) / all, 1.0);
}

/// Tasks and blocks finished so far, as lines of the usage: throughput over time.
class LiveRun::WorkProbe final : public profile::UsageProbe {
public:
    explicit WorkProbe(const LiveRun& run) : run_(run) {}
    [[nodiscard]] std::vector<profile::UsageLine> lines() const override {
        return {{"run", profile::Quantity::tried, 0, {}, {}},
                {"run", profile::Quantity::tasks, 0, {}, {}},
                {"run", profile::Quantity::blocks, 0, {}, {}}};
    }
    void read(std::span<std::int64_t> values) override {
        values[0] = static_cast<std::int64_t>(run_.all_tried());
        values[1] = static_cast<std::int64_t>(run_.tasks_.load(std::memory_order_relaxed));
        values[2] = static_cast<std::int64_t>(run_.blocks_.load(std::memory_order_relaxed));
    }

private:
    const LiveRun& run_;
};

LiveRun::LiveRun(LiveSettings how) : begin_(now_ns()) {
    snapshot_.how = std::move(how);
}

LiveRun::~LiveRun() = default;

std::uint64_t LiveRun::all_tried() const noexcept {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) sum += slot.tried.load(std::memory_order_relaxed);
    return sum;
}

Nanoseconds LiveRun::all_busy() const noexcept {
    Nanoseconds sum = 0;
    for (const Slot& slot : slots_) sum += slot.busy.load(std::memory_order_relaxed);
    return sum;
}

LiveSnapshot LiveRun::now(Nanoseconds at) {
    if (stretches_new_) {
        snapshot_.stretches = std::make_shared<const std::vector<LiveStretch>>(stretches_);
        stretches_new_ = false;
    }
    LiveSnapshot made = snapshot_;
    made.tried = all_tried() - tried_before_;
    made.busy = all_busy() - busy_before_;
    made.paused = gate_.paused(at);
    const Nanoseconds end = repetition_end_ != 0 ? repetition_end_ : at;
    if (made.repetition != 0)
        made.elapsed =
            std::max<Nanoseconds>(end - repetition_begin_ - (made.paused - paused_before_), 0);
    if (made.state == LiveState::running && gate_.asked())
        made.state =
            gate_.waiting() == 0 || gate_.working() != 0 ? LiveState::pausing : LiveState::paused;
    if (sampler_ != nullptr) made.usage = sampler_->series();
    if (recording_ != nullptr) made.devices = recording_->devices_now(end);
    return made;
}

std::shared_ptr<const LiveSnapshot> LiveRun::latest() {
    const std::scoped_lock lock(guard_);
    const bool over = snapshot_.state == LiveState::finished;
    const Nanoseconds at = now_ns();
    if (latest_ != nullptr &&
        (over ? latest_->state == LiveState::finished : at - latest_at_ < frame_time))
        return latest_;
    ++snapshot_.number;
    latest_ = std::make_shared<const LiveSnapshot>(now(at));
    latest_at_ = at;
    return latest_;
}

std::uint64_t LiveRun::made() const {
    const std::scoped_lock lock(guard_);
    return snapshot_.number;
}

void LiveRun::watch(std::vector<std::unique_ptr<profile::UsageProbe>> probes) {
    probes.insert(probes.begin(), std::make_unique<WorkProbe>(*this));
    const std::scoped_lock lock(guard_);
    begin_ = now_ns(); // loading what the probes need has taken time
    auto sampler = std::make_unique<profile::UsageSampler>(std::move(probes), begin_);
    sampler_ = std::move(sampler);
}

void LiveRun::begin_repetition(unsigned number, std::shared_ptr<const Recording> recording) {
    const std::scoped_lock lock(guard_);
    recording_ = std::move(recording);
    snapshot_.state = LiveState::running;
    snapshot_.repetition = number;
    snapshot_.done = {};
    snapshot_.window = {};
    snapshot_.phases = finished_phases_ = {};
    stretches_.clear();
    joined_ = 1;
    stretches_new_ = true;
    tried_before_ = all_tried();
    busy_before_ = all_busy();
    repetition_begin_ = now_ns();
    repetition_end_ = 0;
    paused_before_ = gate_.paused(repetition_begin_);
}

std::shared_ptr<const Recording> LiveRun::recording() const {
    const std::scoped_lock lock(guard_);
    return recording_;
}

void LiveRun::repetition_over() {
    const std::scoped_lock lock(guard_);
    repetition_end_ = now_ns();
}

void LiveRun::finish() {
    // Outside the lock: the sampler reads what this run has come to.
    profile::UsageSampler* sampler = nullptr;
    {
        const std::scoped_lock lock(guard_);
        if (snapshot_.state == LiveState::finished) return;
        sampler = sampler_.get();
    }
    if (sampler != nullptr) sampler->stop();
    const std::scoped_lock lock(guard_);
    snapshot_.state = LiveState::finished;
    snapshot_.held_up.clear();
    if (repetition_end_ == 0) repetition_end_ = now_ns();
}

std::shared_ptr<const profile::UsageSeries> LiveRun::usage() const {
    const std::scoped_lock lock(guard_);
    return sampler_ == nullptr ? nullptr : sampler_->series();
}

std::vector<PauseGate::Pause> LiveRun::pauses() const {
    const std::scoped_lock lock(guard_);
    auto found = gate_.pauses();
    for (PauseGate::Pause& pause : found) {
        pause.begin -= begin_;
        pause.end -= begin_;
    }
    return found;
}

void LiveRun::expect(std::uint64_t blocks, unsigned workers) {
    const std::scoped_lock lock(guard_);
    snapshot_.blocks = blocks;
    snapshot_.workers = workers;
    if (snapshot_.state == LiveState::waiting) snapshot_.state = LiveState::running;
    if (snapshot_.repetition == 0) {
        snapshot_.repetition = 1;
        repetition_begin_ = now_ns();
        paused_before_ = gate_.paused(repetition_begin_);
    }
}

void LiveRun::at_hand(const LiveWindow& window, const Phases& phases) {
    const std::scoped_lock lock(guard_);
    snapshot_.window = window;
    snapshot_.phases = finished_phases_;
    snapshot_.phases += phases;
}

void LiveRun::finished(const ReplayedBlock& block) {
    const alkanes::BlockExecution& execution = *block.execution;
    tasks_.fetch_add(execution.tasks, std::memory_order_relaxed);
    blocks_.fetch_add(1, std::memory_order_relaxed);

    const std::scoped_lock lock(guard_);
    LiveCounts& done = snapshot_.done;
    ++done.blocks;
    done.tasks += execution.tasks;
    done.succeeded += execution.succeeded;
    done.reverted += execution.messages - execution.succeeded;
    done.on_device += execution.on_device;
    done.executions += block.rounds.executions;
    done.accepted_first += block.rounds.accepted_first;
    done.in_order += block.rounds.serial;
    done.rounds += block.rounds.rounds;
    done.batches += block.rounds.batches.size();
    for (const auto& [code, count] : block.rounds.ejected) done.ejected[code] += count;
    finished_phases_ += block.phases;
    snapshot_.phases = finished_phases_;
    snapshot_.window = {};

    if (stretches_.empty() || stretches_.back().blocks >= joined_) {
        stretches_.push_back(
            {execution.height, execution.height, 1, execution.tasks, block.phases.sum()});
    } else {
        LiveStretch& last = stretches_.back();
        last.last_height = execution.height;
        ++last.blocks;
        last.tasks += execution.tasks;
        last.wall += block.phases.sum();
    }
    stretches_new_ = true;
    if (stretches_.size() <= most_stretches) return;
    std::vector<LiveStretch> halved;
    for (std::size_t i = 0; i < stretches_.size(); i += 2) {
        halved.push_back(stretches_[i]);
        if (i + 1 == stretches_.size()) break;
        const LiveStretch& next = stretches_[i + 1];
        halved.back().last_height = next.last_height;
        halved.back().blocks += next.blocks;
        halved.back().tasks += next.tasks;
        halved.back().wall += next.wall;
    }
    stretches_ = std::move(halved);
    joined_ *= 2;
}

void LiveRun::hold_up(std::string what) {
    const std::scoped_lock lock(guard_);
    snapshot_.held_up = std::move(what);
}

} // namespace blockloom::execute
