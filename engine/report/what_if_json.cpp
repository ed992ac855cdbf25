#include "report/what_if_json.h"

#include "report/json_text.h"

namespace blockloom::report {
namespace {

Json plan_json(const runs::WhatIfPlan& plan) {
    Json keys = Json::array();
    for (const runs::KeyRelaxation& key : plan.keys)
        keys.push_back(
            {{"key", key.key},
             {"how", name_of(key.how)},
             {"parts", key.how == schedule::Relaxation::split ? Json(key.parts) : Json()}});
    return {{"keys", std::move(keys)},
            {"strategy", plan.strategy.empty() ? Json() : Json(plan.strategy)},
            {"workers", plan.workers == 0 ? Json() : Json(plan.workers)},
            {"batch_min", optional_json(plan.batch_min)},
            {"batch_max", optional_json(plan.batch_max)},
            {"no_barrier", plan.no_barrier},
            {"free_transfer", plan.free_transfer},
            {"free_commit", plan.free_commit}};
}

Json window_json(const runs::WhatIfWindow& window) {
    return {{"first", window.first},
            {"last", window.last},
            {"tasks", window.tasks},
            {"measured_work_ns", window.work},
            {"span_before_ns", window.span_before},
            {"span_ns", window.span},
            {"predicted_before_ns", window.before},
            {"predicted_ns", window.predicted}};
}

Json key_json(const runs::WhatIfKey& key) {
    return {{"key", key.key},
            {"readers", key.readers},
            {"writers", key.writers},
            {"conflict_pairs", key.conflict_pairs},
            {"gain_if_relaxed", key.gain_if_relaxed},
            {"predictable",
             {{"reads", key.reads},
              {"hits", key.hits},
              {"hit_rate", optional_json(key.hit_rate())},
              {"keep", key.effects[0]},
              {"set", key.effects[1]},
              {"add", key.effects[2]},
              {"other", key.effects[3]}}}};
}

Json advice_json(const runs::Advice& advice) {
    return {{"limit", advice.limit},
            {"figure", advice.figure},
            {"what_if", text_of(advice.plan)},
            {"predicted_ns", advice.predicted},
            {"predicted_gain", advice.gain()},
            {"not_replayable", advice.why_not.empty() ? Json() : Json(advice.why_not)}};
}

Json replay_json(const ReplayedWhatIf& replayed) {
    if (replayed.replay == nullptr) return {};
    const runs::WhatIfReplay& replay = *replayed.replay;
    return {{"run", replayed.run.empty() ? Json() : Json(replayed.run)},
            {"strategy", replay.run.record.strategy},
            {"workers", replay.run.record.workers},
            {"repetitions", replay.run.record.walls.size()},
            {"predicted_ns", replay.wall.predicted},
            {"measured_ns", replay.wall.measured},
            {"error", replay.wall.error()},
            {"predicted_execute_ns", replay.execute.predicted},
            {"measured_execute_ns", replay.execute.measured},
            {"execute_error", replay.execute.error()},
            {"difference", replay.difference.empty() ? Json() : Json(replay.difference)}};
}

} // namespace

std::string what_if_json(const runs::RecordedWork& work, const runs::WhatIfPlan& plan,
                         const runs::WhatIf& result, std::span<const runs::WhatIfKey> keys,
                         std::span<const runs::Advice> advice, const ReplayedWhatIf& replayed) {
    JsonRows windows, ranked, advised;
    for (const runs::Advice& one : advice) advised.add(advice_json(one));
    for (const runs::WhatIfWindow& window : result.windows) windows.add(window_json(window));
    for (const runs::WhatIfKey& key : keys) ranked.add(key_json(key));
    const Json document = {{"schema", "blockloom.what_if/1"},
                           {"run", work.run},
                           {"strategy_before", work.strategy},
                           {"workers_before", work.workers},
                           {"plan", plan_json(plan)},
                           {"strategy", result.strategy},
                           {"simulated_as", name_of(result.model)},
                           {"workers", result.workers},
                           {"measured_ns", result.measured},
                           {"predicted_before_ns", result.before},
                           {"predicted_ns", result.predicted},
                           {"measured_execute_ns", result.executed},
                           {"simulated_execute_ns", result.simulated},
                           {"predicted_execute_before_ns", result.execute_before},
                           {"predicted_execute_ns", result.execute},
                           {"predicted_gain", result.gain()},
                           {"assumptions", result.assumptions},
                           {"replay", replay_json(replayed)}};
    const std::string all_windows = std::move(windows).text();
    const std::string all_keys = std::move(ranked).text();
    const std::string all_advice = std::move(advised).text();
    return json_text(document,
                     {{"windows", all_windows}, {"keys", all_keys}, {"advice", all_advice}});
}

} // namespace blockloom::report
