#include "execute/auto/auto_rounds.h"

#include "execute/flow/flow_rounds.h"
#include "execute/level_rounds.h"
#include "execute/predict/predict_rounds.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace blockloom::execute {
namespace {

/// With less in sight, it matters what could be predicted, which takes more examples to know.
constexpr double enough_of_width = 0.75;
/// Of a window of which less is known, the outlook is no promise that can be broken.
constexpr double enough_known = 0.9;

WindowOutlook outlook_of(const WindowNow& now, const TaskGraph& graph,
                         const ExpectedTasks& expected) {
    return {.tasks = graph.tasks(),
            .width = now.width,
            .parallelism = graph.parallelism(),
            .any_edges = graph.edges() != 0,
            .predictable = expected.predictable()};
}

RoundStrategy::Outcome so_far(const WindowNow& now) noexcept {
    RoundStrategy::Outcome outcome{now.wall, now.busy, 0};
    for (const FuelClaim& claim : now.claims.first(now.accepted)) outcome.gas += claim.use.gas;
    return outcome;
}

} // namespace

/// What is unknown of the window is learned from a few of its tasks. True: they are to run first.
bool AutoRounds::take_examples(const WindowNow& now, Round& round) {
    if (!examples_.empty()) {
        expected_->learn_examples(now, std::exchange(examples_, {}));
        graph_is_there_ = false;
    }
    if (more_were_asked_for_) return false;
    examples_ = expected_->take_examples();
    if (examples_.empty()) {
        more_were_asked_for_ = true;
        examples_ = expected_->more_examples();
        if (!examples_.empty() && graph_of_all(now).parallelism() >= enough_of_width * now.width)
            examples_.clear();
    }
    round.tasks = examples_;
    return !examples_.empty();
}

const TaskGraph& AutoRounds::graph_of_all(const WindowNow& now) {
    if (std::exchange(graph_is_there_, true)) return graph_;
    std::vector<std::uint32_t> tasks(now.tasks.size());
    std::iota(tasks.begin(), tasks.end(), 0);
    return graph_ = expected_->graph(now, tasks);
}

/// Whether the transactions can be predicted like those of the last window: then a few that are
/// unknown, and what dependencies would allow, make no difference.
bool AutoRounds::is_like_the_last(const WindowNow& now) {
    if (memory_.alike_windows == 0) return false;
    if (memory_.alike_windows < StrategyMemory::most_alike_windows &&
        expected_->known_share() >= enough_known) {
        outlook_ = memory_.outlook;
        outlook_.tasks = static_cast<std::uint32_t>(now.tasks.size());
        outlook_.width = now.width;
        outlook_.predictable = expected_->predictable();
        if (outlook_.predictable >= enough_known) return true;
    }
    memory_.alike_windows = 0;
    return false;
}

void AutoRounds::look_at(const WindowNow& now) {
    memory_.outlook = outlook_ = outlook_of(now, graph_of_all(now), *expected_);
}

void AutoRounds::choose(const WindowNow& now, bool like_the_last) {
    const double known = expected_->known_share();
    informed_ = known >= enough_known;
    const bool is_first = memory_.outlook.tasks == 0;
    unknown_ = known < 0.5;
    if (!unknown_) memory_.unknown.are_known();
    if (unknown_) {
        chosen_ = {Strategy::predict, 1,
                   "nothing is known of these transactions yet, so rounds begin small"};
    } else {
        if (!like_the_last) look_at(now);
        chosen_ = memory_.choice.next(outlook_);
        // Flows need the graph.
        if (like_the_last && chosen_->strategy != Strategy::predict) {
            look_at(now);
            chosen_ = memory_.choice.next(outlook_);
        } else if (like_the_last) {
            chosen_->why = fmt::format("like those of the window before, the changes of {:.0f} % "
                                       "of the transactions are predictable",
                                       100 * outlook_.predictable);
        }
        // What one example did is no promise for thousands: each may count up the same key. And
        // where a window has several blocks, what the first ones leave, such as contracts, is not
        // there for examples of later ones.
        if (is_first && (chosen_->strategy == Strategy::speculative || now.contexts.size() > 1))
            chosen_ = {Strategy::predict, 1,
                       "only single examples of these transactions are known yet, so rounds begin "
                       "small"};
    }
    if (chosen_->strategy == Strategy::predict && informed_ && outlook_.predictable >= enough_known)
        ++memory_.alike_windows;
    else
        memory_.alike_windows = 0;
    if (chosen_->strategy == Strategy::predict || chosen_->strategy == Strategy::speculative)
        memory_.serial_windows = 0;
    // Every now and then FlowRounds does not run a chain in block order.
    if (chosen_->strategy == Strategy::serial &&
        ++memory_.serial_windows >= StrategyMemory::most_serial_windows)
        chosen_ = {Strategy::dag, 1, "to see whether the transactions still behave alike"};
    options_.strategy = running_ = chosen_->strategy;
    record(0, *chosen_);
    switch (chosen_->strategy) {
    case Strategy::predict:
        rounds_ = std::make_unique<PredictRounds>(memory_, expected_->kinds());
        break;
    case Strategy::dag:
    case Strategy::optimistic:
        run_flows(std::make_unique<FlowRounds>(options_, hints_, memory_, *std::move(expected_),
                                               std::move(graph_)));
        break;
    case Strategy::speculative:
        rounds_ = std::make_unique<LevelRounds>(hints_.levels, true, options_.batch_min, memory_);
        break;
    default:
        break;
    }
}

void AutoRounds::run_at_once(const WindowNow& now, const char* why) {
    chosen_ = {Strategy::speculative, now.width, why};
    running_ = Strategy::speculative;
    record(0, *chosen_);
    rounds_ = std::make_unique<LevelRounds>(hints_.levels, true, options_.batch_min, memory_);
}

bool AutoRounds::next(const WindowNow& now, Round& round) {
    tasks_ = now.tasks.size();
    if (!chosen_ && !now.one_by_one) run_at_once(now, "a device runs whole rounds");
    if (!chosen_ && !expected_ && memory_.unknown.next_runs_at_once()) {
        looked_ = false;
        run_at_once(now, "nothing was known of the transactions of the last block windows, and "
                         "hardly any had to be repeated");
    }
    if (!chosen_) {
        bool like_the_last = false;
        if (!expected_) {
            expected_.emplace(memory_, now);
            like_the_last = is_like_the_last(now);
        }
        if (!like_the_last && take_examples(now, round)) return true;
        choose(now, like_the_last);
    }
    if (rounds_ == nullptr) return false;
    return rounds_->next(now, round) || (choose_again(now) && rounds_->next(now, round));
}

void AutoRounds::run_flows(std::unique_ptr<FlowRounds> flows) {
    flows_ = flows.get();
    rounds_ = std::move(flows);
    flows_->ask_before_each_part(
        [this](const WindowNow& now, const TaskGraph& graph, const ExpectedTasks& expected) {
            return next_part(now, graph, expected);
        });
    if (running_ == Strategy::optimistic && memory_.choice.wants_examination())
        flows_->examine_graph();
}

/// Each part of a window shows what the next one is worth, as each window does.
Strategy AutoRounds::next_part(const WindowNow& now, const TaskGraph& graph,
                               const ExpectedTasks& expected) {
    note(so_far(now), now.accepted);
    informed_ = expected.known_share() >= enough_known;
    outlook_ = outlook_of(now, graph, expected);
    const StrategyChoice::Chosen next = memory_.choice.next(outlook_);
    const bool flows = next.strategy == Strategy::dag || next.strategy == Strategy::optimistic;
    if (flows && std::exchange(running_, next.strategy) != next.strategy)
        record(now.tasks[now.accepted].block, next);
    if (running_ == Strategy::optimistic && memory_.choice.wants_examination())
        flows_->examine_graph();
    return running_;
}

/// Predicting the rest of the window no longer pays off. False: block order is best for it, or it
/// is only a block.
bool AutoRounds::choose_again(const WindowNow& now) {
    if (running_ != Strategy::predict || !now.one_by_one || now.accepted == now.tasks.size() ||
        now.tasks[now.accepted].block == now.tasks.back().block)
        return false;
    std::vector<std::uint32_t> left(now.tasks.size() - now.accepted);
    std::iota(left.begin(), left.end(), now.accepted);
    expected_.emplace(memory_, now);
    const WindowOutlook rest = outlook_of(now, expected_->graph(now, left), *expected_);
    outlook_ = rest;
    informed_ = true;
    note(so_far(now), now.accepted);
    outlook_ = rest;
    StrategyChoice::Chosen next = memory_.choice.next(rest, Strategy::predict);
    if (next.strategy != Strategy::dag && next.strategy != Strategy::optimistic) return false;
    next.why = "predictions no longer paid off, and " + next.why;
    record(now.tasks[now.accepted].block, next);
    options_.strategy = running_ = next.strategy;
    run_flows(std::make_unique<FlowRounds>(options_, hints_, memory_, *std::move(expected_)));
    return true;
}

/// What ran since the last call, by the strategy that was chosen for it.
void AutoRounds::note(const Outcome& until, std::size_t accepted) {
    const Outcome before = std::exchange(noted_, until);
    outlook_.tasks = static_cast<std::uint32_t>(accepted - std::exchange(noted_tasks_, accepted));
    if (!informed_) return;
    memory_.choice.note(running_, outlook_,
                        {until.wall - before.wall, until.busy.ns - before.busy.ns,
                         until.busy.attempts - before.busy.attempts, until.gas - before.gas},
                        flows_ == nullptr ? std::nullopt : flows_->take_dag_would_repeat());
}

void AutoRounds::finished(const Outcome& outcome) {
    if (!looked_)
        memory_.unknown.ran_at_once(tasks_, outcome.busy.attempts);
    else if (unknown_)
        memory_.unknown.predicted(tasks_, outcome.busy.attempts);
    if (chosen_) note(outcome, tasks_);
}

void AutoRounds::record(std::uint32_t block, const StrategyChoice::Chosen& chosen) {
    choices_.push_back({block, fmt::format("{}: {}", name_of(chosen.strategy), chosen.why)});
}

std::string AutoRounds::choice(std::uint32_t block) const {
    std::string text;
    for (const Choice& each : choices_)
        if (each.block <= block) text = each.text;
    return text;
}

} // namespace blockloom::execute
