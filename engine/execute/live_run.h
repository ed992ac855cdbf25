// Progress of a replay while it runs, and the gate that pauses it: counters that its threads add
// to, turned into a snapshot on request.
#pragma once

#include "execute/block_rounds.h"
#include "execute/device/device_activity.h"
#include "execute/pause_gate.h"
#include "execute/phases.h"
#include "profile/usage_probe.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace blockloom::profile {
class UsageSampler;
}

namespace blockloom::execute {

class Recording;
struct ReplayedBlock;

/// Consecutive finished blocks: one, until there are more than `most_stretches`; then neighbours
/// are merged, so that a long run takes no more memory than a short one.
struct LiveStretch {
    std::uint64_t first_height = 0, last_height = 0;
    std::uint64_t blocks = 1, tasks = 0;
    Nanoseconds wall = 0; ///< the sum of their phases
};
inline constexpr std::size_t most_stretches = 512;

/// Counts over the finished blocks. Tasks and executions are counted as in BlockRounds.
struct LiveCounts {
    std::uint64_t blocks = 0, tasks = 0, succeeded = 0, reverted = 0, on_device = 0;
    std::uint64_t executions = 0, accepted_first = 0, in_order = 0, rounds = 0, batches = 0;
    std::map<std::string, std::uint64_t> ejected; ///< attempts, by code

    /// Executions other than the accepted ones.
    [[nodiscard]] std::uint64_t redone() const noexcept {
        return executions > tasks ? executions - tasks : 0;
    }
};

/// The current block window; all 0: there is none, or it runs in block order.
struct LiveWindow {
    std::uint64_t transactions = 0,
                  accepted = 0; ///< accepted: all before the first that is not accepted
    std::uint64_t rounds = 0, batches = 0;
};

enum class LiveState : std::uint8_t {
    waiting, ///< nothing reported yet
    running,
    pausing, ///< pause requested; current tasks are finished first
    paused,
    finished, ///< the run has ended
};

/// What is known about a run before it begins.
struct LiveSettings {
    std::string backend = "cpu", device, engine, strategy;
    unsigned repetitions = 1;
    /// Decides which other runs it can be compared with; as in their documents.
    std::string network{}, processor{};
    std::string rules{};                                            ///< RunRules::text()
    std::shared_ptr<const std::vector<std::string>> block_hashes{}; ///< in order; null: unknown
};

/// The progress of a run. Counts, phases and times are those of the current repetition.
struct LiveSnapshot {
    std::uint64_t number = 0; ///< of the snapshot; newer ones have greater numbers
    LiveState state = LiveState::waiting;
    std::string held_up; ///< the current step if it cannot be interrupted; empty: none
    LiveSettings how;
    unsigned workers = 1;
    unsigned repetition = 0;  ///< from 1; 0: none has begun
    std::uint64_t blocks = 0; ///< of each repetition
    Nanoseconds elapsed = 0;  ///< of this repetition, pauses excluded
    Nanoseconds paused = 0;   ///< of the whole run
    std::uint64_t tried = 0;  ///< transactions executed, including those of unfinished blocks
    Nanoseconds busy = 0;     ///< of all workers, spent on transactions
    LiveCounts done;
    LiveWindow window;
    Phases phases;                   ///< of finished blocks, and of the current block window so far
    std::vector<LiveDevice> devices; ///< of a run that is recorded
    std::shared_ptr<const std::vector<LiveStretch>> stretches;
    std::shared_ptr<const profile::UsageSeries> usage; ///< null: not watched

    /// Over the time of the repetition; 0 before there is any.
    [[nodiscard]] double tasks_a_second() const noexcept;
    [[nodiscard]] double blocks_a_second() const noexcept;
    /// Share of the workers' time so far, 0 … 1.
    [[nodiscard]] double busy_share() const noexcept;
};

/// Thread-safe. Working threads add to it; observers call `latest`.
class LiveRun {
public:
    explicit LiveRun(LiveSettings how);
    ~LiveRun();

    [[nodiscard]] PauseGate& gate() noexcept { return gate_; }
    [[nodiscard]] const PauseGate& gate() const noexcept { return gate_; }

    // For observers. The newest snapshot; the previous one if it is younger than 1/60 s and the run
    // continues. Cheap: snapshots are only made on request.
    [[nodiscard]] std::shared_ptr<const LiveSnapshot> latest();
    /// The spans of the current repetition; null: none are recorded.
    [[nodiscard]] std::shared_ptr<const Recording> recording() const;
    /// The number of snapshots made so far.
    [[nodiscard]] std::uint64_t made() const;

    // For the driver of the run. Samples these probes until `finish`, in addition to finished tasks
    // and blocks. Call it before the first repetition.
    void watch(std::vector<std::unique_ptr<profile::UsageProbe>> probes);
    /// `recording`: receives its spans; may be null.
    void begin_repetition(unsigned number, std::shared_ptr<const Recording> recording = nullptr);
    /// Ends the run and the sampler.
    void finish();
    /// What was sampled; null: there were no probes.
    [[nodiscard]] std::shared_ptr<const profile::UsageSeries> usage() const;
    /// All finished pauses since the beginning of the run.
    [[nodiscard]] std::vector<PauseGate::Pause> pauses() const;

    // For the replay.
    void expect(std::uint64_t blocks, unsigned workers);
    /// Reports the progress of the current block window; its phases count until its blocks are
    /// finished.
    void at_hand(const LiveWindow& window, const Phases& phases);
    void finished(const ReplayedBlock& block);
    void repetition_over(); ///< ends its time: what follows is not measured
    /// Says which step of a device's driver cannot be interrupted, in words; empty: it has
    /// finished.
    void hold_up(std::string what);

    // For its workers, on any thread.
    void tried(unsigned worker, Nanoseconds busy) noexcept {
        Slot& slot = slots_[worker % slots_.size()];
        slot.tried.fetch_add(1, std::memory_order_relaxed);
        slot.busy.fetch_add(busy, std::memory_order_relaxed);
    }
    void worked(unsigned worker, Nanoseconds busy) noexcept {
        slots_[worker % slots_.size()].busy.fetch_add(busy, std::memory_order_relaxed);
    }

private:
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> tried{0};
        std::atomic<Nanoseconds> busy{0};
    };
    class WorkProbe;
    [[nodiscard]] LiveSnapshot now(Nanoseconds at);
    [[nodiscard]] std::uint64_t all_tried() const noexcept;
    [[nodiscard]] Nanoseconds all_busy() const noexcept;

    PauseGate gate_;
    Nanoseconds begin_; ///< time 0 of usage and pauses
    std::array<Slot, 32> slots_;
    std::atomic<std::uint64_t> tasks_{0}, blocks_{0}; ///< finished, in all repetitions

    mutable std::mutex guard_; ///< guards all below
    LiveSnapshot snapshot_;    ///< without what is computed on request
    Phases finished_phases_;
    std::vector<LiveStretch> stretches_;
    std::uint64_t joined_ = 1; ///< blocks per stretch
    bool stretches_new_ = true;
    std::uint64_t tried_before_ = 0; ///< by earlier repetitions
    Nanoseconds busy_before_ = 0, repetition_begin_ = 0, repetition_end_ = 0, paused_before_ = 0;
    std::shared_ptr<const LiveSnapshot> latest_;
    Nanoseconds latest_at_ = 0;
    std::unique_ptr<profile::UsageSampler> sampler_;
    std::shared_ptr<const Recording> recording_;
};

} // namespace blockloom::execute
