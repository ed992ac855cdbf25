#include "vulkan/instance.h"

#include "vulkan/status_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace blockloom::vulkan {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

std::atomic<std::uint64_t> messages_of_all = 0;

bool layer_present() {
    std::uint32_t count = 0;
    if (vkEnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkLayerProperties> layers(count);
    if (vkEnumerateInstanceLayerProperties(&count, layers.data()) < 0) return false;
    return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
        return std::strcmp(layer.layerName, validation_layer) == 0;
    });
}

} // namespace

std::uint64_t Instance::all_messages() noexcept {
    return messages_of_all;
}

bool Instance::validation_asked() noexcept {
    const char* value = std::getenv("BLOCKLOOM_VALIDATION");
    return value != nullptr && std::string_view(value) == "1";
}

VkBool32 VKAPI_PTR Instance::heard(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                   VkDebugUtilsMessageTypeFlagsEXT,
                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* self) {
    // The loader also reports drivers that do not fit this machine through the same channel; that
    // is not the program's fault.
    const std::string_view id = data->pMessageIdName == nullptr ? "" : data->pMessageIdName;
    if (id == "Loader Message") return VK_FALSE;
    ++static_cast<Instance*>(self)->messages_;
    ++messages_of_all;
    fmt::print(stderr, "vulkan: {}\n", data->pMessage);
    return VK_FALSE;
}

Result<std::shared_ptr<Instance>> Instance::create(bool validation) {
    std::uint32_t loader = VK_API_VERSION_1_0;
    if (vkEnumerateInstanceVersion(&loader) != VK_SUCCESS || loader < minimum_version)
        return Error{ErrorCode::unavailable,
                     fmt::format("Vulkan loader: expected version 1.2 or newer, found {}",
                                 version_text(loader))};
    std::shared_ptr<Instance> made(new Instance);
    made->version_ = std::min<std::uint32_t>(loader, VK_API_VERSION_1_3);

    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "Blockloom";
    application.apiVersion = made->version_;
    VkDebugUtilsMessengerCreateInfoEXT listen{};
    listen.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    listen.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                             VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    listen.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    listen.pfnUserCallback = &Instance::heard;
    listen.pUserData = made.get();

    const bool listening = validation && layer_present();
    if (validation && !listening)
        fmt::print(stderr, "vulkan: validation was requested, but {} is not installed\n",
                   validation_layer);
    const VkValidationFeatureEnableEXT enabled =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features{};
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
    features.pNext = &listen;
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = &enabled;
    const std::vector<const char*> extensions{VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                              VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    if (listening) {
        info.pNext = &features;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &validation_layer;
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        info.ppEnabledExtensionNames = extensions.data();
    }
    VkResult result = vkCreateInstance(&info, nullptr, &made->instance_);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return Error{ErrorCode::unavailable,
                     "Vulkan: the loader found no driver (expected one in "
                     "/usr/share/vulkan/icd.d or named by VK_ICD_FILENAMES)"};
    if (result != VK_SUCCESS) return vulkan_error("vkCreateInstance", result);
    if (listening) {
        const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(made->instance_, "vkCreateDebugUtilsMessengerEXT"));
        if (create == nullptr ||
            (result = create(made->instance_, &listen, nullptr, &made->messenger_)) != VK_SUCCESS)
            return vulkan_error("vkCreateDebugUtilsMessengerEXT", result);
    }
    return made;
}

Instance::~Instance() {
    // An exception that passes through the loader, such as a driver's lack of memory, leaves the
    // loader's lock taken: destroying the instance would wait for it forever.
    if (std::uncaught_exceptions() != 0) return;
    if (messenger_ != VK_NULL_HANDLE) {
        const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
        if (destroy != nullptr) destroy(instance_, messenger_, nullptr);
    }
    if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

} // namespace blockloom::vulkan
