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
/// How much a window counts for the time that a unit of work keeps a worker busy. That differs by
/// strategy, because of what the other workers do meanwhile, so all are measured by the same one.
constexpr double weight_of_work = 0.25;
/// What a transaction takes besides its contract, about as much as so much gas of a contract.
constexpr double gas_of_a_transaction = 40'000;
/// If more was reached, the work was estimated too high.
constexpr double most_reached = 1.5;

/// A window with more executions per task shows a strategy that does not know yet what the
/// transactions access; at most so many of its windows are not counted.
constexpr double many_executions = 1.2;
constexpr unsigned most_learned = 2;
/// Windows by flows after which the learned sets are complete enough for dag: before, it repeats a
/// third of the transactions where optimistic repeats one in a hundred.
constexpr unsigned settled_after = 3;
/// If dag would have repeated at most this share of a window, it is tried earlier.
constexpr double hardly_any = 0.005;
/// If dag would have repeated a larger share of a window, it is not tried.
constexpr double too_many_repeated = 0.1;
/// Windows by flows after which that is examined again, once the sets are settled.
constexpr unsigned examined_every = 16;
/// A strategy that reaches this share of its bound leaves nothing to try.
constexpr double nearly_all = 0.9;

constexpr std::size_t place_of(Strategy strategy) noexcept {
    return static_cast<std::size_t>(strategy);
}

double least(double bound) noexcept {
    return std::max(1.0, bound);
}

} // namespace

std::array<double, all_strategies.size()> StrategyChoice::first_guess() noexcept {
    std::array<double, all_strategies.size()> reached{};
    const auto set = [&](Strategy strategy, double share) { reached[place_of(strategy)] = share; };
    set(Strategy::serial, 0.95);
    set(Strategy::speculative, 0.85);
    set(Strategy::dag, 0.8);
    set(Strategy::optimistic, 0.65); // it repeats less where the learned sets are wrong
    set(Strategy::predict, 0.6);
    return reached;
}

double StrategyChoice::reached(Strategy strategy) const noexcept {
    const double cost = cost_[place_of(strategy)];
    return cost > 0 ? std::min(each_ / cost, most_reached) : first_guess()[place_of(strategy)];
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

StrategyChoice::Chosen StrategyChoice::next(const WindowOutlook& outlook,
                                            std::optional<Strategy> without) const {
    Chosen best{Strategy::serial, 0, {}};
    const bool settled = flow_windows_ >= settled_after;
    const bool dag_is_measured = cost_[place_of(Strategy::dag)] > 0;
    const bool may_use_dag =
        settled ? dag_is_measured || dag_would_repeat_.value_or(0) <= too_many_repeated
                : dag_would_repeat_.value_or(1) <= hardly_any;
    for (const Strategy strategy : candidates) {
        if (strategy == without || (strategy == Strategy::dag && !may_use_dag)) continue;
        const double expected = bound(strategy, outlook) * reached(strategy);
        if (expected > best.expected) {
            best.strategy = strategy;
            best.expected = expected;
        }
    }
    // One window tells whether dag, which repeats nothing where the sets are complete, is faster.
    if (best.strategy == Strategy::optimistic && may_use_dag && !dag_is_measured &&
        reached(Strategy::optimistic) < nearly_all)
        best = {Strategy::dag, bound(Strategy::dag, outlook), {}};
    switch (best.strategy) {
    case Strategy::speculative:
        best.why = "no transaction is known to depend on another one";
        break;
    case Strategy::dag:
        best.why = fmt::format("dependencies allow {:.1f} at once", outlook.parallelism);
        break;
    case Strategy::optimistic:
        best.why = fmt::format("dependencies allow {:.1f} at once, but {}", outlook.parallelism,
                               settled ? "too many of them were not known beforehand for dag"
                                       : "they are still being learned");
        break;
    case Strategy::predict:
        best.why = fmt::format("dependencies allow {:.1f} at once, but the changes of {:.0f} % of "
                               "the transactions are predictable",
                               outlook.parallelism, 100 * outlook.predictable);
        break;
    default: {
        const bool tried = std::ranges::any_of(candidates, [&](Strategy other) {
            return other != Strategy::serial && cost_[place_of(other)] > 0 &&
                   bound(other, outlook) > 1;
        });
        best.why = fmt::format("dependencies allow {:.1f} at once, and {:.0f} % of the "
                               "transactions are predictable: {}",
                               outlook.parallelism, 100 * outlook.predictable,
                               tried ? "what was tried took longer than block order would"
                                     : "nothing else would be faster");
    }
    }
    return best;
}

bool StrategyChoice::wants_examination() const noexcept {
    return cost_[place_of(Strategy::dag)] == 0 && flow_windows_ >= examine_at_;
}

void StrategyChoice::note(Strategy strategy, const WindowOutlook& outlook, const Measured& measured,
                          std::optional<double> dag_would_repeat) {
    const double possible = bound(strategy, outlook);
    const auto executions = static_cast<double>(measured.executions);
    if (outlook.tasks < enough_tasks || measured.wall <= 0 || executions == 0 || possible <= 0)
        return;
    const double work = gas_of_a_transaction * outlook.tasks + static_cast<double>(measured.gas);
    // Each task executed once, on one worker.
    const double each = static_cast<double>(measured.busy) / executions * outlook.tasks / work;
    each_ += (each_ == 0 ? 1 : weight_of_work) * (each - each_);
    if (strategy == Strategy::dag || strategy == Strategy::optimistic) ++flow_windows_;
    if (dag_would_repeat) {
        dag_would_repeat_ = dag_would_repeat;
        examine_at_ = flow_windows_ < settled_after ? 0 : flow_windows_ + examined_every;
    }
    const auto guess = first_guess();
    for (const Strategy other : candidates) {
        double& known = cost_[place_of(other)];
        if (other != strategy) {
            if (known > 0) known += forgetting * (each_ / guess[place_of(other)] - known);
            continue;
        }
        unsigned& learned = learned_[place_of(other)];
        const bool settled = other == Strategy::dag && flow_windows_ >= settled_after;
        if (executions > many_executions * outlook.tasks && learned < most_learned && !settled) {
            ++learned;
            continue;
        }
        const double cost =
            std::max(static_cast<double>(measured.wall) / work * possible, each_ / most_reached);
        // Slower than block order, or not the first flow of the range: nothing is left to learn.
        const bool tells_all = each_ / cost * possible < 1 || other == Strategy::dag;
        const bool first = known == 0;
        if (first) known = each_ / guess[place_of(other)];
        known += (first && tells_all ? 1 : weight) * (cost - known);
    }
}

} // namespace blockloom::execute
