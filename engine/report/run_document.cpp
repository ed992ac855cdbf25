// Kept runs as one document: the comparison where there are two, each run, the speed-ups.
#include "base/number_text.h"
#include "report/check_table.h"
#include "report/document_html.h"
#include "report/phase_charts.h"
#include "report/run_parts.h"
#include "report/run_report.h"
#include "runs/run_verification.h"
#include "runs/run_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

using execute::Phase;

/// The longest run and the longest block of all runs: the ends of the axes.
struct SharedAxes {
    Nanoseconds phases = 1, block = 1;
};

std::string interval_text(const runs::ComparedTime& time) {
    return time.interval ? fmt::format("{}–{}", three_digits(time.interval->low),
                                       three_digits(time.interval->high))
                         : "—";
}

/// What the device ran of each module, and how it was compiled.
void add_code(std::vector<Part>& parts, const std::vector<runs::KeptCode>& all) {
    parts.emplace_back(Heading{"Code on the device"});
    Table table;
    table.columns = {text_column("Contract"), text_column("Code", true), number_column("Lane"),
                     text_column("Calls", true)};
    table.rows = all.size();
    table.row = [all](std::size_t row) -> std::vector<TableCell> {
        const runs::KeptCode& code = all[row];
        return {TableCell{code.name()}, TableCell{code.code_words()},
                TableCell{code.lane_bytes == 0 ? "—" : size_text(code.lane_bytes)},
                TableCell{code.call_words()}};
    };
    parts.emplace_back(std::move(table));
}

Section run_section(const ReportedRun& at, const runs::GapWaterfall& gap,
                    const runs::KeptRun* baseline, const SharedAxes& scale, std::size_t number) {
    const runs::KeptRun& run = at.run;
    Section section;
    section.id = fmt::format("run-{}", number);
    section.title = run.id;
    section.aside = run.date;
    auto& parts = section.parts;
    Figures figures;
    const auto figure = [&](const char* name, std::string value) {
        figures.facts.push_back({name, std::move(value)});
    };
    figure("Wall time, median", time_text(run.wall));
    figure("95 % interval", run.interval ? fmt::format("{}–{}", time_text(run.interval->first),
                                                       time_text(run.interval->second))
                                         : std::string("too few repetitions"));
    figure("Repetitions", fmt::format("{}, including {} of warm-up", count_text(run.repetitions),
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
    parts.emplace_back(std::move(figures));
    parts.emplace_back(Paragraph{runs::verification_words(run)});
    if (!run.code.empty()) add_code(parts, run.code);
    if (run.check) add_check(parts, *run.check);
    parts.emplace_back(Heading{"Profiling report"});
    for (const std::string& line : profiling_report(run, baseline))
        parts.emplace_back(Paragraph{line});
    const PhasesSide side{&run, runs::breakdown_of(run, baseline), {}, run.id};
    parts.emplace_back(Heading{"Phases"});
    parts.emplace_back(
        ChartFigure{phases_chart({&side, 1}, scale.phases),
                    "All blocks, measured in the repetition nearest the median; one scale for all "
                    "runs. Filled: accelerated; hatched: serial; hollow: predicted.",
                    760});
    add_busy(parts, run, at.spans.get());
    add_gap(parts, run, gap);
    add_blocks(parts, run, scale.block);
    return section;
}

Table comparison_table(runs::RunComparison found) {
    Table table;
    table.columns = {text_column("Phase", true), number_column("A"),
                     number_column("B"),         number_column("A/B"),
                     number_column("95 %"),      text_column("Verdict", true)};
    std::vector<runs::ComparedTime> times = std::move(found.phases);
    times.push_back(std::move(found.wall));
    times.back().name = "wall, median";
    for (runs::ComparedTime& time : found.percentiles) {
        if (time.name == runs::name_of_median) continue;
        time.name = "wall, " + time.name;
        times.push_back(std::move(time));
    }
    table.rows = times.size();
    table.row = [times = std::move(times)](std::size_t row) -> std::vector<TableCell> {
        const runs::ComparedTime& time = times[row];
        return {TableCell{time.name},
                TableCell{time_text(time.a)},
                TableCell{time_text(time.b)},
                TableCell{time.ratio ? ratio_text(*time.ratio) : "—"},
                TableCell{interval_text(time)},
                TableCell{!time.interval         ? ""
                          : time.no_difference() ? "no significant difference"
                          : *time.ratio > 1      ? "B faster"
                                                 : "A faster"}};
    };
    return table;
}

Section comparison_section(const runs::KeptRun& a, const runs::KeptRun& b) {
    runs::RunComparison found = compare_runs(a, b);
    const bool unequal = found.digests == runs::Equality::unequal;
    Section section;
    section.id = "comparison";
    section.title = "Comparison";
    section.aside = fmt::format("A: {} · B: {}", a.id, b.id);
    section.parts.emplace_back(Paragraph{verdict_text(found), unequal ? Tone::bad : Tone::normal});
    if (!found.refusal.empty()) return section;
    section.parts.emplace_back(Paragraph{
        fmt::format("Results: {}", found.digests == runs::Equality::equal
                                       ? "equal: all digests that both runs have"
                                   : unequal ? "MISMATCH"
                                             : "unknown: the runs have no digest in common")});
    const std::vector<std::string> notes = found.notes;
    section.parts.emplace_back(comparison_table(std::move(found)));
    for (const std::string& note : notes) section.parts.emplace_back(Paragraph{note, Tone::second});
    return section;
}

Section runs_provenance(std::span<const ReportedRun> runs, const runs::Provenance& made) {
    Terms terms;
    const auto term = [&terms](std::string name, std::string value) {
        terms.facts.push_back({std::move(name), value.empty() ? "not recorded" : std::move(value)});
    };
    term("Report", "Blockloom " + made.version + ", " + made.date);
    for (const ReportedRun& at : runs) {
        const runs::KeptRun& run = at.run;
        term("Run", run.id);
        term("Program", "Blockloom " + run.version);
        term("Processor", fmt::format("{}, {}", run.processor, counted(run.cores, "core")));
        term("Kernel", run.kernel);
        term("Compiler", run.compiler);
        term("Network", run.network);
        term("Rules", run.rules.text());
        if (run.fuel_uncertain != 0)
            term("Fuel", fmt::format("Uncertain, like everything that depends on it: {} ran "
                                     "modules whose exact costs are uncertain",
                                     counted(run.fuel_uncertain, "message")));
        for (const auto& [slot, hash] : run.rules.built_ins) term("Built-in code " + slot, hash);
        term("Sources", (run.sources.empty() ? "" : run.sources.front()) +
                            (run.sources.size() > 1 ? " …" : ""));
        term("Blocks", run.blocks.empty()
                           ? std::string("none")
                           : fmt::format("{} ({}) to {} ({})", run.blocks.front().height,
                                         run.blocks.front().hash, run.blocks.back().height,
                                         run.blocks.back().hash));
        if (!run.state.empty()) term("State before", run.state);
        if (run.unknown.total() != 0)
            term("Not known",
                 range::unknown_text(run.unknown) + "; every figure of this run rests on them");
        term("State digest", run.state_digest);
    }
    Section section;
    section.id = "provenance";
    section.title = "Provenance";
    section.parts.emplace_back(std::move(terms));
    return section;
}

} // namespace

Document runs_document(std::span<const ReportedRun> runs, const runs::Provenance& made,
                       std::span<const runs::KeptRun> kept, const std::stop_token& stop) {
    const std::vector<runs::KeptRun> all = with_kept(runs, kept);
    SharedAxes scale;
    for (const ReportedRun& run : runs) {
        scale.phases = std::max(scale.phases, run.run.phases.sum());
        scale.block = std::max(scale.block, longest_block(run.run));
    }
    Document document;
    document.title = runs.size() == 1   ? "Run " + runs[0].run.id
                     : runs.size() == 2 ? "Comparison of two runs"
                                        : counted(runs.size(), "run");
    document.subtitle = fmt::format("Blockloom report of measured runs · {}", made.date);
    document.version = made.version;
    document.date = made.date;
    document.contents = false;
    if (runs.size() == 2) document.sections.push_back(comparison_section(all[0], all[1]));
    for (std::size_t i = 0; i < runs.size() && !stop.stop_requested(); ++i)
        document.sections.push_back(run_section(runs[i], reported_gap(runs, i, all),
                                                baseline_of(all[i], all), scale, i + 1));
    if (stop.stop_requested()) return document;
    for (const runs::ScalingFigures& figures : scalings_of(runs, all))
        document.sections.push_back(scaling_section(figures));
    document.sections.push_back(runs_provenance(runs, made));
    return document;
}

std::string runs_html(std::span<const ReportedRun> runs, const runs::Provenance& made,
                      std::span<const runs::KeptRun> kept) {
    SilentProgress silent;
    return *html_of(runs_document(runs, made, kept), silent); // fails only when cancelled
}

} // namespace blockloom::report
