// Which candidates of a window may be accepted: all before the first that is inconsistent
// (docs/execution.md has the proof). Checked in parallel.
#pragma once

#include "alkanes/fuel_tank.h"
#include "execute/version_index.h"

#include <vector>

namespace blockloom::execute {

/// What the fuel tanks know of a transaction, and what the candidate did to them.
struct FuelClaim {
    std::uint32_t block = 0; ///< in the window; each has its own tank
    std::uint64_t vfsize = 0;
    alkanes::FuelUse use;
};

/// A window's tanks, full.
using Tanks = std::vector<alkanes::FuelTank>;

/// Keeps its memory between windows. One call at a time.
class AcceptanceCheck {
public:
    /// Holds the candidates from `from` on (all before are accepted; a null offer is inconsistent)
    /// against the latest writers below them, and their fuel against the tanks. `claims` by
    /// transaction.
    void run(std::span<const std::unique_ptr<Offer>> offers, std::span<const FuelClaim> claims,
             const Tanks& tanks, std::uint32_t from, WorkerPool& pool);

    /// All before it are accepted: they equal the serial run.
    [[nodiscard]] std::uint32_t accepted() const noexcept { return accepted_; }
    /// Not accepted, but consistent with the candidates below it as they are now.
    [[nodiscard]] bool consistent(std::uint32_t task) const noexcept { return consistent_[task]; }
    /// The budget that a transaction has if the candidates below it stay as they are.
    [[nodiscard]] std::uint64_t budget(std::uint32_t task) const noexcept { return budgets_[task]; }
    /// The candidates' versions, until the next run.
    [[nodiscard]] const VersionIndex& versions() const noexcept { return versions_; }

private:
    /// What is looked up for an offer, in a row and next to those of its neighbours: offers lie all
    /// over the memory, and are visited once.
    struct Questions {
        const std::uint64_t* first; ///< hashes of the probes, with `holds_before` in them
        std::uint32_t count;
        bool hopeless; ///< no offer, or one whose log cannot tell
    };

    void share_fuel(std::span<const FuelClaim> claims, const Tanks& tanks);
    void gather(std::span<const std::unique_ptr<Offer>> offers, unsigned worker, std::size_t begin,
                std::size_t end);
    void compare(std::span<const std::unique_ptr<Offer>> offers, std::size_t begin,
                 std::size_t end);
    [[nodiscard]] bool holds_there(const Offer& offer, std::size_t place, std::uint32_t task) const;

    VersionIndex versions_;
    std::vector<Room<std::uint64_t>> hashes_; ///< by piece of the index
    Room<Questions> questions_;               ///< by transaction
    std::vector<std::uint64_t> budgets_;
    std::vector<std::uint8_t> fuel_holds_, consistent_;
    std::uint32_t accepted_ = 0;
};

} // namespace blockloom::execute
