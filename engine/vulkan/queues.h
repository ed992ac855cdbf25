// Chooses the queues of a device: one for all work and, if available, a second for copies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

struct QueuePlace {
    std::uint32_t family = 0, index = 0;
    friend bool operator==(const QueuePlace&, const QueuePlace&) = default;
};

struct QueueChoice {
    bool found = false;        ///< false: no family has everything in `needed`
    QueuePlace work, transfer; ///< equal: one queue does both
};

[[nodiscard]] std::vector<VkQueueFamilyProperties> queue_families(VkPhysicalDevice device);

/// `work`: the first family with all of `needed`. `transfer` (if requested): the copy engine of a
/// family without compute and graphics, else a queue of another family, else a second queue of the
/// same one, else `work`.
[[nodiscard]] QueueChoice choose_queues(std::span<const VkQueueFamilyProperties> families,
                                        VkQueueFlags needed, bool with_transfer);

} // namespace blockloom::vulkan
