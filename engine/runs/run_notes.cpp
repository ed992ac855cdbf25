#include "runs/run_notes.h"

#include "store/document_folder.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

/// Summary and document of a run that must exist.
Result<RemovedRun> load(const store::DocumentFolder& runs, std::string_view id) {
    auto document = runs.load(id);
    if (!document) return document.error();
    if (!*document)
        return Error{ErrorCode::bad_input, fmt::format("{}: expected the run \"{}\", found none",
                                                       runs.folder().string(), id)};
    const auto listed = runs.list();
    if (!listed) return listed.error();
    const auto entry = std::find_if(listed->begin(), listed->end(),
                                    [id](const store::DocumentEntry& run) { return run.id == id; });
    auto spans = runs.load_part(id, spans_part);
    if (!spans) return spans.error();
    return RemovedRun{std::string(id), entry == listed->end() ? std::string() : entry->summary,
                      **std::move(document), *std::move(spans)};
}

Status keep(const store::DocumentFolder& runs, const RemovedRun& run) {
    std::vector<store::DocumentPart> parts;
    if (run.spans) parts.push_back({spans_part, *run.spans});
    return runs.keep(run.id, run.summary, run.document, parts);
}

} // namespace

Status set_notes(const store::DocumentFolder& runs, std::string_view id, const RunNotes& notes) {
    const auto run = load(runs, id);
    if (!run) return run.error();
    const auto document = with_notes(run->document, notes, id);
    if (!document) return document.error();
    std::string summary = run->summary.substr(0, run->summary.find(baseline_mark));
    if (!notes.baseline.empty()) summary.append(baseline_mark).append(notes.baseline);
    return keep(runs, {run->id, summary, *document, run->spans});
}

Status set_verification(const store::DocumentFolder& runs, std::string_view id,
                        const Verification& by) {
    const auto run = load(runs, id);
    if (!run) return run.error();
    const auto document = with_verification(run->document, by, id);
    if (!document) return document.error();
    return keep(runs, {run->id, run->summary, *document, run->spans});
}

Status set_check(const store::DocumentFolder& runs, std::string_view id,
                 const range::NodeCheck& check) {
    const auto run = load(runs, id);
    if (!run) return run.error();
    const auto read = read_run(run->document, id);
    if (!read) return read.error();
    if (!is_of_run(check, *read))
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: expected a check of its blocks and their results, found "
                                 "one of others",
                                 id)};
    const auto document = with_check(run->document, check, id);
    if (!document) return document.error();
    return keep(runs, {run->id, run->summary, *document, run->spans});
}

bool is_of_run(const range::NodeCheck& check, const KeptRun& run) {
    return !run.blocks.empty() &&
           std::equal(check.blocks.begin(), check.blocks.end(), run.blocks.begin(),
                      run.blocks.end(),
                      [](const range::CheckedBlock& checked, const KeptBlock& block) {
                          return to_reversed_hex(checked.hash) == block.hash &&
                                 to_hex(checked.digest) == block.digest;
                      });
}

Result<RemovedRun> remove_run(const store::DocumentFolder& runs, std::string_view id) {
    auto run = load(runs, id);
    if (!run) return run.error();
    const auto removed = runs.remove(id);
    if (!removed) return removed.error();
    return run;
}

Status restore_run(const store::DocumentFolder& runs, const RemovedRun& run) {
    return keep(runs, run);
}

} // namespace blockloom::runs
