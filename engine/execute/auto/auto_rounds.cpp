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
    const TaskGraph& graph = graph_of_all(now);
    outlook_.tasks = graph.tasks();
    outlook_.width = now.width;
    outlook_.any_edges = graph.edges() != 0;
    outlook_.parallelism = graph.parallelism();
    outlook_.predictable = expected_->predictable();
    memory_.outlook = outlook_;
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
    options_.strategy = chosen_->strategy;
    switch (chosen_->strategy) {
    case Strategy::predict:
        rounds_ = std::make_unique<PredictRounds>(memory_, expected_->kinds());
        break;
    case Strategy::dag:
    case Strategy::optimistic: {
        auto flows = std::make_unique<FlowRounds>(options_, hints_, memory_, *std::move(expected_),
                                                  std::move(graph_));
        if (chosen_->strategy == Strategy::optimistic && memory_.choice.wants_examination())
            flows->examine_graph();
        flows_ = flows.get();
        rounds_ = std::move(flows);
        break;
    }
    case Strategy::speculative:
        rounds_ = std::make_unique<LevelRounds>(hints_.levels, true, options_.batch_min, memory_);
        break;
    default:
        break;
    }
}

void AutoRounds::run_at_once(const WindowNow& now, const char* why) {
    chosen_ = {Strategy::speculative, now.width, why};
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

/// Predicting the rest of the window no longer pays off. False: block order is best for it, or it
/// is only a block.
bool AutoRounds::choose_again(const WindowNow& now) {
    if (gave_up_ || chosen_->strategy != Strategy::predict || !now.one_by_one ||
        now.accepted == now.tasks.size() || now.tasks[now.accepted].block == now.tasks.back().block)
        return false;
    gave_up_ = true;
    std::vector<std::uint32_t> left(now.tasks.size() - now.accepted);
    std::iota(left.begin(), left.end(), now.accepted);
    expected_.emplace(memory_, now);
    const TaskGraph graph = expected_->graph(now, left);
    outlook_ = {.tasks = static_cast<std::uint32_t>(now.tasks.size()),
                .width = now.width,
                .parallelism = graph.parallelism(),
                .any_edges = graph.edges() != 0,
                .predictable = expected_->predictable()};
    const StrategyChoice::Chosen then = memory_.choice.next(outlook_, Strategy::predict);
    if (then.strategy != Strategy::dag && then.strategy != Strategy::optimistic) return false;
    chosen_->why += fmt::format("; where that failed, {}: {}", name_of(then.strategy), then.why);
    options_.strategy = then.strategy;
    rounds_ = std::make_unique<FlowRounds>(options_, hints_, memory_, *std::move(expected_));
    return true;
}

void AutoRounds::finished(const Outcome& outcome) {
    if (!looked_)
        memory_.unknown.ran_at_once(tasks_, outcome.busy.attempts);
    else if (unknown_)
        memory_.unknown.predicted(tasks_, outcome.busy.attempts);
    if (!chosen_ || !(informed_ || gave_up_)) return;
    // What it gave up would have taken as long as block order.
    const Nanoseconds wall = gave_up_ ? std::max(outcome.wall, outcome.busy.ns) : outcome.wall;
    memory_.choice.note(chosen_->strategy, outlook_,
                        {wall, outcome.busy.ns, outcome.busy.attempts, outcome.gas},
                        flows_ == nullptr ? std::nullopt : flows_->dag_would_repeat());
}

std::string AutoRounds::choice() const {
    return chosen_ ? fmt::format("{}: {}", name_of(chosen_->strategy), chosen_->why)
                   : std::string();
}

} // namespace blockloom::execute
