// What is wrong with the fake driver (FAKE_CUDA), or put before a real one (FAULT_CUDA): read from
// the environment at each cuInit, so that a child process that probes it has the same faults.
#pragma once

#include "compute/cuda/driver.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::fake_cuda {

using compute::cuda::Code;

/// CUresult, where the provider does not name it.
inline constexpr Code not_initialized = 3, no_device = 100, invalid_device = 101,
                      invalid_handle = 400, illegal_address = 700, launch_failed = 719;

/// Words separated by commas. Numbers of calls begin at 1 with each cuInit.
///   devices=N memory=BYTES version=N major=N    what the driver says of itself and its devices
///   prohibited, apart                           compute mode 2; no unified addressing
///   immediate                                   work runs on the thread that submits it
///   hang, crash, leave                          what cuInit does instead of returning
///   cuFUNCTION=CODE, cuFUNCTION@N=CODE          every call, or the N-th, only returns this error
///   lost@N                                      the N-th launch fails while it runs
///   hung@N                                      the N-th launch does not end before release()
///   stuck@N                                     the driver does not return from the N-th launch
///                                               before release()
///   damaged@N                                   from the N-th copy to the host on, a bit is
///                                               flipped in every 97th byte; a launch that has
///                                               memory of the host is such a copy to all of it
/// Anything else ends the process: a test must not pass because of a typing error.
class Faults {
public:
    /// `variable`: where the text is from.
    explicit Faults(std::string_view text, const char* variable = "FAKE_CUDA");

    int devices = 1, version = 12040, major = 9;
    bool prohibited = false, apart = false, immediate = false;
    bool hang = false, crash = false, leave = false;
    std::uint64_t memory = std::uint64_t{4} << 30; ///< bytes of each device

    /// Counts a call; the error that it shall return, or success.
    [[nodiscard]] Code of_call(std::string_view function);
    [[nodiscard]] bool next_launch_is_lost() { return ++lost_.seen == lost_.number; }
    [[nodiscard]] bool next_launch_hangs() { return ++hung_.seen == hung_.number; }
    [[nodiscard]] bool next_launch_is_stuck() { return ++stuck_.seen == stuck_.number; }
    [[nodiscard]] bool next_download_is_damaged() {
        return ++damaged_.seen >= damaged_.number && damaged_.number != 0;
    }

private:
    struct Counted {
        std::uint64_t number = 0; ///< 0: never; of a call: each
        std::atomic<std::uint64_t> seen{0};
    };
    struct Call : Counted {
        std::string function;
        Code code = 0;
    };

    void take(std::string_view word);
    [[noreturn]] void wrong(std::string_view word) const;
    /// The number after `mark`, which is cut off with it; nothing without a mark.
    std::optional<std::uint64_t> cut_number(std::string_view& name, char mark,
                                            std::string_view word) const;

    const char* variable_;
    std::list<Call> calls_;
    Counted lost_, hung_, stuck_, damaged_;
};

/// The error ends its context: each later call of it fails in the same way.
[[nodiscard]] constexpr bool ends_context(Code code) noexcept {
    return code == 214 || code == 700 || code == 702 || (code >= 714 && code <= 719) || code == 999;
}

} // namespace blockloom::fake_cuda
