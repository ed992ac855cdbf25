// Kept runs as a file to take home: .html, .pdf, .json, .csv, .scaling.csv, .trace.json, by the
// file's ending.
#pragma once

#include "profile/span.h"
#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"
#include "scene/renderer.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace blockloom::report {

/// A run of the report; what was kept with it.
struct ReportedRun {
    runs::KeptRun run;
    std::string document;                        ///< as it was kept, for .json
    std::shared_ptr<const profile::Trace> spans; ///< null: none were kept
};

enum class RunForm : std::uint8_t { html, pdf, json, csv, scaling_csv, trace_events };

/// By the ending, whatever its case; nothing for others.
[[nodiscard]] std::optional<RunForm> run_form_of(const std::filesystem::path& path);

/// One self-contained page, light and dark: each run's figures, phases and profiling report; the
/// comparison where there are two; speed-ups over workers; provenance of all. No scripts, nothing
/// fetched. `kept`: runs that baselines and speed-ups are looked for among, beside those that are
/// reported.
[[nodiscard]] std::string runs_html(std::span<const ReportedRun> runs, const runs::Provenance& made,
                                    std::span<const runs::KeptRun> kept = {});
/// Schema blockloom.report/1: the runs' documents as they were kept, and comparison and
/// profiling reports, busy times, gaps and speed-ups beside them.
[[nodiscard]] std::string runs_json(std::span<const ReportedRun> runs, const runs::Provenance& made,
                                    std::span<const runs::KeptRun> kept = {});
/// One row a block and run (RFC 4180), with the run's provenance in every row, of each name at most
/// 128 bytes.
[[nodiscard]] std::string runs_csv(std::span<const ReportedRun> runs);
/// One page, as long as it must be: what runs_html() has, tables and charts alike.
[[nodiscard]] scene::FrameRequest runs_page(std::span<const ReportedRun> runs,
                                            const runs::Provenance& made,
                                            std::span<const runs::KeptRun> kept = {});

/// The reported runs, then those of `kept` that are not among them.
[[nodiscard]] std::vector<runs::KeptRun> with_kept(std::span<const ReportedRun> runs,
                                                   std::span<const runs::KeptRun> kept);
/// Speed-ups over workers of the reported runs' blocks, once for each of their inputs. `all`:
/// with_kept().
[[nodiscard]] std::vector<runs::ScalingFigures> scalings_of(std::span<const ReportedRun> runs,
                                                            std::span<const runs::KeptRun> all);

/// The gap of a reported run, with what is reported or kept of its serial run.
[[nodiscard]] runs::GapWaterfall reported_gap(std::span<const ReportedRun> runs, std::size_t number,
                                              const std::vector<runs::KeptRun>& all);

/// Writes the file whole or not at all. Wrong usage on an ending that is not known or without
/// runs; bad input where spans are asked for and none were kept.
Status export_runs(std::span<const ReportedRun> runs, const std::filesystem::path& path,
                   const runs::Provenance& made, std::span<const runs::KeptRun> kept = {});

} // namespace blockloom::report
