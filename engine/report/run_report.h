// Kept runs as a file to take home: .html, .pdf, .json, .csv, .trace.json, by the file's ending.
#pragma once

#include "profile/span.h"
#include "report/run_comparison.h"
#include "scene/renderer.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace blockloom::report {

/// A run of the report; what was kept with it.
struct ReportedRun {
    KeptRun run;
    std::string document;                        ///< as it was kept, for .json
    std::shared_ptr<const profile::Trace> spans; ///< null: none were kept
};

enum class RunForm : std::uint8_t { html, pdf, json, csv, trace_events };

/// By the ending, whatever its case; nothing for others.
[[nodiscard]] std::optional<RunForm> run_form_of(const std::filesystem::path& path);

/// One self-contained page, light and dark: each run's figures, phases and profiling report; the
/// comparison where there are two; provenance of all. No scripts, nothing fetched.
[[nodiscard]] std::string runs_html(std::span<const ReportedRun> runs, const Provenance& made);
/// Schema blockloom.report/1: the runs' documents as they were kept, and comparison and
/// profiling reports beside them.
[[nodiscard]] std::string runs_json(std::span<const ReportedRun> runs, const Provenance& made);
/// One row a block and run (RFC 4180), with the run's provenance in every row.
[[nodiscard]] std::string runs_csv(std::span<const ReportedRun> runs);
/// One page: phases of each run as bars, the words, the verdict, provenance.
[[nodiscard]] scene::FrameRequest runs_page(std::span<const ReportedRun> runs,
                                            const Provenance& made);

/// Writes the file whole or not at all. Wrong usage on an ending that is not known or without
/// runs; bad input where spans are asked for and none were kept.
Status export_runs(std::span<const ReportedRun> runs, const std::filesystem::path& path,
                   const Provenance& made);

} // namespace blockloom::report
