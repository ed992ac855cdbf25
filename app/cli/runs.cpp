// blockloom-cli runs: the kept runs of a workspace; one file per run, to open elsewhere.
#include "base/file.h"
#include "command.h"
#include "report/kept_run.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace blockloom::cli {
namespace {

struct Options {
    std::string id, file, output;
    bool json = false;
};

Result<std::string> load(const Context& context, const std::string& id) {
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    auto run = (*workspace)->load_run(id);
    if (!run) return run.error();
    if (!*run)
        return Error{ErrorCode::bad_input, fmt::format("{}: no run \"{}\" (runs list names them)",
                                                       (*workspace)->folder().string(), id)};
    return **std::move(run);
}

Result<int> list(const Options& options, const Context& context) {
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    const auto runs = (*workspace)->list_runs();
    if (!runs) return runs.error();
    if (options.json) {
        auto document = nlohmann::ordered_json::array();
        for (const store::RunEntry& run : *runs)
            document.push_back({{"run", run.id}, {"summary", run.summary}});
        print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return 0;
    }
    if (runs->empty()) {
        print("No runs are kept here. Example: blockloom-cli replay demo\n");
        return 0;
    }
    Table table({"Run", "<What it was"});
    for (const store::RunEntry& run : *runs) table.add({printable(run.id), printable(run.summary)});
    print(table.text());
    return 0;
}

Result<int> show(const Options& options, const Context& context) {
    const auto run = load(context, options.id);
    if (!run) return run.error();
    print(*run);
    return 0;
}

Result<int> export_run(const Options& options, const Context& context) {
    auto run = load(context, options.id);
    if (!run) return run.error();
    {
        const auto workspace = open_workspace(context, {.read_only = true});
        if (!workspace) return workspace.error();
        const auto spans = (*workspace)->load_run_part(options.id, report::spans_part);
        if (!spans) return spans.error();
        if (*spans) run = report::with_spans(*run, **spans);
    }
    const std::string file =
        options.output.empty() ? options.id + ".blockloom-run.json" : options.output;
    if (const Status written = write_file(file, as_bytes(*run)); !written) return written.error();
    if (!context.quiet) print(fmt::format("{}\n", printable(file)));
    return 0;
}

Result<int> import_run(const Options& options, const Context& context) {
    const auto file = MappedFile::open(options.file);
    if (!file) return file.error();
    const ByteView bytes = file->bytes();
    const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!json.is_object() || json.value("schema", "") != "blockloom.run/1" ||
        !json.contains("run") || !json["run"].is_string() || json["run"].empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a run (schema blockloom.run/1), found another "
                                 "document",
                                 options.file)};
    const auto id = json["run"].get<std::string>();
    const auto workspace = open_workspace(context);
    if (!workspace) return workspace.error();
    const auto there = (*workspace)->load_run(id);
    if (!there) return there.error();
    const auto separated = report::without_spans(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, options.file);
    if (!separated) return separated.error();
    const std::string& content = separated->document;
    if (*there && **there != content)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: another run \"{}\" is kept in {} already", options.file, id,
                                 (*workspace)->folder().string())};
    const std::string summary =
        fmt::format("{} · imported from {}", json.value("date", "no date"),
                    std::filesystem::path(options.file).filename().string());
    std::vector<store::RunPart> parts;
    if (separated->spans) parts.push_back({report::spans_part, *separated->spans});
    if (const Status kept = (*workspace)->keep_run(id, summary, content, parts); !kept)
        return kept.error();
    if (!context.quiet) print(fmt::format("{}\n", printable(id)));
    return 0;
}

} // namespace

Command add_runs(CLI::App& app) {
    CLI::App* group = app.add_subcommand("runs", "The kept runs of the workspace");
    group->require_subcommand(1);
    group->fallthrough();
    group->footer("Example: blockloom-cli runs list");
    const auto commands = std::make_shared<std::vector<Command>>();
    const auto add = [&](const char* name, const char* text, auto run) {
        auto options = std::make_shared<Options>();
        CLI::App* command = group->add_subcommand(name, text);
        command->fallthrough();
        commands->push_back(
            {command, [options, run](const Context& context) { return run(*options, context); }});
        return std::pair(command, options);
    };
    const auto [listing, list_options] = add("list", "Ids and what they were", list);
    listing->add_flag("--json", list_options->json, "One JSON document on standard output");
    const auto [showing, show_options] = add("show", "A run's document (blockloom.run/1)", show);
    showing->add_option("RUN", show_options->id, "Its id")->required()->type_name("");
    const auto [exporting, export_options] = add("export", "Write a run to a file", export_run);
    exporting->add_option("RUN", export_options->id, "Its id")->required()->type_name("");
    exporting
        ->add_option("-o,--output", export_options->output, "RUN.blockloom-run.json without it")
        ->type_name("FILE")
        ->default_str("");
    const auto [importing, import_options] = add("import", "Keep a run from a file", import_run);
    importing->add_option("FILE", import_options->file, "What runs export wrote")
        ->required()
        ->type_name("");
    return {group, [commands](const Context& context) -> Result<int> {
                for (const Command& command : *commands)
                    if (command.parser->parsed()) return command.run(context);
                return status_of(ErrorCode::wrong_usage);
            }};
}

} // namespace blockloom::cli
