// Where figures come from: program, machine and time, so that a report can be repeated.
#pragma once

#include <cstdint>
#include <string>

namespace blockloom::runs {

/// The machine that runs this process. Empty or 0: unknown to the system.
struct Machine {
    std::string processor, kernel, compiler;
    unsigned cores = 0;       ///< that this process may use at once
    std::uint64_t memory = 0; ///< bytes
};

[[nodiscard]] Machine this_machine();

/// What a report says about how it was made.
struct Provenance {
    std::string version; ///< of Blockloom
    std::string date;    ///< "2026-08-29 14:03 UTC"
    Machine machine;
};

/// `version` with this machine and the time now.
[[nodiscard]] Provenance provenance_now(const std::string& version);

} // namespace blockloom::runs
