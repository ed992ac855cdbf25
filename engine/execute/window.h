// A window of blocks, run in rounds and accepted in block order: what levels and speculative do.
#pragma once

#include "alkanes/block_execution.h"
#include "execute/acceptance.h"
#include "execute/block_rounds.h"
#include "execute/device/host_reasons.h"
#include "execute/executor.h"
#include "execute/levels.h"
#include "execute/phases.h"
#include "execute/recording.h"
#include "execute/strategy.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

class LiveRun;
class PauseGate;

struct WindowExecution {
    std::vector<alkanes::BlockExecution> blocks; ///< as the serial run gives them
    std::vector<BlockRounds> rounds;             ///< by block
    Phases phases; ///< of the whole window: gather, schedule, execute, commit, trace
    std::vector<std::string> notes; ///< what went another way than the hints said
};

/// What a strategy believes. By transaction of the window (see WindowRun::tasks); may be wrong.
struct Hints {
    std::vector<std::uint32_t> levels;  ///< from 1; empty: all at once
    std::vector<DeclaredSets> declared; ///< empty: every access is allowed
};

/// A transaction of a window.
struct WindowTask {
    std::uint32_t block = 0;       ///< in the window
    std::uint32_t transaction = 0; ///< in its block
    bool candidate = true;         ///< may run before its turn
};

/// Runs one window. The contexts have been joined; they, the state before the window and the
/// executors must outlive it. `rounds` tries, `host` runs what must run in order or was ejected.
class WindowRun {
public:
    WindowRun(std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts,
              const state::StateView& before, const StrategyOptions& strategy,
              const alkanes::TransactionOptions& options, Executor& rounds, Executor& host,
              WorkerPool& pool, AcceptanceCheck& check);

    /// Rounds, batches and checks become spans; null: they do not.
    void record_on(Recording* recording) noexcept { recording_ = recording; }
    /// Tells how far it is after each round, and leaves pauses out of its times; null: it does not.
    void follow(LiveRun* live) noexcept;

    /// Finds the transactions that concern Alkanes. First of all.
    Status list();
    [[nodiscard]] const std::vector<WindowTask>& tasks() const noexcept { return tasks_; }

    /// What the strategy's sets say: by a serial run, or by a dry run of all. Levels only where the
    /// strategy is `levels`.
    [[nodiscard]] Result<Hints> find_hints();

    /// Rounds until everything is accepted, or until they do not pay and the rest runs in order.
    [[nodiscard]] Result<WindowExecution> perform(const Hints& hints, ProgressSink& progress);

private:
    using Offers = std::vector<std::unique_ptr<Offer>>;
    /// Which tasks a round tries, and how.
    struct Round {
        std::vector<std::uint32_t> tasks;
        std::uint32_t accepted = 0; ///< all before it are
        const Hints* hints = nullptr;
        bool dry = false; ///< on the state before the window; the results are sets only
    };
    class Receiver;

    Status run_round(const Round& round);
    Status run_levels(const Hints& hints);
    [[nodiscard]] Attempt attempt_of(std::uint32_t task, const state::StateView& view) const;
    Status run_rejected(const Hints& hints, ProgressSink& progress);
    /// A round's wall time among the phases.
    void book_round(Nanoseconds wall);
    void check();
    void tell(std::uint32_t accepted, const Phases& phases);
    Status finish(std::uint32_t accepted, WindowExecution& execution, ProgressSink& progress);
    Result<Offer> run_in_order(std::uint32_t task, bool trial, const state::StateView& now,
                               std::uint64_t budget);
    [[nodiscard]] bool pays(std::size_t ran, std::size_t left) const noexcept;

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
    std::vector<WindowTask> tasks_;
    Tanks tanks_;
    std::vector<FuelClaim> claims_;       ///< by task; of its latest offer
    Offers offers_, fresh_;               ///< by task; `fresh_`: of the round that runs
    std::vector<std::uint32_t> attempts_; ///< by task: how often it ran
    std::vector<DeclaredSets> found_;     ///< by task: what a dry run gave
    std::uint32_t accepted_ = 0;
    bool versions_there_ = false; ///< there is something to read through
    WindowExecution made_;
};

} // namespace blockloom::execute
