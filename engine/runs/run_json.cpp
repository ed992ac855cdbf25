#include "runs/run_json.h"

#include "alkanes/state_keys.h"
#include "profile/order_statistics.h"
#include "profile/warm_up.h"
#include "runs/check_json.h"
#include "runs/contract_code_json.h"
#include "runs/usage_json.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using Json = nlohmann::ordered_json;

template <typename T> Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json phases_json(const execute::Phases& phases) {
    Json json = Json::object();
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        json[name_of(static_cast<execute::Phase>(i))] = phases.ns[i];
    return json;
}

Json estimated_json(const std::optional<alkanes::SetDifference>& sets) {
    if (!sets) return {};
    return {{"tasks", sets->tasks},
            {"equal_tasks", sets->equal_tasks},
            {"missing_accesses", sets->missing},
            {"surplus_accesses", sets->surplus}};
}

Json ejected_json(const execute::BlockRounds& rounds) {
    Json json = Json::object();
    for (const auto& [code, count] : rounds.ejected) json[code] = count;
    return json;
}

Json aborted_json(const execute::AbortedAttempts& aborted) {
    Json json = Json::object();
    for (std::size_t i = 0; i < aborted.counts.size(); ++i)
        if (aborted.counts[i] != 0)
            json[name_of(static_cast<trace::AbortReason>(i))] = aborted.counts[i];
    return json;
}

/// Keys of aborted attempts, each once, in the order in which they come first.
class AbortKeys {
public:
    explicit AbortKeys(const execute::AbortedAttempts& aborted) {
        for (const execute::AbortedAttempt& each : aborted.listed)
            if (!each.key.empty() && numbers_.try_emplace(each.key, numbers_.size()).second)
                list_.push_back(alkanes::key_text(each.key));
    }
    [[nodiscard]] std::size_t number(const std::string& key) const { return numbers_.at(key); }
    [[nodiscard]] const Json& list() const noexcept { return list_; }

private:
    std::unordered_map<std::string, std::size_t> numbers_;
    Json list_ = Json::array();
};

/// What is unknown of an attempt is left out: there may be thousands.
Json attempts_json(const RunBlock& block, const AbortKeys& keys) {
    Json list = Json::array();
    for (const execute::AbortedAttempt& each : block.rounds.aborted.listed) {
        Json json = {{"transaction", each.transaction}, {"reason", name_of(each.reason)}};
        if (!each.key.empty()) json["key"] = keys.number(each.key);
        if (each.writer) {
            json["writer"] = each.writer->transaction;
            if (each.writer->height != block.height) json["writer_height"] = each.writer->height;
        }
        if (each.at != 0) json["at_ns"] = each.at;
        list.push_back(std::move(json));
    }
    return list;
}

/// The tasks that the host ran, as ranges [first, last] by reason; null: no device was asked for.
Json on_host_json(const RunRecord& run, const execute::BlockRounds& rounds) {
    if (run.backend == "cpu") return {};
    Json json = Json::object();
    for (const auto& [reason, tasks] : rounds.on_host) {
        Json stretches = Json::array();
        for (std::size_t i = 0; i < tasks.size();) {
            std::size_t last = i;
            while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
            stretches.push_back({tasks[i], tasks[last]});
            i = last + 1;
        }
        json[reason] = std::move(stretches);
    }
    return json;
}

/// Which tasks ran in which wave: [wave, first, last]; null: not recorded.
Json waves_json(const execute::BlockRounds& rounds) {
    if (rounds.waves.empty()) return {};
    Json json = Json::array();
    for (const execute::TasksOfWave& each : rounds.waves)
        json.push_back({each.wave, each.first, each.last});
    return json;
}

std::vector<Nanoseconds> settled(const std::vector<Nanoseconds>& walls) {
    const auto kept = profile::without_warm_up(walls);
    return {kept.begin(), kept.end()};
}

/// The serial run's median wall time over this run's; null: no serial run was made.
Json speedup_json(const RunRecord& run, Nanoseconds median) {
    if (run.serial_walls.empty() || median == 0) return {};
    const auto serial = profile::order_statistics(settled(run.serial_walls));
    return static_cast<double>(serial.median) / static_cast<double>(median);
}

/// Every repetition's time of each phase; null: not kept.
Json phase_samples_json(const RunRecord& run) {
    if (run.repetitions.size() < 2) return {};
    Json json = Json::object();
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        Json samples = Json::array();
        for (const Repetition& at : run.repetitions) samples.push_back(at.phases.ns[i]);
        json[name_of(static_cast<execute::Phase>(i))] = std::move(samples);
    }
    return json;
}

/// Every repetition's part of `execute` that ran on one thread; null: not kept.
Json execute_serial_samples_json(const RunRecord& run) {
    if (run.repetitions.size() < 2) return {};
    Json samples = Json::array();
    for (const Repetition& at : run.repetitions) samples.push_back(at.phases.execute_serial);
    return samples;
}

/// Every repetition's time of a block; null: not kept.
Json block_samples_json(const RunRecord& run, std::size_t block) {
    if (run.repetitions.size() < 2) return {};
    Json samples = Json::array();
    for (const Repetition& at : run.repetitions) {
        if (block >= at.blocks.size()) return {};
        samples.push_back(at.blocks[block]);
    }
    return samples;
}

/// How long each repetition was paused (excluded from its times); null: none was.
Json paused_json(const RunRecord& run) {
    if (run.pauses.empty()) return {};
    Json samples = Json::array();
    for (const Repetition& at : run.repetitions) samples.push_back(at.paused);
    return samples;
}

Json pauses_json(const RunRecord& run) {
    Json pauses = Json::array();
    for (const execute::PauseGate::Pause& pause : run.pauses)
        pauses.push_back({pause.begin, pause.end});
    return pauses;
}

Json block_json(const RunRecord& run, const RunBlock& block, Json samples) {
    const AbortKeys keys(block.rounds.aborted);
    return {{"height", block.height},
            {"hash", to_reversed_hex(block.hash)},
            {"tasks", block.tasks},
            {"messages", block.messages},
            {"succeeded", block.succeeded},
            {"reverted", block.reverted},
            {"host_tasks", block.host_tasks},
            {"fuel_uncertain", block.fuel_uncertain},
            {"fuel_doubt", block.fuel_doubt.empty() ? Json() : Json(block.fuel_doubt)},
            {"candidates", block.candidates},
            {"demoted", block.demoted},
            {"ran", {{"device", block.on_device}, {"host", block.tasks - block.on_device}}},
            {"on_host", on_host_json(run, block.rounds)},
            {"waves", waves_json(block.rounds)},
            {"interpreted", block.interpreted},
            {"ejected", ejected_json(block.rounds)},
            {"rounds", block.rounds.rounds},
            {"executions", block.rounds.executions},
            {"accepted_first", block.rounds.accepted_first},
            {"in_order", block.rounds.serial},
            {"choice", block.rounds.choice.empty() ? Json() : Json(block.rounds.choice)},
            {"predicted", block.rounds.predicted},
            {"mispredicted", block.rounds.mispredicted},
            {"aborted", aborted_json(block.rounds.aborted)},
            {"aborted_attempts", attempts_json(block, keys)},
            {"aborted_keys", keys.list()},
            {"batches", block.rounds.batches},
            {"fuel", block.fuel},
            {"steps", block.steps},
            {"changed_keys", block.changed_keys},
            {"levels", block.levels == 0 ? Json() : Json(block.levels)},
            {"parallelism", block.levels == 0 ? Json() : Json(block.parallelism)},
            {"measured_work_ns", block.path ? Json(block.path->work) : Json()},
            {"measured_path_ns", block.path ? Json(block.path->longest) : Json()},
            {"estimated_sets", estimated_json(block.estimated)},
            {"phases_ns", phases_json(block.phases)},
            {"execute_serial_ns", block.phases.execute_serial},
            {"database_ns", block.phases.database},
            {"samples_ns", std::move(samples)},
            {"digest", to_hex(block.digest)},
            {"committed", block.committed},
            {"verified", optional_json(block.verified)},
            {"difference", block.difference.empty() ? Json() : Json(block.difference)}};
}

/// One repetition: its phases sum to its wall time; null: not kept.
Json repetition_json(const RunRecord& run, std::optional<std::size_t> at) {
    if (!at) return {};
    const Repetition& repetition = run.repetitions[*at];
    return {{"repetition", *at + 1},
            {"wall_ns", run.walls[*at]},
            {"phases_ns", phases_json(repetition.phases)},
            {"execute_serial_ns", repetition.phases.execute_serial},
            {"database_ns", repetition.phases.database}};
}

Json busy_json(const RunRecord& run) {
    if (!run.busy) return {};
    return {{"workers", run.busy->workers},
            {"stages_ns", phases_json(run.busy->busy)},
            {"beside_ns", phases_json(run.busy->beside)},
            {"on_device_ns", run.busy->on_device}};
}

Json totals_json(const RunRecord& run) {
    std::uint64_t tasks = 0, succeeded = 0, reverted = 0, fuel = 0, steps = 0;
    for (const RunBlock& block : run.blocks) {
        tasks += block.tasks;
        succeeded += block.succeeded;
        reverted += block.reverted;
        fuel += block.fuel;
        steps += block.steps;
    }
    const auto wall = profile::order_statistics(settled(run.walls));
    Json interval;
    if (wall.ci95) interval = Json::array({wall.ci95->first, wall.ci95->second});
    return {{"blocks", run.blocks.size()},
            {"tasks", tasks},
            {"succeeded", succeeded},
            {"reverted", reverted},
            {"fuel", fuel},
            {"steps", steps},
            {"phases_ns", phases_json(run.last_phases())},
            {"execute_serial_ns", run.last_phases().execute_serial},
            {"database_ns", run.last_phases().database},
            {"busy", busy_json(run)},
            {"median_repetition", repetition_json(run, run.median())},
            {"last_repetition",
             repetition_json(run, run.median() ? std::optional(run.repetitions.size() - 1)
                                               : std::nullopt)},
            {"wall_ns",
             {{"median", wall.median},
              {"p50", wall.p50},
              {"p95", wall.p95},
              {"p99", wall.p99},
              {"ci95", interval},
              {"warm_up", profile::warm_up_of(run.walls)}}},
            {"samples_ns",
             {{"wall", run.walls},
              {"serial", run.serial_walls},
              {"phases", phase_samples_json(run)},
              {"execute_serial", execute_serial_samples_json(run)},
              {"paused", paused_json(run)}}},
            {"measured_speedup", speedup_json(run, wall.median)}};
}

Json verification_json(const RunRecord& run, const Provenance& provenance) {
    if (!run.verification) return {};
    const Verification& by = *run.verification;
    return {{"date", by.date},
            {"version", by.version.empty() ? provenance.version : by.version},
            {"engine", by.engine},
            {"blocks", by.blocks},
            {"difference", by.difference.empty() ? Json() : Json(by.difference)}};
}

Json machine_json(const Machine& machine) {
    return {{"processor", machine.processor},
            {"cores", machine.cores},
            {"memory", machine.memory},
            {"kernel", machine.kernel},
            {"compiler", machine.compiler}};
}

/// Null: everything was known.
Json unknown_json(const range::UnknownValues& unknown) {
    if (unknown.total() == 0) return {};
    return {{"balances", unknown.balances}, {"outputs", unknown.outputs}, {"codes", unknown.codes}};
}

} // namespace

std::string run_json(const RunRecord& run, const Provenance& provenance) {
    Json left_out = Json::array();
    for (const execute::SkippedBlock& out : run.summary.left_out)
        left_out.push_back({{"source", out.source}, {"reason", out.reason}});
    Json blocks = Json::array();
    for (std::size_t i = 0; i < run.blocks.size(); ++i)
        blocks.push_back(block_json(run, run.blocks[i], block_samples_json(run, i)));
    const Json document = {
        {"schema", "blockloom.run/1"},
        {"run", run.id},
        {"date", run.date},
        {"backend", run.backend},
        {"device", run.device},
        {"strategy", run.strategy},
        {"source", run.sources},
        {"settings",
         {{"engine", run.engine},
          {"network", run.network},
          {"rules", run.rules.line},
          {"rules_follow", run.rules.follows.empty() ? Json() : Json(run.rules.follows)},
          {"fuel", run.rules.fuel.empty() ? "counted" : run.rules.fuel},
          {"code", run.rules.code},
          {"built_in_code", run.rules.built_ins},
          {"workers", run.workers},
          {"label", run.label().empty() ? Json() : Json(run.label())},
          {"sets", name_of(run.how.sets_used())},
          {"window", run.how.window},
          {"batch_min", run.how.batch_min},
          {"batch_max", run.how.batch_max},
          {"hybrid", run.how.hybrid},
          {"candidates", run.how.candidates == execute::Candidates::all ? "all" : "prefixed"},
          {"access", run.how.access == execute::Access::open ? "open" : "declared"},
          {"verify", run.verify},
          {"estimate", run.estimate},
          {"repeat", run.walls.size()},
          {"workspace", run.workspace.empty() ? Json() : Json(run.workspace)},
          {"state", run.state.empty() ? Json() : Json(run.state)},
          {"state_unknown", unknown_json(run.unknown)}}},
        {"version", provenance.version},
        {"machine", machine_json(provenance.machine)},
        {"blocks", std::move(blocks)},
        {"left_out", std::move(left_out)},
        {"committed", run.summary.committed},
        {"committed_before", run.summary.skipped_committed},
        {"executed_again", run.summary.again},
        {"taken_back", run.summary.undone},
        {"device_code", run.backend == "cpu" ? Json() : code_json(run.summary.code)},
        {"totals", totals_json(run)},
        {"pauses_ns", pauses_json(run)},
        {"usage", usage_json(run.usage.get())},
        {"state_digest",
         run.summary.state_digest ? Json(to_hex(*run.summary.state_digest)) : Json()},
        {"verified", optional_json(run.verified())},
        {"verification", verification_json(run, provenance)},
        {"check", check_json(run.check)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace blockloom::runs
