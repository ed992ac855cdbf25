// What a replay tells while it runs, and where it is held: counters that its threads add to, made
// into a snapshot when somebody asks.
#pragma once

#include "execute/block_rounds.h"
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

/// Finished blocks that follow each other: one, until there are more than `most_stretches`; then
/// neighbours are joined, so that a long run takes no more room than a short one.
struct LiveStretch {
    std::uint64_t first_height = 0, last_height = 0;
    std::uint64_t blocks = 1, tasks = 0;
    Nanoseconds wall = 0; ///< of their phases
};
inline constexpr std::size_t most_stretches = 512;

/// Of the blocks that are finished. Tasks and executions are counted as in BlockRounds.
struct LiveCounts {
    std::uint64_t blocks = 0, tasks = 0, succeeded = 0, reverted = 0, on_device = 0;
    std::uint64_t executions = 0, accepted_first = 0, in_order = 0, rounds = 0, batches = 0;
    std::map<std::string, std::uint64_t> ejected; ///< attempts, by code

    /// Executions that were not the one accepted.
    [[nodiscard]] std::uint64_t redone() const noexcept {
        return executions > tasks ? executions - tasks : 0;
    }
};

/// Of the window that is being worked on; all 0: none is, or it runs in block order.
struct LiveWindow {
    std::uint64_t transactions = 0, accepted = 0; ///< accepted: all before the first that is not
    std::uint64_t rounds = 0, batches = 0;
};

enum class LiveState : std::uint8_t {
    waiting, ///< nothing has been told yet
    running,
    pausing, ///< asked for; what is being worked on is brought to its end first
    paused,
    finished, ///< no more will come
};

/// What is known of a run before it begins.
struct LiveSettings {
    std::string backend = "cpu", device, engine, strategy;
    unsigned repetitions = 1;
    /// What other runs it can be held against by: as their documents have it.
    std::string network{}, processor{};
    std::string rules{};                                            ///< RunRules::text()
    std::shared_ptr<const std::vector<std::string>> block_hashes{}; ///< in order; null: not told
};

/// What a run has come to. Counts, phases and walls are of the repetition at hand.
struct LiveSnapshot {
    std::uint64_t number = 0; ///< of the snapshot; a newer one has a greater one
    LiveState state = LiveState::waiting;
    std::string held_up; ///< what cannot be interrupted and goes on now; empty: nothing
    LiveSettings how;
    unsigned workers = 1;
    unsigned repetition = 0;  ///< from 1; 0: none has begun
    std::uint64_t blocks = 0; ///< of each repetition
    Nanoseconds elapsed = 0;  ///< of this repetition, pauses left out
    Nanoseconds paused = 0;   ///< of the whole run
    std::uint64_t tried = 0;  ///< transactions executed, those of unfinished blocks too
    Nanoseconds busy = 0;     ///< of all workers, at transactions
    LiveCounts done;
    LiveWindow window;
    Phases phases; ///< of finished blocks, and of the window at hand so far
    std::shared_ptr<const std::vector<LiveStretch>> stretches;
    std::shared_ptr<const profile::UsageSeries> usage; ///< null: not watched

    /// By the time of the repetition; 0 before there is any.
    [[nodiscard]] double tasks_a_second() const noexcept;
    [[nodiscard]] double blocks_a_second() const noexcept;
    /// 0 … 1: of the workers' time so far.
    [[nodiscard]] double busy_share() const noexcept;
};

/// Thread-safe. Those who work add to it; whoever watches asks for `latest`.
class LiveRun {
public:
    explicit LiveRun(LiveSettings how);
    ~LiveRun();

    [[nodiscard]] PauseGate& gate() noexcept { return gate_; }
    [[nodiscard]] const PauseGate& gate() const noexcept { return gate_; }

    // For those who look.
    /// The newest snapshot; the same as before where that is younger than a frame of 60 a second
    /// and the run goes on. Cheap: nothing is made that nobody looks at.
    [[nodiscard]] std::shared_ptr<const LiveSnapshot> latest();
    /// The spans of the repetition at hand; null: none are recorded.
    [[nodiscard]] std::shared_ptr<const Recording> recording() const;
    /// Snapshots that were made so far.
    [[nodiscard]] std::uint64_t made() const;

    // For those who drive the run.
    /// Samples these until `finish`, beside tasks and blocks done. Before the first repetition.
    void watch(std::vector<std::unique_ptr<profile::UsageProbe>> probes);
    /// `recording`: takes its spans; may be null.
    void begin_repetition(unsigned number, std::shared_ptr<const Recording> recording = nullptr);
    /// No more will come: the sampler ends.
    void finish();
    /// What was sampled; null: nothing was watched.
    [[nodiscard]] std::shared_ptr<const profile::UsageSeries> usage() const;
    /// Since the run's beginning, those that have ended.
    [[nodiscard]] std::vector<PauseGate::Pause> pauses() const;

    // For the replay.
    void expect(std::uint64_t blocks, unsigned workers);
    /// How far the window at hand is; its phases count until its blocks are finished.
    void at_hand(const LiveWindow& window, const Phases& phases);
    void finished(const ReplayedBlock& block);
    void repetition_over(); ///< its time ends here: what follows is not measured
    /// The driver of a device begins what cannot be interrupted, in words; empty: it is over.
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
    Nanoseconds begin_; ///< moment 0 of usage and pauses
    std::array<Slot, 32> slots_;
    std::atomic<std::uint64_t> tasks_{0}, blocks_{0}; ///< finished, of all repetitions

    mutable std::mutex guard_; ///< of all below
    LiveSnapshot told_;        ///< without what is worked out when it is asked for
    Phases finished_phases_;
    std::vector<LiveStretch> stretches_;
    std::uint64_t joined_ = 1; ///< blocks of a stretch
    bool stretches_new_ = true;
    std::uint64_t tried_before_ = 0; ///< by earlier repetitions
    Nanoseconds busy_before_ = 0, repetition_begin_ = 0, repetition_end_ = 0, paused_before_ = 0;
    std::shared_ptr<const LiveSnapshot> latest_;
    Nanoseconds latest_at_ = 0;
    std::unique_ptr<profile::UsageSampler> sampler_;
    std::shared_ptr<const Recording> recording_;
};

} // namespace blockloom::execute
