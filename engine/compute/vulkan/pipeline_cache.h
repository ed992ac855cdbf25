// Compiled kernels kept on disk, by device and driver.
#pragma once

#include "base/bytes.h"
#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>

namespace blockloom::compute {

/// The cache that every kernel of a device is compiled with. A file that is missing, broken or of
/// another driver is as good as none and is replaced. Never an error: only slower.
class PipelineStore {
public:
    /// An empty `folder`: nothing is kept.
    PipelineStore(const vulkan::Device& device, const std::filesystem::path& folder);

    [[nodiscard]] VkPipelineCache get() const noexcept { return cache_.get(); }
    /// True if a file was read that the driver took.
    [[nodiscard]] bool loaded() const noexcept { return loaded_; }
    /// Bytes on disk are replaced in one step if there is anything new.
    void save();

private:
    const vulkan::Device& device_;
    std::filesystem::path file_;
    vulkan::PipelineCache cache_;
    bool loaded_ = false;
    std::mutex saving_;
    std::size_t saved_bytes_ = 0;
};

/// The bytes of a cache file: what the driver gave and a SHA-256 before it, because drivers trust
/// what they read. Nothing if the file is not whole.
[[nodiscard]] Bytes sealed(ByteView content);
[[nodiscard]] ByteView unsealed(ByteView file);

} // namespace blockloom::compute
