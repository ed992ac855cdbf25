// A what-if as JSON.
#pragma once

#include "runs/advice.h"
#include "runs/what_if.h"
#include "runs/what_if_replay.h"

#include <optional>
#include <span>
#include <string>

namespace blockloom::report {

/// Its replay, once it was kept.
struct ReplayedWhatIf {
    std::string run; ///< its id; empty: it was not kept
    const runs::WhatIfReplay* replay = nullptr;
};

/// One JSON document (schema blockloom.what_if/1). Ends with a newline.
[[nodiscard]] std::string what_if_json(const runs::RecordedWork& work, const runs::WhatIfPlan& plan,
                                       const runs::WhatIf& result,
                                       std::span<const runs::WhatIfKey> keys,
                                       std::span<const runs::Advice> advice,
                                       const ReplayedWhatIf& replayed = {});

} // namespace blockloom::report
