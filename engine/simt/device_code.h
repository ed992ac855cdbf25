// A program's function compiled for a device, with windows of memory that a profile of its first
// lanes shows, and compiled again when lanes leave there.
#pragma once

#include "base/clock.h"
#include "compute/provider.h"
#include "gpuvm/image.h"
#include "gpuvm/machine.h"
#include "native/lanes/plan.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace blockloom::simt {

/// Code on a device, and what it relies on.
struct DeviceKernel {
    compute::KernelPtr kernel;
    native::LanePlan plan;
    std::uint32_t threads = 0; ///< of a group
};

/// Of one provider. Used by any thread.
class DeviceCode {
public:
    /// While it is `profiling` some lanes run on the host.
    using State = gpuvm::CodeState;

    /// The image's bytes are not kept. If an earlier start of the program has kept what memory its
    /// lanes need, it is compiled for that at once.
    DeviceCode(const gpuvm::InstanceImage& image, const compute::ProviderPtr& provider,
               std::uint32_t function);
    ~DeviceCode();
    DeviceCode(const DeviceCode&) = delete;
    DeviceCode& operator=(const DeviceCode&) = delete;

    [[nodiscard]] State state() const;
    /// Null unless it is ready.
    [[nodiscard]] std::shared_ptr<const DeviceKernel> kernel() const;
    /// Why it is refused.
    [[nodiscard]] std::optional<Error> error() const;
    [[nodiscard]] bool is_for(const compute::ProviderPtr& provider, std::uint32_t function) const;
    /// The provider is gone, and nothing is being compiled for it.
    [[nodiscard]] bool unused() const;

    /// What has been compiled so far.
    struct Facts {
        std::uint32_t function = 0;
        std::uint32_t compilations = 0; ///< that succeeded
        Nanoseconds took = 0;           ///< the last one, from plan to loaded kernel
        bool kept = false;              ///< its machine code was there from an earlier start
        std::uint32_t lane_bytes = 0;   ///< of a lane's frame: its windows of memory and globals
        std::uint32_t windows = 0;
        std::vector<gpuvm::Compilation> compiled; ///< each of them
        Nanoseconds compiling_since = 0;          ///< 0: nothing is being compiled
    };
    [[nodiscard]] Facts facts() const;

    /// Counts lanes that are to run this code: it is not compiled for a few.
    void want(std::size_t lanes) noexcept { wanted_ += lanes; }
    [[nodiscard]] bool pays() const noexcept { return wanted_ >= worth_compiling; }
    static constexpr std::size_t worth_compiling = 64;

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
    [[nodiscard]] std::string note_key() const;
    void recall(compute::Provider& provider);
    void keep(compute::Provider& provider, const std::vector<std::uint32_t>& pages) const;
    [[nodiscard]] Result<std::shared_ptr<const DeviceKernel>>
    make(compute::Provider& provider, const std::vector<std::uint32_t>& pages) const;

    std::atomic<std::size_t> wanted_{0};
    native::LaneStart start_;
    std::weak_ptr<compute::Provider> provider_;
    const compute::Provider* which_;
    std::uint32_t function_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::set<std::uint32_t> seen_;
    std::size_t compiled_pages_ = 0; ///< of seen_ when the last code was made
    Facts facts_;
    bool running_ = false;
    std::shared_ptr<const DeviceKernel> kernel_;
    std::optional<Error> error_;
    std::jthread thread_;
};

} // namespace blockloom::simt
