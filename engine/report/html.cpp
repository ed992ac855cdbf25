#include "report/html.h"

#include "base/number_text.h"
#include "report/chart_html.h"
#include "report/charts.h"
#include "report/definitions.h"
#include "report/html_blocks.h"
#include "report/html_style.h"
#include "report/json.h"
#include "report/markup.h"
#include "report/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace blockloom::report {
namespace {

double parallelism_of(const range::RangeTotals& totals) {
    return totals.span == 0 ? 1.0 : share(totals.work, totals.span);
}

/// The blocks that get a section: those with the most conflict pairs, the earlier where they are
/// equal.
std::vector<bool> choose_detailed(const range::Range& range, std::size_t most) {
    std::vector<std::size_t> order(range.blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return range.blocks[a]->analysis.index->pairs.any >
               range.blocks[b]->analysis.index->pairs.any;
    });
    std::vector<bool> chosen(range.blocks.size(), false);
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) chosen[order[i]] = true;
    return chosen;
}

std::string card(const std::string& value, const char* name) {
    return fmt::format("<div><b>{}</b><span>{}</span></div>", value, name);
}

std::string cards(const range::Range& range) {
    const range::RangeTotals& totals = range.totals;
    std::string html = "<div class=\"cards\">";
    html += card(count_text(totals.blocks), totals.blocks == 1 ? "block" : "blocks");
    html += card(count_text(totals.tasks), "tasks");
    html += card(count_text(totals.conflict_pairs), "conflict pairs");
    html +=
        card(percent_text(share(totals.conflicting_tasks, totals.tasks)), "of the tasks conflict");
    html += card(count_text(totals.most_levels), "levels of the deepest block");
    html += card(ratio_text(parallelism_of(totals)), "parallelism of the range, predicted");
    return html + "</div>";
}

/// The predicted speed-up of all blocks, one after another, on the largest simulated number of
/// workers.
std::string speedup_sentence(const range::Range& range) {
    std::uint32_t workers = 0;
    for (const std::uint32_t at : range.options.analysis.workers) workers = std::max(workers, at);
    std::uint64_t list = 0, work = 0;
    for (const auto& record : range.blocks)
        for (const schedule::Makespans& at : record->analysis.makespans)
            if (at.workers == workers) {
                list += at.list;
                work += record->analysis.index->work;
            }
    if (list == 0) return {};
    return fmt::format(
        " On {}, a dependency-driven schedule, block after block, would be {} as fast as "
        "on one worker (predicted).",
        counted(workers, "worker"), ratio_text(share(work, list)));
}

std::string in_words(const range::Range& range) {
    const auto& blocks = range.blocks;
    const auto by_parallelism = [](const auto& a, const auto& b) {
        return a->analysis.index->parallelism() < b->analysis.index->parallelism();
    };
    const auto [least, most] = std::minmax_element(blocks.begin(), blocks.end(), by_parallelism);
    const std::uint64_t apart = range.totals.tasks - range.totals.conflicting_tasks;
    std::string html =
        fmt::format("<section><h2>Summary</h2><p>{} of {} {} with no other task of the same block.",
                    count_text(apart), counted(range.totals.tasks, "task"),
                    apart == 1 ? "conflicts" : "conflict");
    html += speedup_sentence(range);
    if (blocks.size() > 1)
        html += fmt::format(
            " The most parallel block is {} ({}), the least {} ({}).", escaped(label_of(**most)),
            three_digits((*most)->analysis.index->parallelism()), escaped(label_of(**least)),
            three_digits((*least)->analysis.index->parallelism()));
    return html +
           fmt::format("</p><p class=\"second\">Model {}; policy: {}. Schedules are simulated and "
                       "their figures are predicted; only phase times are measured.</p></section>",
                       name_of(range.options.analysis.model),
                       escaped(trace::describe(range.options.analysis.policy)));
}

std::string left_out_html(const range::Range& range) {
    if (range.left_out.empty()) return {};
    std::string html =
        "<section id=\"left-out\"><h2>Left out</h2><div class=\"scroll\"><table><thead><tr>"
        "<th class=\"left\" scope=\"col\">Source</th><th class=\"left\" scope=\"col\">Kind</th>"
        "<th class=\"left\" scope=\"col\">Reason</th></tr></thead><tbody>";
    for (const range::LeftOut& out : range.left_out)
        html += fmt::format("<tr><td class=\"left wide mono\">{}</td><td class=\"left\">{}</td><td "
                            "class=\"left wide\">{}</td></tr>",
                            escaped(out.source), out.stale ? "stale branch" : "not analysed",
                            escaped(out.reason));
    return html + "</tbody></table></div></section>";
}

std::string definitions_html() {
    std::string html =
        "<section id=\"definitions\"><h2>What the figures mean</h2><dl class=\"terms\">";
    for (const Definition& definition : definitions())
        html += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(definition.name),
                            escaped(definition.text));
    return html + "</dl></section>";
}

std::string inputs_html(const range::Range& range) {
    if (range.files.empty())
        return "<p class=\"second\">No files: the blocks were generated by Blockloom (demo) and "
               "are "
               "the same every time.</p>";
    std::string html =
        "<div class=\"scroll\"><table><thead><tr><th class=\"left\" scope=\"col\">Input</th>"
        "<th scope=\"col\">Size</th><th class=\"left\" "
        "scope=\"col\">SHA-256</th></tr></thead><tbody>";
    for (const range::SourceFile& file : range.files)
        html += fmt::format("<tr><td class=\"left wide\">{}</td><td>{}</td><td class=\"left mono "
                            "wide\">{}</td></tr>",
                            escaped(file.path), size_text(file.bytes),
                            file.sha256.empty() ? "not computed" : escaped(file.sha256));
    return html + "</tbody></table></div>";
}

std::string provenance_html(const range::Range& range, const runs::Provenance& provenance) {
    const runs::Machine& machine = provenance.machine;
    const auto term = [](const char* name, const std::string& value) {
        return fmt::format("<dt>{}</dt><dd>{}</dd>", name,
                           value.empty() ? "unknown" : escaped(value));
    };
    std::string html = "<section id=\"provenance\"><h2>Provenance</h2><dl class=\"terms\">";
    html += term("Program", "Blockloom " + provenance.version);
    html += term("Made", provenance.date);
    html += term("Chain", range.chain);
    html += term("Model", std::string(name_of(range.options.analysis.model)));
    html += term("Policy", trace::describe(range.options.analysis.policy));
    html +=
        term("Cost", range.blocks.empty() ? "unit" : std::string(cost_name(*range.blocks.front())));
    html += term("Processor", machine.processor);
    html += term("Cores", count_text(machine.cores));
    html += term("Memory", machine.memory == 0 ? "" : size_text(machine.memory));
    html += term("Kernel", machine.kernel);
    html += term("Compiler", machine.compiler);
    return html + "</dl><h3>Inputs</h3>" + inputs_html(range) + "</section>";
}

} // namespace

Result<std::string> analysis_html(const range::Range& range, const HtmlOptions& options,
                                  ProgressSink& progress, std::stop_token stop) {
    const auto detailed = choose_detailed(range, options.detailed_blocks);
    const auto sections =
        static_cast<std::size_t>(std::count(detailed.begin(), detailed.end(), true));
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><meta name=\"generator\" "
        "content=\"Blockloom {}\">"
        "<title>Blockloom · {}</title><style>\n{}</style></head><body><main>\n",
        escaped(options.provenance.version), escaped(range.title), style_sheet());
    html += fmt::format("<h1>{}</h1><p class=\"quiet\">Blockloom report · {} · analysis of "
                        "dependencies</p>",
                        escaped(range.title), escaped(options.provenance.date));
    html += cards(range) + in_words(range);
    html += "<nav aria-label=\"Contents\"><a href=\"#blocks\">Blocks</a>";
    if (!range.left_out.empty()) html += "<a href=\"#left-out\">Left out</a>";
    html += "<a href=\"#definitions\">What the figures mean</a><a href=\"#provenance\">Provenance"
            "</a></nav>";
    html += "<section id=\"blocks\"><h2>Blocks</h2><h3>Parallelism, predicted</h3>" +
            chart_figure(range_chart(range),
                         "Work / span of each block in the chosen model, on a logarithmic scale; "
                         "hollow and dashed bars are predicted.",
                         1080, 210) +
            "<h3>Figures</h3>" + blocks_table(range, detailed);
    if (sections < range.blocks.size())
        html += fmt::format("<p class=\"quiet\">{} for the {} with the most conflict pairs.</p>",
                            sections == 1 ? "A section follows" : "Sections follow",
                            sections == 1 ? "block" : fmt::format("{} blocks", sections));
    html += "</section>\n";
    std::size_t done = 0;
    for (std::size_t i = 0; i < range.blocks.size(); ++i) {
        if (stop.stop_requested()) return cancelled_error();
        if (!detailed[i]) continue;
        progress.report({"Writing report", done++, sections});
        html += block_section(*range.blocks[i], i, options.workers, stop);
    }
    if (stop.stop_requested()) return cancelled_error();
    html += left_out_html(range) + definitions_html() + provenance_html(range, options.provenance);
    return html + "</main></body></html>\n";
}

} // namespace blockloom::report
