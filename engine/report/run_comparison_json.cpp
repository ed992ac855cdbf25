#include "report/run_comparison_json.h"

#include "report/json_text.h"

namespace blockloom::report {
namespace {

const char* equality_name(runs::Equality equality) {
    switch (equality) {
    case runs::Equality::equal:
        return "equal";
    case runs::Equality::unequal:
        return "unequal";
    case runs::Equality::other_input:
        return "other_input";
    case runs::Equality::unknown:
        break;
    }
    return "unknown";
}

Json time_json(const runs::ComparedTime& time) {
    Json interval;
    if (time.interval) interval = Json::array({time.interval->low, time.interval->high});
    return {{"a_ns", time.a},
            {"b_ns", time.b},
            {"samples", Json::array({time.a_samples, time.b_samples})},
            {"ratio", optional_json(time.ratio)},
            {"ci95", std::move(interval)},
            {"no_difference_shown", time.interval ? Json(time.no_difference()) : Json()}};
}

Json named_json(const std::vector<runs::ComparedTime>& times) {
    Json json = Json::object();
    for (const runs::ComparedTime& time : times) json[time.name] = time_json(time);
    return json;
}

Json run_json(const runs::KeptRun& run) {
    return {{"run", run.id},
            {"date", run.date},
            {"backend", run.backend},
            {"device", run.device},
            {"strategy", run.strategy},
            {"engine", run.engine},
            {"workers", run.workers},
            {"processor", run.processor},
            {"version", run.version},
            {"repetitions", run.repetitions},
            {"warm_up", run.warm_up},
            {"state_digest", run.state_digest}};
}

Json divergence_json(const std::optional<runs::Divergence>& divergence) {
    if (!divergence) return {};
    return {{"height", divergence->height},
            {"digest_a", divergence->digest_a},
            {"digest_b", divergence->digest_b},
            {"transaction", optional_json(divergence->transaction)},
            {"protostone", optional_json(divergence->protostone)},
            {"key", divergence->key.empty() ? Json() : Json(divergence->key)},
            {"text", divergence->text}};
}

Json gap_json(const runs::GapDifference* gap) {
    if (gap == nullptr) return {};
    Json causes = Json::array();
    for (const runs::GapChange& change : gap->causes)
        causes.push_back({{"cause", change.name},
                          {"a_ns", optional_json(change.a)},
                          {"b_ns", optional_json(change.b)},
                          {"difference_ns", change.b_minus_a},
                          {"predicted", change.predicted},
                          {"about", change.about}});
    return {{"a_measured_ns", gap->a},
            {"b_measured_ns", gap->b},
            {"difference_ns", gap->b - gap->a},
            {"causes", std::move(causes)},
            {"not_told", gap->notes},
            {"missing", gap->missing.empty() ? Json() : Json(gap->missing)}};
}

} // namespace

std::string comparison_json(const runs::RunComparison& comparison, const runs::KeptRun& a,
                            const runs::KeptRun& b, const runs::Gate* gate,
                            const runs::GapDifference* gap) {
    JsonRows blocks; // as text: as values they would take a hundred times the memory
    for (const runs::ComparedBlock& block : comparison.blocks)
        blocks.add({{"height", block.height},
                    {"hash", block.hash},
                    {"tasks", block.tasks},
                    {"time", time_json(block.time)},
                    {"digests_equal", optional_json(block.digests_equal)}});
    Json statuses = Json::object();
    for (const runs::ComparedCount& count : comparison.statuses)
        statuses[count.name] = {{"a", count.a}, {"b", count.b}};
    Json document = {{"schema", "blockloom.comparison/1"},
                     {"a", run_json(a)},
                     {"b", run_json(b)},
                     {"same_inputs", comparison.refusal.empty()},
                     {"refusal", comparison.refusal.empty() ? Json() : Json(comparison.refusal)},
                     {"digests", equality_name(comparison.digests)},
                     {"divergence", divergence_json(comparison.divergence)},
                     {"verdict", verdict_text(comparison)},
                     {"wall", comparison.refusal.empty() ? time_json(comparison.wall) : Json()},
                     {"percentiles", named_json(comparison.percentiles)},
                     {"phases", named_json(comparison.phases)},
                     {"gap", comparison.refusal.empty() ? gap_json(gap) : Json()},
                     {"statuses", std::move(statuses)},
                     {"notes", comparison.notes}};
    if (gate != nullptr) {
        static constexpr const char* names[] = {"passed", "slower", "unequal", "undecided"};
        document["gate"] = {{"outcome", names[static_cast<std::size_t>(gate->outcome)]},
                            {"text", gate->text}};
    }
    return json_text(document, {{"blocks", std::move(blocks).text()}});
}

} // namespace blockloom::report
