// Runs transactions for a strategy: on CPU workers or a device. It commits nothing and decides
// nothing: the committer validates whatever it returns.
#pragma once

#include "alkanes/transaction.h"
#include "execute/contract_code.h"
#include "execute/phases.h"
#include "gpuvm/options.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

class LiveRun;

/// A transaction to try, the state that it sees, and its fuel.
struct Attempt {
    std::uint32_t task = 0; ///< in the window; the executor only passes it on
    const alkanes::BlockContext* context = nullptr;
    std::uint32_t transaction = 0; ///< in its block
    const state::StateView* view = nullptr;
    std::uint64_t budget = 0;
    bool trial = false; ///< only to find access sets, not an execution of the run: its spans say so
};

/// The attempt will soon be tried on this worker: brings into the cache what it looks up first.
inline void expect(const Attempt& attempt) {
    alkanes::expect_transaction(*attempt.context, attempt.transaction, *attempt.view);
}

/// How an attempt ended. The records say where its messages ran.
struct Attempted {
    alkanes::TransactionResult result;
    std::string ejection; ///< why a device ejected it to the host; empty: it did not
    /// Why a device did not get it (one of host_reasons); null: it did, or there is none.
    const char* not_offered = nullptr;
    /// The device's submission in which its last contract ended (gpuvm::Options::launched).
    std::uint32_t submission = gpuvm::no_submission;
};

/// Receives each result, on any worker, in any order; `worker` is below Executor::workers(). An
/// error only concerns this attempt. Return false to skip the rest.
using AttemptDone = std::function<bool(unsigned worker, std::size_t attempt, Result<Attempted>)>;

/// Hands out attempts one by one, each when it may run.
class AttemptSource {
public:
    virtual ~AttemptSource() = default;

    enum class Next {
        attempt,
        /// None now, and the worker has something else to do meanwhile.
        later,
        /// Nothing is left, or the source was abandoned.
        over,
    };
    /// The next attempt for this worker, which waits until there is one, unless other work waits
    /// for it.
    [[nodiscard]] virtual Next next(unsigned worker, Attempt& attempt) = 0;
    /// What became of the attempt that `next` gave to this worker.
    virtual void done(unsigned worker, Result<Attempted> attempted) = 0;
    /// No worker is to wait any longer: an attempt will never be done.
    virtual void abandon() noexcept = 0;
};

/// One run at a time.
class Executor {
public:
    virtual ~Executor() = default;

    /// Tries every attempt, or stops early if `done` says so. Fails if the executor itself fails.
    /// Views and contexts must outlive the call and must not change during it.
    virtual Status run(std::span<const Attempt> attempts,
                       const alkanes::TransactionOptions& options, const AttemptDone& done) = 0;

    /// Whether `run_source` is available: attempts run one by one, not in batches.
    [[nodiscard]] virtual bool runs_sources() const noexcept { return false; }
    /// Runs attempts on all workers until the source has no more.
    virtual void run_source(AttemptSource& /*source*/,
                            const alkanes::TransactionOptions& /*options*/) {}

    /// From now on counts for this run and waits at its gate between two transactions; null: stops.
    virtual void follow(LiveRun*) noexcept {}

    /// Workers that call `done`.
    [[nodiscard]] virtual unsigned workers() const noexcept = 0;
    /// About how many transactions it runs in the time in which one CPU worker runs one: this many
    /// must a round settle to pay off.
    [[nodiscard]] virtual double width() const noexcept = 0;
    /// The most attempts that a batch should have; 0: any number.
    [[nodiscard]] virtual std::size_t largest_batch() const noexcept = 0;
    /// How long attempts kept workers busy, and how many there were.
    struct Busy {
        Nanoseconds ns = 0;
        std::uint64_t attempts = 0;
    };
    /// Since the last call.
    [[nodiscard]] virtual Busy take_busy() noexcept { return {}; }
    /// Notes for the log since the last call.
    [[nodiscard]] virtual std::vector<std::string> take_notes() { return {}; }
    /// What was given to a device so far, by module; nothing if there is none.
    [[nodiscard]] virtual std::vector<ContractCode> contract_code() { return {}; }
    /// Wall time of the runs since the last call that was not execution.
    [[nodiscard]] virtual Phases take_phases() { return {}; }
};

} // namespace blockloom::execute
