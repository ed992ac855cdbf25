// The spans of a replay (profile/span.h): what the parts of this room note while they work. All of
// it may be left out: a null Recording records nothing.
#pragma once

#include "alkanes/block_execution.h"
#include "alkanes/runtime.h"
#include "execute/phases.h"
#include "gpuvm/machine.h"
#include "profile/recorder.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Names of spans; the first are those of the phases.
enum class SpanName : std::uint16_t {
    round = static_cast<std::uint16_t>(Phase::count), ///< of a window, on the driver
    message,                                          ///< a task, on a worker
    check,                                            ///< of a round's results
    batch,                                            ///< attempts given to an executor at once
    upload,                                           ///< on the device's lane, of a submission
    run,
    download,
    paused,  ///< nobody worked, on the driver
    wave,    ///< of a device, in one slice
    tokens,  ///< a transaction without a message: balances move
    trial,   ///< a dry run, which finds sets and is thrown away
    refused, ///< an attempt that came to no result: it left its declared sets, or was cancelled
    count
};

/// What one device tells of, by the host's clock. For one thread at a time; each of several devices
/// has its own.
class DeviceRecording {
public:
    DeviceRecording(profile::LaneWriter& parts, profile::LaneWriter& waves)
        : parts_(parts), waves_(waves) {}

    void note_submission(const gpuvm::SubmissionTimes& times);
    /// A message in a wave: it began with the wave.
    struct WaveMessage {
        Nanoseconds end = 0;
        std::uint32_t height = profile::none, transaction = profile::none;
    };
    /// A wave that ran, and what ran in it; each lies within it.
    void note_wave(Nanoseconds begin, Nanoseconds end, std::span<const WaveMessage> messages);

private:
    profile::LaneWriter &parts_, &waves_;
};

/// The recorder of one replay. The driver calls; messages are noted by each worker on its own lane.
class Recording {
public:
    /// `most`: spans a lane.
    explicit Recording(std::size_t most = std::size_t{1} << 20);

    /// Lanes for so many workers, before they begin.
    void prepare(unsigned workers);
    [[nodiscard]] profile::LaneWriter& worker(unsigned number) noexcept {
        return *workers_[number];
    }

    /// A span on the driver's lane that begins: it is seen at once, and noted when it ends.
    void begins(SpanName name, profile::Category category, Nanoseconds begin, std::uint32_t detail,
                std::uint32_t height);
    void ends(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
              std::uint32_t detail, std::uint32_t height);
    /// A span on the driver's lane.
    void note(SpanName name, profile::Category category, Nanoseconds begin, Nanoseconds end,
              std::uint32_t detail = 0, std::uint32_t height = profile::none);
    /// Lanes for a device, before it begins. Each wave of it is on a lane "WAVES N".
    [[nodiscard]] DeviceRecording& device(const std::string& name, const std::string& waves);
    /// Says which tasks the transactions of a block have, after it was executed.
    void tasks_of(const alkanes::BlockExecution& block);
    /// Transactions accepted so far.
    void accepted(std::uint64_t count);

    /// All of it. Nothing may run meanwhile.
    [[nodiscard]] profile::Trace finish() { return recorder_.finish(); }

    // On any thread, while it is recorded (profile/recorder.h).
    [[nodiscard]] profile::SoFar so_far(std::size_t most) const { return recorder_.so_far(most); }
    void add_busy(profile::BusySoFar& busy) const { recorder_.add_busy(busy); }

private:
    profile::Recorder recorder_;
    profile::LaneWriter& driver_;
    std::vector<profile::LaneWriter*> workers_;
    std::deque<DeviceRecording> devices_; ///< never moved
};

/// A span on the driver's lane from here to the end of the scope.
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

/// One transaction at a time, as spans of the worker that runs it: each task that it executed is a
/// span of category message, so there are as many of them as executions; what is no execution of a
/// message has another name.
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
