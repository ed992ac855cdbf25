// The functions that contracts can import from "env" (docs/alkanes-protocol.md#host-functions).
#pragma once

#include "alkanes/frame.h"
#include "wasm/instance.h"

namespace blockloom::alkanes {

/// All host functions. Each reads from `running` the frame that called it, so the variable must
/// outlive every instance linked with them.
[[nodiscard]] wasm::Imports host_imports(Frame* const& running);

} // namespace blockloom::alkanes
