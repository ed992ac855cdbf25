// Lists the devices and chooses one.
#pragma once

#include "compute/provider.h"
#include "compute/settings.h"
#include "compute/throughput.h"

#include <optional>
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

/// Chooses by `settings.backend` and `.device`: the named one, or `unavailable` with what is
/// available instead; `auto`: the usable device with the shortest reference batch, never a software
/// device. The processor if there is nothing else. `cache`: where measured throughput is kept.
[[nodiscard]] Result<Choice> choose_device(const Settings& settings,
                                           const std::vector<Description>& devices,
                                           const std::filesystem::path& cache);

/// The rule of `auto` without measuring: index of the winner in `measured` (not empty).
[[nodiscard]] std::size_t best_of(const std::vector<std::pair<Description, Throughput>>& measured);

/// Opens one of list_devices().
[[nodiscard]] Result<ProviderPtr> open_device(const Description& device, const Settings& settings);

/// The requested device, open.
struct Opened {
    ProviderPtr provider;
    std::string reason;
};
[[nodiscard]] Result<Opened> open_provider(const Settings& settings);

} // namespace blockloom::compute
