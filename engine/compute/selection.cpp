#include "compute/selection.h"

#include "base/number_text.h"
#include "compute/cpu/cpu_provider.h"
#include "compute/cuda/cuda_provider.h"
#include "compute/vulkan/vulkan_provider.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::compute {
namespace {

Description absent(const char* backend, const std::string& why) {
    Description none;
    none.backend = backend;
    none.why = why;
    return none;
}

std::vector<Description> vulkan_devices(const Settings& settings) {
    VulkanDevices found = list_vulkan_devices();
    if (found.devices.empty()) return {absent("vulkan", found.why)};
    if (settings.disable_gpu.value)
        for (Description& device : found.devices)
            if (device.usable())
                device.why = fmt::format("GPUs are disabled ({})", settings.disable_gpu.place);
    return std::move(found.devices);
}

std::vector<Description> cuda_devices(const Settings& settings) {
    CudaDevices found;
    if (settings.disable_gpu.value)
        found.why = fmt::format("GPUs are disabled ({})", settings.disable_gpu.place);
    else
        found = list_cuda_devices();
    if (found.devices.empty()) return {absent("cuda", found.why)};
    return std::move(found.devices);
}

/// Smaller is better: what a named backend takes without an index.
int rank(const Description& device) {
    switch (device.kind) {
    case DeviceKind::gpu:
        return 0;
    case DeviceKind::shared_gpu:
        return 1;
    case DeviceKind::virtual_gpu:
        return 2;
    case DeviceKind::processor:
    case DeviceKind::other:
        return 3;
    case DeviceKind::software:
        break;
    }
    return 4;
}

Result<Choice> named_device(const Settings& settings, const std::vector<Description>& devices) {
    const std::string& backend = settings.backend.value;
    const Description* taken = nullptr;
    std::string others; // the reasons of the requested ones
    for (const Description& device : devices) {
        if (device.backend != backend) continue;
        const bool meant = !settings.device.value || *settings.device.value == device.index;
        if (!device.name.empty() && !meant) continue;
        if (!device.usable())
            others += fmt::format("{}{}{}", others.empty() ? "" : "; ",
                                  device.name.empty() ? "" : device.name + ": ", device.why);
        else if (taken == nullptr || rank(device) < rank(*taken))
            taken = &device;
    }
    const std::string index =
        settings.device.value ? fmt::format(", device {}", *settings.device.value) : "";
    if (taken == nullptr)
        return Error{ErrorCode::unavailable,
                     fmt::format("backend {}{}: {}", backend, index,
                                 others.empty() ? "no such device" : others)};
    return Choice{
        *taken, fmt::format("{}{} was requested ({})", backend, index, settings.backend.place), {}};
}

std::string compared(const std::vector<std::pair<Description, Throughput>>& measured) {
    std::string text;
    for (const auto& [device, throughput] : measured)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", device.name,
                            time_text(std::llround(throughput.reference_seconds() * 1e9)));
    return text;
}

Result<Choice> automatic_device(const Settings& settings, const std::vector<Description>& devices,
                                const std::filesystem::path& cache) {
    const auto processor = std::find_if(devices.begin(), devices.end(), [](const Description& d) {
        return d.kind == DeviceKind::processor;
    });
    if (processor == devices.end())
        return Error{ErrorCode::unavailable, "auto: the processor is missing from the list"};
    std::string against;
    std::vector<const Description*> candidates;
    const auto reject = [&](const Description& device, const std::string& why) {
        against += fmt::format("{}{}: {}", against.empty() ? "" : "; ",
                               device.name.empty() ? device.backend : device.name, why);
    };
    for (const Description& device : devices) {
        if (&device == &*processor || device.backend == "cuda" || device.backend == "simt")
            continue;
        const bool other = settings.device.value && *settings.device.value != device.index;
        if (!device.usable())
            reject(device, device.why);
        else if (other)
            reject(device, fmt::format("device {} was requested ({})", *settings.device.value,
                                       settings.device.place));
        else if (device.kind == DeviceKind::software)
            reject(device, "a software device, which uses the same cores but is slower");
        else
            candidates.push_back(&device);
    }
    if (candidates.empty())
        return Choice{*processor, fmt::format("no GPU to compare with ({})", against), {}};
    candidates.insert(candidates.begin(), &*processor);

    Choice choice;
    for (const Description* device : candidates) {
        Settings plain = settings;
        plain.validation = {}; // would measure the layer
        const auto opened = open_device(*device, plain);
        const auto throughput =
            opened.ok() ? throughput_of(**opened, cache) : Result<Throughput>(opened.error());
        if (throughput.ok())
            choice.measured.emplace_back(*device, *throughput);
        else
            reject(*device, throughput.error().message);
    }
    if (choice.measured.empty()) return Choice{*processor, against, {}};
    choice.device = choice.measured[best_of(choice.measured)].first;
    const bool remembered = std::all_of(choice.measured.begin(), choice.measured.end(),
                                        [](const auto& entry) { return entry.second.remembered; });
    choice.reason = fmt::format("shortest reference batch, {}: {}{}{}",
                                remembered ? "measured earlier" : "measured now",
                                compared(choice.measured), against.empty() ? "" : "; ", against);
    return choice;
}

} // namespace

std::vector<Description> list_devices(const Settings& settings) {
    std::vector<Description> devices{describe_processor()};
    for (Description& device : vulkan_devices(settings)) devices.push_back(std::move(device));
    for (Description& device : cuda_devices(settings)) devices.push_back(std::move(device));
    devices.push_back(describe_lanes());
    return devices;
}

std::size_t best_of(const std::vector<std::pair<Description, Throughput>>& measured) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < measured.size(); ++i)
        if (measured[i].second.reference_seconds() < measured[best].second.reference_seconds())
            best = i;
    return best;
}

Result<Choice> choose_device(const Settings& settings, const std::vector<Description>& devices,
                             const std::filesystem::path& cache) {
    return settings.backend.value == "auto" ? automatic_device(settings, devices, cache)
                                            : named_device(settings, devices);
}

Result<ProviderPtr> open_device(const Description& device, const Settings& settings) {
    ProviderOptions options;
    options.validation = settings.validation.value;
    options.memory_limit = settings.memory_limit.value;
    options.cache_folder = cache_folder().string();
    if (device.backend == "cpu") return open_processor(options);
    if (device.backend == "simt") return open_lanes(options);
    if (device.backend == "vulkan" && device.usable()) return open_vulkan(device.index, options);
    if (device.backend == "cuda" && device.usable()) return open_cuda(device.index, options);
    return Error{ErrorCode::unavailable, fmt::format("backend {}: {}", device.backend, device.why)};
}

Result<Opened> open_provider(const Settings& settings) {
    const auto choice = choose_device(settings, list_devices(settings), cache_folder());
    if (!choice.ok()) return choice.error();
    auto provider = open_device(choice->device, settings);
    if (!provider.ok()) return provider.error();
    return Opened{std::move(*provider), choice->reason};
}

} // namespace blockloom::compute
