#include "report/kept_run.h"

#include "execute/run_record.h"
#include "profile/trace_bytes.h"
#include "range/number_text.h"
#include "report/base64.h"
#include "report/run_json.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace blockloom::report {

Status keep_run(store::Workspace& workspace, execute::RunRecord& run, const Provenance& made,
                const profile::Trace* spans) {
    const std::string id = run.id;
    for (unsigned again = 2;; ++again) {
        const auto there = workspace.load_run(run.id);
        if (!there) return there.error();
        if (!*there) break;
        run.id = fmt::format("{}-{}", id, again);
    }
    std::uint64_t tasks = 0;
    for (const execute::RunBlock& block : run.blocks) tasks += block.tasks;
    const std::string summary =
        fmt::format("{} · {} · {} {} · {} · {} · {}", run.date, fmt::join(run.sources, ", "),
                    run.backend, run.strategy, range::counted(run.blocks.size(), "block"),
                    range::counted(tasks, "task"), range::time_text(run.walls.back()));
    if (spans == nullptr) return workspace.keep_run(run.id, summary, run_json(run, made));
    const Bytes bytes = profile::trace_bytes(*spans);
    const store::RunPart part{spans_part,
                              {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    return workspace.keep_run(run.id, summary, run_json(run, made), {&part, 1});
}

Result<std::shared_ptr<const profile::Trace>> kept_spans(const store::Workspace& workspace,
                                                         std::string_view id) {
    const auto part = workspace.load_run_part(id, spans_part);
    if (!part) return part.error();
    if (!*part) return std::shared_ptr<const profile::Trace>();
    auto trace = profile::read_trace(as_bytes(**part), fmt::format("spans of run {}", id));
    if (!trace) return trace.error();
    return std::make_shared<const profile::Trace>(*std::move(trace));
}

std::string with_spans(std::string_view document, std::string_view spans) {
    auto json = nlohmann::ordered_json::parse(document, nullptr, false);
    if (!json.is_object()) return std::string(document);
    json["spans"] = base64(as_bytes(spans));
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<SeparatedRun> without_spans(std::string_view file, const std::string& place) {
    auto json = nlohmann::ordered_json::parse(file, nullptr, false);
    if (!json.is_object() || !json.contains("spans"))
        return SeparatedRun{std::string(file), std::nullopt};
    const auto bytes =
        json["spans"].is_string() ? from_base64(json["spans"].get<std::string>()) : std::nullopt;
    if (!bytes)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected base64 under \"spans\", found something else", place)};
    const auto trace = profile::read_trace(*bytes, place + ": spans");
    if (!trace) return trace.error();
    json.erase("spans");
    return SeparatedRun{json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                            "\n",
                        std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())};
}

Result<std::vector<KeptRun>> kept_runs(const std::filesystem::path& workspace, std::size_t most,
                                       std::vector<std::string>& unreadable, std::size_t* in_all) {
    std::vector<KeptRun> runs;
    if (in_all != nullptr) *in_all = 0;
    std::error_code unknown;
    if (!std::filesystem::exists(workspace / "format", unknown)) return runs;
    const auto opened =
        store::Workspace::open(workspace, {.read_only = true, .patience = store::short_patience});
    if (!opened) return opened.error();
    const auto listed = (*opened)->list_runs();
    if (!listed) return listed.error();
    if (in_all != nullptr) *in_all = listed->size();
    // Ids begin with the date: the last ones are the newest. A baseline is listed however old it
    // is.
    for (auto at = listed->rbegin(); at != listed->rend(); ++at) {
        if (runs.size() >= most && at->summary.find(baseline_mark) == std::string::npos) continue;
        const auto document = (*opened)->load_run(at->id);
        if (!document) return document.error();
        if (!*document) continue;
        auto run = read_run(**document, at->id);
        if (run)
            runs.push_back(*std::move(run));
        else
            unreadable.push_back(run.error().message);
    }
    return runs;
}

} // namespace blockloom::report
