// A kept run as its document (blockloom.run/1) describes it, for display and comparison.
#pragma once

#include "base/result.h"
#include "execute/phases.h"
#include "execute/run_rules.h"
#include "profile/span.h"
#include "profile/usage.h"
#include "range/check_result.h"
#include "range/unknown_values.h"
#include "runs/kept_aborts.h"
#include "runs/kept_code.h"
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
    /// The measured times of its tasks: their sum, and the critical path; absent: not recorded.
    std::optional<std::pair<Nanoseconds, Nanoseconds>> work_and_path;
    std::vector<Nanoseconds> samples; ///< of each repetition, all phases; empty: not kept
    std::string difference;           ///< what its own verification found; empty: none
    /// The strategy that was chosen for it, and why: "dag: …"; empty: there was no choice.
    std::string choice;
    KeptAborts aborted;
    /// Tasks that the host ran, as ranges (first, last) by reason; absent: not recorded.
    std::optional<std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>>>
        on_host;
    /// Tasks first … last, and the number of the device's wave in which they ran; empty: not
    /// recorded.
    struct Wave {
        std::uint32_t number = 0;
        std::uint64_t first = 0, last = 0;
    };
    std::vector<Wave> waves;
};

/// What the user noted about it.
struct RunNotes {
    std::string note;
    std::string baseline; ///< its name as a baseline; empty: it is not one
    unsigned colour = 0;  ///< of the baseline
    bool operator==(const RunNotes&) const = default;
};

/// How a run was compared with the serial reference after it had been measured.
struct Verification {
    std::string date, version; ///< when, UTC; by which Blockloom
    std::string engine;        ///< that executed the serial reference
    std::uint64_t blocks = 0;  ///< that are equal
    std::string difference{};  ///< the first; empty: all are equal
    [[nodiscard]] bool equal() const noexcept { return difference.empty(); }
};

/// The figures of a run's document. Times in nanoseconds.
struct KeptRun {
    std::string id, date;
    std::string backend, device, strategy, engine, network;
    execute::RunRules rules; ///< all empty: kept by an older version
    std::string processor;   ///< of the machine it ran on
    std::vector<std::string> sources;
    unsigned workers = 1;
    bool looked_closer = false;   ///< verified or estimated, which its times include
    bool verify = false;          ///< verified on the way, message by message
    std::string workspace;        ///< of the state; empty: it was kept in memory
    std::string state;            ///< where else the state was read from; empty: nowhere
    range::UnknownValues unknown; ///< of that state: every figure rests on them
    std::vector<KeptBlock> blocks;
    std::uint64_t tasks = 0;
    std::uint64_t on_device = 0, on_host = 0; ///< accepted executions
    std::uint64_t succeeded = 0, reverted = 0, executions = 0, rounds = 0, in_order = 0, fuel = 0;
    std::uint64_t fuel_uncertain = 0; ///< messages whose exact fuel is uncertain (docs/fuel.md)
    std::map<std::string, std::uint64_t> ejected; ///< attempts, by code
    std::vector<KeptCode> code; ///< what its device ran; empty: none was used, or an older version
    AbortCounts aborted;        ///< of all blocks that recorded them
    execute::Phases phases;     ///< of the median repetition: they sum to its wall time
    std::uint64_t median_repetition = 0; ///< its number, from 1; 0: not recorded, `phases` are of
                                         ///< the last one
    execute::Phases last_phases;         ///< of the last repetition, to which the spans belong
    Nanoseconds wall = 0;                ///< median of the repetitions
    std::optional<std::pair<Nanoseconds, Nanoseconds>> interval; ///< 95 %, of the median
    std::uint64_t repetitions = 1;
    std::vector<Nanoseconds> walls;        ///< of each repetition in order; empty: not kept
    std::vector<Nanoseconds> serial_walls; ///< of the serial run with each
    std::array<std::vector<Nanoseconds>, execute::phase_count> phase_samples; ///< as `walls`
    std::vector<Nanoseconds> execute_serial_samples;
    /// The resources it used over time, from the beginning of its first repetition to its end;
    /// null: not recorded. Then the pauses in that time, which are excluded from all measured
    /// times.
    std::shared_ptr<const profile::UsageSeries> usage;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses;
    std::size_t warm_up = 0; ///< repetitions at the beginning, excluded from all figures
    std::size_t batch_min = 0, batch_max = 0, window = 1;
    bool hybrid = false;                    ///< workers shared the device's rounds
    std::optional<double> measured_speedup; ///< as in the run's document
    std::string version, kernel, compiler;  ///< of the program that made it
    unsigned cores = 0;
    std::string state_digest;                 ///< empty: not computed
    std::optional<bool> verified;             ///< false: mismatch; absent: not compared
    std::optional<Verification> verification; ///< after the run; absent: it was not
    std::optional<range::NodeCheck> check;    ///< with a node's records; absent: there was none
    RunNotes notes;
};

/// Reads a run's document. `place` names it in errors. A value of the wrong type or out of range is
/// an error that names its path; unknown fields are ignored, unknown phases are counted as `other`.
[[nodiscard]] Result<KeptRun> read_run(std::string_view document, std::string_view place);
/// The same for a document that was parsed within `run_limits`.
[[nodiscard]] Result<KeptRun> read_run(const JsonDocument& document);

/// What the run recorded of aborted attempts of its block at a height; nothing: it has no such
/// block.
[[nodiscard]] KeptAborts aborts_of(const KeptRun& run, std::uint64_t height);

/// The line of `runs list`: date, sources, backend, strategy, blocks, tasks and median wall time,
/// as the window shows them.
[[nodiscard]] std::string summary_of(const KeptRun& run);

/// A run as one file that includes its spans, and back. The document's text is unchanged by a round
/// trip. with_spans() leaves a text that is not a run unchanged.
[[nodiscard]] std::string with_spans(std::string_view document, std::string_view spans);
struct SeparatedRun {
    KeptRun run;
    std::string document;
    std::optional<std::string> spans; ///< bytes that have been checked to be a trace
};
[[nodiscard]] Result<SeparatedRun> without_spans(std::string_view file, const std::string& place);

/// The name of the part of a kept run that holds its spans.
inline constexpr std::string_view spans_part = "spans";

/// The end of a baseline's summary, before the name of the baseline.
inline constexpr std::string_view baseline_mark = " · baseline ";

} // namespace blockloom::runs
