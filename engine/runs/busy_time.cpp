#include "runs/busy_time.h"

#include "base/number_text.h"
#include "profile/time_cover.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using execute::Phase;
using profile::Category;
using profile::LaneKind;
using profile::TimeCover;
using profile::TimeRange;

/// Of all workers, by the trace's number of the block; executions of no block under `none`.
using ByBlock = std::unordered_map<std::uint32_t, Nanoseconds>;

Nanoseconds add_messages(const profile::Lane& lane, ByBlock& by_block) {
    Nanoseconds sum = 0;
    for (const profile::Span& span : lane.spans) {
        // Besides executing messages, a worker moves balances and runs attempts that are aborted.
        if (span.category != Category::message && span.category != Category::other) continue;
        sum += span.duration();
        by_block[span.block] += span.duration();
    }
    return sum;
}

/// What the stages of blocks took on workers, and the time for which the driver waited for them:
/// docs/execution.md#a-pipeline-over-blocks.
struct Stages {
    execute::Phases beside;
    Nanoseconds decode_wait = 0, commit_wait = 0;
    Nanoseconds joined = 0; ///< of `beside`: blocks that were put together

    void add_worker(const profile::Lane& lane, const std::vector<std::string>& names) {
        for (const profile::Span& span : lane.spans)
            if (span.category == Category::phase)
                if (const auto phase = phase_of(names[span.name])) {
                    beside[*phase] += span.duration();
                    if (assembles(names[span.name])) joined += span.duration();
                }
    }
    void add_driver(const profile::Lane& lane, const std::vector<std::string>& names) {
        for (const profile::Span& span : lane.spans) {
            if (span.category != Category::wait) continue;
            const auto phase = phase_of(names[span.name]);
            if (phase == Phase::decode) decode_wait += span.duration();
            if (phase == Phase::commit) commit_wait += span.duration();
        }
    }
    /// Moves what was waited for to where it was done.
    void apply(execute::Phases& busy) const {
        execute::Phases reading, finishing;
        for (const Phase phase : {Phase::read, Phase::decode}) reading[phase] = beside[phase];
        for (const Phase phase : {Phase::trace, Phase::analyse, Phase::commit})
            finishing[phase] = beside[phase];
        const execute::Phases waits[] = {execute::waited_for(reading, decode_wait),
                                         execute::waited_for(finishing, commit_wait)};
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            busy.ns[i] = std::max<Nanoseconds>(0, busy.ns[i] - waits[0].ns[i] - waits[1].ns[i]) +
                         beside.ns[i];
    }

private:
    static std::optional<Phase> phase_of(std::string_view name) {
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (name == name_of(static_cast<Phase>(i))) return static_cast<Phase>(i);
        return assembles(name) ? std::optional(Phase::commit) : std::nullopt; // a part of it
    }
    /// Earlier runs of this version have the older name.
    static bool assembles(std::string_view name) { return name == "assemble" || name == "join"; }
};

/// What a device did, by direction: several streams count once.
struct DeviceParts {
    std::vector<TimeRange> up, down, kernels;

    void add(const profile::Lane& lane, const std::vector<std::string>& names) {
        for (const profile::Span& span : lane.spans) {
            const std::string& name = names[span.name];
            (name == "upload"     ? up
             : name == "download" ? down
                                  : kernels)
                .push_back({span.begin, span.end});
        }
    }
};

std::vector<BlockBusy> blocks_of(const KeptRun& run, const profile::Trace& spans,
                                 const ByBlock& by_block, unsigned workers) {
    std::unordered_map<std::uint64_t, Nanoseconds> busy;
    for (const auto& [block, time] : by_block)
        if (block < spans.heights.size()) busy[spans.heights[block]] += time;
    std::vector<BlockBusy> found;
    for (const KeptBlock& block : run.blocks)
        found.push_back({block.height, busy[block.height],
                         block.phases[Phase::execute] * static_cast<Nanoseconds>(workers)});
    return found;
}

std::vector<BusyBar> bars_on_workers(const KeptRun& run, const BusyTime& of) {
    const auto workers = static_cast<Nanoseconds>(std::max(of.workers, 1U));
    std::vector<BusyBar> bars{{"all phases",
                               fmt::format("wall × {}", counted(of.workers, "worker")),
                               of.busy.sum(), of.wall.sum() * workers}};
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (of.wall[phase] <= 0 && of.beside[phase] <= 0) continue;
        if (of.beside[phase] > 0) {
            bars.push_back(
                {name_of(phase),
                 "on the workers, while other blocks were being executed; share of the whole run",
                 of.busy[phase], of.wall.sum() * workers});
            continue;
        }
        bars.push_back({name_of(phase),
                        workers == 1               ? "on one worker"
                        : !accelerated(run, phase) ? "serial: one thread works, the others are idle"
                        : phase == Phase::execute && of.wall.execute_serial > 0
                            ? fmt::format("on several workers, except for {} of wall time in block "
                                          "order on one worker",
                                          time_text(of.wall.execute_serial))
                            : "on several workers",
                        of.busy[phase], of.wall[phase] * workers});
    }
    return bars;
}

std::vector<BusyBar> bars_on_device(const BusyTime& of) {
    const Nanoseconds had = of.wall.sum() * static_cast<Nanoseconds>(std::max(of.devices, 1U));
    std::vector<BusyBar> bars{
        {"kernels", "on the device, by its own clock; share of the whole wall time", of.on_device,
         had},
        {"transfers", "on the device, by its own clock; share of the whole wall time",
         of.busy[Phase::upload] + of.busy[Phase::download], had}};
    if (of.workers > 0)
        bars.push_back(
            {"host workers",
             fmt::format("messages that {} ran, and what they did for the device: preparing "
                         "transactions and accepting its answers",
                         counted(of.workers, "worker")),
             of.busy[Phase::execute] - of.on_device,
             (of.wall[Phase::execute] + of.wall[Phase::pack]) *
                 static_cast<Nanoseconds>(of.workers)});
    return bars;
}

double share_of(Nanoseconds busy, Nanoseconds had) {
    return had <= 0 ? 0 : static_cast<double>(busy) / static_cast<double>(had);
}

} // namespace

std::optional<double> BusyTime::utilisation() const {
    const Nanoseconds had = wall[Phase::execute] * static_cast<Nanoseconds>(workers);
    if (on_device > 0 || had <= 0) return std::nullopt;
    return std::min(1.0, share_of(busy[Phase::execute], had));
}

std::optional<BusyTime> busy_time(const KeptRun& run, const profile::Trace& spans) {
    if (spans.dropped != 0) return std::nullopt;
    BusyTime found;
    found.wall = found.busy = run.last_phases;
    found.busy[Phase::execute] = 0;
    Nanoseconds up = 0, down = 0;
    ByBlock by_block;
    Stages stages;
    std::map<std::string_view, DeviceParts> devices;
    for (const profile::Lane& lane : spans.lanes) {
        if (lane.kind == LaneKind::driver) stages.add_driver(lane, spans.names);
        if (lane.kind == LaneKind::worker) {
            stages.add_worker(lane, spans.names);
            const Nanoseconds messages = add_messages(lane, by_block);
            found.busy[Phase::execute] += messages;
            found.workers += messages > 0;
        }
        if (lane.kind == LaneKind::device) devices[lane.name].add(lane, spans.names);
    }
    for (auto& [name, parts] : devices) {
        ++found.devices;
        up += TimeCover(std::move(parts.up)).length();
        down += TimeCover(std::move(parts.down)).length();
        found.on_device += TimeCover(std::move(parts.kernels)).length();
    }
    stages.apply(found.busy);
    found.beside = stages.beside;
    found.joined = stages.joined;
    found.busy[Phase::execute] += found.on_device;
    if (run.backend != "cpu") {
        found.busy[Phase::upload] = up;
        found.busy[Phase::download] = down;
        found.bars = bars_on_device(found);
    } else {
        found.workers = std::max(found.workers, run.strategy == "serial" ? 1U : run.workers);
        found.bars = bars_on_workers(run, found);
        found.blocks = blocks_of(run, spans, by_block, found.workers);
    }
    return found;
}

std::string why_no_busy_time(const profile::Trace* spans) {
    if (spans == nullptr) return "needs the run's spans, which were not recorded";
    if (spans->dropped == 0) return {};
    return fmt::format("cannot be computed: {} did not fit into memory and were dropped",
                       counted(spans->dropped, "span"));
}

std::string busy_text(Nanoseconds busy, Nanoseconds had) {
    return fmt::format("busy {} of {}, {}", time_text(busy), time_text(had),
                       percent_text(share_of(busy, had)));
}

std::string bar_words(const BusyBar& bar) {
    return fmt::format("{}: {}: {}", bar.name, busy_text(bar.busy, bar.had), bar.about);
}

std::string bar_words(const BlockBusy& block) {
    return fmt::format("Block {}: {}", block.height, busy_text(block.busy, block.had));
}

} // namespace blockloom::runs
