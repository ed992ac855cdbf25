#include "runs/kept_runs.h"

#include "base/number_text.h"
#include "profile/trace_bytes.h"
#include "runs/median_repetition.h"
#include "runs/run_json.h"
#include "runs/run_record.h"
#include "store/kept_folders.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {

Status keep_run(const store::DocumentFolder& runs, RunRecord& run, const Provenance& made,
                const profile::Trace* spans) {
    KeptRun figures;
    figures.date = run.date;
    figures.sources = run.sources;
    figures.backend = run.backend;
    figures.strategy = run.strategy;
    figures.blocks.resize(run.blocks.size());
    for (const RunBlock& block : run.blocks) figures.tasks += block.tasks;
    if (!run.walls.empty()) figures.wall = run.walls[median_repetition(run.walls)];
    const std::string summary = summary_of(figures);
    const Bytes bytes = spans == nullptr ? Bytes() : profile::trace_bytes(*spans);
    std::vector<store::DocumentPart> parts;
    if (spans != nullptr)
        parts.push_back({spans_part, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    const std::string id = run.id;
    for (unsigned again = 2;; ++again) {
        const auto kept = runs.keep_new(run.id, summary, run_json(run, made), parts);
        if (!kept) return kept.error();
        if (*kept) return {};
        run.id = fmt::format("{}-{}", id, again);
    }
}

Result<std::shared_ptr<const profile::Trace>> kept_spans(const store::DocumentFolder& runs,
                                                         std::string_view id) {
    const auto part = runs.load_part(id, spans_part);
    if (!part) return part.error();
    if (!*part) return std::shared_ptr<const profile::Trace>();
    auto trace = profile::read_trace(as_bytes(**part), fmt::format("spans of run {}", id));
    if (!trace) return trace.error();
    return std::make_shared<const profile::Trace>(*std::move(trace));
}

Result<std::vector<KeptRun>> kept_runs(const std::filesystem::path& workspace, std::size_t most,
                                       std::vector<std::string>& unreadable, std::size_t* in_all,
                                       std::span<const std::string> known) {
    std::vector<KeptRun> runs;
    if (in_all != nullptr) *in_all = 0;
    const auto opened = store::open_runs(workspace);
    if (!opened) return opened.error();
    const auto listed = opened->list();
    if (!listed) return listed.error();
    if (in_all != nullptr) *in_all = listed->size();
    // Ids begin with the date: the last ones are the newest. Baselines are always listed.
    for (auto at = listed->rbegin(); at != listed->rend(); ++at) {
        if (runs.size() >= most && at->summary.find(baseline_mark) == std::string::npos) continue;
        if (std::find(known.begin(), known.end(), at->id) != known.end()) continue;
        const auto document =
            at->damage.empty() ? opened->load(at->id) : Error{ErrorCode::bad_input, at->damage};
        if (!document) {
            unreadable.push_back(document.error().message);
            continue;
        }
        if (!*document) continue; // deleted in between
        auto run = read_run(**document, at->id);
        if (!run)
            unreadable.push_back(run.error().message);
        else if (run->id != at->id) // changing or deleting one would affect both
            unreadable.push_back(fmt::format(
                "{}: run: expected the id under which it is kept, found \"{}\"", at->id, run->id));
        else
            runs.push_back(*std::move(run));
    }
    return runs;
}

} // namespace blockloom::runs
