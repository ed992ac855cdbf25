// What a device ran of each contract, in a run's document (docs/json.md#compiled-code).
#pragma once

#include "base/json.h"
#include "execute/contract_code.h"
#include "runs/kept_code.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace blockloom::runs {

/// As a kept run has it.
[[nodiscard]] KeptCode kept_code(const execute::ContractCode& code);
[[nodiscard]] nlohmann::ordered_json code_json(const std::vector<execute::ContractCode>& all);
/// Empty: the document has none, like those of older versions.
[[nodiscard]] std::vector<KeptCode> read_code(JsonValue json);

} // namespace blockloom::runs
