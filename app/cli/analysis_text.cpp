#include "analysis_text.h"

#include "base/number_text.h"
#include "report/json.h"
#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

using range::BlockRecord;

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// "ok", or which commitment does not match.
std::string checks_text(const range::Checks& checks) {
    if (checks.merkle == false)
        return checks.witness_commitment == false ? "merkle and witness MISMATCH"
                                                  : "merkle MISMATCH";
    if (checks.witness_commitment == false) return "witness MISMATCH";
    return checks.merkle ? "ok" : "—";
}

std::string colours_text(const schedule::BlockAnalysis& analysis) {
    return analysis.colouring ? count_text(analysis.colouring->colouring.colours) : "—";
}

std::string blocks_table(const range::Range& range) {
    Table table({"Block", "Tasks", "Pairs", "Conflicting", "Share", "Groups", "Largest", "Levels",
                 "Parallelism", "Colours", "Checks"});
    for (const auto& record : range.blocks) {
        const conflict::ConflictIndex& index = *record->analysis.index;
        table.add({printable(record->trace->block.label), count_text(index.tasks()),
                   count_text(index.pairs.any), count_text(index.conflicting_tasks),
                   percent_text(share(index.conflicting_tasks, index.tasks())),
                   count_text(index.groups), count_text(index.largest_group),
                   count_text(index.level_sizes.size()), three_digits(index.parallelism()),
                   colours_text(record->analysis), checks_text(record->checks)});
    }
    const range::RangeTotals& totals = range.totals;
    table.rule();
    table.add(
        {fmt::format("{} {}", count_text(totals.blocks), totals.blocks == 1 ? "block" : "blocks"),
         count_text(totals.tasks), count_text(totals.conflict_pairs),
         count_text(totals.conflicting_tasks),
         percent_text(share(totals.conflicting_tasks, totals.tasks)), count_text(totals.groups),
         "—", "—", totals.span == 0 ? "—" : three_digits(share(totals.work, totals.span)), "—",
         ""});
    return table.text();
}

std::string makespan_table(const BlockRecord& record) {
    Table table({"Workers", "Levels", "", "List", "", "Optimistic", ""});
    const auto work = static_cast<double>(record.analysis.index->work);
    const auto speedup = [work](std::uint64_t makespan) {
        return makespan == 0 ? std::string("—") : ratio_text(work / static_cast<double>(makespan));
    };
    for (const schedule::Makespans& at : record.analysis.makespans)
        table.add({count_text(at.workers), count_text(at.levels), speedup(at.levels),
                   count_text(at.list), speedup(at.list), count_text(at.optimistic),
                   speedup(at.optimistic)});
    return fmt::format("Makespan and speed-up, predicted by simulation (cost: {})\n{}",
                       report::cost_name(record), table.text());
}

std::string hot_keys_table(const BlockRecord& record, std::size_t most) {
    const auto& keys = record.analysis.hot_keys;
    if (keys.empty()) return "No key causes a conflict.\n";
    Table table({"Key", "Readers", "Writers", "Pairs", "Gain if relaxed"});
    const auto& names = record.analysis.index->trace->keys;
    for (std::size_t i = 0; i < std::min(keys.size(), most); ++i) {
        const std::string name =
            names ? names->printable(keys[i].key) : fmt::format("key:{}", keys[i].key);
        table.add({printable(shortened(name, 20, 12)), count_text(keys[i].readers),
                   count_text(keys[i].writers), count_text(keys[i].conflict_pairs),
                   ratio_text(keys[i].gain_if_relaxed)});
    }
    std::string text = table.text();
    if (keys.size() > most)
        text += fmt::format("({} more with --json)\n", count_text(keys.size() - most));
    return text;
}

std::string level_sizes_text(const std::vector<std::uint32_t>& sizes) {
    constexpr std::size_t most = 32;
    std::string text;
    for (std::size_t i = 0; i < std::min(sizes.size(), most); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : " · ", count_text(sizes[i]));
    return sizes.size() > most ? text + " · …" : text.empty() ? "—" : text;
}

std::string details_text(const BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    std::string text = fmt::format("\nBlock {}  {}\n", printable(record.trace->block.label),
                                   printable(record.trace->block.hash));
    const auto row = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<16} {}\n", name, value);
    };
    row("Source", printable(record.source));
    row("Accesses",
        fmt::format("{} to {}", count_text(index.accesses), counted(index.keys, "key")));
    row("Conflict pairs", fmt::format("{} (RAW {}, WAR {}, WAW {})", count_text(index.pairs.any),
                                      count_text(index.pairs.raw), count_text(index.pairs.war),
                                      count_text(index.pairs.waw)));
    row("Edges", count_text(index.edges()));
    row("Isolated", fmt::format("{} · {}", count_text(index.isolated()),
                                percent_text(share(index.isolated(), index.tasks()))));
    row("Tasks per level", level_sizes_text(index.level_sizes));
    row("Parallel ratio", percent_text(index.parallel_ratio()));
    row("Work / span", fmt::format("{} / {} = {}", count_text(index.work), count_text(index.span),
                                   three_digits(index.parallelism())));
    if (record.analysis.colouring) {
        const auto& [colouring, reordered] = *record.analysis.colouring;
        row("Colouring",
            fmt::format("{} by {}, {} reordered", counted(colouring.colours, "colour"),
                        schedule::name_of(colouring.algorithm), counted(reordered, "pair")));
    } else if (!record.analysis.colouring_skipped.empty()) {
        row("Colouring", "none: " + record.analysis.colouring_skipped);
    }
    const range::BlockTimes& times = record.times;
    row("Times", fmt::format("read {}, decode {}, trace {}, analyse {}, schedule {}{}",
                             time_text(times.read), time_text(times.decode), time_text(times.trace),
                             time_text(times.analyse), time_text(times.schedule),
                             record.replayed ? ", execute " + time_text(times.execute) : ""));
    return text + "\n" + makespan_table(record) + "\n" + hot_keys_table(record, 10);
}

} // namespace

std::string analysis_text(const range::Range& range, bool details) {
    const schedule::AnalysisOptions& options = range.options.analysis;
    std::string text = fmt::format("{}\nModel {} · policy: {}\n\n", printable(range.title),
                                   report::name_of(options.model), trace::describe(options.policy));
    text += blocks_table(range);
    if (!range.state.empty())
        text += fmt::format("\nThe state before the blocks was read from {}.\n",
                            printable(range.state));
    if (range.unknown.total() != 0)
        text += fmt::format("Not certain: {}. Every figure rests on them.\n",
                            range::unknown_text(range.unknown));
    if (details || range.blocks.size() == 1)
        for (const auto& record : range.blocks) text += details_text(*record);
    if (!range.left_out.empty())
        text += fmt::format("\n{} left out (listed on standard error).\n",
                            count_text(range.left_out.size()));
    return text;
}

} // namespace blockloom::cli
