// The spans of a replay (profile/span.h), which the parts of this room record while they work.
// Recording is optional: a null Recording records nothing.
#pragma once

#include "alkanes/block_execution.h"
#include "alkanes/runtime.h"
#include "execute/contract_code.h"
#include "execute/device/device_activity.h"
#include "execute/phases.h"
#include "gpuvm/machine.h"
#include "profile/recorder.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Names of spans; the first are those of the phases.
enum class SpanName : std::uint16_t {
    round = static_cast<std::uint16_t>(Phase::count), ///< of a block window, on the driver
    message,                                          ///< a task, on a worker
    check,                                            ///< of a round's results
    batch,                                            ///< attempts passed to an executor at once
    upload,                                           ///< of a submission, on the device's lane
    run,
    download,
    paused,   ///< nobody works; on the driver
    wave,     ///< of a device, in one slice
    tokens,   ///< a transaction without a message that moves tokens
    trial,    ///< a dry run, which only finds access sets
    refused,  ///< an attempt without a result: it left its declared sets, or was cancelled
    join,     ///< putting a block together, of the phase commit
    waits,    ///< a worker of a flow that has nothing to run until another transaction has run
    lanes,    ///< in place of `run`: a wave of compiled lanes
    profiled, ///< lanes on the processor that show what a device's code needs
    // What workers do for a device (WorkerSpan):
    begins,   ///< transactions up to their contracts
    lays_out, ///< the inputs of contracts
    takes,    ///< what lanes have left: responses, reads, host calls
    accepts,  ///< answers: transactions continue
    count
};

class Recording;

/// Spans of one device and of the workers that serve it, on the host's clock; each device has its
/// own. Thread-safe: waves may end on several threads.
class DeviceRecording {
public:
    /// `profiled`: of lanes that ran on the processor. The device's workers have the lanes of
    /// `host` from `first_worker` on.
    DeviceRecording(std::string name, profile::LaneWriter& parts, profile::LaneWriter& waves,
                    profile::LaneWriter& profiled, Recording& host, unsigned first_worker)
        : parts_(parts), waves_(waves), profiled_(profiled), host_(host),
          first_worker_(first_worker), name_(std::move(name)) {}

    /// Upload, kernels and download, of which several may be in flight: each is a span of its own.
    void note_submission(const gpuvm::SubmissionTimes& times);
    /// A submission goes to the device, with so many messages. Returns its number, from 0: no two
    /// of the run have the same.
    std::uint32_t launched(std::uint32_t messages);
    /// The lane of a worker of the device's pool.
    [[nodiscard]] profile::LaneWriter& worker(unsigned number) const;
    /// What it is doing: for those who watch the run, on any thread.
    [[nodiscard]] DeviceActivity& activity() noexcept { return activity_; }
    [[nodiscard]] const DeviceActivity& activity() const noexcept { return activity_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// What workers that serve the device do: the name of the next WorkerSpan that has none.
    void set_stage(SpanName stage) noexcept { stage_.store(stage, std::memory_order_relaxed); }
    [[nodiscard]] SpanName stage() const noexcept { return stage_.load(std::memory_order_relaxed); }
    /// A message in a wave: it began with the wave.
    struct WaveMessage {
        Nanoseconds end = 0;
        std::uint32_t height = profile::none, transaction = profile::none;
    };
    /// Records a wave and the messages in it, which are within its time.
    void note_wave(Nanoseconds begin, Nanoseconds end, std::span<const WaveMessage> messages);

private:
    std::mutex guard_; ///< of the lanes
    profile::LaneWriter &parts_, &waves_, &profiled_;
    Recording& host_;
    unsigned first_worker_ = 0;
    std::string name_;
    DeviceActivity activity_;
    std::atomic<SpanName> stage_{SpanName::takes};
};

/// What a worker does for a device, from construction to the end of the scope. A null recording
/// records nothing.
class WorkerSpan {
public:
    /// `count`: transactions or lanes; empty spans are not recorded.
    WorkerSpan(const DeviceRecording* recording, unsigned worker, SpanName name, std::size_t count)
        : lane_(recording == nullptr || count == 0 ? nullptr : &recording->worker(worker)),
          name_(name), count_(static_cast<std::uint32_t>(count)),
          begin_(lane_ == nullptr ? 0 : profile::tick()) {}
    ~WorkerSpan() {
        if (lane_ != nullptr && count_ != 0)
            lane_->add(begin_, profile::tick(),
                       {static_cast<std::uint16_t>(name_), profile::Category::other, profile::none,
                        profile::none, count_});
    }
    /// So many of them were not done.
    void without(std::size_t left) noexcept { count_ -= static_cast<std::uint32_t>(left); }
    WorkerSpan(const WorkerSpan&) = delete;
    WorkerSpan& operator=(const WorkerSpan&) = delete;

private:
    profile::LaneWriter* lane_;
    SpanName name_;
    std::uint32_t count_;
    profile::Tick begin_;
};

/// The recorder of one replay. Called by the driver; each worker records messages on its own lane.
class Recording {
public:
    /// `most`: spans per lane.
    explicit Recording(std::size_t most = std::size_t{1} << 20);

    /// Creates lanes for this many workers, before they start.
    void prepare(unsigned workers);
    [[nodiscard]] profile::LaneWriter& worker(unsigned number) noexcept {
        return *workers_[number];
    }

    /// Begins a span on the driver's lane: it is visible at once, and recorded when it ends.
    void begins(SpanName name, profile::Category category, Nanoseconds begin, std::uint32_t detail,
                std::uint32_t height);
    void ends(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
              std::uint32_t detail, std::uint32_t height);
    /// Records a span on the driver's lane.
    void note(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
              std::uint32_t detail = 0, std::uint32_t height = profile::none);
    /// Creates lanes for a device, before it starts. Its waves are on lanes "WAVES N"; its workers
    /// are those from `first_worker` on, which `prepare` must have created before they work.
    [[nodiscard]] DeviceRecording& device(const std::string& name, const std::string& waves,
                                          unsigned first_worker = 0);
    /// Records when contracts were compiled for a device since the recording began, on lanes
    /// "compilation N": up to now for one that is still running.
    void note_compilations(std::span<const ContractCode> code);
    /// The next number of a submission; on any thread.
    [[nodiscard]] std::uint32_t next_submission() noexcept { return submissions_++; }
    /// Sets which tasks the transactions of a block have, after it was executed.
    void tasks_of(const alkanes::BlockExecution& block);
    /// Records the number of transactions accepted so far.
    void accepted(std::uint64_t count);

    /// When the trace begins, as returned by now_ns().
    [[nodiscard]] Nanoseconds start() const noexcept { return recorder_.start(); }
    /// The whole trace. Nothing may run during the call.
    [[nodiscard]] profile::Trace finish() { return recorder_.finish(); }

    // The trace so far; on any thread, during recording (profile/recorder.h).
    [[nodiscard]] profile::SoFar so_far(std::size_t most) const { return recorder_.so_far(most); }
    void add_busy(profile::BusySoFar& busy) const { recorder_.add_busy(busy); }
    /// What its devices are doing; on any thread. `at`: as returned by now_ns().
    [[nodiscard]] std::vector<LiveDevice> devices_now(Nanoseconds at) const;

private:
    profile::Recorder recorder_;
    profile::LaneWriter& driver_;
    std::vector<profile::LaneWriter*> workers_;
    std::atomic<std::uint32_t> submissions_{0};
    mutable std::mutex devices_guard_;    ///< while one is added
    std::deque<DeviceRecording> devices_; ///< never moved
};

/// A span on the driver's lane, from construction to the end of the scope.
class DriverSpan {
public:
    DriverSpan(Recording* recording, Phase phase, std::uint32_t height = profile::none) noexcept
        : DriverSpan(recording, static_cast<SpanName>(phase), profile::Category::phase, 0, height) {
    }
    DriverSpan(Recording* recording, SpanName name, profile::Category category,
               std::size_t detail = 0, std::uint32_t height = profile::none) noexcept
        : recording_(recording), name_(name), category_(category),
          detail_(static_cast<std::uint32_t>(detail)), height_(height),
          begin_(recording == nullptr ? 0 : now_ns()) {
        if (recording_ != nullptr) recording_->begins(name_, category_, begin_, detail_, height_);
    }
    ~DriverSpan() {
        if (recording_ != nullptr)
            recording_->ends(name_, category_, begin_, now_ns(), detail_, height_);
    }
    DriverSpan(const DriverSpan&) = delete;
    DriverSpan& operator=(const DriverSpan&) = delete;

private:
    Recording* recording_;
    SpanName name_;
    profile::Category category_;
    std::uint32_t detail_, height_;
    Nanoseconds begin_;
};

/// A phase of a block, on whatever thread runs it: the driver, or a worker on which it runs as a
/// task.
class StageSpan {
public:
    /// `worker` absent: the driver.
    StageSpan(Recording* recording, std::optional<unsigned> worker, Phase phase,
              std::uint32_t height = profile::none)
        : StageSpan(recording, worker, static_cast<SpanName>(phase), height) {}
    /// A part of a phase that has a name of its own.
    StageSpan(Recording* recording, std::optional<unsigned> worker, SpanName name,
              std::uint32_t height) {
        if (recording == nullptr) return;
        if (worker)
            lane_ = &recording->worker(*worker);
        else
            on_driver_.emplace(recording, name, profile::Category::phase, 0, height);
        begin_ = now_ns();
        label_ = {static_cast<std::uint16_t>(name), profile::Category::phase, height, profile::none,
                  0};
    }
    ~StageSpan() {
        if (lane_ != nullptr) lane_->add_ns(begin_, now_ns(), label_);
    }
    StageSpan(const StageSpan&) = delete;
    StageSpan& operator=(const StageSpan&) = delete;

private:
    std::optional<DriverSpan> on_driver_;
    profile::LaneWriter* lane_ = nullptr;
    Nanoseconds begin_ = 0;
    profile::SpanLabel label_;
};

/// Records one transaction at a time, as spans of the worker that runs it: each task that it
/// executed is a span of category message, so their number equals that of the executions; anything
/// that is not an execution of a message has another name.
class alignas(64) TransactionSpans final : public alkanes::TaskWatch {
public:
    void begin() {
        begins_.clear();
        next_task();
    }
    void next_task() override { begins_.push_back(profile::tick()); }
    void end(profile::LaneWriter& lane, std::uint64_t height, std::uint32_t transaction,
             const Result<alkanes::TransactionResult>& ran, bool dry);

private:
    std::vector<profile::Tick> begins_; ///< of the transaction, then of each further task
};

} // namespace blockloom::execute
