// A provider under the name of another backend, so that what callers do for that backend is tested
// on any machine.
#pragma once

#include "compute/provider.h"

namespace blockloom::compute {

/// `inner`, described as a device of `backend`.
[[nodiscard]] ProviderPtr renamed(ProviderPtr inner, const char* backend);

} // namespace blockloom::compute
