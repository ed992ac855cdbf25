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

/// On one card, by CUDA instead of Vulkan: the same figures differ by little and from run to run,
/// but compiled contracts take a tenth of the time (docs/gpuvm.md#measured).
constexpr double much_slower = 2;

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

using Measured = std::vector<std::pair<Description, Throughput>>;

std::string name_with_backend(const Description& device) {
    return device.name.empty() ? device.backend : fmt::format("{} {}", device.backend, device.name);
}

std::string compared(const Measured& measured) {
    std::string text;
    for (const auto& [device, throughput] : measured)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_with_backend(device),
                            time_text(std::llround(throughput.reference_seconds() * 1e9)));
    return text;
}

/// The same card by CUDA and by Vulkan: with both, an identity begins with the card's UUID.
bool is_same_card(const Description& a, const Description& b) {
    constexpr std::size_t uuid = 32; // digits
    const auto of = [](const Description& device) { return device.identity.substr(0, uuid); };
    return of(a).size() == uuid && of(a) == of(b) &&
           of(a).find_first_not_of('0') != std::string::npos;
}

std::size_t shortest(const Measured& measured) {
    const auto least = std::ranges::min_element(
        measured, {}, [](const auto& entry) { return entry.second.reference_seconds(); });
    return static_cast<std::size_t>(least - measured.begin());
}

/// The choice of `auto`, made once.
class AutomaticChoice {
public:
    AutomaticChoice(const Settings& settings, const std::filesystem::path& cache,
                    const OpenDevice& open)
        : settings_(settings), cache_(cache), open_(open) {}

    Result<std::pair<Choice, ProviderPtr>> among(const std::vector<Description>& devices) {
        const auto processor =
            std::ranges::find(devices, DeviceKind::processor, &Description::kind);
        if (processor == devices.end())
            return Error{ErrorCode::unavailable, "auto: the processor is missing from the list"};
        std::vector<const Description*> candidates;
        for (const Description& device : devices)
            if (&device != &*processor && device.backend != "simt" && is_candidate(device))
                candidates.push_back(&device);
        Choice choice;
        choice.device = *processor;
        if (candidates.empty()) {
            choice.reason = fmt::format("no GPU to compare with ({})", against_);
            return opened(std::move(choice));
        }
        measure(*processor);
        for (const Description* device : candidates) measure(*device);
        // What was measured earlier may not open today: then the next one is taken.
        while (!measured_.empty()) {
            const std::size_t best = best_of(measured_);
            choice.device = measured_[best].first;
            choice.reason = reason(best);
            choice.measured = measured_;
            auto made = opened(choice);
            if (made || choice.device.kind == DeviceKind::processor) return made;
            reject(choice.device, made.error().message);
            measured_.erase(measured_.begin() + static_cast<std::ptrdiff_t>(best));
        }
        choice = {*processor, against_, {}};
        return opened(std::move(choice));
    }

private:
    void reject(const Description& device, const std::string& why) {
        against_ +=
            fmt::format("{}{}: {}", against_.empty() ? "" : "; ", name_with_backend(device), why);
    }

    bool is_candidate(const Description& device) {
        const auto& wanted = settings_.device;
        if (!device.usable())
            reject(device, device.why);
        else if (wanted.value && *wanted.value != device.index)
            reject(device,
                   fmt::format("device {} was requested ({})", *wanted.value, wanted.place));
        else if (device.kind == DeviceKind::software)
            reject(device, "a software device, which uses the same cores but is slower");
        else
            return true;
        return false;
    }

    void measure(const Description& device) {
        if (const auto known = remembered_throughput(device, cache_)) {
            measured_.emplace_back(device, *known);
            return;
        }
        Settings plain = settings_;
        plain.validation = {}; // would measure the layer
        const auto provider = open_(device, plain);
        const auto throughput =
            provider ? throughput_of(**provider, cache_) : Result<Throughput>(provider.error());
        if (throughput)
            measured_.emplace_back(device, *throughput);
        else
            reject(device, throughput.error().message);
    }

    [[nodiscard]] std::string reason(std::size_t best) const {
        const bool remembered = std::ranges::all_of(
            measured_, [](const auto& entry) { return entry.second.remembered; });
        const std::size_t least = shortest(measured_);
        return fmt::format("{}, {}: {}{}{}",
                           best == least
                               ? "shortest reference batch"
                               : "CUDA is preferred to Vulkan on the same card unless it is much "
                                 "slower, because it runs compiled contracts; reference batches",
                           remembered ? "measured earlier" : "measured now", compared(measured_),
                           against_.empty() ? "" : "; ", against_);
    }

    Result<std::pair<Choice, ProviderPtr>> opened(Choice choice) const {
        auto provider = open_(choice.device, settings_);
        if (!provider) return provider.error();
        return std::pair{std::move(choice), *std::move(provider)};
    }

    const Settings& settings_;
    const std::filesystem::path& cache_;
    const OpenDevice& open_;
    Measured measured_;
    std::string against_; ///< what is not compared, and why
};

} // namespace

std::vector<Description> list_devices(const Settings& settings) {
    std::vector<Description> devices{describe_processor()};
    for (Description& device : vulkan_devices(settings)) devices.push_back(std::move(device));
    for (Description& device : cuda_devices(settings)) devices.push_back(std::move(device));
    devices.push_back(describe_lanes());
    return devices;
}

std::size_t best_of(const std::vector<std::pair<Description, Throughput>>& measured) {
    const std::size_t least = shortest(measured);
    const auto& [card, throughput] = measured[least];
    if (card.backend != "vulkan") return least;
    for (std::size_t i = 0; i < measured.size(); ++i)
        if (measured[i].first.backend == "cuda" && is_same_card(measured[i].first, card) &&
            measured[i].second.reference_seconds() <= much_slower * throughput.reference_seconds())
            return i;
    return least;
}

Result<Choice> choose_device(const Settings& settings, const std::vector<Description>& devices,
                             const std::filesystem::path& cache, const OpenDevice& open) {
    if (settings.backend.value != "auto") return named_device(settings, devices);
    auto choice = AutomaticChoice(settings, cache, open).among(devices);
    if (!choice) return choice.error();
    return std::move(choice->first);
}

Result<ProviderPtr> open_device(const Description& device, const Settings& settings) {
    ProviderOptions options;
    options.validation = settings.validation.value;
    options.memory_limit = settings.memory_limit.value;
    options.time_limit = settings.timeout.value;
    options.cache_folder = cache_folder().string();
    if (device.backend == "cpu") return open_processor(options);
    if (device.backend == "simt") return open_lanes(options);
    if (device.backend == "vulkan" && device.usable()) return open_vulkan(device.index, options);
    if (device.backend == "cuda" && device.usable()) return open_cuda(device.index, options);
    return Error{ErrorCode::unavailable, fmt::format("backend {}: {}", device.backend, device.why)};
}

Result<Opened> open_provider(const Settings& settings) {
    const std::vector<Description> devices = list_devices(settings);
    if (settings.backend.value == "auto") {
        auto choice = AutomaticChoice(settings, cache_folder(), open_device).among(devices);
        if (!choice) return choice.error();
        return Opened{std::move(choice->second), std::move(choice->first.reason)};
    }
    const auto choice = named_device(settings, devices);
    if (!choice.ok()) return choice.error();
    auto provider = open_device(choice->device, settings);
    if (!provider.ok()) return provider.error();
    return Opened{std::move(*provider), choice->reason};
}

} // namespace blockloom::compute
