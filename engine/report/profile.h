// A profile of one call of a WebAssembly function as a document (schema blockloom.profile/1): fuel
// by function and by call stack, the same on every machine.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::report {

/// What one function took; `total` counts callees, of a recursive function its outermost calls.
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
    std::uint64_t merged_calls = 0; ///< calls whose fuel is booked on their caller: too many stacks
};

/// One JSON document, ending with a newline; the same profile gives the same bytes.
[[nodiscard]] std::string profile_json(const Profile& profile);

/// Whether a file's beginning names the schema, of any version.
[[nodiscard]] bool looks_like_profile(std::string_view text);

/// Reads what `profile_json` writes. Errors name `place`, what was expected and what was found;
/// sums that do not hold are errors.
[[nodiscard]] Result<Profile> read_profile(std::string_view text, const std::string& place);

/// Lines "a;b;c fuel", one a stack with fuel of its own, for other flame graph programs; a ";" in a
/// name becomes ":". Of more than 256 frames the outermost and the innermost 128.
[[nodiscard]] std::string folded_stacks(const Profile& profile);

} // namespace blockloom::report
