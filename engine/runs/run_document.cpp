// Reads a run's document, which may come from another machine and is not trusted.
#include "base/json.h"
#include "profile/warm_up.h"
#include "runs/check_json.h"
#include "runs/contract_code_json.h"
#include "runs/document_limits.h"
#include "runs/median_repetition.h"
#include "runs/run_file.h"
#include "runs/run_notes.h"
#include "runs/usage_json.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

namespace blockloom::runs {
namespace {

/// 104 days: a thousand of them can be added up, also as doubles.
constexpr std::size_t text_bytes = std::size_t{1} << 20;
constexpr std::size_t most_codes = 1024;

/// Phases that are remainders may be below zero.
std::optional<Nanoseconds> time_of(JsonValue value) {
    return value.integer(-most_time, most_time);
}

void add(Nanoseconds& sum, Nanoseconds more, JsonValue at) {
    sum += more; // both are bounded
    if (sum >= -most_time && sum <= most_time) return;
    at.refuse(fmt::format("times with a sum within {} ns", most_time), fmt::format("{}", sum));
    sum = 0;
}

void add(std::uint64_t& sum, std::uint64_t more, JsonValue at) {
    if (more > std::numeric_limits<std::uint64_t>::max() - sum)
        at.refuse("counts with a sum below 2^64", fmt::format("{} and {}", sum, more));
    else
        sum += more;
}

std::uint64_t count_of(JsonValue value) {
    return value.whole().value_or(0);
}

/// The object's phases; 0 for parts of them that an older document does not have.
execute::Phases read_phases(JsonValue of) {
    execute::Phases phases;
    for (const auto& [name, value] : of["phases_ns"].members(most_codes)) {
        auto phase = execute::Phase::other;
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (name == name_of(static_cast<execute::Phase>(i)))
                phase = static_cast<execute::Phase>(i);
        add(phases[phase], time_of(value).value_or(0), value);
    }
    phases.execute_serial = time_of(of["execute_serial_ns"]).value_or(0);
    phases.database = time_of(of["database_ns"]).value_or(0);
    return phases;
}

std::vector<Nanoseconds> read_samples(JsonValue array) {
    std::vector<Nanoseconds> samples;
    for (const JsonValue sample : array.items(most_samples))
        samples.push_back(time_of(sample.required()).value_or(0));
    return samples;
}

/// Reads a list of two with `read`; nothing where it is absent or wrong.
template <typename T>
std::optional<std::pair<T, T>> read_pair(JsonValue array, std::optional<T> (*read)(JsonValue)) {
    std::array<T, 2> ends{};
    std::size_t found = 0;
    for (const JsonValue end : array.items(ends.size()))
        ends[found++] = read(end.required()).value_or(0);
    if (array.is_absent()) return std::nullopt;
    if (found != ends.size()) array.refuse("two numbers");
    return std::pair{ends[0], ends[1]};
}

std::string code_of(std::string_view name, JsonValue value) {
    if (name.size() > name_bytes)
        value.refuse(fmt::format("a name of at most {} bytes", name_bytes));
    return std::string(name.substr(0, name_bytes));
}

void read_on_host(JsonValue object, KeptBlock& block) {
    if (object.is_absent()) return;
    block.on_host.emplace();
    for (const auto& [reason, stretches] : object.members(most_codes)) {
        auto& read = (*block.on_host)[code_of(reason, stretches)];
        for (const JsonValue stretch : stretches.items())
            if (const auto ends = read_pair(
                    stretch.required(), +[](JsonValue v) { return v.whole(); }))
                read.push_back(*ends);
    }
}

void read_waves(JsonValue array, KeptBlock& block) {
    for (const JsonValue each : array.items()) {
        std::array<std::uint64_t, 3> numbers{};
        std::size_t found = 0;
        for (const JsonValue number : each.items(numbers.size()))
            numbers[found++] = number.required().whole().value_or(0);
        if (found != numbers.size() || numbers[0] >= profile::none)
            return each.refuse("a wave and two tasks");
        block.waves.push_back({static_cast<std::uint32_t>(numbers[0]), numbers[1], numbers[2]});
    }
}

void read_ejected(JsonValue object, KeptBlock& block, KeptRun& run) {
    for (const auto& [code, value] : object.members(most_codes)) {
        const std::uint64_t count = count_of(value);
        add(block.ejected, count, value);
        add(run.ejected[code_of(code, value)], count, value);
        if (run.ejected.size() > most_codes)
            return value.refuse(fmt::format("at most {} codes in all", most_codes), "more");
    }
}

void add_aborts(const KeptAborts& block, KeptRun& run, JsonValue at) {
    if (!block.counts) return;
    for (const auto& [reason, count] : *block.counts) add(run.aborted[reason], count, at);
    if (run.aborted.size() > most_codes)
        at.refuse(fmt::format("at most {} reasons in all", most_codes), "more");
}

void read_block(JsonValue json, KeptRun& run) {
    KeptBlock block;
    json["height"].read(block.height);
    // Blocks are known by their hash; it also bounds how many there are by the text's size.
    json["hash"].required().read(block.hash, name_bytes);
    json["digest"].read(block.digest, name_bytes);
    json["tasks"].read(block.tasks);
    json["succeeded"].read(block.succeeded);
    json["reverted"].read(block.reverted);
    json["fuel"].read(block.fuel);
    add(run.fuel_uncertain, count_of(json["fuel_uncertain"]), json["fuel_uncertain"]);
    json["difference"].read(block.difference, text_bytes);
    json["choice"].read(block.choice, text_bytes);
    block.phases = read_phases(json);
    block.samples = read_samples(json["samples_ns"]);
    const auto work = time_of(json["measured_work_ns"]), path = time_of(json["measured_path_ns"]);
    if (work && path) block.work_and_path = {*work, *path};
    read_on_host(json["on_host"], block);
    read_waves(json["waves"], block);
    read_ejected(json["ejected"], block, run);
    block.aborted = read_aborts(json);
    add_aborts(block.aborted, run, json["aborted"]);
    add(run.tasks, block.tasks, json["tasks"]);
    add(run.succeeded, block.succeeded, json["succeeded"]);
    add(run.reverted, block.reverted, json["reverted"]);
    add(run.fuel, block.fuel, json["fuel"]);
    const JsonValue ran = json["ran"];
    for (const auto& [value, sum] : {std::pair{json["rounds"], &run.rounds},
                                     {json["executions"], &run.executions},
                                     {json["in_order"], &run.in_order},
                                     {ran["device"], &run.on_device},
                                     {ran["host"], &run.on_host}})
        add(*sum, count_of(value), value);
    run.blocks.push_back(std::move(block));
}

/// The phases of the median repetition represent the run. Those of the last one, where not every
/// repetition's were kept.
void choose_phases(KeptRun& run) {
    run.last_phases = run.phases;
    if (run.walls.empty()) return;
    if (run.walls.size() == 1) {
        run.median_repetition = 1;
        return;
    }
    const std::size_t median = median_repetition(run.walls);
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        if (run.phase_samples[i].empty() && run.phases.ns[i] != 0) return;
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        run.phases.ns[i] = run.phase_samples[i].empty() ? 0 : run.phase_samples[i][median];
    if (run.execute_serial_samples.size() == run.walls.size())
        run.phases.execute_serial = run.execute_serial_samples[median];
    run.median_repetition = median + 1;
    run.wall = run.walls[median]; // what the phases sum to
}

void read_totals(JsonValue totals, KeptRun& run) {
    run.phases = read_phases(totals);
    const JsonValue samples = totals["samples_ns"];
    run.walls = read_samples(samples["wall"]);
    run.serial_walls = read_samples(samples["serial"]);
    run.warm_up = profile::warm_up_of(run.walls);
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        auto phase = read_samples(samples["phases"][name_of(static_cast<execute::Phase>(i))]);
        if (phase.size() == run.walls.size()) run.phase_samples[i] = std::move(phase);
    }
    run.execute_serial_samples = read_samples(samples["execute_serial"]);
    run.measured_speedup = totals["measured_speedup"].real(0, static_cast<double>(most_time));
    const JsonValue wall = totals["wall_ns"];
    run.wall = time_of(wall["median"]).value_or(0);
    if (run.wall == 0) run.wall = run.phases.sum();
    run.interval = read_pair(wall["ci95"], &time_of);
    if (run.interval && run.interval->first > run.interval->second)
        wall["ci95"].refuse("the lower end and the upper end");
    choose_phases(run);
}

constexpr std::size_t most_built_ins = 64;

void read_settings(JsonValue settings, KeptRun& run) {
    settings["engine"].read(run.engine, name_bytes);
    settings["network"].read(run.network, name_bytes);
    settings["rules"].read(run.rules.line, name_bytes);
    settings["rules_follow"].read(run.rules.follows, name_bytes);
    if (settings["fuel"].text(name_bytes).value_or("") == "exact") run.rules.fuel = "exact";
    settings["code"].read(run.rules.code, name_bytes);
    for (const auto& [slot, module] : settings["built_in_code"].members(most_built_ins))
        if (const auto hash = module.text(name_bytes))
            run.rules.built_ins.emplace(slot, std::string(*hash));
    settings["workers"].read(run.workers, 1U, 1U << 20U);
    settings["repeat"].read(run.repetitions);
    run.verify = settings["verify"].boolean().value_or(false);
    settings["workspace"].read(run.workspace, text_bytes);
    settings["state"].read(run.state, text_bytes);
    const JsonValue unknown = settings["state_unknown"];
    unknown["balances"].read(run.unknown.balances);
    unknown["outputs"].read(run.unknown.outputs);
    unknown["codes"].read(run.unknown.codes);
    run.looked_closer = run.verify || settings["estimate"].boolean().value_or(false);
    settings["window"].read(run.window);
    settings["batch_min"].read(run.batch_min);
    settings["batch_max"].read(run.batch_max);
    run.hybrid = settings["hybrid"].boolean().value_or(false);
}

/// Absent: it was not verified after it had been measured.
std::optional<Verification> read_verification(JsonValue json) {
    if (json.is_absent()) return std::nullopt;
    Verification read;
    json["date"].read(read.date, name_bytes);
    json["version"].read(read.version, name_bytes);
    json["engine"].read(read.engine, name_bytes);
    json["blocks"].read(read.blocks);
    json["difference"].read(read.difference, text_bytes);
    return read;
}

} // namespace

Result<KeptRun> read_run(std::string_view text, std::string_view place) {
    const auto document = JsonDocument::parse(text, std::string(place), run_limits);
    if (!document) return document.error();
    return read_run(*document);
}

Result<KeptRun> read_run(const JsonDocument& document) {
    const JsonValue root = document.root();
    if (const Status is_run = check_is_run(root); !is_run) return is_run.error();
    KeptRun run;
    root["run"].required().read(run.id, name_bytes);
    if (!root["run"].is_absent() && !is_run_id(run.id)) root["run"].refuse(run_id_rule);
    for (const auto& [name, into] : {std::pair{"date", &run.date},
                                     {"backend", &run.backend},
                                     {"device", &run.device},
                                     {"strategy", &run.strategy},
                                     {"state_digest", &run.state_digest},
                                     {"version", &run.version}})
        root[name].read(*into, name_bytes);
    read_settings(root["settings"], run);
    const JsonValue machine = root["machine"];
    machine["processor"].read(run.processor, name_bytes);
    machine["kernel"].read(run.kernel, name_bytes);
    machine["compiler"].read(run.compiler, name_bytes);
    machine["cores"].read(run.cores, 0U, 1U << 20U);
    for (const JsonValue source : root["source"].items())
        if (const auto name = source.required().text(text_bytes)) run.sources.emplace_back(*name);
    run.verified = root["verified"].boolean();
    run.verification = read_verification(root["verification"]);
    if (run.verification) run.verified = run.verification->equal();
    run.check = read_check(root["check"]);
    root["note"].read(run.notes.note, text_bytes);
    const JsonValue baseline = root["baseline"];
    baseline["name"].read(run.notes.baseline, name_bytes);
    baseline["colour"].read(run.notes.colour, 0U, baseline_colours - 1);
    run.blocks.reserve(root["blocks"].size());
    for (const JsonValue block : root["blocks"].items()) {
        read_block(block, run);
        if (const Status so_far = document.status(); !so_far) return so_far.error();
    }
    read_totals(root["totals"], run);
    run.code = read_code(root["device_code"]);
    run.usage = read_usage(root["usage"]);
    run.pauses = read_pauses(root["pauses_ns"]);
    if (const Status status = document.status(); !status) return status.error();
    return run;
}

} // namespace blockloom::runs
