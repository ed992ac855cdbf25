#include "base/number_text.h"
#include "replay.h"
#include "terminal.h"

#include <fmt/format.h>

namespace blockloom::cli {
namespace {

using execute::Phase;
using runs::RunBlock;
using runs::RunRecord;

std::string verified_text(const std::optional<bool>& verified) {
    return !verified ? "—" : *verified ? "equal" : "MISMATCH";
}

std::string phases_text(const execute::Phases& phases) {
    const double all = static_cast<double>(phases.sum());
    std::string text;
    for (std::size_t i = 0; i < execute::phase_count; ++i) {
        if (phases.ns[i] <= 0) continue;
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                            name_of(static_cast<Phase>(i)), time_text(phases.ns[i]),
                            percent_text(static_cast<double>(phases.ns[i]) / all));
    }
    return text;
}

/// How the strategy reached its result.
std::string rounds_text(const RunRecord& run) {
    execute::BlockRounds all;
    std::uint64_t tasks = 0;
    for (const RunBlock& block : run.blocks) {
        all.rounds += block.rounds.rounds;
        all.executions += block.rounds.executions;
        all.accepted_first += block.rounds.accepted_first;
        all.serial += block.rounds.serial;
        tasks += block.tasks;
    }
    std::string text = fmt::format(
        "Rounds        {} on {}; {} for {}, {} accepted at the first attempt, {} in block order\n",
        count_text(all.rounds), counted(run.workers, "worker"),
        counted(all.executions, "execution"), counted(tasks, "task"),
        count_text(all.accepted_first), count_text(all.serial));
    if (!run.label().empty()) text += fmt::format("Sets          {}\n", run.label());
    return text;
}

std::string digest_text(const std::optional<Hash256>& digest) {
    return digest ? to_hex(*digest) : "not computed";
}

/// What happened to the blocks, in a sentence.
std::string story(const RunRecord& run) {
    const execute::ReplaySummary& summary = run.summary;
    std::string text;
    if (summary.undone != 0)
        text += fmt::format("{} of another branch undone. ", counted(summary.undone, "block"));
    if (summary.skipped_committed != 0)
        text += fmt::format("Resumed after {}. ",
                            counted(summary.skipped_committed, "committed block"));
    if (summary.again != 0)
        return text + fmt::format("All {} were already committed; they were executed again on "
                                  "the state before them and compared.",
                                  counted(summary.again, "block"));
    if (run.workspace.empty())
        return text + "The state was in memory and is discarded; with --workspace DIR blocks are "
                      "committed.";
    return text + fmt::format("{} committed to {}.", counted(summary.committed, "block"),
                              printable(run.workspace));
}

} // namespace

std::string run_text(const RunRecord& run, const std::string& kept_in) {
    Table table({"Block", "Tasks", "Messages", "Succeeded", "Reverted", "Fuel", "Keys", "Levels",
                 "Parallelism", "Time", "Verified", "<Digest"});
    RunBlock total;
    for (const RunBlock& block : run.blocks) {
        table.add({fmt::format("{}", block.height), count_text(block.tasks),
                   count_text(block.messages), count_text(block.succeeded),
                   count_text(block.reverted), count_text(block.fuel),
                   count_text(block.changed_keys), count_text(block.levels),
                   three_digits(block.parallelism), time_text(block.phases.sum()),
                   verified_text(block.verified), shortened(to_hex(block.digest), 8, 8)});
        total.tasks += block.tasks;
        total.messages += block.messages;
        total.succeeded += block.succeeded;
        total.reverted += block.reverted;
        total.fuel += block.fuel;
        total.changed_keys += block.changed_keys;
    }
    total.phases = run.phases();
    table.rule();
    table.add({counted(run.blocks.size(), "block"), count_text(total.tasks),
               count_text(total.messages), count_text(total.succeeded), count_text(total.reverted),
               count_text(total.fuel), count_text(total.changed_keys), "—", "—",
               time_text(total.phases.sum()), verified_text(run.verified()), ""});
    std::string text =
        fmt::format("Replay · {} · {} engine · {} · {} network · {}\n\n", run.strategy, run.engine,
                    run.backend, run.network, run.rules.text()) +
        table.text();
    text += fmt::format("\nPhases        {}\n", phases_text(total.phases));
    if (run.strategy != "serial") text += rounds_text(run);
    if (run.walls.size() > 1)
        text += fmt::format("Repetitions   {} (see --json)\n", count_text(run.walls.size()));
    text += fmt::format("State digest  {}\n", digest_text(run.summary.state_digest));
    if (!run.id.empty())
        text += fmt::format("Run           {}, kept in {}\n", run.id, printable(kept_in));
    text += "\n" + story(run) + "\n";
    for (const RunBlock& block : run.blocks)
        if (block.fuel_uncertain != 0)
            text += fmt::format(
                "The fuel of block {} is not certain, nor are results that depend on it: "
                "{}; the first {}\n",
                block.height, counted(block.fuel_uncertain, "message"),
                printable(block.fuel_doubt));
    for (const RunBlock& block : run.blocks)
        if (!block.difference.empty())
            text += fmt::format("MISMATCH: {}\n", printable(block.difference));
    return text;
}

} // namespace blockloom::cli
