// blockloom-cli report: a range, a block, kept runs or a profile as a file.
#include "base/number_text.h"
#include "command.h"
#include "kept_runs.h"
#include "paper_option.h"
#include "picture_options.h"
#include "profile_source.h"
#include "report/export.h"
#include "runs/provenance.h"
#include "source_options.h"
#include "terminal.h"

#include <fmt/format.h>

#include <filesystem>

namespace blockloom::cli {
namespace {

struct ReportOptions {
    std::shared_ptr<SourceOptions> source;
    std::shared_ptr<PictureChoice> picture;
    std::string output;
    std::size_t sections = 12;
    std::string paper;
};

Result<int> report_runs(const ReportOptions& options, const Context& context) {
    const auto form = report::run_form_of(options.output);
    std::vector<report::ReportedRun> runs;
    std::vector<std::string> ids;
    for (const std::string& name : options.source->range.sources) {
        auto run = find_whole_run(context, name);
        if (!run) return run.error();
        ids.push_back(run->run.id);
        runs.push_back(*std::move(run));
    }
    std::vector<runs::KeptRun> kept;
    if (form != report::RunForm::csv && form != report::RunForm::trace_events) {
        auto others = all_kept_runs(context, ids); // baselines and speed-ups come from them
        if (!others) return others.error();
        kept = *std::move(others);
    }
    TerminalProgress progress(context.quiet);
    const Status written =
        report::export_runs(runs, kept, options.output,
                            {runs::provenance_now(BLOCKLOOM_VERSION), paper_choice(options.paper)},
                            progress, context.stop);
    progress.clear();
    if (!written) return written.error();
    if (!context.quiet)
        print(fmt::format("{}: {}\n", printable(options.output), counted(runs.size(), "run")));
    return 0;
}

Result<int> report_to_file(const ReportOptions& options, const Context& context) {
    if (!options.source->range.sources.empty()) {
        const auto run = names_run(context, options.source->range.sources.front());
        if (!run) return run.error();
        if (*run) return report_runs(options, context);
    }
    const auto form = report::form_of(options.output);
    if (!form)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("-o {}: expected a name that ends in .html, .pdf, .csv, .json, "
                                 ".dot, .graphml, .png or .svg",
                                 options.output)};
    const auto profile = profile_among(options.source->range.sources);
    if (!profile) return profile.error();
    if (*profile) return report_profile(**profile, *options.picture, options.output, context);
    const auto range = open_sources(*options.source, context);
    if (!range) return range.error();
    report::ExportOptions exported;
    exported.report = {runs::provenance_now(BLOCKLOOM_VERSION), options.sections,
                       options.source->chart_workers()};
    exported.paper = paper_choice(options.paper);
    std::shared_ptr<const range::BlockRecord> block;
    if (report::holds_one_block(*form)) {
        auto found = find_block(**range, options.picture->block, context);
        if (!found) return found.error();
        block = *std::move(found);
        auto picture = picture_options(*options.picture, *block, options.source->chart_workers());
        if (!picture) return picture.error();
        exported.picture = *picture;
    }
    TerminalProgress progress(context.quiet);
    const Status written = report::export_range(**range, block.get(), options.output, exported,
                                                progress, context.stop);
    progress.clear();
    if (!written) return written.error();
    std::error_code unknown;
    const auto size = std::filesystem::file_size(options.output, unknown);
    if (!context.quiet)
        print(fmt::format("{}: {}, {}\n", printable(options.output), printable((*range)->title),
                          unknown ? "—" : size_text(size)));
    return 0;
}

} // namespace

Command add_report(CLI::App& app) {
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command =
        app.add_subcommand("report", "Write a range, a block, kept runs or a profile to a file");
    options->source = add_source_options(*command);
    options->picture = add_picture_options(*command);
    command
        ->add_option(
            "-o,--output", options->output,
            "The file; its extension chooses the format. Range: .html .pdf .csv .json; block: .dot "
            ".graphml .png .svg; kept runs: .html .pdf .json .csv .scaling.csv .trace.json")
        ->required()
        ->type_name("FILE");
    command->add_option("--sections", options->sections,
                        "Maximum number of blocks with their own section in .html and .pdf");
    add_paper_option(*command, options->paper);
    command->footer("Example: blockloom-cli report blocks/ --ignore 'utxo:*' -o report.html\n"
                    "         blockloom-cli report RUN RUN -o runs.html\n"
                    "A RUN is the id of a kept run (runs list) or a file written by runs export; "
                    ".trace.json\nopens in Perfetto and chrome://tracing. A profile of `wasm run "
                    "--profile-out` becomes a\nflame graph: .html .json .svg .png .pdf. HTML files "
                    "need no network and no scripts.");
    return {command,
            [options](const Context& context) { return report_to_file(*options, context); }};
}

} // namespace blockloom::cli
