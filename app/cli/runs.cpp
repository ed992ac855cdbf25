// blockloom-cli runs: the kept runs of a workspace; one file per run, to open elsewhere.
#include "base/file.h"
#include "command.h"
#include "runs/run_file.h"
#include "runs/run_notes.h"
#include "runs/run_verification.h"
#include "runs_what_if.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace blockloom::cli {
namespace {

struct RunsOptions {
    std::string id, file, output, state;
    std::vector<std::string> ids, sources;
    bool json = false;
};

Error no_run(const store::DocumentFolder& runs, const std::string& id) {
    return {ErrorCode::bad_input, fmt::format("{}: no run \"{}\" (runs list shows all runs)",
                                              runs.folder().parent_path().string(), id)};
}

/// The id as it is kept, given exactly or as `runs list` shows it: ids of older versions may
/// contain characters that cannot be typed.
Result<std::string> kept_id(const store::DocumentFolder& runs, const std::string& given) {
    const auto exact = runs.load(given);
    if (!exact) return exact.error();
    if (*exact) return given;
    const auto listed = runs.list();
    if (!listed) return listed.error();
    std::optional<std::string> found;
    for (const store::DocumentEntry& run : *listed) {
        if (printable(run.id) != given) continue;
        if (found)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected one run shown as \"{}\", found several "
                                     "(runs list --json has their ids)",
                                     runs.folder().parent_path().string(), given)};
        found = run.id;
    }
    if (!found) return no_run(runs, given);
    return *std::move(found);
}

/// A run's id and document.
Result<std::pair<std::string, std::string>> load(const store::DocumentFolder& runs,
                                                 const std::string& given) {
    const auto id = kept_id(runs, given);
    if (!id) return id.error();
    auto run = runs.load(*id);
    if (!run) return run.error();
    if (!*run) return no_run(runs, given);
    return std::pair(*id, **std::move(run));
}

Result<int> list_runs(const RunsOptions& options, const Context& context) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const auto listed = runs->list();
    if (!listed) return listed.error();
    if (options.json) {
        auto document = nlohmann::ordered_json::array();
        for (const store::DocumentEntry& run : *listed)
            document.push_back({{"run", run.id}, {"summary", run.summary}});
        print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return 0;
    }
    if (listed->empty()) {
        print("No runs are kept here. To make one: blockloom-cli replay demo\n");
        return 0;
    }
    Table table({"Run", "<Description"});
    for (const store::DocumentEntry& run : *listed)
        table.add({printable(run.id), printable(run.damage.empty() ? run.summary : run.damage)});
    print(table.text());
    return 0;
}

Result<int> show_run(const RunsOptions& options, const Context& context) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const auto run = load(*runs, options.id);
    if (!run) return run.error();
    print(run->second);
    return 0;
}

Result<int> export_run(const RunsOptions& options, const Context& context) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const auto run = load(*runs, options.id);
    if (!run) return run.error();
    const auto& [id, document] = *run;
    if (options.output.empty() && !runs::is_run_id(id))
        return Error{
            ErrorCode::wrong_usage,
            fmt::format("-o: expected a file name, because the run's id cannot be one: \"{}\" is "
                        "not {}",
                        id, runs::run_id_rule)};
    const auto spans = runs->load_part(id, runs::spans_part);
    if (!spans) return spans.error();
    const std::string whole = *spans ? runs::with_spans(document, **spans) : document;
    const std::string file = options.output.empty() ? id + ".blockloom-run.json" : options.output;
    if (const Status written = write_file(file, as_bytes(whole)); !written) return written.error();
    if (!context.quiet) print(fmt::format("{}\n", printable(file)));
    return 0;
}

Result<int> import_run(const RunsOptions& options, const Context& context) {
    const auto file = FileContent::read(options.file);
    if (!file) return file.error();
    const ByteView bytes = file->bytes();
    const auto separated = runs::without_spans(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, options.file);
    if (!separated) return separated.error();
    const std::string& content = separated->document;
    const runs::KeptRun* const run = &separated->run;
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const auto there = runs->load(run->id);
    if (!there) return there.error();
    if (*there && **there != content)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: another run \"{}\" is already kept in {}", options.file,
                                 run->id, runs->folder().parent_path().string())};
    std::string summary = fmt::format("{} · imported from {}", runs::summary_of(*run),
                                      std::filesystem::path(options.file).filename().string());
    if (!run->notes.baseline.empty())
        summary.append(runs::baseline_mark).append(run->notes.baseline);
    std::vector<store::DocumentPart> parts;
    if (separated->spans) parts.push_back({runs::spans_part, *separated->spans});
    if (const Status kept = runs->keep(run->id, summary, content, parts); !kept)
        return kept.error();
    if (!context.quiet) print(fmt::format("{}\n", printable(run->id)));
    return 0;
}

/// Executes the run's blocks serially again and stores the result in the run's document.
Result<int> verify_run(const RunsOptions& options, const Context& context) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const auto found = load(*runs, options.id);
    if (!found) return found.error();
    const auto& [id, document] = *found;
    auto run = runs::read_run(document, id);
    if (!run) return run.error();
    runs::VerificationPlan plan;
    plan.sources = options.sources;
    plan.version = BLOCKLOOM_VERSION;
    plan.workspace = options.state.empty() ? run->workspace : options.state;
    runs::KeptRun as_given = *run;
    if (!options.sources.empty()) as_given.sources = options.sources;
    as_given.workspace = plan.workspace;
    if (const std::string why = runs::why_not_verifiable(as_given); !why.empty())
        return Error{ErrorCode::bad_input, fmt::format("run {} was not verified: {}", id, why)};
    TerminalProgress progress(context.quiet);
    const auto made = runs::verify_run(*run, plan, progress, context.stop);
    progress.clear();
    if (!made) {
        if (made.error().code == ErrorCode::cancelled) return made.error();
        return Error{made.error().code,
                     fmt::format("run {} was not verified: {}", id, made.error().message)};
    }
    if (const Status kept = runs::set_verification(*runs, id, *made); !kept) return kept.error();
    run->verification = *made;
    run->verified = made->equal();
    if (options.json)
        print(nlohmann::ordered_json{{"run", id},
                                     {"verified", made->equal()},
                                     {"date", made->date},
                                     {"engine", made->engine},
                                     {"blocks", made->blocks},
                                     {"difference", made->equal()
                                                        ? nlohmann::ordered_json()
                                                        : nlohmann::ordered_json(made->difference)}}
                  .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
              "\n");
    else
        print(printable(runs::verification_words(*run)) + "\n");
    return made->equal() ? 0 : 1;
}

/// Deletes all or none: an unknown id is an error before the first is deleted.
Result<int> delete_runs(const RunsOptions& options, const Context& context) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    std::vector<std::string> ids;
    for (const std::string& given : options.ids) {
        auto id = kept_id(*runs, given);
        if (!id) return id.error();
        if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*std::move(id));
    }
    for (const std::string& id : ids) {
        const auto deleted = runs->remove(id);
        if (!deleted) return deleted.error();
        if (!context.quiet) print(fmt::format("deleted {}\n", printable(id)));
    }
    return 0;
}

} // namespace

Command add_runs(CLI::App& app) {
    CLI::App* group = app.add_subcommand(
        "runs", "List, show, export, import, verify, re-schedule and delete kept runs");
    group->require_subcommand(1);
    group->fallthrough();
    group->footer("Example: blockloom-cli runs list");
    const auto commands = std::make_shared<std::vector<Command>>();
    const auto add = [&](const char* name, const char* text, auto run) {
        auto options = std::make_shared<RunsOptions>();
        CLI::App* command = group->add_subcommand(name, text);
        command->fallthrough();
        commands->push_back(
            {command, [options, run](const Context& context) { return run(*options, context); }});
        return std::pair(command, options);
    };
    const auto [listing, list_options] = add("list", "List the kept runs", list_runs);
    listing->add_flag("--json", list_options->json, "One JSON document on standard output");
    const auto [showing, show_options] =
        add("show", "Print the document of a run (blockloom.run/1)", show_run);
    showing->add_option("RUN", show_options->id, "Id of the run")->required()->type_name("");
    showing->footer("Example: blockloom-cli runs show 20260829-140322-cpu-serial");
    const auto [exporting, export_options] = add("export", "Write a run to a file", export_run);
    exporting->add_option("RUN", export_options->id, "Id of the run")->required()->type_name("");
    exporting
        ->add_option("-o,--output", export_options->output,
                     "File to write [RUN.blockloom-run.json]")
        ->type_name("FILE")
        ->default_str("");
    exporting->footer("Example: blockloom-cli runs export 20260829-140322-cpu-serial -o run.json");
    const auto [importing, import_options] = add("import", "Import a run from a file", import_run);
    const auto [deleting, delete_options] =
        add("delete", "Delete runs with their spans, without asking", delete_runs);
    deleting->add_option("RUN", delete_options->ids, "Ids of the runs")
        ->required()
        ->type_name("")
        ->default_str("");
    deleting->footer("Example: blockloom-cli runs delete 20260829-140322-cpu-serial");
    const auto [verifying, verify_options] =
        add("verify", "Execute a run's blocks serially again and compare the results", verify_run);
    verifying->add_option("RUN", verify_options->id, "Id of the run")->required()->type_name("");
    verifying
        ->add_option("--source", verify_options->sources,
                     "Where the blocks are, instead of where the run read them")
        ->type_name("PATH");
    verifying
        ->add_option(
            "--state", verify_options->state,
            "Workspace with the state before the first block, or metashrew:DIR, instead of "
            "the one that the run names")
        ->type_name("PLACE")
        ->default_str("");
    verifying->add_flag("--json", verify_options->json, "One JSON document on standard output");
    verifying->footer("Example: blockloom-cli runs verify RUN\n"
                      "The serial reference is executed in block order on the engine that the run "
                      "did not use;\n"
                      "digest, succeeded and reverted messages and fuel of every block are "
                      "compared, and the\n"
                      "result is kept in the run's document. Exit status: 0 equal; 1 mismatch; 3 "
                      "the source,\n"
                      "the state or the rules are gone or changed.");
    importing->add_option("FILE", import_options->file, "File written by runs export")
        ->required()
        ->type_name("");
    commands->push_back(add_what_if(*group));
    importing->footer("Example: blockloom-cli runs import run.json");
    return {group, [commands](const Context& context) -> Result<int> {
                for (const Command& command : *commands)
                    if (command.parser->parsed()) return command.run(context);
                return status_of(ErrorCode::wrong_usage);
            }};
}

} // namespace blockloom::cli
