// The CUDA provider over the fake driver, for tests on machines without a GPU. A driver that is
// installed is not used.
#pragma once

#include "compute/cuda/cuda_provider.h"
#include "compute/fake_cuda/control.h"

#include <limits>
#include <string>

namespace blockloom::fake_cuda {

/// The library with the name of the driver, and one that lacks a function.
[[nodiscard]] std::string library();
[[nodiscard]] std::string old_library();

/// The control of `library()` in this process.
[[nodiscard]] Control& control();

/// Sets the faults (compute/fake_cuda/faults.h) of what is probed and opened while it lives.
class WithFaults {
public:
    explicit WithFaults(const std::string& text);
    ~WithFaults();
    WithFaults(const WithFaults&) = delete;
    WithFaults& operator=(const WithFaults&) = delete;
};

/// A small PTX text with one kernel that does nothing on a real device.
[[nodiscard]] std::string ptx_of(const std::string& entry, std::uint32_t buffers,
                                 std::uint32_t push_words);

inline constexpr Nanoseconds for_ever = std::numeric_limits<Nanoseconds>::max();

/// Opens a device of the fake driver. A kernel with a host form runs it, whatever its PTX is: the
/// fake driver cannot run PTX. `longest_wait`: the time limit, another way to give it.
[[nodiscard]] Result<compute::ProviderPtr> open(compute::ProviderOptions options = {},
                                                std::uint32_t index = 0,
                                                Nanoseconds longest_wait = for_ever);

} // namespace blockloom::fake_cuda
