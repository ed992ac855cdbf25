// What a device ran of each contract in a kept run, and what was compiled of it for the device.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::runs {

/// One module on the run's device, or on all of its devices.
struct KeptCode {
    std::string module;                 ///< hash of the stored code, hexadecimal
    std::vector<std::string> contracts; ///< "2:0": those that were called, at most 256
    std::uint32_t function = 0;         ///< that the calls enter
    std::string state;   ///< "ready" … (gpuvm::CodeState); empty: it is interpreted
    std::string refusal; ///< why it cannot be compiled; empty: it can
    std::uint64_t compilations = 0;
    std::uint64_t from_earlier = 0; ///< of these: machine code that an earlier start had kept
    Nanoseconds compile_time = 0;   ///< of all of them
    Nanoseconds last_time = 0;      ///< of the last one
    std::uint64_t lane_bytes = 0, windows = 0;
    // Calls by how they ended, including those of attempts that were aborted.
    std::uint64_t compiled = 0, interpreted = 0, on_processor = 0;
    std::map<std::string, std::uint64_t> ejected; ///< by code
    bool operator==(const KeptCode&) const = default;

    /// "2:0", "2:0 and 3 more", or the first digits of the module.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::uint64_t all_ejected() const noexcept;
    /// "compiled twice in 1.20 s", "loaded in 3.00 ms", "still being compiled", "interpreted",
    /// "cannot be compiled: …".
    [[nodiscard]] std::string code_words() const;
    /// "1,024 in compiled lanes, 64 on the processor, 3 ejected (2 window, 1 trap)".
    [[nodiscard]] std::string call_words() const;
};

/// What the run gave to its device of a module (hexadecimal); null: nothing.
[[nodiscard]] const KeptCode* code_of(const std::vector<KeptCode>& all, std::string_view module);

} // namespace blockloom::runs
