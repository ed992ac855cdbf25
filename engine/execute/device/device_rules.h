// Which host functions of Alkanes a device answers itself, and with what.
#pragma once

#include "alkanes/rule_table.h"
#include "gpuvm/batch.h"
#include "wasm/module.h"

#include <vector>

namespace blockloom::execute {

/// What the blobs of an invocation hold.
enum class Blob : std::uint32_t { context, transaction, height };

/// A rule for each imported function of a module. Storage is read from the values that the batch
/// knows; everything else that touches the state, calls another contract or fails is the host's.
/// `record`: the host keeps every call, so it answers every call.
[[nodiscard]] std::vector<gpuvm::HostRule> device_rules(const wasm::Module& module,
                                                        const alkanes::Rules& rules, bool record);

} // namespace blockloom::execute
