// blockloom-cli scaling: measured speed-ups of kept runs over workers, with fitted laws.
#include "base/number_text.h"
#include "command.h"
#include "kept_runs.h"
#include "report/scaling_chart.h"
#include "report/scaling_json.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>

#include <iterator>

namespace blockloom::cli {
namespace {

struct ScalingOptions {
    std::string run;
    bool json = false, csv = false;
};

Result<int> scaling(const ScalingOptions& options, const Context& context) {
    std::vector<runs::KeptRun> all; // the requested run first
    std::vector<std::string> preferred;
    if (!options.run.empty()) {
        auto run = find_run(context, options.run);
        if (!run) return run.error();
        preferred.push_back(run->id);
        all.push_back(*std::move(run));
    }
    auto kept = all_kept_runs(context, preferred);
    if (!kept) return kept.error();
    std::move(kept->begin(), kept->end(), std::back_inserter(all));
    if (all.empty())
        return Error{ErrorCode::bad_input, "scaling: no runs are kept here (replay SOURCE makes "
                                           "one)"};
    if (preferred.empty()) preferred.push_back(all.front().id);
    const runs::ScalingFigures figures = runs::scaling_of(all.front(), all, preferred);
    const bool wrong = std::any_of(figures.struck.begin(), figures.struck.end(),
                                   [](const runs::StruckRun& out) { return out.wrong; });
    if (options.json || options.csv) {
        print(options.json ? report::scaling_json(figures) : report::scaling_csv(figures));
        return wrong ? 1 : 0;
    }
    const auto points = report::scaling_table(figures);
    std::vector<std::string> header;
    for (const scene::TableColumn& column : points->columns())
        header.push_back(column.number || header.empty() ? column.name : "<" + column.name);
    Table table(header);
    for (std::size_t row = 0; row < points->rows(); ++row) {
        std::vector<std::string> cells;
        for (std::size_t column = 0; column < points->columns().size(); ++column)
            cells.push_back(printable(points->text(row, column)));
        table.add(std::move(cells));
    }
    print(table.text() + "\n");
    for (const std::string& line : scaling_words(figures)) print(printable(line) + "\n");
    if (!figures.missing.empty())
        print(fmt::format("Command: blockloom-cli replay SOURCE --strategy {} --repeat {}\n",
                          figures.baseline.empty() ? "serial" : "speculative --workers 2",
                          runs::enough_repetitions));
    return wrong ? 1 : 0;
}

} // namespace

Command add_scaling(CLI::App& app) {
    auto options = std::make_shared<ScalingOptions>();
    CLI::App* command = app.add_subcommand(
        "scaling", "Show speed-ups of kept runs by number of workers, with fitted laws");
    command
        ->add_option("RUN", options->run,
                     "A kept run; all kept runs of its blocks are used: an id (runs list) or a "
                     "file written by runs export "
                     "[the newest run]")
        ->type_name("")
        ->default_str("");
    auto* json = command->add_flag("--json", options->json,
                                   "One JSON document (blockloom.scaling/1) on standard output");
    command->add_flag("--csv", options->csv, "One CSV row per point on standard output")
        ->excludes(json);
    command->footer(
        "Example: for n in 1 2 4; do blockloom-cli replay demo --strategy speculative --workers $n "
        "--repeat 12; done\n"
        "         blockloom-cli replay demo --strategy serial --repeat 12; blockloom-cli scaling\n"
        "Uses all kept runs of the same blocks with the same rules and fuel on this machine;\n"
        "speed-ups are relative to the best serial run. Exit status 1: a run has different "
        "results;\n"
        "it is excluded and named.");
    return {command, [options](const Context& context) { return scaling(*options, context); }};
}

} // namespace blockloom::cli
