// Kept runs as a file: .html, .pdf, .json, .csv, .scaling.csv or .trace.json, by the file's ending.
#pragma once

#include "profile/span.h"
#include "report/document.h"
#include "report/document_pdf.h"
#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace blockloom::report {

/// A run in a report, with what was kept of it.
struct ReportedRun {
    runs::KeptRun run;
    std::string document;                        ///< as kept, for .json
    std::shared_ptr<const profile::Trace> spans; ///< null: none were kept
};

enum class RunForm : std::uint8_t { html, pdf, json, csv, scaling_csv, trace_events };

/// By the ending, ignoring case; nothing for others.
[[nodiscard]] std::optional<RunForm> run_form_of(const std::filesystem::path& path);

/// Each run's figures, phases and profiling report, the comparison of two runs, speed-ups by number
/// of workers, and provenance. `kept`: further runs from which baselines and speed-ups are taken.
/// Incomplete where `stop` was requested.
[[nodiscard]] Document runs_document(std::span<const ReportedRun> runs,
                                     const runs::Provenance& made,
                                     std::span<const runs::KeptRun> kept = {},
                                     const std::stop_token& stop = {});
/// The same as one self-contained page, light and dark. No scripts, no network.
[[nodiscard]] std::string runs_html(std::span<const ReportedRun> runs, const runs::Provenance& made,
                                    std::span<const runs::KeptRun> kept = {});
/// Schema blockloom.report/1: the runs' documents as kept, with comparison, profiling reports, busy
/// times, gaps and speed-ups.
[[nodiscard]] std::string runs_json(std::span<const ReportedRun> runs, const runs::Provenance& made,
                                    std::span<const runs::KeptRun> kept = {});
/// One row per block and run (RFC 4180), with the run's provenance in every row; names are cut to
/// 128 bytes.
[[nodiscard]] std::string runs_csv(std::span<const ReportedRun> runs);
/// The reported runs, then the others of `kept`.
[[nodiscard]] std::vector<runs::KeptRun> with_kept(std::span<const ReportedRun> runs,
                                                   std::span<const runs::KeptRun> kept);
/// Speed-ups by number of workers for the blocks of the reported runs, once per distinct inputs.
/// `all`: with_kept().
[[nodiscard]] std::vector<runs::ScalingFigures> scalings_of(std::span<const ReportedRun> runs,
                                                            std::span<const runs::KeptRun> all);

/// The gap of a reported run, with its serial run from the reported or kept ones.
[[nodiscard]] runs::GapWaterfall reported_gap(std::span<const ReportedRun> runs, std::size_t number,
                                              const std::vector<runs::KeptRun>& all);

struct RunExportOptions {
    runs::Provenance provenance;
    Paper paper = Paper::a4; ///< of .pdf
};

/// Writes the whole file or nothing. Wrong usage for an unknown ending or without runs; bad input
/// if spans are needed and none were kept; cancelled if `stop` was requested before the file was
/// written. `kept`: as for runs_document().
Status export_runs(std::span<const ReportedRun> runs, std::span<const runs::KeptRun> kept,
                   const std::filesystem::path& path, const RunExportOptions& options,
                   ProgressSink& progress, const std::stop_token& stop = {});

} // namespace blockloom::report
