#include "execute/acceptance.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

/// Candidates that a worker takes at once.
constexpr std::size_t grain = 256;

} // namespace

void AcceptanceCheck::share_fuel(std::span<const FuelClaim> claims, const Tanks& tanks) {
    budgets_.resize(claims.size());
    for (std::size_t task = 0; task < claims.size();) {
        const std::uint32_t block = claims[task].block;
        alkanes::FuelTank tank = tanks[block];
        for (; task < claims.size() && claims[task].block == block; ++task)
            budgets_[task] = tank.settle(claims[task].vfsize, claims[task].use);
    }
}

bool AcceptanceCheck::check(const Offer& offer, std::uint32_t task) const {
    // What was not logged is known to be right where the run saw exactly what is accepted, or where
    // nothing but the state before the window was there, then and now.
    if (offer.rigid && !offer.exact && !offer.on_window_start) return false;
    for (const Probe& probe : offer.probes) {
        if (probe.kind == Probe::Kind::write) break; // they are the last
        const state::Value* const now = versions_.latest_below(
            task, probe.hash, [&] { return std::string_view(key_of(offer, probe)); });
        if (now == nullptr) {
            if (!probe.holds_before) return false;
        } else if (!holds(offer, probe, *now) &&
                   !(offer.exact && probe.kind == Probe::Kind::void_try)) {
            return false;
        }
    }
    return true;
}

void AcceptanceCheck::run(std::span<const std::unique_ptr<Offer>> offers,
                          std::span<const FuelClaim> claims, const Tanks& tanks, std::uint32_t from,
                          WorkerPool& pool) {
    versions_.build(offers, pool, [&] { share_fuel(claims, tanks); });
    consistent_.assign(offers.size(), 1);
    const std::size_t open = offers.size() - from;
    pool.each(open, grain, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = from + begin; i < from + end; ++i)
            consistent_[i] = offers[i] != nullptr && claims[i].use.holds_for(budgets_[i]) &&
                             check(*offers[i], static_cast<std::uint32_t>(i));
    });
    const auto bad = std::find(consistent_.begin() + from, consistent_.end(), 0);
    accepted_ = static_cast<std::uint32_t>(bad - consistent_.begin());
}

} // namespace blockloom::execute
