// Lists the devices and chooses one.
#pragma once

#include "compute/provider.h"
#include "compute/settings.h"
#include "compute/throughput.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::compute {

/// Every device of every backend, the processor first. A backend without devices has one entry with
/// an empty name and the reason in `why`. Opens nothing.
[[nodiscard]] std::vector<Description> list_devices(const Settings& settings);

/// The chosen device and the reason in one sentence.
struct Choice {
    Description device;
    std::string reason;
    std::vector<std::pair<Description, Throughput>> measured; ///< what `auto` compared
};

/// Opens one of list_devices().
[[nodiscard]] Result<ProviderPtr> open_device(const Description& device, const Settings& settings);
using OpenDevice = std::function<Result<ProviderPtr>(const Description&, const Settings&)>;

/// Chooses by `settings.backend` and `.device`: the named one, or `unavailable` with what is
/// available instead; `auto`: what best_of() says of the usable devices that open, never a software
/// device or `simt`. The processor if there is nothing else. `cache`: where measured throughput is
/// kept; `open`: how `auto` opens what it measures and what it takes.
[[nodiscard]] Result<Choice> choose_device(const Settings& settings,
                                           const std::vector<Description>& devices,
                                           const std::filesystem::path& cache,
                                           const OpenDevice& open = open_device);

/// The rule of `auto` without measuring: index in `measured` (not empty) of the device with the
/// shortest reference batch. If this is a card by Vulkan, then the same card by CUDA, unless that
/// takes more than twice the time: CUDA runs compiled contracts.
[[nodiscard]] std::size_t best_of(const std::vector<std::pair<Description, Throughput>>& measured);

/// The requested device, open.
struct Opened {
    ProviderPtr provider;
    std::string reason;
};
[[nodiscard]] Result<Opened> open_provider(const Settings& settings);

} // namespace blockloom::compute
