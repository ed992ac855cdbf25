#include "kept_runs.h"

#include "base/file.h"
#include "profile/trace_bytes.h"
#include "runs/kept_runs.h"
#include "runs/run_file.h"
#include "store/location.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

bool exists(const std::string& name) {
    std::error_code unknown;
    return std::filesystem::exists(name, unknown);
}

std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<report::ReportedRun> from_file(const std::string& name) {
    const auto file = FileContent::read(name);
    if (!file) return file.error();
    auto separated = runs::without_spans(text_of(file->bytes()), name);
    if (!separated) return separated.error();
    report::ReportedRun whole{std::move(separated->run), std::move(separated->document), nullptr};
    if (separated->spans) {
        auto spans = profile::read_trace(as_bytes(*separated->spans), name);
        if (!spans) return spans.error();
        whole.spans = std::make_shared<const profile::Trace>(*std::move(spans));
    }
    return whole;
}

} // namespace

Result<report::ReportedRun> find_whole_run(const Context& context, const std::string& name) {
    if (exists(name)) return from_file(name);
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    auto document = runs->load(name);
    if (!document) return document.error();
    if (!*document)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: no run \"{}\", and no file of that name (runs list shows all "
                                 "runs)",
                                 runs->folder().parent_path().string(), name)};
    auto run = runs::read_run(**document, name);
    if (!run) return run.error();
    auto spans = runs::kept_spans(*runs, name);
    if (!spans) return spans.error();
    return report::ReportedRun{*std::move(run), **std::move(document), *std::move(spans)};
}

Result<runs::KeptRun> find_run(const Context& context, const std::string& name) {
    auto run = find_whole_run(context, name);
    if (!run) return run.error();
    return std::move(run->run);
}

Result<std::vector<runs::KeptRun>> all_kept_runs(const Context& context,
                                                 std::span<const std::string> known) {
    const auto folder = workspace_folder(context);
    if (!folder) return folder.error();
    std::vector<std::string> unreadable;
    auto runs = runs::kept_runs(*folder, 1'000, unreadable, nullptr, known);
    for (const std::string& line : unreadable) spdlog::warn("{}", printable(line));
    return runs;
}

Result<bool> names_run(const Context& context, const std::string& name) {
    if (exists(name)) {
        if (!name.ends_with(".json")) return false;
        const auto file = FileContent::read(name);
        if (!file) return file.error();
        const ByteView bytes = file->bytes();
        const auto document = JsonDocument::parse(text_of(bytes), name, runs::run_limits);
        return document.ok() && runs::check_is_run(document->root()).ok();
    }
    const auto runs = open_runs(context);
    if (!runs) return false; // no workspace: the name is no run of it
    const auto document = runs->load(name);
    if (!document) return document.error();
    return document->has_value();
}

} // namespace blockloom::cli
