// The pipeline over the blocks of a range: read ahead, executed window by window in their order,
// and finished behind (docs/execution.md#a-pipeline-over-blocks).
#pragma once

#include "execute/blocks_in_flight.h"
#include "execute/divided_task.h"
#include "execute/executed_window.h"
#include "execute/pending_state.h"
#include "execute/read_ahead.h"
#include "execute/replay_summary.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::execute {

/// The state that blocks are executed on, and where they are kept.
struct RangeTarget {
    std::function<const state::StateView&()> before; ///< the state before the next block
    /// Adds an executed block's changes to that state, on the thread that runs the range; may be
    /// empty.
    std::function<void(const PartedChanges&, WorkerPool*)> apply{};
    /// Keeps a block, before it is reported: one after the other, in order. It may run on another
    /// thread, while `before()` is read; may be empty.
    std::function<Status(ReplayedBlock&)> keep{};
    /// `before()` only has blocks that were kept: until then their changes are layered over it.
    bool kept_state = false;
};

/// Blocks that run at the same time are few, so that memory is bounded.
class RangeRun {
public:
    RangeRun(std::span<const ReplaySource> blocks, Replayer& replayer, RangeTarget target,
             bool keep_going, const BlockDone& done, ReplaySummary& summary, ProgressSink& progress,
             const std::stop_token& stop);

    Status perform();

private:
    [[nodiscard]] Status on_parent(std::size_t place, const std::vector<std::size_t>& window) const;
    [[nodiscard]] const state::StateView& state() const;
    Status run_blocks();
    Status run(std::vector<OpenedBlock> window, const std::vector<std::size_t>& places);
    void start_to_join(std::shared_ptr<ExecutedWindow> window,
                       const std::vector<std::size_t>& places);
    Status finish_joining();
    Status pass_on(const ExecutedBlocks& blocks, const std::vector<std::size_t>& places);
    void add_to_state(ReplayedBlock& block, const PartedChanges& changes,
                      const WorkerPool::Task& kept);
    [[nodiscard]] const state::StateView& complete_state() const;
    Status run_one_by_one(const std::vector<std::size_t>& places);
    Status finished(std::size_t place, std::shared_ptr<ReplayedBlock> block, const Status& status);
    Status leave_out(std::size_t place, const Error& why);
    void note_pauses(const LiveRun& live, std::size_t first) const;
    [[nodiscard]] const ReplaySource& at(std::size_t place) const { return blocks_[place]; }

    /// A window whose blocks are put together by a task.
    struct Joining {
        Joining(std::shared_ptr<ExecutedWindow> executed, const state::StateView& before,
                std::size_t first)
            : window(std::move(executed)), after(window->leave_on(before)), first_place(first) {}
        Joining(const Joining&) = delete;
        Joining& operator=(const Joining&) = delete;

        std::shared_ptr<ExecutedWindow> window;
        const state::StateView& after; ///< the state that it left
        std::size_t first_place;
        std::shared_ptr<Status> status = std::make_shared<Status>();
        Status parted;
        Phases work;
        DividedTask parts;                  ///< of the keys
        DividedTask beginnings;             ///< of the blocks; destroyed before what it follows
        DividedTask pieces;                 ///< of the blocks; likewise
        DividedTask parting;                ///< of what these changed; likewise
        std::vector<WorkerPool::Task> kept; ///< by block: the task that keeps it
    };

    std::span<const ReplaySource> blocks_;
    Replayer& replayer_;
    RangeTarget target_;
    bool keep_going_;
    const BlockDone& done_;
    ReplaySummary& summary_;
    ProgressSink& progress_;
    SilentProgress silent_;
    const std::stop_token& stop_;
    WorkerPool* pool_;                    ///< null: one stage after the other
    std::size_t around_;                  ///< blocks ahead of the window, and behind it
    std::optional<PendingState> pending_; ///< with a pool and `kept_state`
    std::size_t next_ = 0, counted_ = 0;
    std::optional<std::size_t> last_; ///< the last block that was executed
    ReadAhead ahead_;
    /// The last window, if its blocks are still being put together, and the one before that, whose
    /// changes it reads meanwhile.
    std::shared_ptr<ExecutedWindow> below_;
    std::unique_ptr<Joining> joining_;
    BlocksInFlight in_flight_; ///< destroyed first: its tasks use the others
};

} // namespace blockloom::execute
