#include "runs/what_if.h"

#include "base/number_text.h"
#include "conflict/contention.h"
#include "conflict/index_conflicts.h"
#include "execute/strategy.h"
#include "runs/execution_overhead.h"
#include "runs/measured_schedule.h"
#include "trace/glob.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using conflict::ConflictIndex;
using conflict::ConflictModel;
using conflict::KeyId;
using execute::Phase;
using schedule::BatchLimits;
using schedule::ExecutionModel;
using schedule::Relaxation;
using schedule::RelaxedKey;
using trace::PolicedTrace;
using trace::TaskId;

/// Names of keys of several blocks.
class JoinedNames final : public trace::KeyNames {
public:
    [[nodiscard]] std::string printable(KeyId key) const override { return names_[key]; }
    /// The number of a name; a new one if it is new.
    KeyId number(std::string name) {
        const auto [at, fresh] =
            numbers_.try_emplace(std::move(name), static_cast<KeyId>(names_.size()));
        if (fresh) names_.push_back(at->first);
        return at->second;
    }
    [[nodiscard]] KeyId count() const noexcept { return static_cast<KeyId>(names_.size()); }

private:
    std::unordered_map<std::string, KeyId> numbers_;
    std::vector<std::string> names_;
};

std::string name_of_key(const PolicedTrace& trace, KeyId key) {
    return trace.keys ? trace.keys->printable(key) : fmt::format("key:{}", key);
}

/// The blocks of one window, put together.
class WindowJoin {
public:
    explicit WindowJoin(bool alone) : alone_(alone) {}

    void add(const std::shared_ptr<const trace::BlockTrace>& block,
             const std::vector<std::uint64_t>& costs, std::vector<KeyPrediction> predictions,
             const ExecutionOrder& order) {
        const auto before = alone_ ? TaskId{0} : static_cast<TaskId>(joined_->sets.tasks());
        for (const auto& [round, costs_there] : order.rounds)
            for (const auto& [task, cost] : costs_there)
                order_.rounds[round].emplace(before + task, cost);
        for (const TaskId task : order.in_order) order_.in_order.push_back(before + task);
        if (alone_) {
            policed_.original = block;
            policed_.cost = costs;
            policed_.transaction = block->transaction;
            policed_.keys = block->keys;
            predictions_ = std::move(predictions);
            return;
        }
        std::vector<KeyId> number(block->sets.key_count);
        for (KeyId key = 0; key < block->sets.key_count; ++key)
            number[key] = names_->number(block->keys ? block->keys->printable(key)
                                                     : fmt::format("key:{}", key));
        for (TaskId task = 0; task < block->tasks(); ++task) {
            for (const trace::Access access : block->sets.of(task))
                joined_->sets.accesses.emplace_back(number[access.key()], access.mode());
            joined_->sets.begin.push_back(
                static_cast<std::uint32_t>(joined_->sets.accesses.size()));
            policed_.cost.push_back(costs[task]);
            policed_.transaction.push_back(
                transactions_ + (block->transaction.empty() ? task : block->transaction[task]));
        }
        if (!policed_.transaction.empty()) transactions_ = policed_.transaction.back() + 1;
        for (KeyPrediction& one : predictions) {
            const KeyId key = number[one.key];
            const auto at = std::find_if(predictions_.begin(), predictions_.end(),
                                         [&](const KeyPrediction& all) { return all.key == key; });
            KeyPrediction& all = at == predictions_.end()
                                     ? predictions_.emplace_back(KeyPrediction{.key = key})
                                     : *at;
            all.reads += one.reads;
            all.hits += one.hits;
            for (std::size_t i = 0; i < all.effects.size(); ++i) all.effects[i] += one.effects[i];
            for (const TaskId task : one.misses) all.misses.push_back(before + task);
        }
    }

    RecordedWindow finish(std::uint64_t first, std::uint64_t last, const RecordedRounds& rounds) {
        Nanoseconds endings = 0;
        std::map<std::size_t, std::vector<Nanoseconds>> beside;
        for (const auto& [round, costs] : order_.rounds) {
            endings += rounds.ending(round);
            const auto there = rounds.beside(round);
            beside[round].assign(there.begin(), there.end());
        }
        if (!alone_) {
            joined_->sets.key_count = names_->count();
            joined_->keys = policed_.keys = names_;
            policed_.original = joined_;
        }
        std::sort(predictions_.begin(), predictions_.end(),
                  [](const KeyPrediction& a, const KeyPrediction& b) { return a.key < b.key; });
        return {first,
                last,
                std::make_shared<const PolicedTrace>(std::move(policed_)),
                std::move(predictions_),
                std::move(order_),
                endings,
                std::move(beside)};
    }

private:
    bool alone_;
    std::shared_ptr<trace::BlockTrace> joined_ = std::make_shared<trace::BlockTrace>();
    std::shared_ptr<JoinedNames> names_ = std::make_shared<JoinedNames>();
    PolicedTrace policed_;
    std::vector<KeyPrediction> predictions_;
    ExecutionOrder order_;
    std::uint32_t transactions_ = 0;
};

ConflictModel model_of(ExecutionModel execution, const std::optional<ConflictModel>& wanted) {
    if (wanted) return *wanted;
    return execution == ExecutionModel::levels ? ConflictModel::single_version
                                               : ConflictModel::multi_version;
}

/// Every key whose values could be predicted in part, as the strategy predict does.
std::vector<RelaxedKey> predicted_keys(const RecordedWindow& window) {
    std::vector<RelaxedKey> keys;
    for (const KeyPrediction& one : window.predictions)
        if (one.hits != 0) keys.push_back({one.key, Relaxation::predicted, 2, one.misses});
    return keys;
}

/// The keys of a window that the plan relaxes; notes which patterns took one.
Result<std::vector<RelaxedKey>> keys_of(const RecordedWindow& window, const WhatIfPlan& plan,
                                        std::vector<bool>& used) {
    std::vector<RelaxedKey> keys;
    if (plan.keys.empty()) return keys;
    const KeyId count = window.trace->access_sets().key_count;
    for (KeyId key = 0; key < count; ++key) {
        const std::string name = name_of_key(*window.trace, key);
        std::optional<std::size_t> by;
        for (std::size_t i = 0; i < plan.keys.size(); ++i) {
            if (plan.keys[i].key != name && !trace::takes_key(plan.keys[i].key, name)) continue;
            if (by)
                return Error{ErrorCode::wrong_usage,
                             fmt::format("{}: expected one relaxation, found two: {}; {}", name,
                                         text_of(plan.keys[*by]), text_of(plan.keys[i]))};
            by = i;
            used[i] = true;
        }
        if (!by) continue;
        RelaxedKey relaxed{key, plan.keys[*by].how, plan.keys[*by].parts};
        const auto known = std::lower_bound(
            window.predictions.begin(), window.predictions.end(), key,
            [](const KeyPrediction& one, KeyId wanted) { return one.key < wanted; });
        if (known != window.predictions.end() && known->key == key) relaxed.misses = known->misses;
        keys.push_back(std::move(relaxed));
    }
    return keys;
}

Result<ConflictIndex> index_of(PolicedTrace trace, ConflictModel model,
                               const std::stop_token& stop) {
    return conflict::index_without_pairs(std::make_shared<const PolicedTrace>(std::move(trace)),
                                         model, stop);
}

/// One way to run the recorded work.
struct Setting {
    ExecutionModel execution = ExecutionModel::list;
    bool predicts = false; ///< every key that can be
    ConflictModel model = ConflictModel::multi_version;
    unsigned workers = 1;
    BatchLimits limits;
};

Nanoseconds makespan_of(ConflictIndex index, const Setting& by, Nanoseconds overhead) {
    auto with_overhead = std::make_shared<PolicedTrace>(*index.trace);
    for (std::uint64_t& cost : with_overhead->cost) cost += static_cast<std::uint64_t>(overhead);
    index.work += static_cast<std::uint64_t>(overhead) * with_overhead->cost.size();
    index.trace = std::move(with_overhead);
    return static_cast<Nanoseconds>(
        schedule::predicted_time(index, by.execution, by.workers, by.limits));
}

/// The makespan of the window with these keys relaxed, under a setting, and its critical path
/// without `overhead`. An explicit relaxation of a key replaces
/// its prediction.
Result<std::pair<Nanoseconds, Nanoseconds>> time_and_span(const RecordedWindow& window,
                                                          std::vector<RelaxedKey> keys,
                                                          const Setting& by, Nanoseconds overhead,
                                                          const std::stop_token& stop) {
    if (by.predicts)
        for (RelaxedKey& one : predicted_keys(window))
            if (std::none_of(keys.begin(), keys.end(),
                             [&](const RelaxedKey& key) { return key.key == one.key; }))
                keys.push_back(std::move(one));
    auto index = index_of(schedule::relax(*window.trace, keys), by.model, stop);
    if (!index) return index.error();
    const auto span = static_cast<Nanoseconds>(index->span);
    return std::pair(makespan_of(*std::move(index), by, overhead), span);
}

/// Some tasks of a trace, with these costs, and work that waits for nothing.
PolicedTrace part_of(const PolicedTrace& trace, const ExecutionOrder::Costs& costs,
                     std::span<const Nanoseconds> beside) {
    PolicedTrace part;
    part.original = trace.original;
    part.same_sets = false;
    part.commutative = trace.commutative;
    const trace::AccessSets& sets = trace.access_sets();
    part.sets.key_count = sets.key_count;
    auto no_transaction = ~std::uint32_t{0};
    for (const auto& [task, cost] : costs) {
        for (const trace::Access access : sets.of(task)) part.sets.accesses.push_back(access);
        part.sets.begin.push_back(static_cast<std::uint32_t>(part.sets.accesses.size()));
        part.cost.push_back(cost);
        if (!trace.transaction.empty()) part.transaction.push_back(trace.transaction[task]);
    }
    for (const Nanoseconds work : beside) {
        part.sets.begin.push_back(static_cast<std::uint32_t>(part.sets.accesses.size()));
        part.cost.push_back(static_cast<std::uint64_t>(std::max<Nanoseconds>(1, work)));
        if (!trace.transaction.empty()) part.transaction.push_back(no_transaction--);
    }
    return part;
}

/// The makespan of the window as it ran: round by round, each of which ends as it did, and
/// what ran in block order one after the other. What a flow missed is repaired as `optimistic` does
/// it.
Result<Nanoseconds> time_as_recorded(const RecordedWindow& window, const Setting& by,
                                     Nanoseconds overhead, const std::stop_token& stop) {
    Nanoseconds time = window.endings;
    std::vector<bool> ran(window.trace->tasks());
    for (const auto& [round, costs] : window.order.rounds) {
        Setting as = by;
        if (std::any_of(costs.begin(), costs.end(), [&](const auto& at) { return ran[at.first]; }))
            as.execution = ExecutionModel::optimistic;
        for (const auto& [task, cost] : costs) ran[task] = true;
        auto index =
            index_of(part_of(*window.trace, costs, window.beside.at(round)), by.model, stop);
        if (!index) return index.error();
        time += makespan_of(*std::move(index), as, overhead);
    }
    for (const TaskId task : window.order.in_order)
        time += static_cast<Nanoseconds>(window.trace->cost_of(task)) + overhead;
    return time;
}

Setting recorded_setting(const RecordedWork& work, const std::optional<ConflictModel>& model) {
    Setting by;
    by.execution = execution_model(work.strategy);
    by.predicts = work.strategy == "predict";
    by.model = model_of(by.execution, model);
    by.workers = by.execution == ExecutionModel::serial ? 1 : work.workers;
    by.limits = {work.batch_min, work.batch_max};
    return by;
}

std::string how_it_runs(const Setting& by) {
    switch (by.execution) {
    case ExecutionModel::serial:
        return "one task after the other";
    case ExecutionModel::levels:
        return "levels with a barrier after each batch";
    case ExecutionModel::rounds:
        return "rounds, each of which repeats what read too early, with a barrier after each batch";
    case ExecutionModel::optimistic:
        return "in block order ahead of time, with aborted tasks re-executed; validation is free";
    case ExecutionModel::list:
        break;
    }
    return by.predicts ? "dependency-driven, with every key predicted that can be"
                       : "dependency-driven, without barriers";
}

} // namespace

Result<RecordedWork>
recorded_work(const KeptRun& run, const profile::Trace& spans,
              std::span<const std::shared_ptr<const execute::ReplayedBlock>> blocks) {
    RecordedWork work;
    work.run = run.id;
    work.strategy = run.strategy;
    work.workers = std::max(run.workers, 1U);
    work.batch_min = run.batch_min;
    work.batch_max = run.batch_max;
    work.overhead = overhead_of_an_execution(spans);
    if (spans.dropped != 0)
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: {} did not fit into memory and were dropped", run.id,
                                 counted(spans.dropped, "span"))};
    const std::size_t window = std::max<std::size_t>(run.window, 1);
    // A flow of `dag` follows its graph as a list schedule does; what it missed is in later rounds.
    const bool as_recorded = run.strategy == name_of(execute::Strategy::dag);
    const RecordedRounds rounds(spans);
    std::unique_ptr<WindowJoin> join;
    std::size_t number = 0;
    std::uint64_t first = 0, last = 0;
    const auto finish = [&] {
        if (join) work.windows.push_back(join->finish(first, last, rounds));
        join.reset();
    };
    for (const auto& block : blocks) {
        const std::string hash = to_reversed_hex(block->block().hash);
        const auto kept = std::find_if(run.blocks.begin(), run.blocks.end(),
                                       [&](const KeptBlock& one) { return one.hash == hash; });
        if (kept == run.blocks.end())
            return Error{
                ErrorCode::bad_input,
                fmt::format("run {}: expected block {} among its blocks, found no such block",
                            run.id, block->height())};
        if (!block->trace || !block->index)
            return Error{
                ErrorCode::bad_input,
                fmt::format("block {}: expected its access sets, found none", block->height())};
        const std::size_t of = static_cast<std::size_t>(kept - run.blocks.begin()) / window;
        if (!join || of != number) {
            finish();
            join = std::make_unique<WindowJoin>(window == 1);
            number = of;
            first = block->height();
        }
        last = block->height();
        const auto measured =
            measured_schedule(spans, block->height(), *block->index, run.strategy);
        if (!measured) return measured.error();
        const auto costs = measured_costs(*block->index, *measured);
        if (!costs)
            return Error{costs.error().code, fmt::format("run {}, block {}: {}", run.id,
                                                         block->height(), costs.error().message)};
        join->add(block->trace, *costs,
                  block->execution ? predict_keys(*block->context, *block->execution, *block->trace)
                                   : std::vector<KeyPrediction>(),
                  as_recorded
                      ? execution_order(rounds, spans, block->height(), *block->index, *measured)
                      : ExecutionOrder());
        work.phases += kept->phases;
    }
    finish();
    // The whole run's include what belongs to no block.
    if (blocks.size() == run.blocks.size()) work.phases = run.last_phases;
    return work;
}

std::string text_of(const KeyRelaxation& relaxed) {
    switch (relaxed.how) {
    case Relaxation::ignore:
        return relaxed.key + " ignored";
    case Relaxation::commutative:
        return relaxed.key + " commutative";
    case Relaxation::predicted:
        return relaxed.key + " predicted";
    case Relaxation::split:
        break;
    }
    return fmt::format("{} split into {}", relaxed.key, counted(relaxed.parts, "key"));
}

Result<KeyRelaxation> key_relaxation(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    const auto wrong = [&] {
        return Error{ErrorCode::wrong_usage,
                     fmt::format("\"{}\": expected KEY=ignore, KEY=commutative, KEY=predicted or "
                                 "KEY=split:N with N from 2 to {}",
                                 text, schedule::most_parts)};
    };
    if (equals == std::string_view::npos || equals == 0) return wrong();
    KeyRelaxation relaxed;
    relaxed.key = text.substr(0, equals);
    std::string_view how = text.substr(equals + 1);
    constexpr std::string_view split = "split:";
    if (how.starts_with(split)) {
        how.remove_prefix(split.size());
        relaxed.how = Relaxation::split;
        const auto [end, error] =
            std::from_chars(how.data(), how.data() + how.size(), relaxed.parts);
        if (error != std::errc() || end != how.data() + how.size() || relaxed.parts < 2 ||
            relaxed.parts > schedule::most_parts)
            return wrong();
        return relaxed;
    }
    for (const Relaxation one :
         {Relaxation::ignore, Relaxation::commutative, Relaxation::predicted})
        if (how == name_of(one)) {
            relaxed.how = one;
            return relaxed;
        }
    return wrong();
}

bool WhatIfPlan::changes_nothing() const noexcept {
    return keys.empty() && strategy.empty() && workers == 0 && !batch_min && !batch_max &&
           !no_barrier && !free_transfer && !free_commit && !model;
}

std::string text_of(const WhatIfPlan& plan) {
    std::vector<std::string> parts;
    for (const KeyRelaxation& key : plan.keys) parts.push_back(text_of(key));
    if (!plan.strategy.empty()) parts.push_back("strategy " + plan.strategy);
    if (plan.workers != 0) parts.push_back(counted(plan.workers, "worker"));
    if (plan.batch_min) parts.push_back(fmt::format("batches of at least {}", *plan.batch_min));
    if (plan.batch_max)
        parts.push_back(*plan.batch_max == 0
                            ? std::string("batches of any size")
                            : fmt::format("batches of at most {}", *plan.batch_max));
    if (plan.no_barrier) parts.emplace_back("no barriers");
    if (plan.free_transfer) parts.emplace_back("free transfers");
    if (plan.free_commit) parts.emplace_back("free commits");
    if (plan.model)
        parts.emplace_back(*plan.model == ConflictModel::multi_version
                               ? "multi-version conflicts"
                               : "single-version conflicts");
    return parts.empty() ? "nothing changed" : fmt::format("{}", fmt::join(parts, "; "));
}

ExecutionModel execution_model(std::string_view strategy) noexcept {
    if (strategy == "serial") return ExecutionModel::serial;
    if (strategy == "levels") return ExecutionModel::levels;
    if (strategy == "speculative") return ExecutionModel::rounds;
    if (strategy == "optimistic") return ExecutionModel::optimistic;
    return ExecutionModel::list;
}

Result<WhatIf> what_if(const RecordedWork& work, const WhatIfPlan& plan,
                       const std::stop_token& stop) {
    for (const KeyRelaxation& key : plan.keys)
        if (const std::string fault = trace::glob_fault(key.key); !fault.empty())
            return Error{ErrorCode::wrong_usage, fmt::format("key {}: {}", key.key, fault)};
    const Setting before = recorded_setting(work, std::nullopt);
    Setting by = before;
    WhatIf result;
    result.strategy = plan.strategy.empty() ? work.strategy : plan.strategy;
    const bool predicts_some =
        std::any_of(plan.keys.begin(), plan.keys.end(),
                    [](const KeyRelaxation& key) { return key.how == Relaxation::predicted; });
    // Only this strategy runs tasks on predicted values.
    if (plan.strategy.empty() && predicts_some && work.strategy != "predict") {
        result.strategy = "predict";
        by.execution = ExecutionModel::list;
        result.assumptions.emplace_back(
            "Predicted keys are those named; the strategy predict, which is the one that predicts, "
            "is dependency-driven here");
    } else {
        by.execution = execution_model(result.strategy);
        by.predicts = result.strategy == "predict";
    }
    if (plan.no_barrier) {
        if (!has_barriers(by.execution))
            return Error{ErrorCode::wrong_usage,
                         fmt::format("no barriers: the strategy {} has none", result.strategy)};
        by.execution = ExecutionModel::list;
    }
    by.model = model_of(by.execution, plan.model);
    by.workers = plan.workers != 0 ? plan.workers : work.workers;
    if (by.execution == ExecutionModel::serial) {
        if (plan.workers > 1)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: the serial strategy runs on one thread; name another "
                                     "strategy",
                                     counted(plan.workers, "worker"))};
        by.workers = 1;
    }
    by.limits = {plan.batch_min.value_or(work.batch_min), plan.batch_max.value_or(work.batch_max)};
    if ((plan.batch_min || plan.batch_max) && !has_barriers(by.execution))
        return Error{ErrorCode::wrong_usage,
                     fmt::format("batch limits: the strategy {} has no batches in a simulation",
                                 result.strategy)};
    result.model_before = before.execution;
    result.model = by.execution;
    result.workers = by.workers;

    std::vector<bool> used(plan.keys.size());
    Nanoseconds before_all = 0, predicted_all = 0;
    bool values_known = true;
    for (const RecordedWindow& window : work.windows) {
        if (stop.stop_requested()) return cancelled_error();
        values_known = values_known && !window.predictions.empty();
        auto keys = keys_of(window, plan, used);
        if (!keys) return keys.error();
        const auto was = time_and_span(window, {}, before, work.overhead, stop);
        if (!was) return was.error();
        const bool same_conflicts = keys->empty() && by.execution == before.execution &&
                                    by.predicts == before.predicts && by.model == before.model;
        const auto now = time_and_span(window, *std::move(keys), by, work.overhead, stop);
        if (!now) return now.error();
        WhatIfWindow made{window.first, window.last, window.trace->tasks()};
        for (const std::uint64_t cost : window.trace->cost)
            made.work += static_cast<Nanoseconds>(cost);
        made.before = was->first;
        made.span_before = was->second;
        made.predicted = now->first;
        made.span = now->second;
        if (!window.order.is_nothing()) {
            const auto as_it_was = time_as_recorded(window, before, work.overhead, stop);
            if (!as_it_was) return as_it_was.error();
            made.before = *as_it_was;
            made.predicted += std::max<Nanoseconds>(0, made.before - was->first);
            if (same_conflicts) {
                const auto as_planned = time_as_recorded(window, by, work.overhead, stop);
                if (!as_planned) return as_planned.error();
                made.predicted = *as_planned;
            }
        }
        before_all += made.before;
        predicted_all += made.predicted;
        result.windows.push_back(made);
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            return Error{ErrorCode::bad_input,
                         fmt::format("key {}: expected a key that the run's blocks access, found "
                                     "none",
                                     plan.keys[i].key)};
    const Nanoseconds execute = work.phases[Phase::execute];
    const Nanoseconds unexplained = std::max<Nanoseconds>(0, execute - before_all);
    const Nanoseconds rest = work.phases.sum() - execute;
    result.measured = work.phases.sum();
    result.executed = execute;
    result.simulated = before_all;
    result.execute_before = unexplained + before_all;
    result.execute = unexplained + predicted_all;
    result.before = rest + result.execute_before;
    result.predicted = rest + result.execute;
    if (!plan.free_commit)
        result.database =
            std::clamp<Nanoseconds>(work.phases.database, 0, work.phases[Phase::commit]);
    if (plan.free_transfer)
        result.predicted -=
            work.phases[Phase::pack] + work.phases[Phase::upload] + work.phases[Phase::download];
    if (plan.free_commit)
        result.predicted -= work.phases[Phase::verify] + work.phases[Phase::commit];
    result.assumptions.push_back("The run is simulated as it was: " + how_it_runs(before));
    if (by.execution != before.execution || by.predicts != before.predicts)
        result.assumptions.push_back("The plan is simulated as: " + how_it_runs(by));
    result.assumptions.push_back(fmt::format(
        "Each task takes the time that it took in the run, and its worker another {}, the mean "
        "between two executions",
        time_text(work.overhead)));
    if (std::any_of(work.windows.begin(), work.windows.end(),
                    [](const RecordedWindow& window) { return !window.order.is_nothing(); }))
        result.assumptions.emplace_back(
            "What the run executed twice or in block order, what ended its rounds, "
            "and what workers did during these for other blocks, takes the same time in the plan "
            "as in the run");
    result.assumptions.push_back(fmt::format(
        "The executions of the run took {}; simulated as they were, {}{}", time_text(execute),
        time_text(before_all),
        execute <= 0
            ? std::string()
            : fmt::format(
                  " ({:+.1f} %): the difference is kept",
                  100 * (static_cast<double>(before_all) / static_cast<double>(execute) - 1))));
    if ((predicts_some || by.predicts) && !values_known)
        result.assumptions.emplace_back(
            "Values of some blocks are not known: after two pilots every prediction is taken to "
            "be right");
    return result;
}

Result<std::vector<WhatIfKey>> rank_keys(const RecordedWork& work, const std::stop_token& stop) {
    const Setting by = recorded_setting(work, std::nullopt);
    struct Sum {
        WhatIfKey key;
        double saved = 0;
    };
    std::unordered_map<std::string, Sum> sums;
    double span = 0;
    for (const RecordedWindow& window : work.windows) {
        const auto index = index_of(*window.trace, by.model, stop);
        if (!index) return index.error();
        const auto found =
            conflict::contention(*index, index->trace->access_sets().key_count, stop);
        if (!found) return found.error();
        const auto whole = static_cast<double>(index->span);
        span += whole;
        for (const conflict::KeyContention& one : *found) {
            Sum& sum = sums[name_of_key(*window.trace, one.key)];
            sum.key.readers += one.readers;
            sum.key.writers += one.writers;
            sum.key.conflict_pairs += one.conflict_pairs;
            sum.saved += whole - whole / one.gain_if_relaxed;
            const auto known = std::lower_bound(
                window.predictions.begin(), window.predictions.end(), one.key,
                [](const KeyPrediction& at, KeyId wanted) { return at.key < wanted; });
            if (known == window.predictions.end() || known->key != one.key) continue;
            sum.key.reads += known->reads;
            sum.key.hits += known->hits;
            for (std::size_t i = 0; i < known->effects.size(); ++i)
                sum.key.effects[i] += known->effects[i];
        }
    }
    std::vector<WhatIfKey> keys;
    for (auto& [name, sum] : sums) {
        sum.key.key = name;
        if (sum.saved > 0 && sum.saved < span) sum.key.gain_if_relaxed = span / (span - sum.saved);
        keys.push_back(std::move(sum.key));
    }
    std::sort(keys.begin(), keys.end(), [](const WhatIfKey& a, const WhatIfKey& b) {
        if (a.gain_if_relaxed != b.gain_if_relaxed) return a.gain_if_relaxed > b.gain_if_relaxed;
        const double hits_a = a.hit_rate().value_or(-1), hits_b = b.hit_rate().value_or(-1);
        if (hits_a != hits_b) return hits_a > hits_b;
        if (a.conflict_pairs != b.conflict_pairs) return a.conflict_pairs > b.conflict_pairs;
        return a.key < b.key;
    });
    return keys;
}

} // namespace blockloom::runs
