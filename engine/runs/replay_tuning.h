// Which settings replay a range fastest on this machine: the points of a sweep, their measurements
// (made by tune_replay.h), and how a sweep is kept.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "execute/strategy.h"
#include "profile/tuning.h"
#include "runs/provenance.h"
#include "store/document_folder.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::runs {

/// One point: where rounds run, and how.
struct TuningSetting {
    std::string backend = "cpu"; ///< or one of TuningInput::devices
    execute::StrategyOptions how;
    /// Instructions that a device runs before it returns to the host (gpuvm::Options); 0: chosen by
    /// device. Always 0 on the CPU.
    std::uint32_t slice = 0;
};
[[nodiscard]] bool same_setting(const TuningSetting& a, const TuningSetting& b);

/// The space of a sweep. Each list has at least one value.
struct TuningSpace {
    std::vector<std::string> backends{"cpu"};
    std::vector<execute::Strategy> strategies{execute::Strategy::serial,
                                              execute::Strategy::speculative};
    std::vector<unsigned> workers{0};
    std::vector<std::size_t> batch_min{4}, batch_max{0};
    std::vector<std::uint32_t> windows{1};
    std::vector<std::uint32_t> slices{0}; ///< for points on a device
    /// For points on a device: whether its workers share the rounds (StrategyOptions::hybrid), 0 or
    /// 1.
    std::vector<std::uint32_t> hybrid{0};
};

/// All distinct points of the space. The serial strategy is one point on the CPU whatever the other
/// settings; a device runs no serial points.
[[nodiscard]] std::vector<TuningSetting> settings_of(const TuningSpace& space);

/// The points that a coarse sweep begins with: the ends and the middle of each list. The others are
/// measured only if they are predicted to come near the best (tuning_views.h).
[[nodiscard]] std::vector<std::size_t> coarse_points(const std::vector<TuningSetting>& settings);

/// "cpu speculative, 4 workers, batches 16 to 256, 1 block".
[[nodiscard]] std::string text_of(const TuningSetting& setting);

struct ReplayTuning {
    std::vector<TuningSetting> settings; ///< by point
    profile::Tuning tuning;
    std::string processor, device; ///< device: of backends other than the CPU; empty: none
    std::string code;              ///< identifies the contracts that ran: 16 hexadecimal digits
    std::string date;              ///< when it ended; empty while it runs
    std::string network, rules, fuel, engine; ///< rules: RunRules::line; fuel: counted or exact
    std::vector<std::string> sources;
    std::uint64_t blocks = 0, tasks = 0;
    std::uint64_t largest = 0;    ///< tasks of the largest block
    std::vector<Hash256> digests; ///< of the blocks, equal in every measured replay
    std::string state_digest;     ///< of all; empty if there was a state before the first block

    [[nodiscard]] const TuningSetting& best() const { return settings[tuning.best]; }
};

/// One document (schema blockloom.tuning/1), ends with a newline.
[[nodiscard]] std::string tuning_json(const ReplayTuning& tuned, const Provenance& made);

/// Reads what tuning_json wrote; best and band are computed again. Fails on any other document.
[[nodiscard]] Result<ReplayTuning> read_tuning(std::string_view document);
/// The setting of a point, as keep_tuning keeps it.
[[nodiscard]] Result<TuningSetting> read_setting(std::string_view document);

/// Keeps the last sweep of a device and code, so that it can be shown again.
Status keep_sweep(const store::DocumentFolder& tunings, const ReplayTuning& tuned,
                  const Provenance& made);
[[nodiscard]] Result<std::optional<ReplayTuning>> kept_sweep(const store::DocumentFolder& tunings,
                                                             const std::string& device,
                                                             const std::string& code);

/// Keeps a setting in the workspace, for the device and code of a sweep, and as the applied one.
Status keep_tuning(const store::DocumentFolder& tunings, const ReplayTuning& tuned,
                   const TuningSetting& setting);
/// The setting kept for a device and code; `device`: the processor's name if only the CPU was
/// swept. Both empty: the setting applied last. Nothing if there is none, or it cannot be read.
[[nodiscard]] Result<std::optional<TuningSetting>> kept_tuning(const store::DocumentFolder& tunings,
                                                               const std::string& device,
                                                               const std::string& code);

/// What keep_tuning replaces, so that it can be undone.
struct TuningLabels {
    std::vector<std::pair<std::string, std::string>> texts; ///< name and text
};
[[nodiscard]] Result<TuningLabels> tuning_labels(const store::DocumentFolder& tunings,
                                                 const ReplayTuning& tuned);
Status restore_labels(const store::DocumentFolder& tunings, const TuningLabels& labels);

} // namespace blockloom::runs
