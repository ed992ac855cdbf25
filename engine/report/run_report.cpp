#include "report/run_report.h"

#include "base/file.h"
#include "report/csv.h"
#include "report/run_comparison_json.h"
#include "report/run_words.h"
#include "report/trace_events.h"
#include "scene/renderer.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::report {
namespace {

using Json = nlohmann::ordered_json;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    });
    return text;
}

std::vector<KeptRun> kept_of(std::span<const ReportedRun> runs) {
    std::vector<KeptRun> kept;
    for (const ReportedRun& run : runs) kept.push_back(run.run);
    return kept;
}

Result<std::string> events_of(std::span<const ReportedRun> runs, const Provenance& made) {
    std::vector<TracedRun> traced;
    for (const ReportedRun& run : runs) {
        if (run.spans == nullptr)
            return Error{ErrorCode::bad_input,
                         fmt::format("run {}: no spans were kept with it (replay without "
                                     "--no-spans keeps them)",
                                     run.run.id)};
        traced.push_back({&run.run, run.spans.get()});
    }
    return trace_events_json(traced, made);
}

} // namespace

std::optional<RunForm> run_form_of(const std::filesystem::path& path) {
    const std::string name = lower(path.filename().string());
    for (const auto& [ending, form] : {std::pair{".trace.json", RunForm::trace_events},
                                       {".html", RunForm::html},
                                       {".pdf", RunForm::pdf},
                                       {".json", RunForm::json},
                                       {".csv", RunForm::csv}})
        if (name.ends_with(ending)) return form;
    return std::nullopt;
}

std::string runs_json(std::span<const ReportedRun> runs, const Provenance& made) {
    const std::vector<KeptRun> kept = kept_of(runs);
    Json documents = Json::array(), words = Json::object();
    for (const ReportedRun& run : runs) {
        auto document = Json::parse(run.document, nullptr, false);
        documents.push_back(document.is_discarded() ? Json() : std::move(document));
        words[run.run.id] = profiling_report(run.run, baseline_of(run.run, kept));
    }
    Json comparison;
    if (runs.size() == 2)
        comparison =
            Json::parse(comparison_json(compare_runs(kept[0], kept[1]), kept[0], kept[1], nullptr));
    const Json report = {{"schema", "blockloom.report/1"},
                         {"program", "Blockloom " + made.version},
                         {"made", made.date},
                         {"machine",
                          {{"processor", made.machine.processor},
                           {"cores", made.machine.cores},
                           {"kernel", made.machine.kernel}}},
                         {"profiling_report", std::move(words)},
                         {"comparison", std::move(comparison)},
                         {"runs", std::move(documents)}};
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string runs_csv(std::span<const ReportedRun> runs) {
    std::string csv = "run,date,version,backend,device,processor,engine,strategy,workers,height,"
                      "hash,tasks,succeeded,reverted,ejected,fuel,digest,wall_ns";
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        csv += fmt::format(",{}_ns", name_of(static_cast<execute::Phase>(i)));
    csv += "\r\n";
    for (const ReportedRun& at : runs) {
        const KeptRun& run = at.run;
        const std::string whose = fmt::format(
            "{},{},{},{},{},{},{},{},{}", csv_field(run.id), csv_field(run.date),
            csv_field(run.version), csv_field(run.backend), csv_field(run.device),
            csv_field(run.processor), csv_field(run.engine), csv_field(run.strategy), run.workers);
        for (const KeptBlock& block : run.blocks) {
            csv +=
                fmt::format("{},{},{},{},{},{},{},{},{},{}", whose, block.height,
                            csv_field(block.hash), block.tasks, block.succeeded, block.reverted,
                            block.ejected, block.fuel, csv_field(block.digest), block.phases.sum());
            for (const Nanoseconds time : block.phases.ns) csv += fmt::format(",{}", time);
            csv += "\r\n";
        }
    }
    return csv;
}

Status export_runs(std::span<const ReportedRun> runs, const std::filesystem::path& path,
                   const Provenance& made) {
    const auto form = run_form_of(path);
    if (!form || runs.empty())
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected runs and a name that ends in .html, .pdf, .json, "
                                 ".csv or .trace.json",
                                 path.string())};
    std::string text;
    switch (*form) {
    case RunForm::html:
        text = runs_html(runs, made);
        break;
    case RunForm::json:
        text = runs_json(runs, made);
        break;
    case RunForm::csv:
        text = runs_csv(runs);
        break;
    case RunForm::trace_events: {
        auto events = events_of(runs, made);
        if (!events) return events.error();
        text = *std::move(events);
        break;
    }
    case RunForm::pdf:
        return scene::export_view(runs_page(runs, made), scene::FileKind::pdf, path.string());
    }
    return write_file(path, as_bytes(text));
}

} // namespace blockloom::report
