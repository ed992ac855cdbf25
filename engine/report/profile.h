// A profile of a WebAssembly call as a document (schema blockloom.profile/1): fuel by function and
// by call stack, the same on every machine.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::report {

/// The fuel of a function; `total` includes callees and, if it is recursive, only outermost calls.
struct ProfileFunction {
    std::uint32_t index = 0; ///< in the module
    std::string name;
    std::uint64_t calls = 0, self = 0, total = 0; ///< fuel
};

/// A call stack: a function on top of the stack `parent`.
struct ProfileStack {
    std::optional<std::uint32_t> parent; ///< place in Profile::stacks, before this one
    std::uint32_t function = 0;          ///< place in Profile::functions
    std::uint64_t calls = 0, self = 0;   ///< fuel
};

/// The sums of `self` over functions and over stacks are `fuel`.
struct Profile {
    std::string file, sha256; ///< the module's name without its folder, and its bytes' hash
    std::string invoked;      ///< the function that was called
    std::string outcome;      ///< "returned", or "trapped: " and why
    std::uint64_t fuel = 0, steps = 0;
    std::vector<ProfileFunction>
        functions;                    ///< those called: the most own fuel first, then by index
    std::vector<ProfileStack> stacks; ///< callers before callees
    std::uint64_t merged_calls =
        0; ///< calls whose fuel is counted for their caller: too many stacks
};

/// One JSON document that ends with a newline; the same profile gives the same bytes.
[[nodiscard]] std::string profile_json(const Profile& profile);

/// Whether the beginning of a file names the schema, in any version.
[[nodiscard]] bool looks_like_profile(std::string_view text);

/// Reads what `profile_json` writes. Errors name `place`, what was expected and what was found;
/// sums that do not add up are errors.
[[nodiscard]] Result<Profile> read_profile(std::string_view text, const std::string& place);

/// Lines "a;b;c fuel" for other flame graph programs, one per stack with own fuel; a ";" in a name
/// becomes ":". Of more than 256 frames, the outermost and innermost 128.
[[nodiscard]] std::string folded_stacks(const Profile& profile);

} // namespace blockloom::report
