#include "report/kept_run.h"

#include "profile/trace_bytes.h"
#include "profile/warm_up.h"
#include "range/number_text.h"
#include "report/base64.h"
#include "report/run_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace blockloom::report {
namespace {

using Json = nlohmann::json;

/// The member `name`, or `otherwise` where it is absent or of another type.
template <typename T> T member(const Json& json, const char* name, T otherwise) {
    if (!json.is_object() || !json.contains(name)) return otherwise;
    const Json& value = json[name];
    if constexpr (std::is_same_v<T, std::string>)
        return value.is_string() ? value.get<std::string>() : otherwise;
    else if constexpr (std::is_same_v<T, bool>)
        return value.is_boolean() ? value.get<bool>() : otherwise;
    else
        return value.is_number_integer() ? value.get<T>() : otherwise;
}

const Json& part(const Json& json, const char* name) {
    static const Json none;
    return json.is_object() && json.contains(name) ? json[name] : none;
}

execute::Phases read_phases(const Json& json) {
    execute::Phases phases;
    if (!json.is_object()) return phases;
    for (const auto& [name, value] : json.items()) {
        if (!value.is_number_integer()) continue;
        auto phase = execute::Phase::other;
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (name == name_of(static_cast<execute::Phase>(i)))
                phase = static_cast<execute::Phase>(i);
        phases[phase] += value.get<Nanoseconds>();
    }
    return phases;
}

std::vector<Nanoseconds> read_samples(const Json& json) {
    std::vector<Nanoseconds> samples;
    if (!json.is_array()) return samples;
    for (const Json& sample : json) {
        if (!sample.is_number_integer()) return {};
        samples.push_back(sample.get<Nanoseconds>());
    }
    return samples;
}

void read_on_host(const Json& json, KeptBlock& block) {
    if (!json.is_object()) return;
    block.on_host.emplace();
    for (const auto& [reason, stretches] : json.items())
        for (const Json& at : stretches)
            if (at.is_array() && at.size() == 2 && at[0].is_number_unsigned() &&
                at[1].is_number_unsigned())
                (*block.on_host)[reason].emplace_back(at[0].get<std::uint64_t>(),
                                                      at[1].get<std::uint64_t>());
}

void read_block(const Json& json, KeptRun& run) {
    KeptBlock block;
    block.height = member<std::uint64_t>(json, "height", 0);
    block.hash = member<std::string>(json, "hash", {});
    block.digest = member<std::string>(json, "digest", {});
    block.tasks = member<std::uint64_t>(json, "tasks", 0);
    block.succeeded = member<std::uint64_t>(json, "succeeded", 0);
    block.reverted = member<std::uint64_t>(json, "reverted", 0);
    block.fuel = member<std::uint64_t>(json, "fuel", 0);
    block.difference = member<std::string>(json, "difference", {});
    block.phases = read_phases(part(json, "phases_ns"));
    block.samples = read_samples(part(json, "samples_ns"));
    read_on_host(part(json, "on_host"), block);
    if (const Json& ejected = part(json, "ejected"); ejected.is_object())
        for (const auto& [code, count] : ejected.items()) {
            if (!count.is_number_unsigned()) continue;
            block.ejected += count.get<std::uint64_t>();
            run.ejected[code] += count.get<std::uint64_t>();
        }
    run.tasks += block.tasks;
    run.succeeded += block.succeeded;
    run.reverted += block.reverted;
    run.fuel += block.fuel;
    run.rounds += member<std::uint64_t>(json, "rounds", 0);
    run.executions += member<std::uint64_t>(json, "executions", 0);
    run.in_order += member<std::uint64_t>(json, "in_order", 0);
    run.on_device += member<std::uint64_t>(part(json, "ran"), "device", 0);
    run.on_host += member<std::uint64_t>(part(json, "ran"), "host", 0);
    run.blocks.push_back(std::move(block));
}

void read_totals(const Json& totals, KeptRun& run) {
    run.phases = read_phases(part(totals, "phases_ns"));
    const Json& samples = part(totals, "samples_ns");
    run.walls = read_samples(part(samples, "wall"));
    run.serial_walls = read_samples(part(samples, "serial"));
    run.warm_up = profile::warm_up_of(run.walls);
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        auto phase =
            read_samples(part(part(samples, "phases"), name_of(static_cast<execute::Phase>(i))));
        if (phase.size() == run.walls.size()) run.phase_samples[i] = std::move(phase);
    }
    if (const Json& speedup = part(totals, "measured_speedup"); speedup.is_number())
        run.measured_speedup = speedup.get<double>();
    const Json& wall = part(totals, "wall_ns");
    run.wall = member<Nanoseconds>(wall, "median", 0);
    if (run.wall == 0) run.wall = run.phases.sum();
    if (const Json& ci = part(wall, "ci95");
        ci.is_array() && ci.size() == 2 && ci[0].is_number_integer() && ci[1].is_number_integer())
        run.interval = {ci[0].get<Nanoseconds>(), ci[1].get<Nanoseconds>()};
}

} // namespace

Result<KeptRun> read_run(std::string_view document, std::string_view place) {
    const Json json = Json::parse(document, nullptr, false);
    if (member<std::string>(json, "schema", {}) != "blockloom.run/1")
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a run (schema blockloom.run/1), found another "
                                 "document",
                                 place)};
    KeptRun run;
    for (const auto& [name, into] : {std::pair{"run", &run.id},
                                     {"date", &run.date},
                                     {"backend", &run.backend},
                                     {"device", &run.device},
                                     {"strategy", &run.strategy},
                                     {"state_digest", &run.state_digest}})
        *into = member<std::string>(json, name, {});
    if (run.id.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the run's id under \"run\", found none", place)};
    const Json& settings = part(json, "settings");
    run.engine = member<std::string>(settings, "engine", {});
    run.network = member<std::string>(settings, "network", {});
    run.workers = member<unsigned>(settings, "workers", 1);
    run.repetitions = member<std::uint64_t>(settings, "repeat", 1);
    run.looked_closer =
        member<bool>(settings, "verify", false) || member<bool>(settings, "estimate", false);
    run.window = member<std::size_t>(settings, "window", 1);
    run.batch_min = member<std::size_t>(settings, "batch_min", 0);
    run.batch_max = member<std::size_t>(settings, "batch_max", 0);
    run.version = member<std::string>(json, "version", {});
    const Json& machine = part(json, "machine");
    run.processor = member<std::string>(machine, "processor", {});
    run.kernel = member<std::string>(machine, "kernel", {});
    run.compiler = member<std::string>(machine, "compiler", {});
    run.cores = member<unsigned>(machine, "cores", 0);
    if (const Json& sources = part(json, "source"); sources.is_array())
        for (const Json& source : sources)
            if (source.is_string()) run.sources.push_back(source.get<std::string>());
    if (const Json& verified = part(json, "verified"); verified.is_boolean())
        run.verified = verified.get<bool>();
    run.notes.note = member<std::string>(json, "note", {});
    run.notes.baseline = member<std::string>(part(json, "baseline"), "name", {});
    run.notes.colour = member<unsigned>(part(json, "baseline"), "colour", 0);
    if (const Json& blocks = part(json, "blocks"); blocks.is_array())
        for (const Json& block : blocks) read_block(block, run);
    read_totals(part(json, "totals"), run);
    return run;
}

Status keep_run(store::Workspace& workspace, execute::RunRecord& run, const Provenance& made,
                const profile::Trace* spans) {
    const std::string id = run.id;
    for (unsigned again = 2;; ++again) {
        const auto there = workspace.load_run(run.id);
        if (!there) return there.error();
        if (!*there) break;
        run.id = fmt::format("{}-{}", id, again);
    }
    std::uint64_t tasks = 0;
    for (const execute::RunBlock& block : run.blocks) tasks += block.tasks;
    const std::string summary =
        fmt::format("{} · {} · {} {} · {} · {} · {}", run.date, fmt::join(run.sources, ", "),
                    run.backend, run.strategy, range::counted(run.blocks.size(), "block"),
                    range::counted(tasks, "task"), range::time_text(run.walls.back()));
    if (spans == nullptr) return workspace.keep_run(run.id, summary, run_json(run, made));
    const Bytes bytes = profile::trace_bytes(*spans);
    const store::RunPart part{spans_part,
                              {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    return workspace.keep_run(run.id, summary, run_json(run, made), {&part, 1});
}

Result<std::shared_ptr<const profile::Trace>> kept_spans(const store::Workspace& workspace,
                                                         std::string_view id) {
    const auto part = workspace.load_run_part(id, spans_part);
    if (!part) return part.error();
    if (!*part) return std::shared_ptr<const profile::Trace>();
    auto trace = profile::read_trace(as_bytes(**part), fmt::format("spans of run {}", id));
    if (!trace) return trace.error();
    return std::make_shared<const profile::Trace>(*std::move(trace));
}

std::string with_spans(std::string_view document, std::string_view spans) {
    auto json = nlohmann::ordered_json::parse(document, nullptr, false);
    if (!json.is_object()) return std::string(document);
    json["spans"] = base64(as_bytes(spans));
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<SeparatedRun> without_spans(std::string_view file, const std::string& place) {
    auto json = nlohmann::ordered_json::parse(file, nullptr, false);
    if (!json.is_object() || !json.contains("spans"))
        return SeparatedRun{std::string(file), std::nullopt};
    const auto bytes =
        json["spans"].is_string() ? from_base64(json["spans"].get<std::string>()) : std::nullopt;
    if (!bytes)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected base64 under \"spans\", found something else", place)};
    const auto trace = profile::read_trace(*bytes, place + ": spans");
    if (!trace) return trace.error();
    json.erase("spans");
    return SeparatedRun{json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                            "\n",
                        std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())};
}

Result<std::vector<KeptRun>> kept_runs(const std::filesystem::path& workspace, std::size_t most,
                                       std::vector<std::string>& unreadable) {
    std::vector<KeptRun> runs;
    std::error_code unknown;
    if (!std::filesystem::exists(workspace / "format", unknown)) return runs;
    const auto opened = store::Workspace::open(workspace, {.read_only = true});
    if (!opened) return opened.error();
    const auto listed = (*opened)->list_runs();
    if (!listed) return listed.error();
    // Ids begin with the date: the last ones are the newest.
    for (auto at = listed->rbegin(); at != listed->rend() && runs.size() < most; ++at) {
        const auto document = (*opened)->load_run(at->id);
        if (!document) return document.error();
        if (!*document) continue;
        auto run = read_run(**document, at->id);
        if (run)
            runs.push_back(*std::move(run));
        else
            unreadable.push_back(run.error().message);
    }
    return runs;
}

} // namespace blockloom::report
