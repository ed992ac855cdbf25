// Which devices there are, and which one is taken.
#pragma once

#include "compute/provider.h"
#include "compute/settings.h"
#include "compute/throughput.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::compute {

/// Every device of every backend, the processor first. A backend without any has one entry with an
/// empty name and the reason in `why`. Opens nothing.
[[nodiscard]] std::vector<Description> list_devices(const Settings& settings);

/// What was taken and the reason in one sentence.
struct Choice {
    Description device;
    std::string reason;
    std::vector<std::pair<Description, Throughput>> measured; ///< what `auto` compared
};

/// By `settings.backend` and `.device`: the named one, or `unavailable` with what is there instead;
/// `auto`: the usable device of the shortest reference batch, a software device never.
/// The processor where nothing else is there. `cache`: where measured throughput is kept.
[[nodiscard]] Result<Choice> choose_device(const Settings& settings,
                                           const std::vector<Description>& devices,
                                           const std::filesystem::path& cache);

/// The rule of `auto` without any measuring: position of the winner in `measured` (not empty).
[[nodiscard]] std::size_t best_of(const std::vector<std::pair<Description, Throughput>>& measured);

/// Opens one of list_devices().
[[nodiscard]] Result<ProviderPtr> open_device(const Description& device, const Settings& settings);

/// What the user asked for, open.
struct Opened {
    ProviderPtr provider;
    std::string reason;
};
[[nodiscard]] Result<Opened> open_provider(const Settings& settings);

} // namespace blockloom::compute
