#include "vulkan/queues.h"

namespace blockloom::vulkan {
namespace {

constexpr VkQueueFlags heavy = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;

/// Graphics and compute families support copies without listing it.
bool copies(const VkQueueFamilyProperties& family) {
    return family.queueCount > 0 && (family.queueFlags & (heavy | VK_QUEUE_TRANSFER_BIT)) != 0;
}

} // namespace

QueueChoice choose_queues(std::span<const VkQueueFamilyProperties> families, VkQueueFlags needed,
                          bool with_transfer) {
    QueueChoice choice;
    const auto count = static_cast<std::uint32_t>(families.size());
    for (std::uint32_t i = count; i-- > 0;)
        if ((families[i].queueFlags & needed) == needed && families[i].queueCount > 0) {
            choice.found = true;
            choice.work = {i, 0};
        }
    choice.transfer = choice.work;
    if (!choice.found || !with_transfer) return choice;
    if (families[choice.work.family].queueCount > 1) choice.transfer.index = 1;
    for (const VkQueueFlags without : {VkQueueFlags{0}, heavy}) // the better choice comes last
        for (std::uint32_t i = count; i-- > 0;) {
            if (i == choice.work.family || !copies(families[i])) continue;
            // Video engines also list copies, with their own limits.
            constexpr VkQueueFlags known = heavy | VK_QUEUE_TRANSFER_BIT |
                                           VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
            if ((families[i].queueFlags & ~known) != 0) continue;
            if ((families[i].queueFlags & without) == 0) choice.transfer = {i, 0};
        }
    return choice;
}

std::vector<VkQueueFamilyProperties> queue_families(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    return families;
}

} // namespace blockloom::vulkan
