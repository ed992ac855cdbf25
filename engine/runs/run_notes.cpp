#include "runs/run_notes.h"

#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

/// Summary and document of a run that must be there.
Result<RemovedRun> load(const store::Workspace& workspace, std::string_view id) {
    auto document = workspace.load_run(id);
    if (!document) return document.error();
    if (!*document)
        return Error{ErrorCode::bad_input, fmt::format("{}: expected the run \"{}\", found none",
                                                       workspace.folder().string(), id)};
    const auto listed = workspace.list_runs();
    if (!listed) return listed.error();
    const auto entry = std::find_if(listed->begin(), listed->end(),
                                    [id](const store::RunEntry& run) { return run.id == id; });
    auto spans = workspace.load_run_part(id, spans_part);
    if (!spans) return spans.error();
    return RemovedRun{std::string(id), entry == listed->end() ? std::string() : entry->summary,
                      **std::move(document), *std::move(spans)};
}

} // namespace

Status set_notes(store::Workspace& workspace, std::string_view id, const RunNotes& notes) {
    const auto run = load(workspace, id);
    if (!run) return run.error();
    const auto document = with_notes(run->document, notes, id);
    if (!document) return document.error();
    std::string summary = run->summary.substr(0, run->summary.find(baseline_mark));
    if (!notes.baseline.empty()) summary.append(baseline_mark).append(notes.baseline);
    return workspace.keep_run(id, summary, *document);
}

Result<RemovedRun> remove_run(store::Workspace& workspace, std::string_view id) {
    auto run = load(workspace, id);
    if (!run) return run.error();
    const auto removed = workspace.delete_run(id);
    if (!removed) return removed.error();
    return run;
}

Status restore_run(store::Workspace& workspace, const RemovedRun& run) {
    std::vector<store::RunPart> parts;
    if (run.spans) parts.push_back({spans_part, *run.spans});
    return workspace.keep_run(run.id, run.summary, run.document, parts);
}

} // namespace blockloom::runs
