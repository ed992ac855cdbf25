#include "report/block_parts.h"

#include "base/number_text.h"
#include "report/charts.h"
#include "report/json.h"
#include "report/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

using range::BlockRecord;

/// Reports give an overview; pictures detailed enough to study are for the window.
constexpr std::uint64_t most_edges = 1500;

Fact check_fact(const char* name, const std::optional<bool>& found) {
    if (!found) return {name, "—"};
    return {name, *found ? "✓ matches" : "✗ mismatch", *found ? Tone::good : Tone::bad};
}

/// Both commitments in one cell; a mismatch is named.
TableCell checks_cell(const range::Checks& checks) {
    if (checks.merkle == false) return {"✗ merkle root", Tone::bad};
    if (checks.witness_commitment == false) return {"✗ witness", Tone::bad};
    if (!checks.merkle) return {"—"};
    return {"✓", Tone::good};
}

Figures figures_of(const BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    Figures figures;
    const auto figure = [&figures](const char* name, std::string value, bool predicted = false) {
        figures.facts.push_back({name, std::move(value), Tone::normal, predicted});
    };
    figure("Tasks", count_text(index.tasks()));
    figure("Accesses", count_text(index.accesses));
    figure("Keys", count_text(index.keys));
    figure("Conflict pairs", count_text(index.pairs.any));
    figure("RAW · WAR · WAW",
           fmt::format("{} · {} · {}", count_text(index.pairs.raw), count_text(index.pairs.war),
                       count_text(index.pairs.waw)));
    figure("Dependency edges", count_text(index.edges()));
    figure("Conflicting tasks",
           fmt::format("{} · {}", count_text(index.conflicting_tasks),
                       percent_text(share(index.conflicting_tasks, index.tasks()))));
    figure("Groups", fmt::format("{} · largest {}", count_text(index.groups),
                                 count_text(index.largest_group)));
    figure("Levels", count_text(index.level_sizes.size()));
    figure("Parallel ratio", percent_text(index.parallel_ratio()));
    figure("Work / span", fmt::format("{} / {} {}", count_text(index.work), count_text(index.span),
                                      cost_name(record)));
    figure("Parallelism, predicted", three_digits(index.parallelism()), true);
    if (record.analysis.colouring) {
        const auto& [colouring, reordered] = *record.analysis.colouring;
        figure("Colours",
               fmt::format("{} by {} · {} reordered", count_text(colouring.colours),
                           schedule::name_of(colouring.algorithm), counted(reordered, "pair")));
    } else {
        figure("Colours", record.analysis.colouring_skipped.empty()
                              ? "—"
                              : "none: " + record.analysis.colouring_skipped);
    }
    figures.facts.push_back(check_fact("Merkle root", record.checks.merkle));
    figures.facts.push_back(check_fact("Witness commitment", record.checks.witness_commitment));
    return figures;
}

Table makespans_table(const BlockRecord& record) {
    Table table;
    table.caption = fmt::format("Makespan (cost: {}) and predicted speed-up", cost_name(record));
    table.together = true;
    table.columns.push_back(number_column("Workers"));
    for (const char* name : {"Levels", "List", "Optimistic"}) {
        table.columns.push_back(number_column(name));
        table.columns.push_back(number_column(""));
        table.columns.back().joined = true;
    }
    table.rows = record.analysis.makespans.size();
    table.row = [&record](std::size_t row) {
        const schedule::Makespans& at = record.analysis.makespans[row];
        const auto work = static_cast<double>(record.analysis.index->work);
        std::vector<TableCell> cells{TableCell{count_text(at.workers)}};
        for (const std::uint64_t makespan : {at.levels, at.list, at.optimistic}) {
            cells.push_back({count_text(makespan)});
            cells.push_back(
                {makespan == 0 ? "—" : ratio_text(work / static_cast<double>(makespan))});
        }
        return cells;
    };
    return table;
}

void add_hot_keys(std::vector<Part>& parts, const BlockRecord& record) {
    constexpr std::size_t most = 16;
    const auto& keys = record.analysis.hot_keys;
    if (keys.empty()) {
        parts.emplace_back(Paragraph{"No key causes a conflict in this block.", Tone::quiet});
        return;
    }
    Table table;
    table.caption = "Keys by the conflict pairs they cause";
    table.together = true;
    table.columns = {text_column("Key", true, true), number_column("Readers"),
                     number_column("Writers"), number_column("Conflict pairs"),
                     number_column("Gain if relaxed, predicted")};
    table.rows = std::min(keys.size(), most);
    table.row = [&record](std::size_t row) -> std::vector<TableCell> {
        const auto& key = record.analysis.hot_keys[row];
        const auto& names = record.analysis.index->trace->keys;
        return {TableCell{names ? names->printable(key.key) : fmt::format("key:{}", key.key)},
                TableCell{count_text(key.readers)}, TableCell{count_text(key.writers)},
                TableCell{count_text(key.conflict_pairs)},
                TableCell{ratio_text(key.gain_if_relaxed)}};
    };
    parts.emplace_back(std::move(table));
    if (keys.size() > most)
        parts.emplace_back(
            Paragraph{fmt::format("The first {} of {} ranked keys.", most, count_text(keys.size())),
                      Tone::quiet});
}

std::string times_sentence(const BlockRecord& record) {
    const range::BlockTimes& times = record.times;
    return fmt::format("Phase times, measured once: read {}, decode {}, trace {}, analyse {}, "
                       "schedule {}{}.",
                       time_text(times.read), time_text(times.decode), time_text(times.trace),
                       time_text(times.analyse), time_text(times.schedule),
                       record.replayed ? ", execute " + time_text(times.execute) : "");
}

ViewFigure view_figure(const BlockRecord& record, const PictureOptions& options,
                       std::string caption, const std::stop_token& stop) {
    return {[&record, options, stop](const scene::Theme& theme, int width) {
                PictureOptions themed = options;
                themed.width = width;
                themed.height = std::min(options.height, width * 18 / 25); // half a page of paper
                themed.view.theme = &theme;
                return make_picture(record, themed, stop);
            },
            std::move(caption)};
}

void add_pictures(std::vector<Part>& parts, const BlockRecord& record, std::uint32_t workers,
                  const std::stop_token& stop) {
    PictureOptions options;
    options.view.edge_limit = most_edges;
    options.view.workers = workers;
    options.view.view = scene::suggested_view(record.analysis);
    options.legend = false;
    const bool matrix = options.view.view == scene::View::matrix;
    parts.emplace_back(Heading{matrix ? "Conflict matrix" : "Dependency graph"});
    options.height = matrix ? 640 : 0;
    if (record.analysis.index->edges() == 0)
        parts.emplace_back(Paragraph{
            "No task of this block depends on another, so there is no edge to draw.", Tone::quiet});
    else
        parts.emplace_back(view_figure(
            record, options,
            matrix ? "Tasks against tasks, ordered by level; each mark is a conflict pair."
                   : "Tasks by level, left to right; a line leads from a task to one that depends "
                     "on it.",
            stop));
    if (record.analysis.index->tasks() == 0) return;
    options.view.view = scene::View::schedule;
    // Above 24 workers lanes grow thin instead of the picture tall.
    options.height = 64 + 22 * static_cast<int>(std::min<std::uint32_t>(workers, 24));
    parts.emplace_back(
        Heading{fmt::format("List schedule on {}, predicted", counted(workers, "worker"))});
    parts.emplace_back(view_figure(record, options,
                                   "Workers from top to bottom, simulated time to the right;  "
                                   "hollow boxes are predicted executions.",
                                   stop));
}

} // namespace

std::string label_of(const BlockRecord& record) {
    const trace::BlockIdentity& block = record.trace->block;
    if (!block.label.empty()) return block.label;
    return block.hash.empty() ? "unnamed" : block.hash.substr(0, 12);
}

Table blocks_table(const range::Range& range, std::vector<bool> detailed) {
    Table table;
    table.caption = "Level sizes are drawn on a logarithmic scale";
    table.columns = {text_column("Block"),
                     number_column("Tasks"),
                     number_column("Conflict pairs"),
                     number_column("Conflicting"),
                     number_column("Share"),
                     number_column("Groups"),
                     number_column("Largest"),
                     number_column("Levels"),
                     text_column("Level sizes"),
                     number_column("Parallelism, predicted"),
                     number_column("Colours"),
                     number_column("Checks")};
    table.rows = range.blocks.size();
    table.row = [&range, detailed = std::move(detailed)](std::size_t i) -> std::vector<TableCell> {
        const BlockRecord& record = *range.blocks[i];
        const conflict::ConflictIndex& index = *record.analysis.index;
        TableCell levels{"—"};
        levels.spark = level_sparkline(index);
        return {TableCell{label_of(record), Tone::normal,
                          detailed[i] ? fmt::format("block-{}", i) : std::string()},
                TableCell{count_text(index.tasks())},
                TableCell{count_text(index.pairs.any)},
                TableCell{count_text(index.conflicting_tasks)},
                TableCell{percent_text(share(index.conflicting_tasks, index.tasks()))},
                TableCell{count_text(index.groups)},
                TableCell{count_text(index.largest_group)},
                TableCell{count_text(index.level_sizes.size())},
                std::move(levels),
                TableCell{three_digits(index.parallelism())},
                TableCell{record.analysis.colouring
                              ? count_text(record.analysis.colouring->colouring.colours)
                              : "—"},
                checks_cell(record.checks)};
    };
    const range::RangeTotals& totals = range.totals;
    table.foot = {TableCell{counted(totals.blocks, "block")},
                  TableCell{count_text(totals.tasks)},
                  TableCell{count_text(totals.conflict_pairs)},
                  TableCell{count_text(totals.conflicting_tasks)},
                  TableCell{percent_text(share(totals.conflicting_tasks, totals.tasks))},
                  TableCell{count_text(totals.groups)},
                  TableCell{"—"},
                  TableCell{"—"},
                  TableCell{},
                  TableCell{totals.span == 0 ? "—" : three_digits(share(totals.work, totals.span))},
                  TableCell{"—"},
                  TableCell{}};
    return table;
}

Section block_section(const BlockRecord& record, std::size_t number, std::uint32_t workers,
                      const std::stop_token& stop) {
    Section section;
    section.id = fmt::format("block-{}", number);
    section.title = "Block " + label_of(record);
    section.aside = record.trace->block.hash;
    section.mono_aside = true;
    section.chief = false;
    auto& parts = section.parts;
    parts.emplace_back(figures_of(record));
    Pair pair;
    pair.left.emplace_back(Heading{"Tasks per level"});
    pair.left.emplace_back(ChartFigure{level_chart(*record.analysis.index), {}, 520, 220});
    pair.right.emplace_back(Heading{"Speed-up by number of workers, predicted"});
    pair.right.emplace_back(ChartFigure{speedup_chart(record.analysis), {}, 520, 220});
    parts.emplace_back(std::move(pair));
    add_pictures(parts, record, workers, stop);
    parts.emplace_back(Heading{"Simulated schedules"});
    parts.emplace_back(makespans_table(record));
    parts.emplace_back(Heading{"Hot keys"});
    add_hot_keys(parts, record);
    parts.emplace_back(Paragraph{times_sentence(record), Tone::quiet});
    parts.emplace_back(Paragraph{"Source:", Tone::quiet, record.source});
    return section;
}

} // namespace blockloom::report
