// A program's function compiled for a device: the windows of memory and the blocks that a profile
// of its first lanes shows. It is compiled again when lanes leave what was shown.
#pragma once

#include "base/clock.h"
#include "compute/provider.h"
#include "gpuvm/image.h"
#include "gpuvm/machine.h"
#include "native/lanes/plan.h"
#include "simt/lane_profile.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
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

    /// The image's bytes are not kept. If an earlier start of the program has kept a profile, it is
    /// compiled for that at once. `ran`: what lanes on the host record.
    DeviceCode(const gpuvm::InstanceImage& image, const compute::ProviderPtr& provider,
               std::uint32_t function, std::shared_ptr<const native::RanBlocks> ran);
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
        std::uint32_t instructions = 0;           ///< of the program that the code is for, at most
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
    /// A lane left what the code is for. True: it is to run on the host, to show what it needs. A
    /// few of all batches are enough, and none while that is being compiled.
    [[nodiscard]] bool missed();
    /// Compiles for what was seen, in the background; nothing if that runs, if the code that is
    /// there is for the same, or if too few lanes have left it (first_misses).
    void compile();
    /// Waits until nothing is being compiled.
    void wait() const;

    /// The most memory of a lane: each thread that the device can hold has as much.
    static constexpr std::uint32_t most_frame_bytes = 96 << 10;
    /// So many lanes leave before it is compiled a second time, and twice as many as before each
    /// time after: compiling takes seconds, and a program shows most of itself early.
    static constexpr std::uint64_t first_misses = 16;
    /// So many of them run on the host before that.
    static constexpr std::uint64_t most_shown = 64;

private:
    [[nodiscard]] std::string note_key() const;
    void recall(compute::Provider& provider);
    void keep(compute::Provider& provider, const LaneProfile& profile) const;
    [[nodiscard]] Result<std::shared_ptr<const DeviceKernel>>
    make(compute::Provider& provider, const LaneProfile& profile) const;
    void compile_locked(const native::RanCode& ran);

    std::atomic<std::size_t> wanted_{0};
    /// Of the image, what no lane was seen to read or write; none if the profile needs all.
    [[nodiscard]] std::set<std::uint32_t> unread(const LaneProfile& profile) const;

    native::LaneStart start_;
    std::set<std::uint32_t> image_pages_; ///< small ones that are not zero at the start
    std::weak_ptr<compute::Provider> provider_;
    const compute::Provider* which_;
    std::uint32_t function_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::shared_ptr<const native::RanBlocks> ran_;
    LaneProfile seen_, compiled_;                ///< so far; that of the last attempt
    std::uint64_t misses_ = 0, shown_ = 0;       ///< since then; how many of them were to show it
    std::uint64_t needed_misses_ = first_misses; ///< for the next one
    Facts facts_;
    bool running_ = false;
    std::shared_ptr<const DeviceKernel> kernel_;
    std::optional<Error> error_;
    std::jthread thread_;
};

} // namespace blockloom::simt
