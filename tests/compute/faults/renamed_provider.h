// A provider under the name of another backend, so that what callers do for that backend is tested
// on any machine.
#pragma once

#include "compute/provider.h"

#include <map>
#include <mutex>

namespace blockloom::compute {

/// Notes that survive their provider, as those on disk do.
struct KeptNotes {
    std::mutex mutex;
    std::map<std::string, Bytes> notes;
};

/// `inner`, described as a device of `backend`; without `notes` it keeps none.
[[nodiscard]] ProviderPtr renamed(ProviderPtr inner, const char* backend,
                                  std::shared_ptr<KeptNotes> notes = nullptr);

} // namespace blockloom::compute
