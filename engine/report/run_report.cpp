#include "report/run_report.h"

#include "base/file.h"
#include "base/utf8.h"
#include "report/csv.h"
#include "report/document_html.h"
#include "report/json_text.h"
#include "report/run_comparison_json.h"
#include "report/scaling_json.h"
#include "report/trace_events.h"
#include "runs/run_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    });
    return text;
}

Json gap_json(const runs::GapWaterfall& gap) {
    Json steps = Json::array();
    for (const runs::GapStep& step : gap.steps) {
        Json parts = Json::array();
        for (const runs::GapPart& part : step.parts)
            parts.push_back({{"part", part.name}, {"ns", part.ns}, {"about", part.about}});
        steps.push_back({{"step", step.name},
                         {"ns", step.ns},
                         {"predicted", step.predicted},
                         {"about", step.about},
                         {"parts", std::move(parts)}});
    }
    return {{"measured_ns", gap.measured},
            {"steps", std::move(steps)},
            {"not_told", gap.skipped},
            {"missing", gap.missing.empty() ? Json() : Json(gap.missing)}};
}

Json busy_json(const ReportedRun& run) {
    const auto busy = run.spans == nullptr ? std::nullopt : busy_time(run.run, *run.spans);
    if (!busy) return {{"missing", runs::why_no_busy_time(run.spans.get())}};
    Json bars = Json::array(), blocks = Json::array();
    for (const runs::BusyBar& bar : busy->bars)
        bars.push_back(
            {{"of", bar.name}, {"busy_ns", bar.busy}, {"had_ns", bar.had}, {"about", bar.about}});
    for (const runs::BlockBusy& block : busy->blocks)
        blocks.push_back(
            {{"height", block.height}, {"busy_ns", block.busy}, {"had_ns", block.had}});
    return {{"workers", busy->workers},
            {"devices", busy->devices},
            {"bars", std::move(bars)},
            {"blocks", std::move(blocks)}};
}

/// A name that every row repeats, shortened: a long one would multiply the size of the file.
std::string in_rows(const std::string& name) {
    constexpr std::size_t longest = 128;
    if (name.size() <= longest) return csv_field(name);
    return csv_field(std::string(utf8_beginning(name, longest)) + "…");
}

Result<std::string> events_of(std::span<const ReportedRun> runs, const runs::Provenance& made) {
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

std::vector<runs::KeptRun> with_kept(std::span<const ReportedRun> runs,
                                     std::span<const runs::KeptRun> kept) {
    std::vector<runs::KeptRun> all;
    for (const ReportedRun& run : runs) all.push_back(run.run);
    for (const runs::KeptRun& run : kept)
        if (std::none_of(runs.begin(), runs.end(),
                         [&](const ReportedRun& at) { return at.run.id == run.id; }))
            all.push_back(run);
    return all;
}

std::vector<runs::ScalingFigures> scalings_of(std::span<const ReportedRun> runs,
                                              std::span<const runs::KeptRun> all) {
    std::vector<std::string> reported;
    for (const ReportedRun& run : runs) reported.push_back(run.run.id);
    std::vector<runs::ScalingFigures> found;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool listed = std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const ReportedRun& before) {
                                            return same_inputs(before.run, runs[i].run) &&
                                                   before.run.processor == runs[i].run.processor;
                                        });
        if (!listed) found.push_back(scaling_of(runs[i].run, all, reported));
    }
    return found;
}

runs::GapWaterfall reported_gap(std::span<const ReportedRun> runs, std::size_t number,
                                const std::vector<runs::KeptRun>& all) {
    const runs::KeptRun* const baseline = baseline_of(runs[number].run, all);
    const auto serial = std::find_if(runs.begin(), runs.end(), [&](const ReportedRun& run) {
        return baseline != nullptr && run.run.id == baseline->id;
    });
    return gap_of(runs[number].run, runs[number].spans.get(), baseline,
                  serial == runs.end() ? nullptr : serial->spans.get());
}

std::optional<RunForm> run_form_of(const std::filesystem::path& path) {
    const std::string name = lower(path.filename().string());
    for (const auto& [ending, form] : {std::pair{".trace.json", RunForm::trace_events},
                                       {".scaling.csv", RunForm::scaling_csv},
                                       {".html", RunForm::html},
                                       {".pdf", RunForm::pdf},
                                       {".json", RunForm::json},
                                       {".csv", RunForm::csv}})
        if (name.ends_with(ending)) return form;
    return std::nullopt;
}

std::string runs_json(std::span<const ReportedRun> runs, const runs::Provenance& made,
                      std::span<const runs::KeptRun> kept) {
    const std::vector<runs::KeptRun> all = with_kept(runs, kept);
    Json words = Json::object(), scaling = Json::array();
    JsonRows documents;
    Json busy = Json::object(), gap = Json::object();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ReportedRun& run = runs[i];
        busy[run.run.id] = busy_json(run);
        gap[run.run.id] = gap_json(reported_gap(runs, i, all));
        // As text, not as values: it has already been checked, whatever members it has.
        documents.add_text(run.document.empty() ? "null" : run.document);
        words[run.run.id] = profiling_report(run.run, baseline_of(run.run, all));
    }
    for (const runs::ScalingFigures& figures : scalings_of(runs, all))
        scaling.push_back(Json::parse(scaling_json(figures)));
    std::string comparison = "null";
    if (runs.size() == 2) {
        const auto apart = gap_difference(reported_gap(runs, 0, all), reported_gap(runs, 1, all));
        comparison = comparison_json(compare_runs(all[0], all[1]), all[0], all[1], nullptr, &apart);
    }
    const Json report = {{"schema", "blockloom.report/1"},
                         {"program", "Blockloom " + made.version},
                         {"made", made.date},
                         {"machine",
                          {{"processor", made.machine.processor},
                           {"cores", made.machine.cores},
                           {"kernel", made.machine.kernel}}},
                         {"profiling_report", std::move(words)},
                         {"busy", std::move(busy)},
                         {"gap", std::move(gap)},
                         {"scaling", std::move(scaling)}};
    return json_text(
        report, {{"comparison", std::move(comparison)}, {"runs", std::move(documents).text()}});
}

std::string runs_csv(std::span<const ReportedRun> runs) {
    std::string csv = "run,date,version,backend,device,processor,engine,strategy,workers,height,"
                      "hash,tasks,succeeded,reverted,ejected,fuel,digest,wall_ns";
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        csv += fmt::format(",{}_ns", name_of(static_cast<execute::Phase>(i)));
    csv += "\r\n";
    for (const ReportedRun& at : runs) {
        const runs::KeptRun& run = at.run;
        const std::string whose = fmt::format(
            "{},{},{},{},{},{},{},{},{}", in_rows(run.id), in_rows(run.date), in_rows(run.version),
            in_rows(run.backend), in_rows(run.device), in_rows(run.processor), in_rows(run.engine),
            in_rows(run.strategy), run.workers);
        for (const runs::KeptBlock& block : run.blocks) {
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

Status export_runs(std::span<const ReportedRun> runs, std::span<const runs::KeptRun> kept,
                   const std::filesystem::path& path, const RunExportOptions& options,
                   ProgressSink& progress, const std::stop_token& stop) {
    const auto form = run_form_of(path);
    if (!form || runs.empty())
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected runs and a name that ends in .html, .pdf, .json, "
                                 ".csv, .scaling.csv or .trace.json",
                                 path.string())};
    const runs::Provenance& made = options.provenance;
    std::string text;
    switch (*form) {
    case RunForm::html: {
        auto html = html_of(runs_document(runs, made, kept, stop), progress, stop);
        if (!html) return html.error();
        text = *std::move(html);
        break;
    }
    case RunForm::json:
        text = runs_json(runs, made, kept);
        break;
    case RunForm::csv:
        text = runs_csv(runs);
        break;
    case RunForm::scaling_csv:
        for (const runs::ScalingFigures& figures : scalings_of(runs, with_kept(runs, kept))) {
            const std::string csv = scaling_csv(figures);
            // One header for all inputs.
            text += text.empty() ? csv : csv.substr(csv.find('\n') + 1);
        }
        break;
    case RunForm::trace_events: {
        auto events = events_of(runs, made);
        if (!events) return events.error();
        text = *std::move(events);
        break;
    }
    case RunForm::pdf: {
        const auto pdf =
            pdf_of(runs_document(runs, made, kept, stop), options.paper, progress, stop);
        if (!pdf) return pdf.error();
        if (stop.stop_requested()) return cancelled_error();
        return write_file(path, *pdf);
    }
    }
    if (stop.stop_requested()) return cancelled_error();
    return write_file(path, as_bytes(text));
}

} // namespace blockloom::report
