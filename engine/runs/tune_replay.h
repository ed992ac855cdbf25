// Measures which settings replay a range fastest on this machine.
#pragma once

#include "base/progress.h"
#include "execute/replayer.h"
#include "runs/replay_tuning.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::runs {

/// A device that points refer to by `backend`.
struct TuningDevice {
    std::string backend; ///< "vulkan", "vulkan:1"
    std::string name;
    std::shared_ptr<compute::Provider> provider;
};

/// Opens the device "vulkan" or "vulkan:1" and sets what depends on the configuration in `base`.
/// `place`: what named it, for messages. Error `unavailable`: it cannot be used.
[[nodiscard]] Result<TuningDevice> open_tuning_device(const std::string& backend,
                                                      const std::string& place,
                                                      execute::ReplayOptions& base);

/// What is replayed.
struct TuningInput {
    std::span<const execute::ReplaySource> blocks;
    const state::StateView* before = nullptr; ///< null: the empty state
    execute::ReplayOptions base;              ///< engine, network, contracts, time limit
    std::vector<TuningDevice> devices{};      ///< for points whose backend is not "cpu"
    std::string code{};                       ///< if known; empty: from what runs
    /// Called with the measurements so far before each replay, on the replaying thread. May be
    /// empty.
    std::function<void(const std::shared_ptr<const ReplayTuning>&)> seen{};
};

/// Replays the blocks repeatedly and commits nothing. Error `verification` if a setting gives
/// another state than the first one did: it is never reported as fast. `coarse`: points that are
/// predicted to be more than a quarter slower than the best are left out.
[[nodiscard]] Result<ReplayTuning> tune_replay(const TuningInput& input, const TuningSpace& space,
                                               const profile::TuningOptions& options, bool coarse,
                                               ProgressSink& progress, const std::stop_token& stop);

/// Measures one setting `times` times after one warm-up. Its samples are added to those in `known`
/// (of the same blocks; may be empty), and best and band are computed again.
[[nodiscard]] Result<ReplayTuning> measure_setting(const TuningInput& input, ReplayTuning known,
                                                   const TuningSetting& setting, unsigned times,
                                                   ProgressSink& progress,
                                                   const std::stop_token& stop);

/// The contracts that ran in these blocks: 16 hexadecimal digits.
[[nodiscard]] std::string
code_of(std::span<const std::shared_ptr<const execute::ReplayedBlock>> blocks);

} // namespace blockloom::runs
