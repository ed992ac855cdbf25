// A program's function compiled for a device, with windows of memory that a profile of its first
// lanes shows, and compiled again when lanes leave there.
#pragma once

#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"
#include "simt/lane_variant.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace blockloom::simt {

/// Used by any thread.
class DeviceCode {
public:
    enum class State : std::uint8_t {
        profiling, ///< nothing is known of its memory yet: some lanes run on the host
        compiling,
        ready,
        refused, ///< it cannot be compiled
    };

    /// `image` and `rules` outlive it.
    DeviceCode(const gpuvm::InstanceImage& image, const std::vector<gpuvm::HostRule>& rules,
               compute::ProviderPtr provider, std::uint32_t function);
    ~DeviceCode();
    DeviceCode(const DeviceCode&) = delete;
    DeviceCode& operator=(const DeviceCode&) = delete;

    [[nodiscard]] State state() const;
    /// Null unless it is ready.
    [[nodiscard]] std::shared_ptr<const LaneVariant> variant() const;
    [[nodiscard]] std::string why() const; ///< it is refused

    /// Small pages that a lane wrote.
    void saw(std::span<const std::uint32_t> pages);
    /// Compiles for the pages seen, in the background; nothing if that runs, or if they are those
    /// of the code that is there.
    void compile();
    /// Waits until nothing is being compiled.
    void wait() const;

    /// The most memory of a lane: each thread that the device can hold has as much.
    static constexpr std::uint32_t most_frame_bytes = 96 << 10;

private:
    [[nodiscard]] Result<std::shared_ptr<const LaneVariant>>
    make(const std::vector<std::uint32_t>& pages) const;
    void run(std::vector<std::uint32_t> pages);

    const gpuvm::InstanceImage& image_;
    const std::vector<gpuvm::HostRule>& rules_;
    compute::ProviderPtr provider_;
    std::uint32_t function_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::set<std::uint32_t> seen_;
    std::size_t compiled_pages_ = 0; ///< of seen_ when the last code was made
    bool running_ = false;
    std::shared_ptr<const LaneVariant> variant_;
    std::string why_;
    std::jthread thread_;
};

} // namespace blockloom::simt
