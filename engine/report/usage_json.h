// What a run used over time, and when it was paused, in its document.
#pragma once

#include "profile/usage.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace blockloom::report {

/// Null for null.
[[nodiscard]] nlohmann::ordered_json usage_json(const profile::UsageSeries* usage);

/// Trusts nothing: what is no series of at most 4,096 moments in order is null; a line that is none
/// or of a quantity that this version does not know is left out.
[[nodiscard]] std::shared_ptr<const profile::UsageSeries> read_usage(const nlohmann::json& json);

/// [begin, end) of each pause since the run's beginning; what is none is left out.
[[nodiscard]] std::vector<std::pair<Nanoseconds, Nanoseconds>>
read_pauses(const nlohmann::json& json);

} // namespace blockloom::report
