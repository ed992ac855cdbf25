// Puts our fuel checks into a module, so that a compiler without fuel can be compared with one that
// has it.
#pragma once

#include "wasm/module.h"

namespace blockloom::bench {

/// The module with a counter, the exported global "fuel" (i64), that every basic block lowers by
/// its cost, as docs/register-program.md defines blocks and costs ("Fuel"); where too little is
/// left it executes `unreachable`. The counter starts at `fuel`. Needs a module with globals,
/// exports and code, and without bulk fees.
[[nodiscard]] Bytes with_fuel_checks(const wasm::Module& module, std::int64_t fuel);

} // namespace blockloom::bench
