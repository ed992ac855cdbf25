// The device that tests of the room run on.
#pragma once

#include "compute/provider.h"

namespace blockloom::tests {

/// The last usable Vulkan device of this machine (lavapipe will do), opened again by each call;
/// null: there is none.
[[nodiscard]] compute::ProviderPtr open_vulkan_device();

} // namespace blockloom::tests
