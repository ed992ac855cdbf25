// A block window, run in rounds and accepted in block order, for the strategies of rounds.
#pragma once

#include "alkanes/block_execution.h"
#include "execute/abort_log.h"
#include "execute/acceptance.h"
#include "execute/accepted_block.h"
#include "execute/block_rounds.h"
#include "execute/device/host_reasons.h"
#include "execute/executor.h"
#include "execute/hints.h"
#include "execute/phases.h"
#include "execute/recording.h"
#include "execute/round_strategy.h"
#include "execute/strategy.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

class LayeredState;
class LiveRun;
class PauseGate;

struct WindowExecution {
    std::vector<alkanes::BlockExecution> blocks; ///< equal to the serial run
    std::vector<bool> without_digest;            ///< by block: its changes have none yet
    std::vector<BlockRounds> rounds;             ///< by block
    Phases phases; ///< of the whole block window: gather, schedule, execute, commit, trace
    std::vector<std::string> notes; ///< where the run differed from the hints
};

/// Runs one block window. The contexts have been joined; they, the state before the window and the
/// executors must outlive this object. `rounds` runs attempts, `host` runs what must run in order
/// or was ejected.
class WindowRun {
public:
    WindowRun(std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts,
              const state::StateView& before, const StrategyOptions& strategy,
              const alkanes::TransactionOptions& options, Executor& rounds, Executor& host,
              WorkerPool& pool, AcceptanceCheck& check);

    /// Records rounds, batches and checks as spans; null: records nothing.
    void record_on(Recording* recording) noexcept { recording_ = recording; }
    /// Reports progress after each round, and excludes pauses from its times; null: does neither.
    void follow(LiveRun* live) noexcept;

    /// Finds the transactions that concern Alkanes. Must be called first.
    Status list();
    [[nodiscard]] const std::vector<WindowTask>& tasks() const noexcept { return tasks_; }
    /// Of the successful messages of the latest executions; once performed, those that count.
    [[nodiscard]] std::uint64_t gas() const noexcept;

    /// The hints from the strategy's access sets: by a serial run, or by a dry run of all. Levels
    /// only if the strategy is `levels`.
    [[nodiscard]] Result<Hints> find_hints();

    /// Runs rounds as long as the strategy has one.
    Status run_rounds(const Hints& hints, RoundStrategy& strategy, ProgressSink& progress);
    /// How long attempts have kept workers busy since the rounds began, and how many there were.
    [[nodiscard]] Executor::Busy busy() noexcept;
    /// After the rounds: runs in order what was not accepted, and puts the blocks together.
    [[nodiscard]] Result<WindowExecution> finish(ProgressSink& progress);
    /// Both of the above.
    [[nodiscard]] Result<WindowExecution> perform(const Hints& hints, RoundStrategy& strategy,
                                                  ProgressSink& progress);

    /// After the rounds: there is nothing left to run, and `join` is worth a task of its own.
    [[nodiscard]] bool can_be_joined() const noexcept;
    /// The state that the window leaves, on the one before it, if it can be joined: what was
    /// written lies in this object, and once it is joined, in the result of that. Both must outlive
    /// the view.
    [[nodiscard]] WindowView after(const state::StateView& before) const noexcept {
        return {check_.versions(), before, static_cast<std::uint32_t>(tasks_.size())};
    }
    /// What the rounds made: everything but the blocks and `accepted_first` of each.
    [[nodiscard]] WindowExecution& made() noexcept { return made_; }
    /// Divides the keys of a window that can be joined into parts; `join_part` finds what changed
    /// in one of them, on any thread, also of several parts at once.
    void divide(std::size_t parts);
    Status join_part(std::size_t part);
    /// Puts the blocks of a window that can be joined together, once all parts are there, while
    /// others read `after()`: first this for each block, on any thread, also several at once,
    void begin_join(std::uint32_t block, std::size_t pieces);
    /// then each piece, likewise,
    void join_piece(std::size_t piece);
    /// then this, on any thread.
    [[nodiscard]] WindowExecution end_join();

private:
    using ExecutionResults = std::vector<std::unique_ptr<ExecutionResult>>;
    /// How the tasks of a round run.
    struct How {
        const Hints* hints = nullptr;
        bool dry = false; ///< on the state before the block window; only yields access sets
    };
    class Receiver;
    class FlowSide;

    Status run_round(const Round& round, const How& how);
    Status run_flow(const Round& round);
    Status take_over(std::span<const std::uint32_t> tasks);
    [[nodiscard]] std::uint64_t budget_of(std::uint32_t task) const;
    [[nodiscard]] Attempt attempt_of(std::uint32_t task, const state::StateView& view,
                                     std::uint64_t budget) const;
    /// Adds a round's wall time to the phases.
    void book_round(Nanoseconds wall);
    void check();
    void count_predictions(const Round& round);
    void note_rejected(const Round& round);
    void tell(std::uint32_t accepted, const Phases& phases);
    Status finish(std::uint32_t accepted, WindowExecution& into, ProgressSink& progress);
    [[nodiscard]] std::uint32_t end_of(std::uint32_t block, std::uint32_t first) const;
    Status join_block(std::uint32_t block, std::uint32_t first, std::uint32_t end,
                      LayeredState& below);
    void note_block_places(std::uint32_t block, std::uint32_t first, std::uint32_t end);
    void add(AcceptedBlock joined, std::uint32_t block);
    Result<ExecutionResult> run_in_order(std::uint32_t task, bool trial,
                                         const state::StateView& now, std::uint64_t budget);

    std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts_;
    const state::StateView& before_;
    StrategyOptions strategy_;
    alkanes::TransactionOptions options_;
    Executor& rounds_;
    Executor& host_;
    WorkerPool& pool_;
    AcceptanceCheck& check_;

    Recording* recording_ = nullptr;
    LiveRun* live_ = nullptr;
    const PauseGate* gate_ = nullptr;
    std::uint64_t rounds_run_ = 0, batches_run_ = 0;
    Executor::Busy busy_;
    std::vector<WindowTask> tasks_;
    Tanks tanks_;
    std::vector<FuelClaim> claims_;       ///< by task: of its latest execution
    ExecutionResults executions_, fresh_; ///< by task; `fresh_`: of the current round
    std::vector<std::uint32_t> attempts_; ///< by task: how often it ran
    std::vector<DeclaredSets> found_;     ///< by task: the sets that a dry run found
    std::uint32_t accepted_ = 0;
    std::uint32_t ran_to_ = 0;    ///< no task from this one on has run
    bool versions_there_ = false; ///< there are versions to read from
    std::vector<std::vector<std::vector<state::Change>>> part_changes_; ///< by part, by block
    std::vector<std::optional<BlockJoin>> joins_; ///< by block, while they are put together
    std::vector<std::uint32_t> firsts_; ///< of each block to be joined its first task, and one more
    WindowExecution made_;
    AbortLog aborts_{contexts_, tasks_, made_.rounds};
};

} // namespace blockloom::execute
