// Reads a run's document, which another machine may have written: reading trusts nothing.
#include "profile/warm_up.h"
#include "report/kept_run.h"
#include "report/usage_json.h"

#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace blockloom::report {
namespace {

using Json = nlohmann::json;

/// 104 days. What comes after adds up as many of them as a thousand, and takes them as doubles.
constexpr Nanoseconds most_time = Nanoseconds{1} << 53;

/// What was found out of its bounds; the first counts.
class Bounds {
public:
    explicit Bounds(std::string_view place) : place_(place) {}

    /// A time within its bounds. Phases that are a rest may come out below zero.
    [[nodiscard]] Nanoseconds time(const Json& json) {
        if (json.is_number_unsigned() &&
            json.get<std::uint64_t>() > static_cast<std::uint64_t>(most_time))
            return refuse(json);
        const auto value = json.get<Nanoseconds>();
        return value < -most_time || value > most_time ? refuse(json) : value;
    }
    void add(Nanoseconds& sum, Nanoseconds more) {
        const Nanoseconds all = sum + more; // both are bounded
        sum = all < -most_time || all > most_time ? refuse(all) : all;
    }
    void add(std::uint64_t& sum, std::uint64_t more) {
        if (more > std::numeric_limits<std::uint64_t>::max() - sum)
            note(fmt::format("expected counts with a sum below 2^64, found {} and {}", sum, more));
        else
            sum += more;
    }
    [[nodiscard]] const std::optional<Error>& found() const noexcept { return found_; }

private:
    Nanoseconds refuse(const Json& json) {
        note(fmt::format("expected a time within {} ns, found {}", most_time, json.dump()));
        return 0;
    }
    void note(const std::string& text) {
        if (!found_) found_ = Error{ErrorCode::bad_input, fmt::format("{}: {}", place_, text)};
    }

    std::string_view place_;
    std::optional<Error> found_;
};

/// The member `name`, or `otherwise` where it is absent, of another type or beyond that type.
template <typename T> T member(const Json& json, const char* name, T otherwise) {
    if (!json.is_object() || !json.contains(name)) return otherwise;
    const Json& value = json[name];
    if constexpr (std::is_same_v<T, std::string>)
        return value.is_string() ? value.get<std::string>() : otherwise;
    else if constexpr (std::is_same_v<T, bool>)
        return value.is_boolean() ? value.get<bool>() : otherwise;
    else
        return value.is_number_unsigned() &&
                       value.get<std::uint64_t>() <= std::numeric_limits<T>::max()
                   ? static_cast<T>(value.get<std::uint64_t>())
                   : otherwise;
}

const Json& part(const Json& json, const char* name) {
    static const Json none;
    return json.is_object() && json.contains(name) ? json[name] : none;
}

/// `serial`: of `execute`; what no document of before told of is 0.
execute::Phases read_phases(const Json& json, const Json& serial, Bounds& bounds) {
    execute::Phases phases;
    if (!json.is_object()) return phases;
    for (const auto& [name, value] : json.items()) {
        if (!value.is_number_integer()) continue;
        auto phase = execute::Phase::other;
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (name == name_of(static_cast<execute::Phase>(i)))
                phase = static_cast<execute::Phase>(i);
        bounds.add(phases[phase], bounds.time(value));
    }
    if (serial.is_number_integer()) phases.execute_serial = bounds.time(serial);
    return phases;
}

std::vector<Nanoseconds> read_samples(const Json& json, Bounds& bounds) {
    std::vector<Nanoseconds> samples;
    if (!json.is_array()) return samples;
    for (const Json& sample : json) {
        if (!sample.is_number_integer()) return {};
        samples.push_back(bounds.time(sample));
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

void read_block(const Json& json, KeptRun& run, Bounds& bounds) {
    KeptBlock block;
    block.height = member<std::uint64_t>(json, "height", 0);
    block.hash = member<std::string>(json, "hash", {});
    block.digest = member<std::string>(json, "digest", {});
    block.tasks = member<std::uint64_t>(json, "tasks", 0);
    block.succeeded = member<std::uint64_t>(json, "succeeded", 0);
    block.reverted = member<std::uint64_t>(json, "reverted", 0);
    block.fuel = member<std::uint64_t>(json, "fuel", 0);
    block.difference = member<std::string>(json, "difference", {});
    block.phases = read_phases(part(json, "phases_ns"), part(json, "execute_serial_ns"), bounds);
    block.samples = read_samples(part(json, "samples_ns"), bounds);
    if (const Json& work = part(json, "measured_work_ns"), &path = part(json, "measured_path_ns");
        work.is_number_integer() && path.is_number_integer())
        block.work_and_path = {bounds.time(work), bounds.time(path)};
    read_on_host(part(json, "on_host"), block);
    if (const Json& ejected = part(json, "ejected"); ejected.is_object())
        for (const auto& [code, count] : ejected.items()) {
            if (!count.is_number_unsigned()) continue;
            bounds.add(block.ejected, count.get<std::uint64_t>());
            bounds.add(run.ejected[code], count.get<std::uint64_t>());
        }
    bounds.add(run.tasks, block.tasks);
    bounds.add(run.succeeded, block.succeeded);
    bounds.add(run.reverted, block.reverted);
    bounds.add(run.fuel, block.fuel);
    bounds.add(run.rounds, member<std::uint64_t>(json, "rounds", 0));
    bounds.add(run.executions, member<std::uint64_t>(json, "executions", 0));
    bounds.add(run.in_order, member<std::uint64_t>(json, "in_order", 0));
    bounds.add(run.on_device, member<std::uint64_t>(part(json, "ran"), "device", 0));
    bounds.add(run.on_host, member<std::uint64_t>(part(json, "ran"), "host", 0));
    run.blocks.push_back(std::move(block));
}

/// Phases that add up and stand for the run: of one repetition after the warm-up. As `phases` was
/// where not every repetition's were kept.
void choose_phases(KeptRun& run) {
    run.last_phases = run.phases;
    std::size_t nearest = run.walls.size();
    for (std::size_t i = run.warm_up; i < run.walls.size(); ++i)
        if (nearest == run.walls.size() ||
            std::abs(run.walls[i] - run.wall) < std::abs(run.walls[nearest] - run.wall))
            nearest = i;
    if (nearest == run.walls.size()) return;
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        if (run.phase_samples[i].empty() && run.phases.ns[i] != 0) return;
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        run.phases.ns[i] = run.phase_samples[i].empty() ? 0 : run.phase_samples[i][nearest];
    if (run.execute_serial_samples.size() == run.walls.size())
        run.phases.execute_serial = run.execute_serial_samples[nearest];
}

void read_totals(const Json& totals, KeptRun& run, Bounds& bounds) {
    run.phases = read_phases(part(totals, "phases_ns"), part(totals, "execute_serial_ns"), bounds);
    const Json& samples = part(totals, "samples_ns");
    run.walls = read_samples(part(samples, "wall"), bounds);
    run.serial_walls = read_samples(part(samples, "serial"), bounds);
    run.warm_up = profile::warm_up_of(run.walls);
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        auto phase = read_samples(
            part(part(samples, "phases"), name_of(static_cast<execute::Phase>(i))), bounds);
        if (phase.size() == run.walls.size()) run.phase_samples[i] = std::move(phase);
    }
    run.execute_serial_samples = read_samples(part(samples, "execute_serial"), bounds);
    if (const Json& speedup = part(totals, "measured_speedup"); speedup.is_number())
        run.measured_speedup = speedup.get<double>();
    const Json& wall = part(totals, "wall_ns");
    if (const Json& median = part(wall, "median"); median.is_number_integer())
        run.wall = bounds.time(median);
    if (run.wall == 0) run.wall = run.phases.sum();
    if (const Json& ci = part(wall, "ci95");
        ci.is_array() && ci.size() == 2 && ci[0].is_number_integer() && ci[1].is_number_integer())
        run.interval = {bounds.time(ci[0]), bounds.time(ci[1])};
    choose_phases(run);
}

} // namespace

Result<KeptRun> read_run(std::string_view document, std::string_view place) {
    const Json json = Json::parse(document, nullptr, false);
    if (member<std::string>(json, "schema", {}) != "blockloom.run/1")
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a run (schema blockloom.run/1), found another "
                                 "document",
                                 place)};
    Bounds bounds(place);
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
        for (const Json& block : blocks) read_block(block, run, bounds);
    read_totals(part(json, "totals"), run, bounds);
    run.usage = read_usage(part(json, "usage"));
    run.pauses = read_pauses(part(json, "pauses_ns"));
    if (bounds.found()) return *bounds.found();
    return run;
}

} // namespace blockloom::report
