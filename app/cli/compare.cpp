// blockloom-cli compare: compares two kept runs; the gate for CI.
#include "base/number_text.h"
#include "command.h"
#include "kept_runs.h"
#include "paper_option.h"
#include "report/run_comparison_json.h"
#include "report/run_divergence_json.h"
#include "report/run_report.h"
#include "runs/provenance.h"
#include "runs/run_divergence.h"
#include "runs/run_words.h"
#include "terminal.h"

#include <charconv>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

using runs::ComparedTime;
using runs::RunComparison;

struct CompareOptions {
    std::vector<std::string> runs;
    std::string baseline, limit;
    bool json = false, divergence = false;
    std::vector<std::string> sources; ///< for --divergence
    std::string state_a, state_b;
    std::string output, paper; ///< of a report
};

/// "5%", "5 %" or "0.05".
Result<double> limit_of(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    std::string_view rest(at, static_cast<std::size_t>(end - at));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (error != std::errc() || value < 0 || (!rest.empty() && rest != "%"))
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--fail-if-slower {}: expected a share such as 5% or 0.05", text)};
    return rest.empty() ? value : value / 100;
}

std::string ratio_words(const ComparedTime& time) {
    return time.ratio ? ratio_text(*time.ratio) : "—";
}
std::string interval_words(const ComparedTime& time) {
    if (!time.interval) return "—";
    return fmt::format("{}–{}", three_digits(time.interval->low),
                       three_digits(time.interval->high));
}
std::string meaning(const ComparedTime& time) {
    if (!time.interval) return "";
    return time.no_difference() ? "no significant difference"
           : *time.ratio > 1    ? "B faster"
                                : "A faster";
}

void add_time(Table& table, const std::string& name, const ComparedTime& time) {
    table.add({name, time_text(time.a), time_text(time.b), ratio_words(time), interval_words(time),
               meaning(time)});
}

std::string run_line(const char* name, const runs::KeptRun& run) {
    return fmt::format("{}  {} · {} {} · {} · {}\n", name, printable(run.id), run.backend,
                       run.strategy, counted(run.workers, "worker"), printable(run.processor));
}

std::string gap_text(const runs::GapDifference& gap) {
    if (!gap.missing.empty())
        return fmt::format("Gap      not compared: {}\n\n", printable(gap.missing));
    Table causes({"Gap", "A", "B", "B−A", "<"});
    const auto step = [](const std::optional<Nanoseconds>& ns) {
        return ns ? runs::step_text(*ns) : std::string("—");
    };
    for (const runs::GapChange& change : gap.causes)
        causes.add({change.name, step(change.a), step(change.b), runs::step_text(change.b_minus_a),
                    change.predicted ? "predicted" : ""});
    causes.rule();
    causes.add({"measured", time_text(gap.a), time_text(gap.b), runs::step_text(gap.b - gap.a),
                "recorded repetition"});
    std::string text = causes.text();
    for (const std::string& note : gap.notes) text += printable(note) + "\n";
    return text + "\n";
}

/// The causes of both times. The serial run of these blocks is taken from the workspace, where
/// neither of the two is it.
runs::GapDifference gaps_of(const Context& context, const report::ReportedRun& a,
                            const report::ReportedRun& b) {
    std::vector<report::ReportedRun> runs{a, b};
    const std::vector<std::string> ids{a.run.id, b.run.id};
    // Runs in files need no workspace: without one there is no other baseline.
    const auto kept = all_kept_runs(context, ids);
    const std::vector<runs::KeptRun> all = report::with_kept(
        runs, kept ? std::span<const runs::KeptRun>(*kept) : std::span<const runs::KeptRun>());
    const runs::KeptRun* const baseline = runs::baseline_of(a.run, all);
    if (baseline != nullptr && baseline->id != a.run.id && baseline->id != b.run.id)
        if (auto serial = find_whole_run(context, baseline->id)) runs.push_back(*std::move(serial));
    return runs::gap_difference(report::reported_gap(runs, 0, all),
                                report::reported_gap(runs, 1, all));
}

std::string comparison_text(const RunComparison& comparison, const runs::KeptRun& a,
                            const runs::KeptRun& b, const runs::GapDifference& gap) {
    std::string text = run_line("A", a) + run_line("B", b) + "\n";
    Table times({"Phase", "A", "B", "A/B", "95 %", "<"});
    for (const ComparedTime& phase : comparison.phases) add_time(times, phase.name, phase);
    times.rule();
    add_time(times, "wall, median", comparison.wall);
    for (const ComparedTime& time : comparison.percentiles)
        if (time.name != runs::name_of_median) add_time(times, "wall, " + time.name, time);
    text += times.text() + "\n" + gap_text(gap);
    Table blocks({"Block", "Tasks", "A", "B", "A/B", "95 %", "<", "<Digests"});
    for (const runs::ComparedBlock& block : comparison.blocks)
        blocks.add({fmt::format("{}", block.height), count_text(block.tasks),
                    time_text(block.time.a), time_text(block.time.b), ratio_words(block.time),
                    interval_words(block.time), meaning(block.time),
                    !block.digests_equal   ? "—"
                    : *block.digests_equal ? "equal"
                                           : "MISMATCH"});
    text += blocks.text() + "\n";
    Table counts({"Count", "A", "B"});
    for (const runs::ComparedCount& count : comparison.statuses)
        counts.add({count.name, count_text(count.a), count_text(count.b)});
    text += counts.text() + "\n";
    for (const std::string& note : comparison.notes) text += printable(note) + "\n";
    switch (comparison.digests) {
    case runs::Equality::equal:
        text += "Results  equal: all digests that both runs have\n";
        break;
    case runs::Equality::unequal:
        text += fmt::format("Results  MISMATCH: {}\n", printable(comparison.digest_text));
        break;
    default:
        text += "Results  unknown: the runs have no digest in common\n";
    }
    return text + fmt::format("Verdict  {}\n", printable(verdict_text(comparison)));
}

/// The folder with the state before a run: the one given, else the one in its document, if it still
/// exists.
std::string state_of(const std::string& given, const report::ReportedRun& run) {
    if (!given.empty()) return given;
    std::string folder = runs::workspace_of(run.document);
    std::error_code unknown;
    return std::filesystem::exists(folder, unknown) ? folder : std::string();
}

Result<int> print_divergence(const CompareOptions& options, const Context& context,
                             const report::ReportedRun& a, const report::ReportedRun& b) {
    runs::DivergencePlan plan;
    plan.sources = options.sources;
    plan.workspace_a = state_of(options.state_a, a);
    plan.workspace_b = state_of(options.state_b, b);
    plan.device = runs::open_device_of;
    TerminalProgress progress(context.quiet);
    const auto found = runs::find_divergence(a.run, b.run, plan, progress, context.stop);
    progress.clear();
    if (!found) return found.error();
    if (options.json) {
        print(report::divergence_json(*found, a.run, b.run));
        return 1;
    }
    std::string text = run_line("A", a.run) + run_line("B", b.run);
    text += fmt::format("\nBlock     {} {}\nDigests   A {}\n          B {}\n\n", found->height,
                        printable(found->hash), printable(found->kept_a), printable(found->kept_b));
    for (const std::string& line : found->lines) text += printable(line) + "\n";
    print(text);
    return 1;
}

/// Wrong usage where the ending names no report that shows a comparison.
Status check_output(const CompareOptions& options) {
    if (options.output.empty()) return {};
    const auto form = report::run_form_of(options.output);
    if (form == report::RunForm::html || form == report::RunForm::pdf) return {};
    return Error{ErrorCode::wrong_usage,
                 fmt::format("-o {}: expected a name that ends in .html or .pdf", options.output)};
}

/// The report of `report A B`, which shows the comparison and both runs.
Status write_comparison(const CompareOptions& options, const Context& context,
                        const report::ReportedRun& a, const report::ReportedRun& b) {
    const std::vector<report::ReportedRun> both{a, b};
    const std::vector<std::string> ids{a.run.id, b.run.id};
    const auto kept = all_kept_runs(context, ids); // baselines and speed-ups come from them
    if (!kept) return kept.error();
    TerminalProgress progress(context.quiet);
    const Status written =
        report::export_runs(both, *kept, options.output,
                            {runs::provenance_now(BLOCKLOOM_VERSION), paper_choice(options.paper)},
                            progress, context.stop);
    progress.clear();
    return written;
}

Result<int> compare(const CompareOptions& options, const Context& context) {
    std::vector<std::string> names = options.runs;
    if (!options.baseline.empty()) names.insert(names.begin(), options.baseline);
    if (names.size() != 2)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("compare: expected two runs (RUN RUN, or --baseline RUN RUN), "
                                 "found {}",
                                 names.size())};
    if (const Status good = check_output(options); !good) return good.error();
    std::optional<double> limit;
    if (!options.limit.empty()) {
        auto read = limit_of(options.limit);
        if (!read) return read.error();
        limit = *read;
    }
    const auto first = find_whole_run(context, names[0]);
    if (!first) return first.error();
    const auto second = find_whole_run(context, names[1]);
    if (!second) return second.error();
    if (options.divergence) return print_divergence(options, context, *first, *second);
    const runs::KeptRun *a = &first->run, *b = &second->run;
    const RunComparison comparison = runs::compare_runs(*a, *b);
    std::optional<runs::Gate> gate;
    if (limit) gate = runs::gate(comparison, *limit);
    const runs::GapDifference gap =
        comparison.refusal.empty() ? gaps_of(context, *first, *second) : runs::GapDifference();
    if (options.json)
        print(report::comparison_json(comparison, *a, *b, gate ? &*gate : nullptr, &gap));
    if (!comparison.refusal.empty())
        return Error{ErrorCode::bad_input, "not compared: " + comparison.refusal};
    if (!options.output.empty())
        if (const Status written = write_comparison(options, context, *first, *second); !written)
            return written.error();
    if (!options.json) print(comparison_text(comparison, *a, *b, gap));
    if (!options.json && !options.output.empty())
        print(fmt::format("Report   {}\n", printable(options.output)));
    if (gate) {
        if (!options.json) print(fmt::format("Gate     {}\n", printable(gate->text)));
        if (gate->outcome == runs::Gate::Outcome::undecided)
            return Error{ErrorCode::bad_input, gate->text};
        return gate->outcome == runs::Gate::Outcome::passed ? 0 : 1;
    }
    return comparison.digests == runs::Equality::unequal ? 1 : 0;
}

} // namespace

Command add_compare(CLI::App& app) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand(
        "compare", "Compare two kept runs: ratios of their times, with 95 % intervals");
    command
        ->add_option(
            "RUN", options->runs,
            "An id (runs list) or a file written by runs export; the first is A, the second B")
        ->type_name("")
        ->default_str("")
        ->expected(-1)
        ->required();
    command->add_option("--baseline", options->baseline, "Run A; the other run is B")
        ->type_name("RUN")
        ->default_str("");
    command
        ->add_option(
            "--fail-if-slower", options->limit,
            "Exit status 1 if B takes longer than A by more than this share, with 95 % confidence")
        ->type_name("SHARE")
        ->default_str("");
    command->add_flag("--json", options->json,
                      "One JSON document (blockloom.comparison/1) on standard output");
    command->add_flag("--divergence", options->divergence,
                      "Execute the first block with unequal digests again, as each run did, and "
                      "report the message, host call, key and instruction at which they differ");
    command
        ->add_option("--source", options->sources,
                     "With --divergence: the sources of the blocks, instead of those of run A")
        ->type_name("PATH")
        ->default_str("");
    command
        ->add_option("-o,--output", options->output,
                     "Also write a report with the comparison and both runs; its extension chooses "
                     "the format: .html .pdf")
        ->excludes("--divergence")
        ->type_name("FILE")
        ->default_str("");
    add_paper_option(*command, options->paper);
    for (const auto& [name, into] :
         {std::pair{"--state-a", &options->state_a}, {"--state-b", &options->state_b}})
        command
            ->add_option(name, *into,
                         std::string("With --divergence: workspace (or metashrew:DIR) with the "
                                     "state before run ") +
                             (into == &options->state_a ? "A" : "B") +
                             ", instead of the one in its document")
            ->type_name("DIR")
            ->default_str("");
    command->footer(
        "Example: blockloom-cli compare --baseline RUN --fail-if-slower 5% RUN\n"
        "A/B is the time of A over the time of B: above 1, B is faster. Intervals are bootstrap\n"
        "intervals of the ratio of medians; replay --repeat 12 gives enough repetitions for them.\n"
        "Exit status: 0 done; 1 the results differ, or B is slower than --fail-if-slower allows,\n"
        "over its whole 95 % interval; 3 the runs have different inputs (blocks, network, rules,\n"
        "fuel), or too few repetitions to decide whether B is slower.\n"
        "--divergence uses each run's own rules.");
    return {command, [options](const Context& context) { return compare(*options, context); }};
}

} // namespace blockloom::cli
