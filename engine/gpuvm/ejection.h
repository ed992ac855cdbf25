// Why an invocation cannot continue on the device. Nothing is ever guessed: an ejected invocation
// has no result, and the caller runs it again elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blockloom::gpuvm {

enum class Ejection : std::uint8_t {
    none = 0,
    floats = 1,    ///< an instruction on f32 or f64 was reached
    registers = 2, ///< more cells than Options::registers
    depth = 3,     ///< more frames than Options::frames
    pages = 4,     ///< the pool of memory pages is empty
    memory = 5,    ///< a memory larger than Options::memory_pages
    tables = 6,    ///< an instruction that changes a table or drops an element segment
    foreign = 7,   ///< a call or a reference to a function of another instance, or of the host
                   ///< through a table
    segments = 8,  ///< a data segment beyond the 32nd
    signature = 9, ///< more than 16 cells of arguments or results
    program =
        10, ///< the shared code buffer is full, or the device has too little memory for the program
    fault = 11, ///< the device's answer is damaged: a loop was cut short, or a word is invalid
    // Compiled lanes leave (native/lanes/plan.h) instead of reporting how a run ended:
    trap = 12,       ///< it would trap; where and why is found elsewhere
    fuel = 13,       ///< its fuel is spent
    window = 14,     ///< an address outside the windows of memory that its code has
    misaligned = 15, ///< an address that is not aligned as the module claims
    recursion = 16,  ///< a call that closes a circle of calls
    bulk = 17,       ///< a memory.grow that fails, memory.init or a dropped segment
    tapes = 18,      ///< more host calls than Options::tapes
    compiling = 19,  ///< its program is not compiled for the device yet
    cold = 20,       ///< a block that never ran while its program was profiled
};
inline constexpr std::size_t ejection_kinds = 21;

/// "floats", "registers" …
[[nodiscard]] const char* name_of(Ejection ejection) noexcept;
/// In words: "floating point", "more registers than the device keeps" …
[[nodiscard]] const char* text_of(Ejection ejection) noexcept;

} // namespace blockloom::gpuvm
