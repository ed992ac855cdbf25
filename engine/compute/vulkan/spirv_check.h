// Checks a shader before the driver sees it: drivers may crash on invalid input.
#pragma once

#include "base/result.h"
#include "compute/description.h"

#include <span>
#include <string>

namespace blockloom::compute {

/// `kernel_refused` with the reason unless `words` are a SPIR-V module that SPIRV-Tools can parse,
/// of a version up to `newest_version` (as in a module's header), with a compute entry point
/// "main", that needs no more than `features` and `limits` provide. Does not validate what the
/// instructions do: that takes some tens of milliseconds for a large kernel.
[[nodiscard]] Status check_spirv(const std::string& name, std::span<const std::uint32_t> words,
                                 const Features& features, const Limits& limits,
                                 std::uint32_t newest_version);

} // namespace blockloom::compute
