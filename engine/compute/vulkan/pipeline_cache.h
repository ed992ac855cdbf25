// Compiled kernels, cached on disk by device and driver.
#pragma once

#include "base/bytes.h"
#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>

namespace blockloom::compute {

/// The pipeline cache with which every kernel of a device is compiled. A file that is missing,
/// damaged or from another driver is ignored and replaced. That is never an error, only slower.
class PipelineStore {
public:
    /// With an empty `folder` nothing is kept.
    PipelineStore(const vulkan::Device& device, const std::filesystem::path& folder);

    [[nodiscard]] VkPipelineCache get() const noexcept { return cache_.get(); }
    /// True if a file was read and the driver accepted it.
    [[nodiscard]] bool loaded() const noexcept { return loaded_; }
    /// Replaces the file atomically if there is anything new.
    void save();

private:
    const vulkan::Device& device_;
    std::filesystem::path file_;
    vulkan::PipelineCache cache_;
    bool loaded_ = false;
    std::mutex saving_;
    std::size_t saved_bytes_ = 0;
};

} // namespace blockloom::compute
