#include "compute/vulkan/pipeline_cache.h"

#include "base/file.h"
#include "compute/sealed_file.h"

namespace blockloom::compute {
namespace {

vulkan::PipelineCache make_cache(VkDevice device, ByteView content) {
    VkPipelineCacheCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    info.initialDataSize = content.size();
    info.pInitialData = content.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    if (vkCreatePipelineCache(device, &info, nullptr, &cache) != VK_SUCCESS) return {};
    return {device, cache};
}

} // namespace

PipelineStore::PipelineStore(const vulkan::Device& device, const std::filesystem::path& folder)
    : device_(device) {
    if (!folder.empty()) {
        file_ = folder / ("pipelines-" + device.info().identity);
        if (const auto file = FileContent::read(file_); file.ok()) {
            const ByteView content = unsealed(file->bytes());
            if (!content.empty()) cache_ = make_cache(device.get(), content);
            loaded_ = static_cast<bool>(cache_);
            if (loaded_) saved_bytes_ = content.size();
        }
    }
    if (!cache_) cache_ = make_cache(device.get(), {});
}

void PipelineStore::save() {
    if (file_.empty() || !cache_) return;
    const std::lock_guard lock(saving_);
    std::size_t bytes = 0;
    if (vkGetPipelineCacheData(device_.get(), cache_.get(), &bytes, nullptr) != VK_SUCCESS) return;
    // Caches only grow; the same size is the same content.
    if (bytes == 0 || bytes == saved_bytes_) return;
    Bytes content(bytes);
    if (vkGetPipelineCacheData(device_.get(), cache_.get(), &bytes, content.data()) != VK_SUCCESS)
        return;
    content.resize(bytes);
    std::error_code failed;
    std::filesystem::create_directories(file_.parent_path(), failed);
    if (!failed && write_file(file_, sealed(content), Durability::at_leisure).ok())
        saved_bytes_ = bytes;
}

} // namespace blockloom::compute
