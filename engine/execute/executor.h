// What runs transactions for a strategy: CPU workers, or a device. It commits nothing and decides
// nothing: whatever it gives is held against the state by the committer.
#pragma once

#include "alkanes/transaction.h"
#include "execute/phases.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

class LiveRun;

/// A transaction to try, what it sees, and the fuel that it is given.
struct Attempt {
    std::uint32_t task = 0; ///< in the window; the executor only passes it on
    const alkanes::BlockContext* context = nullptr;
    std::uint32_t transaction = 0; ///< in its block
    const state::StateView* view = nullptr;
    std::uint64_t budget = 0;
    bool trial = false; ///< for the sets it finds, no execution of the run: its spans say so
};

/// How an attempt ended. Where its messages ran is in their records.
struct Attempted {
    alkanes::TransactionResult result;
    std::string ejection; ///< why a device gave it to the host; empty: it did not
};

/// Receives each result, on any worker, in any order; `worker` is below Executor::workers(). An
/// error is of this attempt alone. False: the rest need not be run.
using AttemptDone = std::function<bool(unsigned worker, std::size_t attempt, Result<Attempted>)>;

/// One run at a time.
class Executor {
public:
    virtual ~Executor() = default;

    /// Tries every attempt, or fewer once `done` says so. Fails where the executor itself does.
    /// Views and contexts must outlive the call and must not change meanwhile.
    virtual Status run(std::span<const Attempt> attempts,
                       const alkanes::TransactionOptions& options, const AttemptDone& done) = 0;

    /// Counts for it and waits at its gate between two transactions from now on; null: no more.
    virtual void follow(LiveRun*) noexcept {}

    /// Workers that call `done`.
    [[nodiscard]] virtual unsigned workers() const noexcept = 0;
    /// About how many transactions it runs in the time in which one CPU worker runs one: what a
    /// round must bring in to pay.
    [[nodiscard]] virtual double width() const noexcept = 0;
    /// The most attempts that a batch should have; 0: any number.
    [[nodiscard]] virtual std::size_t largest_batch() const noexcept = 0;
    /// What it met since the last asking, for the log.
    [[nodiscard]] virtual std::vector<std::string> take_notes() { return {}; }
    /// Of the runs since the last asking, the wall time that was no execution.
    [[nodiscard]] virtual Phases take_phases() { return {}; }
};

} // namespace blockloom::execute
