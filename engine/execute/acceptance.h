// Determines which candidates of a block window may be accepted: all before the first inconsistent
// one (docs/execution.md has the proof). Checked in parallel.
#pragma once

#include "execute/accepted_fuel.h"
#include "execute/rejection.h"
#include "execute/version_index.h"

#include <vector>

namespace blockloom::execute {

/// Keeps its memory from window to window. One call at a time.
class AcceptanceCheck {
public:
    /// Validates the candidates from `from` on (all before are accepted; a null execution is
    /// inconsistent) against the latest writers below them, and their fuel against the tanks.
    /// `claims` has all transactions; `executions` may end earlier: those after them have none.
    /// `from` is 0 or what the call before it accepted, of the same transactions.
    void run(std::span<const std::unique_ptr<ExecutionResult>> executions,
             std::span<const FuelClaim> claims, const Tanks& tanks, std::uint32_t from,
             WorkerPool& pool);

    /// All before this one are accepted: they equal the serial run.
    [[nodiscard]] std::uint32_t accepted() const noexcept { return accepted_; }
    /// Not accepted, but consistent with the current candidates below it.
    [[nodiscard]] bool consistent(std::uint32_t task) const noexcept { return consistent_[task]; }
    /// Why the last run found this execution, the latest of `task`, inconsistent.
    [[nodiscard]] Rejection why_not(const ExecutionResult& execution, std::uint32_t task) const;
    /// The budget of a transaction if the candidates below it stay as they are.
    [[nodiscard]] std::uint64_t budget(std::uint32_t task) const noexcept { return budgets_[task]; }
    /// The candidates' versions, until the next run.
    [[nodiscard]] const VersionIndex& versions() const noexcept { return versions_; }

private:
    /// The lookups for an execution, contiguous and next to those of its neighbours: executions are
    /// scattered in memory and are visited only once.
    struct Questions {
        const std::uint64_t* first; ///< hashes of the probes, with `holds_before` in them
        std::uint32_t count;
        bool missing; ///< no execution
    };

    /// A key that an execution depends on and that a candidate before it has written.
    struct Written {
        std::uint64_t hash;
        std::uint32_t task, place; ///< of the probe
    };

    void share_fuel(std::span<const FuelClaim> claims, const Tanks& tanks, std::size_t from,
                    std::size_t end);
    void gather(std::span<const std::unique_ptr<ExecutionResult>> executions, std::size_t from,
                unsigned worker, std::size_t begin, std::size_t end);
    void compare(std::span<const std::unique_ptr<ExecutionResult>> executions, std::size_t begin,
                 std::size_t end);
    [[nodiscard]] bool ask(const Questions& own, std::uint32_t task,
                           std::vector<Written>& written) const;
    [[nodiscard]] bool holds_there(const ExecutionResult& execution, std::size_t place,
                                   std::uint32_t task) const;

    VersionIndex versions_;
    std::vector<HugePageBuffer<std::uint64_t>> hashes_; ///< by piece of the index
    HugePageBuffer<Questions> questions_;               ///< by transaction
    AcceptedFuel accepted_fuel_;
    std::vector<std::uint64_t> budgets_;
    std::vector<std::uint8_t> fuel_holds_, consistent_;
    std::uint32_t accepted_ = 0;
};

} // namespace blockloom::execute
