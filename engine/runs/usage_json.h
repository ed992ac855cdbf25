// What a run used over time and when it was paused, in its document.
#pragma once

#include "base/json.h"
#include "profile/usage.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace blockloom::runs {

/// Null for null.
[[nodiscard]] nlohmann::ordered_json usage_json(const profile::UsageSeries* usage);

/// A series of at most 4,096 moments in order; null: the document has none. Lines with unknown
/// quantities are left out.
[[nodiscard]] std::shared_ptr<const profile::UsageSeries> read_usage(JsonValue json);

/// [begin, end) of each pause since the run's beginning.
[[nodiscard]] std::vector<std::pair<Nanoseconds, Nanoseconds>> read_pauses(JsonValue json);

} // namespace blockloom::runs
