// A run that was kept: what its document (blockloom.run/1) says, to be looked at and compared.
#pragma once

#include "base/result.h"
#include "execute/phases.h"
#include "execute/run_rules.h"
#include "profile/span.h"
#include "profile/usage.h"
#include "runs/provenance.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace blockloom {
class JsonDocument;
}

namespace blockloom::runs {

/// One block of a kept run; hashes and digests in hexadecimal.
struct KeptBlock {
    std::uint64_t height = 0;
    std::string hash, digest;
    std::uint64_t tasks = 0, succeeded = 0, reverted = 0, ejected = 0, fuel = 0;
    execute::Phases phases; ///< of the last repetition
    /// Of the measured times of its tasks in it: all of them, and their costliest chain; absent:
    /// not told.
    std::optional<std::pair<Nanoseconds, Nanoseconds>> work_and_path;
    std::vector<Nanoseconds> samples; ///< of each repetition, all phases; empty: not kept
    std::string difference;           ///< what its own verification found; empty: nothing
    /// Which tasks the host ran, first and last of each stretch, by the reason; absent: not told.
    std::optional<std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>>>
        on_host;
};

/// What its user says of it.
struct RunNotes {
    std::string note;
    std::string baseline; ///< its name as a baseline; empty: it is none
    unsigned colour = 0;  ///< of the baseline
    bool operator==(const RunNotes&) const = default;
};

/// Plain figures of a run's document. Times in nanoseconds.
struct KeptRun {
    std::string id, date;
    std::string backend, device, strategy, engine, network;
    execute::RunRules rules; ///< all empty: kept before rules had lines
    std::string processor;   ///< of the machine that made it
    std::vector<std::string> sources;
    unsigned workers = 1;
    bool looked_closer = false; ///< verified or estimated on the way: no measure of speed
    std::vector<KeptBlock> blocks;
    std::uint64_t tasks = 0;
    std::uint64_t on_device = 0, on_host = 0; ///< accepted executions
    std::uint64_t succeeded = 0, reverted = 0, executions = 0, rounds = 0, in_order = 0, fuel = 0;
    std::uint64_t fuel_uncertain = 0; ///< messages whose exact fuel is not certain (docs/fuel.md)
    std::map<std::string, std::uint64_t> ejected; ///< attempts, by code
    execute::Phases phases;      ///< of the repetition whose wall is nearest to `wall`, all blocks
    execute::Phases last_phases; ///< of the last repetition, which the spans are of
    Nanoseconds wall = 0;        ///< median of the repetitions
    std::optional<std::pair<Nanoseconds, Nanoseconds>> interval; ///< 95 %, of the median
    std::uint64_t repetitions = 1;
    std::vector<Nanoseconds> walls;        ///< of each repetition in order; empty: not kept
    std::vector<Nanoseconds> serial_walls; ///< of the serial run beside each
    std::array<std::vector<Nanoseconds>, execute::phase_count> phase_samples; ///< as `walls`
    std::vector<Nanoseconds> execute_serial_samples;
    /// What it used over time, from the beginning of its first repetition to its end; null: not
    /// kept. Of the same time: when it was paused, which no measured time holds.
    std::shared_ptr<const profile::UsageSeries> usage;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses;
    std::size_t warm_up = 0; ///< repetitions at the front that no figure counts
    std::size_t batch_min = 0, batch_max = 0, window = 1;
    std::optional<double> measured_speedup; ///< as the run's document says it
    std::string version, kernel, compiler;  ///< of what made it
    unsigned cores = 0;
    std::string state_digest; ///< empty: not computed
    std::optional<bool> verified;
    RunNotes notes;
};

/// Reads a run's document. `place` names it in errors. What is of another type or out of its range
/// is an error that names its path; fields that this version does not know are left alone, phases
/// that it does not know are counted under `other`.
[[nodiscard]] Result<KeptRun> read_run(std::string_view document, std::string_view place);
/// The same of a document that was parsed within `run_limits`.
[[nodiscard]] Result<KeptRun> read_run(const JsonDocument& document);

/// What `runs list` says of it: date, sources, backend, strategy, blocks, tasks and the median wall
/// time, as the window shows them.
[[nodiscard]] std::string summary_of(const KeptRun& run);

/// A run as one file that takes its spans along, and back. The document's text is the same
/// afterwards. with_spans() leaves what is no run as it is.
[[nodiscard]] std::string with_spans(std::string_view document, std::string_view spans);
struct SeparatedRun {
    KeptRun run;
    std::string document;
    std::optional<std::string> spans; ///< bytes that were read once: they are a trace
};
[[nodiscard]] Result<SeparatedRun> without_spans(std::string_view file, const std::string& place);

/// The name of the part of a kept run that holds its spans.
inline constexpr std::string_view spans_part = "spans";

/// What the summary of a run that is a baseline says last, before the baseline's name.
inline constexpr std::string_view baseline_mark = " · baseline ";

} // namespace blockloom::runs
