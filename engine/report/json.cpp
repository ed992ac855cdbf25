#include "report/json.h"

#include "report/share.h"

#include <nlohmann/json.hpp>

#include <set>

namespace blockloom::report {
namespace {

using Json = nlohmann::ordered_json;
using range::BlockRecord;

Json optional_number(const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json();
}
Json optional_truth(const std::optional<bool>& value) {
    return value ? Json(*value) : Json();
}

/// Null: everything was known.
Json unknown_json(const range::UnknownValues& unknown) {
    if (unknown.total() == 0) return {};
    return {{"balances", unknown.balances}, {"outputs", unknown.outputs}, {"codes", unknown.codes}};
}

Json policy_json(const schedule::AnalysisOptions& options, const std::string& cost) {
    const trace::KeyPolicy& policy = options.policy;
    return {{"ignore", policy.ignore},
            {"commutative", policy.commutative},
            {"coarsen", policy.coarsen_account ? Json("account") : Json()},
            {"touches", policy.touches_ignored ? "ignored" : "reads"},
            {"without_votes", policy.without_votes},
            {"cost", cost},
            {"description", trace::describe(policy)}};
}

Json colouring_json(const schedule::BlockAnalysis& analysis) {
    if (!analysis.colouring) {
        if (analysis.colouring_skipped.empty()) return {};
        return {{"algorithm", nullptr},
                {"colours", nullptr},
                {"reordered_pairs", nullptr},
                {"skipped", analysis.colouring_skipped}};
    }
    const auto& [colouring, reordered] = *analysis.colouring;
    return {{"algorithm", schedule::name_of(colouring.algorithm)},
            {"colours", colouring.colours},
            {"reordered_pairs", reordered},
            {"time_ns", colouring.time_ns}};
}

Json makespans_json(const schedule::BlockAnalysis& analysis) {
    Json rows = Json::array();
    for (const schedule::Makespans& at : analysis.makespans) {
        const auto speedup = [work = analysis.index->work](std::uint64_t makespan) {
            return makespan == 0 ? 1.0 : static_cast<double>(work) / static_cast<double>(makespan);
        };
        rows.push_back({{"workers", at.workers},
                        {"levels", at.levels},
                        {"list", at.list},
                        {"optimistic", at.optimistic},
                        {"predicted_speedup",
                         {{"levels", speedup(at.levels)},
                          {"list", speedup(at.list)},
                          {"optimistic", speedup(at.optimistic)}}}});
    }
    return rows;
}

Json hot_keys_json(const schedule::BlockAnalysis& analysis) {
    Json rows = Json::array();
    const auto& names = analysis.index->trace->keys;
    for (const conflict::KeyContention& key : analysis.hot_keys)
        rows.push_back(
            {{"key", names ? names->printable(key.key) : "key:" + std::to_string(key.key)},
             {"readers", key.readers},
             {"writers", key.writers},
             {"conflict_pairs", key.conflict_pairs},
             {"gain_if_relaxed", key.gain_if_relaxed}});
    return rows;
}

Json times_json(const BlockRecord& record) {
    const range::BlockTimes& times = record.times;
    Json phases{{"read", times.read},
                {"decode", times.decode},
                {"trace", times.trace},
                {"analyse", times.analyse},
                {"schedule", times.schedule}};
    if (record.replayed) phases["execute"] = times.execute;
    return phases;
}

Json block_json(const BlockRecord& record) {
    const schedule::BlockAnalysis& analysis = record.analysis;
    const conflict::ConflictIndex& index = *analysis.index;
    const std::uint64_t tasks = index.tasks();
    return {{"height", optional_number(record.trace->block.height)},
            {"hash", record.trace->block.hash},
            {"label", record.trace->block.label},
            {"source", record.source},
            {"tasks", tasks},
            {"accesses", index.accesses},
            {"keys", index.keys},
            {"conflicting_tasks", index.conflicting_tasks},
            {"isolated", index.isolated()},
            {"conflict_pairs", index.pairs.any},
            {"raw_pairs", index.pairs.raw},
            {"war_pairs", index.pairs.war},
            {"waw_pairs", index.pairs.waw},
            {"dependency_edges", index.edges()},
            {"groups", index.groups},
            {"largest_group", index.largest_group},
            {"levels", index.level_sizes.size()},
            {"level_sizes", index.level_sizes},
            {"single_conflict_rate", share(index.conflicting_tasks, tasks)},
            {"group_conflict_rate", share(index.largest_group, tasks)},
            {"parallel_ratio", index.parallel_ratio()},
            {"work", index.work},
            {"span", index.span},
            {"parallelism", index.parallelism()},
            {"colouring", colouring_json(analysis)},
            {"makespan", makespans_json(analysis)},
            {"checks",
             {{"merkle", optional_truth(record.checks.merkle)},
              {"witness_commitment", optional_truth(record.checks.witness_commitment)}}},
            {"hot_keys", hot_keys_json(analysis)},
            {"times_ns", times_json(record)}};
}

Json totals_json(const range::RangeTotals& totals) {
    return {{"blocks", totals.blocks},
            {"tasks", totals.tasks},
            {"accesses", totals.accesses},
            {"conflict_pairs", totals.conflict_pairs},
            {"dependency_edges", totals.dependency_edges},
            {"conflicting_tasks", totals.conflicting_tasks},
            {"groups", totals.groups},
            {"most_levels", totals.most_levels},
            {"single_conflict_rate", share(totals.conflicting_tasks, totals.tasks)},
            {"work", totals.work},
            {"span", totals.span},
            {"parallelism", totals.span == 0 ? 1.0
                                             : static_cast<double>(totals.work) /
                                                   static_cast<double>(totals.span)}};
}

/// One name where all blocks agree, else the names.
std::string cost_of_range(const range::Range& range) {
    std::set<std::string> names;
    for (const auto& record : range.blocks) names.emplace(cost_name(*record));
    std::string all;
    for (const std::string& name : names) all += all.empty() ? name : ", " + name;
    return all.empty() ? "unit" : all;
}

} // namespace

std::string_view name_of(conflict::ConflictModel model) {
    return model == conflict::ConflictModel::single_version ? "single-version" : "multi-version";
}

std::optional<conflict::ConflictModel> model_named(std::string_view name) {
    if (name == "single-version") return conflict::ConflictModel::single_version;
    if (name == "multi-version") return conflict::ConflictModel::multi_version;
    return std::nullopt;
}

std::string_view cost_name(const BlockRecord& record) {
    if (!record.analysis.options.use_cost || record.trace->cost.empty()) return "unit";
    switch (record.trace->cost_unit) {
    case trace::CostUnit::unit:
        return "unit";
    case trace::CostUnit::gas:
        return "gas";
    case trace::CostUnit::fuel:
        return "fuel";
    case trace::CostUnit::compute_units:
        return "compute_units";
    case trace::CostUnit::measured_ns:
        return "measured_ns";
    }
    return "unit";
}

std::string analysis_json(const range::Range& range) {
    const schedule::AnalysisOptions& options = range.options.analysis;
    Json blocks = Json::array(), left_out = Json::array(), files = Json::array();
    for (const auto& record : range.blocks) blocks.push_back(block_json(*record));
    for (const range::LeftOut& out : range.left_out)
        left_out.push_back({{"source", out.source}, {"reason", out.reason}, {"stale", out.stale}});
    for (const range::SourceFile& file : range.files) {
        Json row{{"path", file.path}, {"bytes", file.bytes}};
        if (!file.sha256.empty()) row["sha256"] = file.sha256;
        files.push_back(std::move(row));
    }
    const Json document{{"schema", "blockloom.analysis/1"},
                        {"source", range.options.sources},
                        {"chain", range.chain},
                        {"sets", range.estimated_sets() ? "estimated" : "true"},
                        {"state", range.state.empty() ? Json() : Json(range.state)},
                        {"state_unknown", unknown_json(range.unknown)},
                        {"policy", policy_json(options, cost_of_range(range))},
                        {"model", name_of(options.model)},
                        {"blocks", std::move(blocks)},
                        {"range", totals_json(range.totals)},
                        {"left_out", std::move(left_out)},
                        {"files", std::move(files)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace blockloom::report
