// Looks at a shader before the driver does: drivers may crash on what they were promised not to
// get.
#pragma once

#include "base/result.h"
#include "compute/description.h"

#include <span>
#include <string>

namespace blockloom::compute {

/// `kernel_refused` in words unless `words` are a well-formed SPIR-V module up to the level of its
/// instructions' lengths, with a compute entry point "main", that asks for no more than `features`
/// and `limits` have. Not a validator of its contents.
[[nodiscard]] Status check_spirv(const std::string& name, std::span<const std::uint32_t> words,
                                 const Features& features, const Limits& limits,
                                 std::uint32_t newest_version);

} // namespace blockloom::compute
