// What a device is doing now, for those who watch a run.
#pragma once

#include "gpuvm/options.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Shares of a second, 0 … 1, by the device's clock; the rest it was idle.
struct DeviceShares {
    double computing = 0;    ///< some kernel ran
    double transferring = 0; ///< an upload or a download, and no kernel
    [[nodiscard]] double idle() const noexcept { return 1 - computing - transferring; }
};

struct LiveDevice {
    std::string name;
    std::uint64_t ended = 0;              ///< waves: submissions that have ended
    std::vector<std::uint32_t> in_flight; ///< numbers of waves, in the order in which they began
    std::uint64_t messages = 0;           ///< in them
    /// Of the last second; while waves are in flight, of the second until the last one ended: what
    /// they do is known when they end. Absent: none has ended.
    std::optional<DeviceShares> shares;
};

/// Thread-safe.
class DeviceActivity {
public:
    void launched(std::uint32_t number, std::uint32_t messages);
    void ended(const gpuvm::SubmissionTimes& times);
    /// The device failed, or the run was cancelled: nothing that was in flight will end.
    void abandoned();

    /// `at`: as now_ns() returns it. `since`: what was before does not count.
    [[nodiscard]] LiveDevice now(Nanoseconds at, Nanoseconds since) const;

private:
    static constexpr Nanoseconds second = 1'000'000'000;
    static constexpr std::size_t most = 4096; ///< of the latest

    struct Flight {
        std::uint32_t number = 0, messages = 0;
    };
    mutable std::mutex guard_;
    std::uint64_t ended_ = 0;
    std::vector<Flight> flights_;
    std::deque<gpuvm::SubmissionTimes> latest_; ///< in the order in which they ended
};

} // namespace blockloom::execute
