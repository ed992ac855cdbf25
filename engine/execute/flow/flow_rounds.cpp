#include "execute/flow/flow_rounds.h"

#include "execute/flow/block_order_flow.h"
#include "execute/flow/graph_examination.h"
#include "execute/flow/graph_flow.h"
#include "execute/flow/level_flow.h"
#include "execute/flow/optimistic_flow.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace blockloom::execute {
namespace {

/// Below this many tasks at once, versions and waiting cost more than the overlap saves.
constexpr double least_parallelism = 1.25;
/// With fewer transactions of known kinds, a dependency that nobody knows of is likely.
constexpr double enough_known = 0.98;
/// If the examples of more tasks than this failed, such as those of a window whose first block
/// deploys the contracts, nothing is known of what they access. A graph would let all run at once,
/// and after the first ones have succeeded, each repetition would cause further ones.
constexpr double most_failed = 0.5;
/// A flow has no more tasks: each write of a key that all of them read looks at all of its readers,
/// so what a flow takes grows with the square of its tasks.
constexpr std::size_t most_together = 4096;
/// Flows over the same tasks, after which what they have left runs in block order.
constexpr unsigned most_flows = 4;

} // namespace

/// Before the first flow: makes the graph, and looks whether there is anything to run side by side.
bool FlowRounds::is_a_chain(const WindowNow& now, std::span<const std::uint32_t> tasks,
                            const std::vector<bool>& keep) {
    if (ran_ != 0 || !now.one_by_one || options_.strategy == Strategy::levels) return false;
    std::vector<std::uint32_t> left;
    for (std::size_t place = 0; place < tasks.size(); ++place)
        if (!keep[place]) left.push_back(tasks[place]);
    if (!hints_.sets.empty())
        graph_ = graph_of(hints_.sets, hints_.fuel, left);
    else if (!graph_is_there_ || left.size() != graph_.tasks())
        graph_ = expected_->graph(now, left);
    graph_is_there_ = true;
    if (std::exchange(examines_graph_, false)) graph_tasks_ = std::move(left);
    if (graph_.parallelism() >= least_parallelism ||
        ++memory_.serial_windows > StrategyMemory::most_serial_windows) {
        memory_.serial_windows = 0;
        return false;
    }
    if (!any_flow_)
        choice_ = fmt::format("serial: dependencies allow only {:.1f} transactions at once",
                              graph_.parallelism());
    return true;
}

/// The last flow accepted at least as many as serial execution would have completed in its time.
/// Before the window's last tasks another flow always does, since most of what it left is kept.
bool FlowRounds::pays(const WindowNow& now, std::size_t left) const noexcept {
    if (end_ < now.tasks.size()) return flows_ < most_flows;
    return ran_ == 0 || (left < ran_ && left >= options_.batch_min &&
                         static_cast<double>(ran_ - left) * now.width >= static_cast<double>(ran_));
}

/// No task is known to read what another one writes, and enough is known.
bool FlowRounds::nobody_waits() const noexcept {
    return graph_.edges() == 0 &&
           (!hints_.sets.empty() ||
            (expected_->known_share() >= enough_known && expected_->failed_share() <= most_failed));
}

/// Whether some task's budget was not the one that it was executed with, and it matters.
bool FlowRounds::any_wrong_budget(const WindowNow& now, std::span<const std::uint32_t> tasks) {
    return std::any_of(tasks.begin(), tasks.end(), [&](std::uint32_t task) {
        return now.executions[task] != nullptr &&
               !now.executions[task]->result.fuel.holds_for(now.check->budget(task));
    });
}

/// The first flow of dag follows a graph. What it left is repaired as `optimistic` does it:
/// whatever changes for the tasks after a repeated one is noticed at once.
void FlowRounds::begin_flow(const WindowNow& now, Round& round, std::vector<bool> keep,
                            std::size_t left) {
    const bool by_levels = !now.one_by_one || options_.strategy == Strategy::levels;
    const bool first = ran_ == 0;
    const bool by_graph =
        by_levels || (first && options_.strategy == Strategy::dag &&
                      (!hints_.sets.empty() || expected_->failed_share() <= most_failed));
    // A batch runs them as well, and for less.
    const bool no_order = first && !by_levels && nobody_waits();
    ran_ = left;
    ++flows_;
    any_flow_ = true;
    choice_.clear();
    if (by_graph || no_order) {
        std::size_t place = 0;
        std::erase_if(round.tasks, [&](std::uint32_t) { return keep[place++]; });
    }
    if (by_graph) {
        if (std::exchange(graph_is_there_, false)) {
            // made when it was examined
        } else if (first && !hints_.sets.empty()) {
            graph_ = graph_of(hints_.sets, hints_.fuel, round.tasks);
        } else {
            graph_ = expected_->graph(now, round.tasks);
        }
    }
    std::vector<std::uint32_t> in_turn;
    if (first && !hints_.sets.empty()) {
        round.budgets = budgets_of(now, hints_.fuel, round.tasks);
    } else {
        const bool some_wait = by_graph && !by_levels && memory_.windows_in_turn != 0;
        if (some_wait) --memory_.windows_in_turn;
        round.budgets = expected_->budgets(now, round.tasks, some_wait ? &in_turn : nullptr);
    }
    if (by_levels) return begin_levels(now, round);
    if (no_order && in_turn.empty()) return;
    if (by_graph) {
        flow_ = std::make_unique<GraphFlow>(graph_, memory_.live, std::move(in_turn));
    } else {
        flow_ = std::make_unique<OptimisticFlow>(
            memory_.live, memory_.readers, expected_->writes(now, round.tasks), std::move(keep));
    }
    round.flow = flow_.get();
}

/// One flow with a barrier after each level; as rounds where there are no flows. The levels of the
/// hints are those of the conflict model; what they got wrong is ordered by what it accessed.
void FlowRounds::begin_levels(const WindowNow& now, Round& round) {
    const bool given = first_levels_ && !hints_.levels.empty();
    first_levels_ = false;
    std::vector<std::vector<std::uint32_t>> places;
    for (std::uint32_t place = 0; place < round.tasks.size(); ++place) {
        const std::size_t level =
            given ? hints_.levels[round.tasks[place]] : graph_.level_of(place);
        if (places.size() < level) places.resize(level);
        places[level - 1].push_back(place);
    }
    std::erase_if(places, [](const auto& level) { return level.empty(); });
    if (now.one_by_one) {
        if (places.size() == 1) return; // a batch runs them as well, and for less
        flow_ = std::make_unique<LevelFlow>(places, memory_.live);
        round.flow = flow_.get();
        return;
    }
    for (const std::vector<std::uint32_t>& level : places) {
        std::vector<std::uint32_t>& tasks = levels_.emplace_back();
        for (const std::uint32_t place : level) tasks.push_back(round.tasks[place]);
    }
    round.tasks.clear();
    round.budgets.clear();
    (void)next_level(now, round);
}

bool FlowRounds::next_level(const WindowNow& now, Round& round) {
    if (levels_.empty()) return false;
    for (const std::uint32_t task : levels_.front())
        if (task >= now.accepted) round.tasks.push_back(task);
    levels_.pop_front();
    round.budgets = expected_->budgets(now, round.tasks);
    return !round.tasks.empty() || next_level(now, round);
}

/// The next tasks that flows run. False: new examples run before that.
bool FlowRounds::begin_part(const WindowNow& now, Round& round) {
    const std::size_t count = now.tasks.size();
    const bool all = !now.one_by_one || options_.strategy == Strategy::levels;
    const auto failed = [&] { return expected_->failed_share() > most_failed; };
    const bool first = end_ == 0;
    if (!first) graph_is_there_ = false;
    // Once: the same ones would fail again, and a kind has few of them.
    if (!all && !first && hints_.sets.empty() && now.accepted < count && failed() &&
        !std::exchange(asked_again_, true)) {
        expected_->forget_accepted(now);
        examples_ = expected_->take_examples();
        round.tasks = examples_;
        if (!examples_.empty()) return false;
    }
    end_ = all ? count : std::min(count, now.accepted + most_together);
    // The rest of this block may leave what they lacked.
    if (!all && failed())
        for (std::size_t task = now.accepted; task < end_; ++task)
            if (now.tasks[task].block != now.tasks[now.accepted].block) end_ = task;
    ran_ = 0;
    flows_ = 0;
    asked_again_ = false;
    if (next_part_ && !first && now.accepted < count) {
        std::vector<std::uint32_t> tasks(end_ - now.accepted);
        std::iota(tasks.begin(), tasks.end(), now.accepted);
        graph_ = expected_->graph(now, tasks);
        graph_is_there_ = true;
        options_.strategy = next_part_(now, graph_, *expected_);
    }
    return true;
}

/// What is left of these tasks runs in block order; false: that is the rest of the window.
bool FlowRounds::run_in_order(const WindowNow& now, Round& round, std::vector<bool> keep) {
    if (end_ == now.tasks.size()) return false;
    round.budgets.resize(round.tasks.size()); // each is settled when its turn comes
    flow_ = std::make_unique<BlockOrderFlow>(memory_.live, std::move(keep));
    round.flow = flow_.get();
    return true;
}

bool FlowRounds::next(const WindowNow& now, Round& round) {
    const std::size_t count = now.tasks.size();
    if (!std::exchange(begun_, true)) {
        if (!expected_) expected_.emplace(memory_, now);
        if (hints_.sets.empty()) examples_ = expected_->take_examples();
        if (!examples_.empty()) {
            graph_is_there_ = false; // it will be a better one
            round.tasks = examples_;
            return true;
        }
    }
    if (!examples_.empty()) expected_->learn_examples(now, std::exchange(examples_, {}));
    expected_->learn(now);
    if (!graph_tasks_.empty())
        dag_would_repeat_ =
            share_that_dag_would_repeat(now, std::exchange(graph_tasks_, {}), graph_);
    if (next_level(now, round)) return true;
    if (now.accepted >= end_ && !begin_part(now, round)) return true;
    std::size_t left = 0; // to execute
    std::vector<bool> keep;
    for (std::uint32_t task = now.accepted; task < end_; ++task) {
        const bool holds =
            now.executions[task] != nullptr && now.check != nullptr && now.check->consistent(task);
        if (!holds) ++left;
        round.tasks.push_back(task);
        keep.push_back(holds);
    }
    if (left == 0) return false;
    if (!pays(now, left)) return run_in_order(now, round, std::move(keep));
    if (ran_ != 0) {
        if (!hints_.sets.empty())
            round.note = fmt::format(
                "{}: {} of {} transactions read values that {} and were re-executed",
                name_of(options_.strategy), left, count,
                options_.strategy == Strategy::levels ? "their access sets did not predict"
                                                      : "changed afterwards");
        expected_->learn_missed(now, round.tasks, keep);
        if (any_wrong_budget(now, round.tasks))
            memory_.windows_in_turn = StrategyMemory::windows_after_wrong_budget;
    }
    if (is_a_chain(now, round.tasks, keep)) return run_in_order(now, round, std::move(keep));
    begin_flow(now, round, std::move(keep), left);
    return true;
}

} // namespace blockloom::execute
