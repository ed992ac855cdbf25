// Kept runs as one self-contained page.
#include "base/number_text.h"
#include "report/chart_html.h"
#include "report/html_style.h"
#include "report/markup.h"
#include "report/phase_charts.h"
#include "report/run_charts_html.h"
#include "report/run_report.h"
#include "runs/run_verification.h"
#include "runs/run_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

using execute::Phase;

std::string head(const char* name, bool left = false) {
    return fmt::format("<th scope=\"col\"{}>{}</th>", left ? " class=\"left\"" : "", name);
}
std::string cell(const std::string& text) {
    return fmt::format("<td>{}</td>", escaped(text));
}
std::string left_cell(const std::string& text) {
    return fmt::format("<td class=\"left wide\">{}</td>", escaped(text));
}
std::string term(const char* name, const std::string& value) {
    return fmt::format("<dt>{}</dt><dd>{}</dd>", name,
                       value.empty() ? "not recorded" : escaped(value));
}

/// The longest run and the longest block of all runs: the ends of the axes.
struct Scale {
    Nanoseconds phases = 1, block = 1;
};

std::string run_section(const ReportedRun& at, const runs::GapWaterfall& gap,
                        const runs::KeptRun* baseline, const Scale& scale, std::size_t number) {
    const runs::KeptRun& run = at.run;
    std::string html = fmt::format("<section id=\"run-{}\"><h2>{} <span>{}</span></h2>", number,
                                   escaped(run.id), escaped(run.date));
    html += "<dl class=\"figures\">";
    const auto figure = [&](const char* name, const std::string& value) {
        html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escaped(value));
    };
    figure("Wall time, median", time_text(run.wall));
    figure("95 % interval", run.interval ? fmt::format("{}–{}", time_text(run.interval->first),
                                                       time_text(run.interval->second))
                                         : std::string("too few repetitions"));
    figure("Repetitions", fmt::format("{}, of which {} as warm-up", count_text(run.repetitions),
                                      count_text(run.warm_up)));
    figure("Backend", run.backend + (run.device.empty() ? "" : " · " + run.device));
    figure("Strategy", fmt::format("{} on {}", run.strategy, counted(run.workers, "worker")));
    figure("Blocks", count_text(run.blocks.size()));
    figure("Tasks", count_text(run.tasks));
    figure("Succeeded · reverted",
           fmt::format("{} · {}", count_text(run.succeeded), count_text(run.reverted)));
    figure("On device · host",
           fmt::format("{} · {}", count_text(run.on_device), count_text(run.on_host)));
    figure("Verified", !run.verified ? "not verified" : *run.verified ? "equal" : "MISMATCH");
    html += "</dl><p>" + escaped(runs::verification_words(run)) + "</p><h3>Profiling report</h3>";
    for (const std::string& line : profiling_report(run, baseline))
        html += "<p>" + escaped(line) + "</p>";
    const PhasesSide side{&run, runs::breakdown_of(run, baseline), {}, run.id};
    html += "<h3>Phases</h3>" +
            chart_figure(phases_chart({&side, 1}, scale.phases),
                         "All blocks, measured in the median repetition; one scale for "
                         "all runs. Filled: accelerated; hatched: serial; hollow: predicted.",
                         760);
    html += busy_figures(run, at.spans.get());
    html += gap_figure(run, gap);
    html += "<h3>Blocks</h3>" + blocks_figure(run, scale.block) +
            results_of_blocks(run, most_rows_of_blocks);
    if (run.blocks.size() > most_rows_of_blocks)
        html += fmt::format("<p class=\"quiet\">and {} more (see .csv or .json)</p>",
                            counted(run.blocks.size() - most_rows_of_blocks, "block"));
    return html + "</section>\n";
}

std::string time_row(const runs::ComparedTime& time) {
    return "<tr>" + left_cell(time.name) + cell(time_text(time.a)) + cell(time_text(time.b)) +
           cell(time.ratio ? ratio_text(*time.ratio) : "—") +
           cell(time.interval ? fmt::format("{}–{}", three_digits(time.interval->low),
                                            three_digits(time.interval->high))
                              : "—") +
           left_cell(!time.interval         ? ""
                     : time.no_difference() ? "no difference shown"
                     : *time.ratio > 1      ? "B faster"
                                            : "A faster") +
           "</tr>";
}

std::string comparison_section(const runs::KeptRun& a, const runs::KeptRun& b) {
    const runs::RunComparison found = compare_runs(a, b);
    std::string html = fmt::format(
        "<section id=\"comparison\"><h2>Comparison <span>A: {} · B: {}</span></h2><p{}>{}</p>",
        escaped(a.id), escaped(b.id),
        found.digests == runs::Equality::unequal ? " class=\"wrong\"" : "",
        escaped(verdict_text(found)));
    if (!found.refusal.empty()) return html + "</section>\n";
    html += fmt::format("<p>Results: {}</p>", found.digests == runs::Equality::equal
                                                  ? "equal: all digests that both runs have"
                                              : found.digests == runs::Equality::unequal
                                                  ? "MISMATCH"
                                                  : "unknown: the runs have no digest in common");
    html += "<div class=\"scroll\"><table><thead><tr>" + head("Phase", true) + head("A") +
            head("B") + head("A/B") + head("95 %") + head("Verdict", true) + "</tr></thead><tbody>";
    for (const runs::ComparedTime& time : found.phases) html += time_row(time);
    html += time_row(found.wall);
    for (const runs::ComparedTime& time : found.percentiles) html += time_row(time);
    html += "</tbody></table></div>";
    for (const std::string& note : found.notes)
        html += "<p class=\"second\">" + escaped(note) + "</p>";
    return html + "</section>\n";
}

std::string provenance_section(std::span<const ReportedRun> runs, const runs::Provenance& made) {
    std::string html = "<section id=\"provenance\"><h2>Provenance</h2><dl "
                       "class=\"terms\">" +
                       term("Report", "Blockloom " + made.version + ", " + made.date);
    for (const ReportedRun& at : runs) {
        const runs::KeptRun& run = at.run;
        html += term("Run", run.id);
        html += term("Program", "Blockloom " + run.version);
        html += term("Processor", fmt::format("{}, {}", run.processor, counted(run.cores, "core")));
        html += term("Kernel", run.kernel);
        html += term("Compiler", run.compiler);
        html += term("Network", run.network);
        html += term("Rules", run.rules.text());
        if (run.fuel_uncertain != 0)
            html +=
                term("Fuel",
                     fmt::format("Not certain, nor are results that depend on it: {} ran modules "
                                 "whose exact costs are not certain",
                                 counted(run.fuel_uncertain, "message")));
        for (const auto& [slot, hash] : run.rules.built_ins)
            html += term(("Built-in code " + slot).c_str(), hash);
        html += term("Sources", fmt::format("{}", run.sources.empty() ? "" : run.sources.front()) +
                                    (run.sources.size() > 1 ? " …" : ""));
        html += term("Blocks", run.blocks.empty()
                                   ? std::string("none")
                                   : fmt::format("{} ({}) to {} ({})", run.blocks.front().height,
                                                 run.blocks.front().hash, run.blocks.back().height,
                                                 run.blocks.back().hash));
        html += term("State digest", run.state_digest);
    }
    return html + "</dl></section>\n";
}

} // namespace

std::string runs_html(std::span<const ReportedRun> runs, const runs::Provenance& made,
                      std::span<const runs::KeptRun> kept) {
    const std::vector<runs::KeptRun> all = with_kept(runs, kept);
    Scale scale;
    for (const ReportedRun& run : runs) {
        scale.phases = std::max(scale.phases, run.run.phases.sum());
        scale.block = std::max(scale.block, longest_block(run.run));
    }
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><meta name=\"generator\" "
        "content=\"Blockloom {}\"><title>Blockloom · {}</title><style>\n{}</style></head><body>"
        "<main>\n<h1>{}</h1><p class=\"quiet\">Blockloom report of measured runs · {}</p>\n",
        escaped(made.version), counted(runs.size(), "run"), style_sheet(),
        counted(runs.size(), "run"), escaped(made.date));
    if (runs.size() == 2) html += comparison_section(all[0], all[1]);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        html += run_section(runs[i], reported_gap(runs, i, all), baseline_of(all[i], all), scale,
                            i + 1);
    }
    for (const runs::ScalingFigures& figures : scalings_of(runs, all))
        html += scaling_section(figures);
    return html + provenance_section(runs, made) + "</main></body></html>\n";
}

} // namespace blockloom::report
