#include "execute/auto/auto_rounds.h"

#include "execute/flow/flow_rounds.h"
#include "execute/level_rounds.h"
#include "execute/predict/predict_rounds.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace blockloom::execute {
namespace {

constexpr std::uint32_t look_again_after = 24; ///< windows

} // namespace

void AutoRounds::choose(const WindowNow& now) {
    if (!now.one_by_one) {
        chosen_ = {Strategy::speculative, now.width, "a device runs whole rounds"};
        rounds_ = std::make_unique<LevelRounds>(hints_.levels, true, options_.batch_min);
        return;
    }
    expected_.emplace(memory_, now);
    std::vector<std::uint32_t> tasks(now.tasks.size());
    std::iota(tasks.begin(), tasks.end(), 0);
    TaskGraph graph = expected_->graph(now, tasks);
    outlook_.tasks = static_cast<std::uint32_t>(tasks.size());
    outlook_.width = now.width;
    outlook_.any_edges = graph.edges() != 0;
    outlook_.parallelism = static_cast<double>(graph.work()) /
                           static_cast<double>(std::max<std::uint64_t>(1, graph.span()));
    outlook_.predictable = expected_->predictable();
    // Nothing is known of most tasks: dag takes examples first.
    if (expected_->known_share() < 0.5)
        chosen_ = {Strategy::dag, 1, "nothing is known of these transactions yet"};
    else
        chosen_ = memory_.choice.next(outlook_);
    // In block order nothing is learned.
    if (chosen_->strategy != Strategy::serial)
        memory_.serial_windows = 0;
    else if (++memory_.serial_windows > look_again_after) {
        memory_.serial_windows = 0;
        chosen_ = {Strategy::dag, 1, "to see whether the transactions still behave alike"};
    }
    options_.strategy = chosen_->strategy;
    switch (chosen_->strategy) {
    case Strategy::predict:
        rounds_ = std::make_unique<PredictRounds>(memory_);
        break;
    case Strategy::dag:
        rounds_ = std::make_unique<FlowRounds>(options_, hints_, memory_, *std::move(expected_),
                                               std::move(graph));
        break;
    case Strategy::speculative:
        rounds_ = std::make_unique<LevelRounds>(hints_.levels, true, options_.batch_min);
        break;
    default:
        break;
    }
}

bool AutoRounds::next(const WindowNow& now, Round& round) {
    if (!chosen_) choose(now);
    return rounds_ != nullptr && rounds_->next(now, round);
}

void AutoRounds::finished(const Outcome& outcome) {
    if (chosen_)
        memory_.choice.note(chosen_->strategy, outlook_, outcome.wall, outcome.busy.ns,
                            outcome.busy.attempts);
}

std::string AutoRounds::choice() const {
    return chosen_ ? fmt::format("{}: {}", name_of(chosen_->strategy), chosen_->why)
                   : std::string();
}

} // namespace blockloom::execute
