#include "report/html_blocks.h"

#include "base/number_text.h"
#include "report/chart_html.h"
#include "report/charts.h"
#include "report/html_pictures.h"
#include "report/json.h"
#include "report/markup.h"
#include "report/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace blockloom::report {
namespace {

using range::BlockRecord;

std::string check_html(const std::optional<bool>& check) {
    return !check   ? "—"
           : *check ? "<span class=\"ok\">✓ matches</span>"
                    : "<span class=\"wrong\">✗ mismatch</span>";
}

/// Both commitments in one cell; a mismatch is named.
std::string checks_html(const range::Checks& checks) {
    if (checks.merkle == false) return "<span class=\"wrong\">✗ merkle root</span>";
    if (checks.witness_commitment == false) return "<span class=\"wrong\">✗ witness</span>";
    return checks.merkle ? "<span class=\"ok\">✓</span>" : "—";
}

std::string figure(const char* name, const std::string& value, bool predicted = false) {
    return fmt::format("<div><dt>{}</dt><dd{}>{}</dd></div>", name,
                       predicted ? " class=\"predicted\"" : "", value);
}

std::string figures_html(const BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    std::string html = "<dl class=\"figures\">";
    html += figure("Tasks", count_text(index.tasks()));
    html += figure("Accesses", count_text(index.accesses));
    html += figure("Keys", count_text(index.keys));
    html += figure("Conflict pairs", count_text(index.pairs.any));
    html += figure("RAW · WAR · WAW",
                   fmt::format("{} · {} · {}", count_text(index.pairs.raw),
                               count_text(index.pairs.war), count_text(index.pairs.waw)));
    html += figure("Dependency edges", count_text(index.edges()));
    html += figure("Conflicting tasks",
                   fmt::format("{} · {}", count_text(index.conflicting_tasks),
                               percent_text(share(index.conflicting_tasks, index.tasks()))));
    html += figure("Groups", fmt::format("{} · largest {}", count_text(index.groups),
                                         count_text(index.largest_group)));
    html += figure("Levels", count_text(index.level_sizes.size()));
    html += figure("Parallel ratio", percent_text(index.parallel_ratio()));
    html += figure("Work / span", fmt::format("{} / {} {}", count_text(index.work),
                                              count_text(index.span), cost_name(record)));
    html += figure("Parallelism, predicted", three_digits(index.parallelism()), true);
    if (record.analysis.colouring) {
        const auto& [colouring, reordered] = *record.analysis.colouring;
        html +=
            figure("Colours",
                   fmt::format("{} by {} · {} reordered", count_text(colouring.colours),
                               schedule::name_of(colouring.algorithm), counted(reordered, "pair")));
    } else {
        html += figure("Colours", record.analysis.colouring_skipped.empty()
                                      ? "—"
                                      : escaped("none: " + record.analysis.colouring_skipped));
    }
    html += figure("Merkle root", check_html(record.checks.merkle));
    html += figure("Witness commitment", check_html(record.checks.witness_commitment));
    return html + "</dl>";
}

std::string makespans_html(const BlockRecord& record) {
    const auto work = static_cast<double>(record.analysis.index->work);
    const auto cell = [work](std::uint64_t makespan) {
        return fmt::format("<td>{}</td><td>{}</td>", count_text(makespan),
                           makespan == 0 ? "—" : ratio_text(work / static_cast<double>(makespan)));
    };
    std::string html =
        fmt::format("<div class=\"scroll\"><table class=\"short\"><caption>Makespan (cost: {}) and "
                    "predicted speed-up</caption><thead><tr>"
                    "<th scope=\"col\">Workers</th><th scope=\"col\" colspan=\"2\">Levels</th><th "
                    "scope=\"col\" colspan=\"2\">List</th>"
                    "<th scope=\"col\" colspan=\"2\">Optimistic</th></tr></thead><tbody>",
                    cost_name(record));
    for (const schedule::Makespans& at : record.analysis.makespans)
        html += fmt::format("<tr><td>{}</td>{}{}{}</tr>", count_text(at.workers), cell(at.levels),
                            cell(at.list), cell(at.optimistic));
    return html + "</tbody></table></div>";
}

std::string hot_keys_html(const BlockRecord& record) {
    constexpr std::size_t most = 16;
    const auto& keys = record.analysis.hot_keys;
    if (keys.empty()) return "<p class=\"quiet\">No key causes a conflict in this block.</p>";
    std::string html =
        "<div class=\"scroll\"><table class=\"short\"><caption>Keys by the conflict pairs they "
        "cause</caption>"
        "<thead><tr><th class=\"left\" scope=\"col\">Key</th><th scope=\"col\">Readers</th>"
        "<th scope=\"col\">Writers</th><th scope=\"col\">Conflict pairs</th>"
        "<th scope=\"col\">Gain if relaxed, predicted</th></tr></thead><tbody>";
    const auto& names = record.analysis.index->trace->keys;
    for (std::size_t i = 0; i < std::min(keys.size(), most); ++i)
        html += fmt::format(
            "<tr><td class=\"left wide "
            "mono\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(names ? names->printable(keys[i].key) : fmt::format("key:{}", keys[i].key)),
            count_text(keys[i].readers), count_text(keys[i].writers),
            count_text(keys[i].conflict_pairs), ratio_text(keys[i].gain_if_relaxed));
    html += "</tbody></table></div>";
    if (keys.size() > most)
        html += fmt::format("<p class=\"quiet\">The first {} of {} ranked keys.</p>", most,
                            count_text(keys.size()));
    return html;
}

std::string times_html(const BlockRecord& record) {
    const range::BlockTimes& times = record.times;
    return fmt::format(
        "<p class=\"quiet\">Phase times, measured once: read {}, decode {}, trace {}, analyse {}, "
        "schedule {}{}.</p>",
        time_text(times.read), time_text(times.decode), time_text(times.trace),
        time_text(times.analyse), time_text(times.schedule),
        record.replayed ? ", execute " + time_text(times.execute) : "");
}

} // namespace

std::string label_of(const BlockRecord& record) {
    const trace::BlockIdentity& block = record.trace->block;
    if (!block.label.empty()) return block.label;
    return block.hash.empty() ? "unnamed" : block.hash.substr(0, 12);
}

std::string blocks_table(const range::Range& range, const std::vector<bool>& detailed) {
    std::string html = "<div class=\"scroll\"><table><caption>Level sizes are drawn on a "
                       "logarithmic scale</caption><thead><tr>"
                       "<th class=\"left\" scope=\"col\">Block</th><th scope=\"col\">Tasks</th><th "
                       "scope=\"col\">Conflict pairs</th>"
                       "<th scope=\"col\">Conflicting</th><th scope=\"col\">Share</th><th "
                       "scope=\"col\">Groups</th>"
                       "<th scope=\"col\">Largest</th><th scope=\"col\">Levels</th><th "
                       "class=\"left\" scope=\"col\">Level sizes</th>"
                       "<th scope=\"col\">Parallelism, predicted</th><th "
                       "scope=\"col\">Colours</th><th scope=\"col\">Checks</th>"
                       "</tr></thead><tbody>\n";
    auto out = std::back_inserter(html);
    for (std::size_t i = 0; i < range.blocks.size(); ++i) {
        const BlockRecord& record = *range.blocks[i];
        const conflict::ConflictIndex& index = *record.analysis.index;
        const std::string label = escaped(label_of(record));
        fmt::format_to(
            out,
            "<tr><td "
            "class=\"left\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</"
            "td>"
            "<td>{}</td><td class=\"left\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            detailed[i] ? fmt::format("<a href=\"#block-{}\">{}</a>", i, label) : label,
            count_text(index.tasks()), count_text(index.pairs.any),
            count_text(index.conflicting_tasks),
            percent_text(share(index.conflicting_tasks, index.tasks())), count_text(index.groups),
            count_text(index.largest_group), count_text(index.level_sizes.size()),
            level_sparkline(index), three_digits(index.parallelism()),
            record.analysis.colouring ? count_text(record.analysis.colouring->colouring.colours)
                                      : "—",
            checks_html(record.checks));
    }
    const range::RangeTotals& totals = range.totals;
    fmt::format_to(
        out,
        "</tbody><tfoot><tr><td class=\"left\">{} "
        "{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>—</td><td>—</td><td></td><td>{}</td><td>—</td><td></td></tr></tfoot></table></div>",
        count_text(totals.blocks), totals.blocks == 1 ? "block" : "blocks",
        count_text(totals.tasks), count_text(totals.conflict_pairs),
        count_text(totals.conflicting_tasks),
        percent_text(share(totals.conflicting_tasks, totals.tasks)), count_text(totals.groups),
        totals.span == 0 ? "—" : three_digits(share(totals.work, totals.span)));
    return html;
}

std::string block_section(const BlockRecord& record, std::size_t number, std::uint32_t workers,
                          std::stop_token stop) {
    const std::string& hash = record.trace->block.hash;
    std::string html = fmt::format(
        "<section id=\"block-{}\"><h2>Block {}{}</h2>", number, escaped(label_of(record)),
        hash.empty() ? "" : fmt::format("<span class=\"mono\">{}</span>", escaped(hash)));
    html += figures_html(record);
    html += "<div class=\"pair\"><div><h3>Tasks per level</h3><figure>" +
            level_chart(*record.analysis.index) +
            "</figure></div><div><h3>Speed-up over workers, predicted</h3>" +
            chart_figure(speedup_chart(record.analysis), {}, 520, 220) + "</div></div>";
    html += block_pictures(record, workers, stop);
    html += "<h3>Simulated schedules</h3>" + makespans_html(record);
    html += "<h3>Hot keys</h3>" + hot_keys_html(record);
    html += times_html(record);
    html += fmt::format("<p class=\"quiet\">Source: <span class=\"mono\">{}</span></p></section>\n",
                        escaped(record.source));
    return html;
}

} // namespace blockloom::report
