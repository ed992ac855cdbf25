#include "execute/auto/strategy_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace blockloom::execute {
namespace {

/// How much the latest window of a strategy counts. The first one may still be learning.
constexpr double weight = 0.5;
/// How fast what was measured of a strategy is forgotten while others run: after some dozen windows
/// one that was slow is tried again, if it promises enough.
constexpr double forgetting = 0.02;

/// A window with more executions per task shows a strategy that does not know yet what the
/// transactions access; at most so many of its windows are not counted.
constexpr double many_executions = 1.2;
constexpr unsigned most_learned = 2;

double least(double bound) noexcept {
    return std::max(1.0, bound);
}

} // namespace

std::array<double, all_strategies.size()> StrategyChoice::first_guess() noexcept {
    std::array<double, all_strategies.size()> reached{};
    const auto set = [&](Strategy strategy, double share) {
        reached[static_cast<std::size_t>(strategy)] = share;
    };
    set(Strategy::serial, 0.95);
    set(Strategy::speculative, 0.85);
    set(Strategy::dag, 0.8);
    set(Strategy::optimistic, 0.65); // it repeats less where the learned sets are wrong
    set(Strategy::predict, 0.6);
    return reached;
}

double StrategyChoice::bound(Strategy strategy, const WindowOutlook& outlook) noexcept {
    switch (strategy) {
    case Strategy::speculative: // what it rejects runs twice, and then in order
        return outlook.any_edges ? 0 : outlook.width;
    case Strategy::dag:
    case Strategy::optimistic:
        return least(std::min(outlook.width, outlook.parallelism));
    case Strategy::predict: {
        const double rest = 1 - outlook.predictable;
        return outlook.any_edges ? least(1 / (rest + outlook.predictable / outlook.width)) : 0;
    }
    default:
        return 1;
    }
}

StrategyChoice::Chosen StrategyChoice::next(const WindowOutlook& outlook) const {
    Chosen best{Strategy::serial, 0, {}};
    for (const Strategy strategy : candidates) {
        const double expected =
            bound(strategy, outlook) * reached_[static_cast<std::size_t>(strategy)];
        if (expected > best.expected) {
            best.strategy = strategy;
            best.expected = expected;
        }
    }
    switch (best.strategy) {
    case Strategy::speculative:
        best.why = "no transaction is known to depend on another one";
        break;
    case Strategy::dag:
        best.why = fmt::format("dependencies allow {:.1f} at once", outlook.parallelism);
        break;
    case Strategy::optimistic:
        best.why = fmt::format("dependencies allow {:.1f} at once, but too many of them were not "
                               "known beforehand for dag",
                               outlook.parallelism);
        break;
    case Strategy::predict:
        best.why = fmt::format("dependencies allow {:.1f} at once, but the changes of {:.0f} % of "
                               "the transactions are predictable",
                               outlook.parallelism, 100 * outlook.predictable);
        break;
    default:
        best.why = fmt::format("dependencies allow {:.1f} at once, and {:.0f} % of the "
                               "transactions are predictable: nothing else would be faster",
                               outlook.parallelism, 100 * outlook.predictable);
    }
    return best;
}

void StrategyChoice::note(Strategy strategy, const WindowOutlook& outlook, Nanoseconds wall,
                          Nanoseconds busy, std::uint64_t executions) {
    const double possible = bound(strategy, outlook);
    if (outlook.tasks < enough_tasks || wall <= 0 || executions == 0 || possible <= 0) return;
    // Each task executed once, on one worker.
    const double serial =
        static_cast<double>(busy) / static_cast<double>(executions) * outlook.tasks;
    const auto guess = first_guess();
    for (const Strategy other : candidates) {
        double& share = reached_[static_cast<std::size_t>(other)];
        if (other != strategy) {
            share += forgetting * (guess[static_cast<std::size_t>(other)] - share);
            continue;
        }
        unsigned& learned = learned_[static_cast<std::size_t>(other)];
        if (static_cast<double>(executions) > many_executions * outlook.tasks &&
            learned < most_learned) {
            ++learned;
            continue;
        }
        const double reached = serial / static_cast<double>(wall) / possible;
        const bool first = !std::exchange(measured_[static_cast<std::size_t>(other)], true);
        const bool lost = reached * possible < 1; // slower than block order
        share += (first && lost ? 1 : weight) * (std::min(reached, 1.5) - share);
    }
}

} // namespace blockloom::execute
