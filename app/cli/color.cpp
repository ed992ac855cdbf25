// blockloom-cli color: colours a DIMACS graph.
#include "base/file.h"
#include "base/number_text.h"
#include "command.h"
#include "schedule/colouring.h"
#include "schedule/dimacs.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

struct ColorOptions {
    std::string file, algorithm = "dsatur";
    double seconds = 10.0;
    bool json = false;
};

std::string as_json(const std::string& file, const conflict::ConflictGraph& graph,
                    const schedule::Colouring& colouring, bool proper) {
    const nlohmann::ordered_json document{{"file", file},
                                          {"vertices", graph.vertices()},
                                          {"edges", graph.edges()},
                                          {"algorithm", schedule::name_of(colouring.algorithm)},
                                          {"colours", colouring.colours},
                                          {"proper", proper},
                                          {"assignment", colouring.colour},
                                          {"time_ns", colouring.time_ns}};
    return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<int> color(const ColorOptions& options, const Context& context) {
    const auto file = FileContent::read(options.file);
    if (!file) return file.error();
    const auto graph = schedule::read_dimacs(file->bytes(), options.file);
    if (!graph) return graph.error();
    for (const std::string& warning : graph->warnings) spdlog::warn("{}", printable(warning));

    const auto colouring = schedule::colour(
        graph->graph, *schedule::algorithm_named(options.algorithm), options.seconds, context.stop);
    if (context.stop.stop_requested()) return cancelled_error();
    const bool proper = schedule::is_proper(graph->graph, colouring.colour);
    if (options.json)
        print(as_json(options.file, graph->graph, colouring, proper));
    else
        print(fmt::format("{}\n{}, {}\n{} by {} in {} · {}\n", printable(options.file),
                          counted(graph->graph.vertices(), "vertex", "vertices"),
                          counted(graph->graph.edges(), "edge"),
                          counted(colouring.colours, "colour"), options.algorithm,
                          time_text(colouring.time_ns), proper ? "proper" : "NOT PROPER"));
    if (!proper)
        return Error{ErrorCode::verification,
                     fmt::format("{}: the colouring by {} gives two neighbours the same colour",
                                 options.file, options.algorithm)};
    return 0;
}

} // namespace

Command add_color(CLI::App& app) {
    auto options = std::make_shared<ColorOptions>();
    CLI::App* command = app.add_subcommand("color", "Colour a DIMACS graph");
    command->add_option("FILE", options->file, "Graph in DIMACS .col format")
        ->required()
        ->type_name("");
    command->add_option("--algorithm", options->algorithm, "Colouring algorithm")
        ->check(CLI::IsMember({"greedy", "welsh-powell", "smallest-last", "dsatur", "best"}));
    command->add_option("--seconds", options->seconds, "Seconds for --algorithm best")
        ->check(CLI::Range(0.001, 86400.0));
    command->add_flag("--json", options->json,
                      "One JSON document with the assignment on standard output");
    command->footer(
        "Example: blockloom-cli color le450_15b.col --algorithm best --seconds 10 --json");
    return {command, [options](const Context& context) { return color(*options, context); }};
}

} // namespace blockloom::cli
