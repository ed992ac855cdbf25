// blockloom-cli state bundle: what a range reads of the state before it, as a file.
#include "base/file.h"
#include "base/number_text.h"
#include "json_writer.h"
#include "node_options.h"
#include "range/database_source.h"
#include "range/make_bundle.h"
#include "rule_options.h"
#include "state.h"
#include "state_options.h"
#include "terminal.h"

#include <fmt/format.h>

#include <memory>

namespace blockloom::cli {
namespace {

struct BundleOptions {
    range::RangeOptions range;
    RuleOptions rules;
    StateOptions state;
    std::uint64_t from = 0, to = 0;
    CLI::Option *from_given = nullptr, *to_given = nullptr;
    std::string output;
    bool json = false;
};

Result<int> bundle(BundleOptions& options, const Context& context) {
    if (options.from_given->count() != 0) options.range.from = options.from;
    if (options.to_given->count() != 0) options.range.to = options.to;
    auto state = options.state.chosen();
    if (!state) return state.error();
    options.range.state = *std::move(state);
    options.range.workspace = context.workspace;
    options.range = range::with_state_of_source(std::move(options.range));
    options.range.contracts = context.contracts;
    options.rules.apply(options.range, range::manifest_of(options.range.sources));
    TerminalProgress progress(context.quiet);
    const auto made = range::make_bundle(options.range, BLOCKLOOM_VERSION, progress, context.stop);
    progress.clear();
    if (!made) return made.error();
    const auto bytes = range::bundle_bytes(*made);
    if (!bytes) return bytes.error();
    if (const Status written = write_file(options.output, *bytes); !written) return written.error();
    if (options.json) {
        JsonWriter json;
        json.begin_object();
        json.field("file", options.output);
        json.field("bytes", std::uint64_t{bytes->size()});
        json.field("keys", std::uint64_t{made->entries.size()});
        json.field("unknown", std::uint64_t{made->unknown.size()});
        json.field("blocks", std::uint64_t{made->blocks.size()});
        json.field("first_height", made->blocks.front().height);
        json.field("last_height", made->blocks.back().height);
        json.field("parent", to_reversed_hex(made->parent));
        json.field("state", made->from);
        json.field("rules", made->rules);
        json.end_object();
        print(json.text());
    } else {
        print(fmt::format("{}: {} of the state after {}, for {} ({})\nread from {}\n",
                          printable(options.output), counted(made->entries.size(), "key"),
                          to_reversed_hex(made->parent), counted(made->blocks.size(), "block"),
                          size_text(bytes->size()), printable(made->from)));
        if (!made->unknown.empty())
            print(fmt::format("Not certain: {} unknown to the node, taken as 0 and marked\n",
                              counted(made->unknown.size(), "value")));
    }
    return 0;
}

} // namespace

void add_state_bundle(CLI::App& group, std::vector<Command>& commands) {
    auto options = std::make_shared<BundleOptions>();
    CLI::App* command =
        group.add_subcommand("bundle", "Save the part of the state that a range reads to one file");
    command->fallthrough();
    command
        ->add_option("SOURCE", options->range.sources,
                     "Files, folders, demo, an indexer's database (metashrew:DIR with --from and "
                     "--to), or a node: core:URL, rest:URL, metashrew:URL with --from")
        ->required()
        ->type_name("")
        ->default_str("");
    options->from_given = command->add_option("--from", options->from, "First height")
                              ->type_name("H")
                              ->default_str("");
    options->to_given =
        command->add_option("--to", options->to, "Last height")->type_name("H")->default_str("");
    command->add_option("-o,--output", options->output, "File to write")
        ->required()
        ->type_name("FILE")
        ->default_str("");
    options->rules.add_to(*command);
    options->state.add_to(*command);
    add_node_options(*command, options->range);
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer(
        "Example: blockloom-cli state bundle 892614.bin --state metashrew:DIR -o 892614.state\n"
        "The blocks are executed serially, and each transaction also alone on the state before\n"
        "its block; everything that they read is saved. If it is interrupted, what a node has\n"
        "answered is kept (~/.cache/blockloom/nodes), and the next attempt continues there.\n"
        "To use the bundle:\n"
        "blockloom-cli replay 892614.bin --state 892614.state");
    commands.push_back(
        {command, [options](const Context& context) { return bundle(*options, context); }});
}

} // namespace blockloom::cli
