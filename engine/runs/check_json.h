// The comparison with an indexer's records in a run's document (docs/json.md#checks).
#pragma once

#include "base/json.h"
#include "range/check_result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace blockloom::runs {

/// Null: there was none.
[[nodiscard]] nlohmann::ordered_json check_json(const std::optional<range::NodeCheck>& check);
/// The same as a member of a run's document.
[[nodiscard]] std::string check_text(const range::NodeCheck& check);
/// Absent: there was none. Values that are wrong are refused there (JsonValue).
[[nodiscard]] std::optional<range::NodeCheck> read_check(JsonValue json);

} // namespace blockloom::runs
