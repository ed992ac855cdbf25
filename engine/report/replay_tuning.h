// Which settings replay a range fastest on this machine: the points of the sweep, what was
// measured, and how it is kept (spec of the command line, "tune").
#pragma once

#include "execute/replay.h"
#include "profile/tuning.h"
#include "report/provenance.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::report {

/// One point: where rounds run, and how.
struct TuningSetting {
    std::string backend = "cpu";
    execute::StrategyOptions how;
};

/// What is swept. Each list has at least one value.
struct TuningSpace {
    std::vector<std::string> backends{"cpu"};
    std::vector<execute::Strategy> strategies{execute::Strategy::serial,
                                              execute::Strategy::speculative};
    std::vector<unsigned> workers{0};
    std::vector<std::size_t> batch_min{4}, batch_max{0};
    std::vector<std::uint32_t> windows{1};
};

/// Every different point of the space. The serial strategy is one point, on the CPU, whatever the
/// rest says; a device runs no serial points.
[[nodiscard]] std::vector<TuningSetting> settings_of(const TuningSpace& space);

/// "cpu speculative, 4 workers, batches 16 to 256, 1 block".
[[nodiscard]] std::string text_of(const TuningSetting& setting);

struct ReplayTuning {
    std::vector<TuningSetting> settings; ///< by point
    profile::Tuning tuning;
    std::string processor, device; ///< device: of backends that are not the CPU; empty: none
    std::string code;              ///< the contracts that ran: 16 hexadecimal digits
    std::string network, engine;
    std::vector<std::string> sources;
    std::uint64_t blocks = 0, tasks = 0;
    std::string state_digest; ///< that every measured replay came to

    [[nodiscard]] const TuningSetting& best() const { return settings[tuning.best]; }
};

/// What the sweep replays.
struct TuningInput {
    std::span<const execute::ReplaySource> blocks;
    const state::StateView* before = nullptr; ///< null: the empty state
    execute::ReplayOptions base;              ///< engine, network, contracts; `device`: of points
                                              ///< whose backend is not the CPU
    std::string device_name;
};

/// Replays the blocks again and again, commits nothing. Error `verification` where a setting comes
/// to another state than the first one did: it is never reported as fast.
[[nodiscard]] Result<ReplayTuning> tune_replay(const TuningInput& input, const TuningSpace& space,
                                               const profile::TuningOptions& options,
                                               ProgressSink& progress, const std::stop_token& stop);

/// Medians over two of the dimensions for one backend and strategy: each cell is the best point of
/// those that share its values.
struct HeatMap {
    struct Cell {
        double median = 0;     ///< nanoseconds; 0: not measured
        std::size_t point = 0; ///< that it is of
        bool in_band = false;
    };
    std::string backend, strategy;
    std::string x_name, y_name; ///< "batch_max", "batch_min"
    std::vector<std::uint64_t> x, y;
    std::vector<Cell> cells; ///< row by row: y.size() × x.size()
};
enum class TuningAxis : std::uint8_t { workers, batch_min, batch_max, window };
[[nodiscard]] HeatMap heat_map(const ReplayTuning& tuned, const std::string& backend,
                               execute::Strategy strategy, TuningAxis x, TuningAxis y);

/// One document (schema blockloom.tuning/1), ends with a newline.
[[nodiscard]] std::string tuning_json(const ReplayTuning& tuned, const Provenance& made);

/// Keeps the best point in the workspace, for this device and code, and as the one that is applied.
Status keep_tuning(store::Workspace& workspace, const ReplayTuning& tuned);
/// What was kept for a device and code; `device` the processor's name where only that was swept.
/// Both empty: what was applied last. Nothing where there is none, or none that can be read.
[[nodiscard]] Result<std::optional<TuningSetting>>
kept_tuning(const store::Workspace& workspace, const std::string& device, const std::string& code);

} // namespace blockloom::report
