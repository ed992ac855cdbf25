// Waves of a device, recorded one after the other, assigned to as few lanes as were busy at one
// time (interval partitioning).
#pragma once

#include "profile/span.h"

namespace blockloom::profile {

/// More than the waves of any device at one time.
inline constexpr std::size_t most_wave_lanes = 8192;

/// Submissions of one device that are in flight at one time.
inline constexpr std::size_t most_streams = 64;

/// `waves.spans` as they were recorded: each span of a wave (Category::slice), then those of what
/// ran in it. Appends lanes "NAME 0", "NAME 1" … to `lanes`; a wave goes to the lowest lane that is
/// free when it begins, and no wave is on two of them. Of lanes of another kind each span counts as
/// a wave. Returns the number of spans for which there was no lane; those before the first wave
/// belong to none and are left out too.
[[nodiscard]] std::uint64_t assign_lanes(const Lane& waves, std::vector<Lane>& lanes,
                                         std::size_t most = most_wave_lanes);

/// A device's spans as they were recorded: those of one name (upload, kernels, download) go to a
/// lane of their own, and to further ones where several of them overlap. Names in the order in
/// which they first begin. All lanes have the name of `device`. Returns the number of spans for
/// which there was no lane.
[[nodiscard]] std::uint64_t assign_streams(const Lane& device, std::vector<Lane>& lanes,
                                           std::size_t most = most_streams);

} // namespace blockloom::profile
