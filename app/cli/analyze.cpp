// blockloom-cli analyze: figures per block and for the range.
#include "analysis_text.h"
#include "command.h"
#include "follow.h"
#include "report/csv.h"
#include "report/json.h"
#include "source_options.h"
#include "terminal.h"

namespace blockloom::cli {
namespace {

struct AnalyzeOptions {
    std::shared_ptr<SourceOptions> source;
    FollowOptions follow;
    bool json = false, csv = false, details = false;
};

Result<int> analyze(AnalyzeOptions& options, const Context& context) {
    if (options.follow.on)
        return follow_node(*options.source, options.follow, options.json, context);
    const auto range = open_sources(*options.source, context);
    if (!range) return range.error();
    if (options.json)
        print(report::analysis_json(**range));
    else if (options.csv)
        print(report::analysis_csv(**range));
    else
        print(analysis_text(**range, options.details));
    return 0;
}

} // namespace

Command add_analyze(CLI::App& app) {
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command =
        app.add_subcommand("analyze", "Show how parallel each block and the whole range are");
    command->alias("analyse");
    options->source = add_source_options(*command);
    auto* json = command->add_flag("--json", options->json,
                                   "One JSON document (blockloom.analysis/1) on standard output");
    auto* csv =
        command->add_flag("--csv", options->csv, "One CSV row per block on standard output");
    json->excludes(csv);
    command->add_flag("--details", options->details,
                      "Level sizes, makespans and hot keys of each block");
    options->follow
        .add_to(*command, "Wait for new blocks of a node or an indexer's database and analyse each "
                          "as it comes: one line per block, or with --json one document")
        ->excludes(csv);
    command->footer(
        "Example: blockloom-cli analyze blocks/ --from 849000 --to 849236 --ignore 'utxo:*' "
        "--json\n"
        "A single block is shown in detail. Schedules are simulated, so their figures are "
        "predicted.");
    return {command, [options](const Context& context) { return analyze(*options, context); }};
}

} // namespace blockloom::cli
