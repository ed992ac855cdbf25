// What there is of contracts as code for a device, and how it was made.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::gpuvm {

/// One compilation that succeeded; times as returned by now_ns().
struct Compilation {
    Nanoseconds begin = 0, end = 0; ///< from plan to loaded kernel
    bool kept = false;              ///< its machine code was there from an earlier start
};

enum class CodeState : std::uint8_t {
    profiling, ///< nothing is known of its lanes' memory yet
    compiling, ///< for the first time
    ready,
    refused, ///< it cannot be compiled
};
inline constexpr std::size_t code_states = 4;
/// "profiling" … "refused".
[[nodiscard]] const char* name_of(CodeState state) noexcept;

/// What there is of a program's function as code for the device, and how it was made: by all
/// machines of the process that share it.
struct CodeFacts {
    std::uint32_t program = 0, function = 0;
    CodeState state = CodeState::profiling;
    std::vector<Compilation> compilations;
    Nanoseconds compiling_since = 0; ///< 0: nothing is being compiled
    std::uint32_t lane_bytes = 0;    ///< of memory that a lane has
    std::uint32_t windows = 0;       ///< of the contract's memory among them
    std::string refusal;             ///< why it is refused
};

} // namespace blockloom::gpuvm
