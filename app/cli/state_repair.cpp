// blockloom-cli state check and state repair.
#include "base/number_text.h"
#include "json_writer.h"
#include "state.h"
#include "store/check.h"
#include "store/location.h"
#include "terminal.h"

#include <fmt/format.h>

#include <memory>

namespace blockloom::cli {
namespace {

constexpr int whole = 0, damaged = 3;

Result<std::filesystem::path> folder_of(const Context& context) {
    if (!context.workspace.empty()) return std::filesystem::path(context.workspace);
    return store::default_folder();
}

void write_tip(JsonWriter& json, const char* name, const std::optional<store::Tip>& tip) {
    json.key(name);
    json.begin_object();
    json.field("height", tip ? std::optional(tip->height) : std::nullopt);
    json.field("hash", tip ? std::optional(to_reversed_hex(tip->hash)) : std::nullopt);
    json.end_object();
}

void write_texts(JsonWriter& json, const char* name, const std::vector<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const std::string& text : texts) json.value(text);
    json.end_array();
}

/// The fields of a check inside an object.
void write_check(JsonWriter& json, const store::CheckReport& report) {
    json.field("whole", report.problems.empty());
    write_texts(json, "problems", report.problems);
    json.field("format", std::uint64_t{report.format});
    json.field("files", report.files);
    json.field("bytes", report.bytes);
    json.field("tables", report.tables);
    json.field("log_records", report.log_records);
    json.field("writes", report.writes);
    json.field("keys", report.keys);
    json.field("blocks", report.blocks);
    json.field("undos", report.undos);
    json.field("digests_equal", report.digests);
    json.field("digests_not_comparable", report.not_comparable);
    json.field("run_entries", report.documents);
    json.field("traces", report.traces);
    json.field("labels", report.labels);
    json.field("begins_after", report.base ? std::optional(report.base->height) : std::nullopt);
    write_tip(json, "last_block", report.tip);
    json.field("state_digest",
               report.state_digest ? std::optional(to_hex(*report.state_digest)) : std::nullopt);
}

std::string tip_text(const std::optional<store::Tip>& tip) {
    return tip ? fmt::format("block {} {}", tip->height, to_reversed_hex(tip->hash))
               : std::string("no block");
}

std::string check_text(const store::CheckReport& report) {
    return fmt::format(
        "Files   {}, {}, format {}; {} with correct checksums\n"
        "Log     {}; {} in total, none missing\n"
        "State   {}, digest {}\n"
        "Blocks  {}, each on its parent; {} can be undone\n"
        "Block digests recomputed: {} equal, {} not comparable (undo no longer kept, or a "
        "key was changed by put since)\n"
        "Kept    {}, {}, {}\n"
        "Last    {}\n",
        count_text(report.files), counted(report.bytes, "byte"), report.format,
        counted(report.tables, "table"), counted(report.log_records, "record"),
        counted(report.writes, "write"), counted(report.keys, "key"),
        report.state_digest ? to_hex(*report.state_digest) : "-", count_text(report.blocks),
        count_text(report.undos), count_text(report.digests), count_text(report.not_comparable),
        counted(report.documents, "run or tuning", "runs and tunings"),
        counted(report.traces, "trace"), counted(report.labels, "label"), tip_text(report.tip));
}

std::string problems_text(const store::CheckReport& report) {
    std::string text;
    for (const std::string& problem : report.problems)
        text += fmt::format("Problem {}\n", printable(problem));
    return text + fmt::format("{}: the workspace is damaged\n",
                              counted(report.problems.size(), "problem"));
}

Result<int> check(bool as_json, const Context& context) {
    const auto folder = folder_of(context);
    if (!folder) return folder.error();
    TerminalProgress progress(context.quiet);
    const auto report = store::check_workspace(*folder, progress, context.stop);
    progress.clear();
    if (!report) return report.error();
    if (as_json) {
        JsonWriter json;
        json.begin_object();
        json.field("workspace", std::string_view(folder->native()));
        write_check(json, *report);
        json.end_object();
        print(json.text());
    } else if (report->problems.empty()) {
        print(check_text(*report) + "The workspace is intact\n");
    } else {
        print(problems_text(*report));
    }
    return report->problems.empty() ? whole : damaged;
}

Result<int> repair(bool as_json, const Context& context) {
    const auto folder = folder_of(context);
    if (!folder) return folder.error();
    TerminalProgress progress(context.quiet);
    const auto report = store::repair_workspace(*folder, progress, context.stop);
    progress.clear();
    if (!report) return report.error();
    if (as_json) {
        JsonWriter json;
        json.begin_object();
        json.field("workspace", std::string_view(folder->native()));
        json.field("repaired", !report->found.empty());
        write_texts(json, "found", report->found);
        write_texts(json, "done", report->done);
        write_tip(json, "last_block_before", report->before);
        json.field("lost_writes", report->lost_writes);
        json.field("set_aside", std::string_view(report->set_aside.native()));
        json.key("check");
        json.begin_object();
        write_check(json, report->after);
        json.end_object();
        json.end_object();
        print(json.text());
        return whole;
    }
    std::string text;
    for (const std::string& found : report->found)
        text += fmt::format("Found   {}\n", printable(found));
    for (const std::string& done : report->done)
        text += fmt::format("Done    {}\n", printable(done));
    if (report->found.empty()) text += "The workspace is intact: nothing to repair\n";
    print(text + check_text(report->after));
    return whole;
}

using Action = Result<int> (*)(bool, const Context&);

CLI::App* add_command(CLI::App& group, std::vector<Command>& commands, const char* name,
                      const char* description, Action action) {
    const auto json = std::make_shared<bool>(false);
    CLI::App* command = group.add_subcommand(name, description);
    command->add_flag("--json", *json, "One JSON document on standard output");
    commands.push_back(
        {command, [json, action](const Context& context) { return action(*json, context); }});
    return command;
}

} // namespace

void add_state_repair(CLI::App& group, std::vector<Command>& commands) {
    add_command(group, commands, "check",
                "Read the whole workspace and check checksums, chain and digests", check)
        ->footer(
            "Example: blockloom-cli --workspace w state check\n"
            "Exit status: 0 the workspace is intact, 3 it is damaged or missing. Changes nothing.");
    add_command(group, commands, "repair", "Restore a damaged workspace to its last intact block",
                repair)
        ->footer(
            "Example: blockloom-cli --workspace w state repair\n"
            "Reports what was damaged, what was done and what was lost; the damaged files are "
            "kept\n"
            "in a folder \"repaired-N\" in the workspace. Exit status: 0 the workspace is intact,\n"
            "3 it cannot be repaired and is unchanged.");
}

} // namespace blockloom::cli
