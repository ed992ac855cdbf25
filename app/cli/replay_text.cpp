#include "base/number_text.h"
#include "profile/order_statistics.h"
#include "profile/warm_up.h"
#include "range/check_result.h"
#include "replay.h"
#include "runs/contract_code_json.h"
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

/// The wall time that leads, and which repetition blocks and phases are of.
std::string times_text(const RunRecord& run, const execute::Phases& phases) {
    const auto median = run.median();
    if (!median || run.walls.size() < 2)
        return fmt::format("\nWall time     {}\nPhases        {}\n", time_text(phases.sum()),
                           phases_text(phases));
    const auto settled = profile::without_warm_up(run.walls);
    const auto wall = profile::order_statistics({settled.begin(), settled.end()});
    std::string text = fmt::format(
        "\nWall time     {}, median of {} (repetition {} of {})", time_text(run.walls[*median]),
        counted(settled.size(), "repetition"), *median + 1, run.walls.size());
    if (wall.ci95)
        text += fmt::format(", 95 % interval {}–{}", time_text(wall.ci95->first),
                            time_text(wall.ci95->second));
    if (settled.size() < run.walls.size())
        text += fmt::format("; {} of warm-up excluded",
                            counted(run.walls.size() - settled.size(), "repetition"));
    return text + fmt::format("\nPhases        of that repetition, like the times above: {}\n",
                              phases_text(phases));
}

/// How the strategy reached its result.
std::string rounds_text(const RunRecord& run) {
    execute::BlockRounds all;
    std::uint64_t tasks = 0;
    runs::AbortCounts aborted;
    for (const RunBlock& block : run.blocks) {
        for (std::size_t i = 0; i < trace::abort_reason_count; ++i)
            aborted[name_of(static_cast<trace::AbortReason>(i))] += block.rounds.aborted.counts[i];
        all.rounds += block.rounds.rounds;
        all.executions += block.rounds.executions;
        all.accepted_first += block.rounds.accepted_first;
        all.serial += block.rounds.serial;
        all.predicted += block.rounds.predicted;
        all.mispredicted += block.rounds.mispredicted;
        tasks += block.tasks;
    }
    std::string text = fmt::format(
        "Rounds        {} on {}; {} for {}, {} accepted at the first attempt, {} in block order\n",
        count_text(all.rounds), counted(run.workers, "worker"),
        counted(all.executions, "execution"), counted(tasks, "task"),
        count_text(all.accepted_first), count_text(all.serial));
    if (all.predicted != 0)
        text += fmt::format("Predictions   {} on predicted values, {} of them rejected\n",
                            counted(all.predicted, "execution"), count_text(all.mispredicted));
    if (const std::string aborts = runs::aborts_words(aborted); !aborts.empty())
        text += fmt::format("Repeated      {}\n", aborts);
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
    if (!run.state.empty())
        return text + fmt::format("The state before the blocks was read from {}; nothing was "
                                  "committed.{}",
                                  printable(run.state),
                                  run.unknown.total() == 0
                                      ? ""
                                      : "\nNot certain: " + range::unknown_text(run.unknown) +
                                            ". Every figure above rests on them.");
    if (run.workspace.empty())
        return text + "The state was in memory and is discarded; with --workspace DIR blocks are "
                      "committed.";
    return text + fmt::format("{} committed to {}.", counted(summary.committed, "block"),
                              printable(run.workspace));
}

/// How the replay compares with the node: the first difference with both sides, and what was not
/// compared.
std::string check_text(const range::NodeCheck& check) {
    std::string text =
        fmt::format("Node          {}, {}\n", printable(check.place), range::check_words(check));
    if (!check.differences.empty()) {
        const range::CheckDifference& first = check.differences.front();
        text += fmt::format("First         {}\n  node        {}\n  replay      {}\n",
                            printable(range::place_words(first)), printable(first.node),
                            printable(first.replay));
    }
    for (const auto& [what, count] : check.not_compared)
        text += fmt::format("Not compared  {} × {}\n", count_text(count), printable(what));
    return text;
}

/// What the device ran of each contract, and how it was compiled; nothing: no device was used.
std::string code_text(const RunRecord& run) {
    if (run.summary.code.empty()) return {};
    Table table({"<Contract", "<Module", "<Code", "Lane", "Compiled", "Interpreted", "Processor",
                 "Ejected", "<By code"});
    for (const execute::ContractCode& each : run.summary.code) {
        const runs::KeptCode code = runs::kept_code(each);
        std::string codes;
        for (const auto& [why, count] : code.ejected)
            codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", count_text(count), why);
        table.add({printable(code.name()), shortened(code.module, 8, 0),
                   printable(code.code_words()),
                   code.lane_bytes == 0 ? "—" : size_text(code.lane_bytes),
                   count_text(code.compiled), count_text(code.interpreted),
                   count_text(code.on_processor), count_text(code.all_ejected()), codes});
    }
    return "\nCalls on the device, by module:\n" + table.text() + "\n";
}

} // namespace

std::string run_text(const RunRecord& run, const std::string& kept_in) {
    Table table({"Block", "Tasks", "Messages", "Succeeded", "Reverted", "Fuel", "Keys", "Levels",
                 "Parallelism", "Time", "Verified", "<Digest"});
    RunBlock total;
    // All times are of one repetition, so that they add up.
    const auto median = run.median();
    const std::vector<Nanoseconds>* const times =
        median && run.repetitions[*median].blocks.size() == run.blocks.size()
            ? &run.repetitions[*median].blocks
            : nullptr;
    for (std::size_t i = 0; i < run.blocks.size(); ++i) {
        const RunBlock& block = run.blocks[i];
        table.add({fmt::format("{}", block.height), count_text(block.tasks),
                   count_text(block.messages), count_text(block.succeeded),
                   count_text(block.reverted), count_text(block.fuel),
                   count_text(block.changed_keys), count_text(block.levels),
                   three_digits(block.parallelism),
                   time_text(times != nullptr ? (*times)[i] : block.phases.sum()),
                   verified_text(block.verified), shortened(to_hex(block.digest), 8, 8)});
        total.tasks += block.tasks;
        total.messages += block.messages;
        total.succeeded += block.succeeded;
        total.reverted += block.reverted;
        total.fuel += block.fuel;
        total.changed_keys += block.changed_keys;
    }
    total.phases = median ? run.repetitions[*median].phases : run.last_phases();
    table.rule();
    table.add({counted(run.blocks.size(), "block"), count_text(total.tasks),
               count_text(total.messages), count_text(total.succeeded), count_text(total.reverted),
               count_text(total.fuel), count_text(total.changed_keys), "—", "—",
               time_text(total.phases.sum()), verified_text(run.verified()), ""});
    std::string text =
        fmt::format("Replay · {} · {} engine · {} · {} network · {}\n\n", run.strategy, run.engine,
                    run.backend, run.network, run.rules.text()) +
        table.text();
    text += times_text(run, total.phases);
    if (run.strategy != "serial") text += rounds_text(run);
    text += code_text(run);
    text += fmt::format("State digest  {}\n", digest_text(run.summary.state_digest));
    if (!run.id.empty() && !kept_in.empty())
        text += fmt::format("Run           {}, kept in {}\n", run.id, printable(kept_in));
    text += "\n" + story(run) + "\n";
    for (const RunBlock& block : run.blocks)
        if (block.fuel_uncertain != 0)
            text += fmt::format("The fuel of block {} is uncertain, like all results that depend "
                                "on it: {}; the first {}\n",
                                block.height, counted(block.fuel_uncertain, "message"),
                                printable(block.fuel_doubt));
    if (run.check) text += check_text(*run.check);
    for (const RunBlock& block : run.blocks)
        if (!block.difference.empty())
            text += fmt::format("Mismatch with the serial reference: {}\n",
                                printable(block.difference));
    return text;
}

std::string followed_line(const RunRecord& run) {
    if (run.blocks.empty()) return {};
    const RunBlock& block = run.blocks.front();
    std::string text = fmt::format("{:<9} {} {:>9} {:>6} reverted {:>9}  digest {}", block.height,
                                   to_reversed_hex(block.hash), counted(block.messages, "message"),
                                   count_text(block.reverted), time_text(block.phases.sum()),
                                   shortened(to_hex(block.digest), 8, 8));
    if (block.verified) text += "  verified: " + verified_text(block.verified);
    if (run.check)
        text += fmt::format("  node: {}", counted(run.check->total().differences, "difference"));
    if (run.unknown.total() != 0) text += "  not certain: " + range::unknown_text(run.unknown);
    text += '\n';
    if (!block.difference.empty())
        text +=
            fmt::format("  mismatch with the serial reference: {}\n", printable(block.difference));
    if (run.check && run.check->total().differences != 0) text += check_text(*run.check);
    return text;
}

} // namespace blockloom::cli
