// The host functions of Alkanes that a device answers itself, and how.
#pragma once

#include "alkanes/rule_table.h"
#include "gpuvm/batch.h"
#include "wasm/module.h"

#include <vector>

namespace blockloom::execute {

/// The blobs of an invocation.
enum class Blob : std::uint32_t { context, transaction, height, block };

/// A rule for each imported function of a module. Storage, balances and the sequence are read from
/// the values that the batch knows; everything else that accesses the state, calls another contract
/// or fails is left to the host. `record`: the host records every call, so it answers every call.
[[nodiscard]] std::vector<gpuvm::HostRule> device_rules(const wasm::Module& module,
                                                        const alkanes::Rules& rules, bool record);

} // namespace blockloom::execute
