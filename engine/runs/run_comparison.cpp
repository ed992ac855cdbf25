#include "runs/run_comparison.h"

#include "base/number_text.h"
#include "profile/order_statistics.h"

#include <cmath>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

using execute::Phase;
using Samples = std::span<const Nanoseconds>;

Samples settled(const std::vector<Nanoseconds>& samples, const KeptRun& run) {
    return samples.size() > run.warm_up ? Samples(samples).subspan(run.warm_up) : Samples(samples);
}

std::optional<double> quotient(Nanoseconds a, Nanoseconds b) {
    if (a <= 0 || b <= 0) return std::nullopt; // a phase that one of them does not have
    return static_cast<double>(a) / static_cast<double>(b);
}

/// Of samples, or of the single times where a run kept none.
ComparedTime time_of(std::string name, Samples a, Samples b, Nanoseconds a_alone,
                     Nanoseconds b_alone, std::uint64_t seed,
                     unsigned resamples = profile::BootstrapOptions{}.resamples) {
    ComparedTime time;
    time.name = std::move(name);
    time.a = a.empty() ? a_alone : static_cast<Nanoseconds>(profile::median_of(a));
    time.b = b.empty() ? b_alone : static_cast<Nanoseconds>(profile::median_of(b));
    time.a_samples = std::max<std::size_t>(a.size(), 1);
    time.b_samples = std::max<std::size_t>(b.size(), 1);
    time.ratio = quotient(time.a, time.b);
    if (!time.ratio) return time;
    profile::BootstrapOptions options;
    options.seed = seed;
    options.resamples = std::min(options.resamples, resamples);
    time.interval = profile::ratio_interval(a, b, options);
    return time;
}

/// Older runs, without samples, have only the intervals of their medians: their ends bound the
/// ratio.
void from_ends(ComparedTime& wall, const KeptRun& a, const KeptRun& b) {
    if (wall.interval || !a.interval || !b.interval) return;
    if (a.interval->first <= 0 || b.interval->first <= 0) return;
    wall.interval = {*quotient(a.interval->first, b.interval->second),
                     *quotient(a.interval->second, b.interval->first)};
    if (a.walls.empty()) wall.a_samples = a.repetitions;
    if (b.walls.empty()) wall.b_samples = b.repetitions;
}

/// Resamples per block: few enough that all blocks together take seconds.
unsigned resamples_of_blocks(const KeptRun& a, const KeptRun& b) {
    constexpr std::size_t draws = std::size_t{1} << 28U, fewest = 100;
    std::size_t samples = 1;
    for (const KeptRun* run : {&a, &b})
        for (const KeptBlock& block : run->blocks) samples += block.samples.size();
    return static_cast<unsigned>(std::min<std::size_t>(profile::BootstrapOptions{}.resamples,
                                                       std::max(draws / samples, fewest)));
}

void compare_digests(const KeptRun& a, const KeptRun& b, RunComparison& found) {
    bool any = false;
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const std::string &ours = a.blocks[i].digest, &theirs = b.blocks[i].digest;
        if (ours.empty() || theirs.empty()) continue;
        any = true;
        if (ours == theirs || found.divergence) continue;
        Divergence apart;
        apart.height = a.blocks[i].height;
        apart.digest_a = ours;
        apart.digest_b = theirs;
        // What a run's own verification found in this block says more than the digest.
        const std::string& difference =
            a.blocks[i].difference.empty() ? b.blocks[i].difference : a.blocks[i].difference;
        apart.text = fmt::format("block {}: digest {} and {}", apart.height, ours, theirs);
        if (!difference.empty())
            apart.text += fmt::format("; the verification of {} found: {}",
                                      a.blocks[i].difference.empty() ? b.id : a.id, difference);
        found.divergence = std::move(apart);
    }
    if (found.divergence) {
        found.digests = Equality::unequal;
        found.digest_text = found.divergence->text;
        return;
    }
    if (!a.state_digest.empty() && !b.state_digest.empty()) {
        any = true;
        if (a.state_digest != b.state_digest) {
            found.digests = Equality::unequal;
            found.digest_text =
                fmt::format("state digest {} and {}", a.state_digest, b.state_digest);
            return;
        }
    }
    found.digests = any ? Equality::equal : Equality::unknown;
}

void compare_statuses(const KeptRun& a, const KeptRun& b, RunComparison& found) {
    const auto add = [&](const char* name, std::uint64_t left, std::uint64_t right) {
        found.statuses.push_back({name, left, right});
    };
    add("tasks", a.tasks, b.tasks);
    add("succeeded", a.succeeded, b.succeeded);
    add("reverted", a.reverted, b.reverted);
    add("fuel", a.fuel, b.fuel);
    add("on device", a.on_device, b.on_device);
    add("on host", a.on_host, b.on_host);
    add("rounds", a.rounds, b.rounds);
    add("executions", a.executions, b.executions);
    add("in order", a.in_order, b.in_order);
    std::map<std::string, ComparedCount> ejected;
    for (const auto& [code, count] : a.ejected) ejected[code].a = count;
    for (const auto& [code, count] : b.ejected) ejected[code].b = count;
    for (auto& [code, count] : ejected) add(("ejected: " + code).c_str(), count.a, count.b);
}

void take_notes(const KeptRun& a, const KeptRun& b, RunComparison& found) {
    if (a.rules.line.empty() != b.rules.line.empty())
        found.notes.push_back(
            fmt::format("the rule set of {} was not recorded: it was kept by an older "
                        "version",
                        a.rules.line.empty() ? "A" : "B"));
    for (const auto& [name, run] : {std::pair{"A", &a}, {"B", &b}}) {
        if (run->unknown.total() != 0)
            found.notes.push_back(fmt::format("{}: {}; its results rest on them", name,
                                              range::unknown_text(run->unknown)));
        if (run->looked_closer)
            found.notes.push_back(
                fmt::format("the times of {} include its verification or the estimation of access "
                            "sets, so they do not measure its speed",
                            name));
        if (run->warm_up != 0)
            found.notes.push_back(fmt::format("{}: {} excluded as warm-up", name,
                                              counted(run->warm_up, "repetition")));
        const std::size_t left = std::max<std::size_t>(run->walls.size(), run->repetitions);
        if (left - std::min(run->warm_up, left) < profile::fewest_samples)
            found.notes.push_back(fmt::format(
                "{}: {}, too few for an interval; {} are enough", name,
                counted(left - std::min(run->warm_up, left), "repetition"), enough_repetitions));
    }
    if (a.processor != b.processor)
        found.notes.push_back(
            fmt::format("different machines: {} and {}", a.processor, b.processor));
    if (a.version != b.version)
        found.notes.push_back(
            fmt::format("different versions of Blockloom: {} and {}", a.version, b.version));
}

} // namespace

std::string input_difference(const KeptRun& a, const KeptRun& b) {
    if (a.network != b.network)
        return fmt::format("{} follows the rules of the {} network, {} those of the {} network",
                           a.id, a.network, b.id, b.network);
    // Runs of older versions have no rule set; their fuel was counted.
    const bool both_say = !a.rules.line.empty() && !b.rules.line.empty();
    if (a.rules.fuel != b.rules.fuel ||
        (both_say && (a.rules.line != b.rules.line || a.rules.follows != b.rules.follows)))
        return fmt::format("{} was executed by {}, {} by {}", a.id, a.rules.text(), b.id,
                           b.rules.text());
    if (both_say && (a.rules.code != b.rules.code || a.rules.built_ins != b.rules.built_ins))
        return fmt::format("{} and {} ran different code of the built-in contracts", a.id, b.id);
    if (a.blocks.empty() || b.blocks.empty())
        return fmt::format("{} has no blocks", a.blocks.empty() ? a.id : b.id);
    const std::size_t both = std::min(a.blocks.size(), b.blocks.size());
    for (std::size_t i = 0; i < both; ++i) {
        const KeptBlock &ours = a.blocks[i], &theirs = b.blocks[i];
        if (ours.height != theirs.height)
            return fmt::format("block {} of the range is {} in {} and {} in {}", i + 1, ours.height,
                               a.id, theirs.height, b.id);
        if (ours.hash != theirs.hash)
            return fmt::format("block {} is {} in {} and {} in {}", ours.height, ours.hash, a.id,
                               theirs.hash, b.id);
    }
    if (a.blocks.size() != b.blocks.size())
        return fmt::format("{} has {}, {} has {}", a.id, counted(a.blocks.size(), "block"), b.id,
                           counted(b.blocks.size(), "block"));
    return {};
}

RunComparison compare_results(const KeptRun& a, const KeptRun& b) {
    RunComparison found;
    found.a = a.id;
    found.b = b.id;
    found.refusal = input_difference(a, b);
    if (found.refusal.empty())
        compare_digests(a, b, found);
    else
        found.digests = Equality::other_input;
    return found;
}

RunComparison compare_runs(const KeptRun& a, const KeptRun& b, std::uint64_t seed) {
    RunComparison found = compare_results(a, b);
    if (!found.refusal.empty()) return found;
    const Samples a_walls = settled(a.walls, a), b_walls = settled(b.walls, b);
    found.wall = time_of("wall", a_walls, b_walls, a.wall, b.wall, seed);
    // The times that are shown of the runs everywhere: of their median repetitions.
    if (a.wall > 0 && b.wall > 0) {
        found.wall.a = a.wall;
        found.wall.b = b.wall;
        found.wall.ratio = quotient(a.wall, b.wall);
    }
    from_ends(found.wall, a, b);
    const auto of_a = profile::order_statistics({a_walls.begin(), a_walls.end()});
    const auto of_b = profile::order_statistics({b_walls.begin(), b_walls.end()});
    if (!a_walls.empty() && !b_walls.empty())
        for (const auto& [name, left, right] :
             {std::tuple{name_of_median.data(), of_a.p50, of_b.p50},
              {"p95", of_a.p95, of_b.p95},
              {"p99", of_a.p99, of_b.p99}}) {
            ComparedTime time;
            time.name = name;
            time.a = left;
            time.b = right;
            time.a_samples = a_walls.size();
            time.b_samples = b_walls.size();
            time.ratio = quotient(left, right);
            found.percentiles.push_back(std::move(time));
        }
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        if (a.phases.ns[i] == 0 && b.phases.ns[i] == 0) continue;
        found.phases.push_back(
            time_of(name_of(static_cast<Phase>(i)), settled(a.phase_samples[i], a),
                    settled(b.phase_samples[i], b), a.phases.ns[i], b.phases.ns[i], seed));
    }
    const unsigned resamples = resamples_of_blocks(a, b);
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const KeptBlock &ours = a.blocks[i], &theirs = b.blocks[i];
        ComparedBlock block{ours.height, ours.hash, ours.tasks, {}, {}};
        block.time = time_of(fmt::format("{}", ours.height), settled(ours.samples, a),
                             settled(theirs.samples, b), ours.phases.sum(), theirs.phases.sum(),
                             seed, resamples);
        if (!ours.digest.empty() && !theirs.digest.empty())
            block.digests_equal = ours.digest == theirs.digest;
        found.blocks.push_back(std::move(block));
    }
    compare_statuses(a, b, found);
    take_notes(a, b, found);
    return found;
}

std::string verdict_text(const RunComparison& comparison) {
    if (!comparison.refusal.empty()) return "not compared: " + comparison.refusal;
    if (comparison.digests == Equality::unequal)
        return "MISMATCH: the results differ, so at least one of the runs is wrong: " +
               comparison.digest_text;
    const ComparedTime& wall = comparison.wall;
    if (!wall.ratio || *wall.ratio <= 0) return "no times to compare";
    const std::string interval = wall.interval
                                     ? fmt::format("95 % {}–{}", three_digits(wall.interval->low),
                                                   three_digits(wall.interval->high))
                                     : std::string("no interval: too few repetitions");
    if (wall.no_difference())
        return fmt::format("no significant difference: ratio {} ({})", three_digits(*wall.ratio),
                           interval);
    return fmt::format("B is {} as fast as A ({})", ratio_text(*wall.ratio), interval);
}

Gate gate(const RunComparison& comparison, double limit) {
    using enum Gate::Outcome;
    if (!comparison.refusal.empty()) return {undecided, verdict_text(comparison)};
    if (comparison.digests == Equality::unequal) return {unequal, verdict_text(comparison)};
    const ComparedTime& wall = comparison.wall;
    if (!wall.interval || wall.interval->low <= 0 || !wall.ratio || *wall.ratio <= 0)
        return {
            undecided,
            fmt::format("no interval: the gate needs more repetitions of each run; {} are enough",
                        enough_repetitions)};
    // The comparison's ratio is A's time over B's; the gate's is B's over A's.
    const double times = 1 / *wall.ratio, low = 1 / wall.interval->high,
                 high = 1 / wall.interval->low;
    const std::string figures = fmt::format(
        "the run takes {} the baseline's time (95 % {}–{}); the limit is {}", ratio_text(times),
        three_digits(low), three_digits(high), ratio_text(1 + limit));
    if (low > 1 + limit) return {slower, "slower: " + figures};
    return {passed,
            (wall.no_difference() ? "passed, no significant difference: " : "passed: ") + figures};
}

} // namespace blockloom::runs
