// The measured throughput of a device: integer arithmetic and copies.
#pragma once

#include "compute/provider.h"

#include <filesystem>
#include <optional>

namespace blockloom::compute {

struct Throughput {
    double operations_per_second = 0; ///< 32-bit integer, all invocations together
    double copy_bytes_per_second = 0; ///< from host to device and back, one after the other
    bool remembered = false;          ///< read from disk

    /// How long a large batch would take at these rates: 10^11 operations (65,536 calls of a
    /// contract of 150,000 instructions, ten operations each) and 40 MB of copies.
    [[nodiscard]] double reference_seconds() const noexcept;
};

/// Takes some tenths of a second at most.
[[nodiscard]] Result<Throughput> measure_throughput(Provider& on);

/// What was measured earlier for this device with this driver; opens nothing.
[[nodiscard]] std::optional<Throughput> remembered_throughput(const Description& of,
                                                              const std::filesystem::path& cache);

/// The same, else measured now and saved. With an empty folder it is always measured.
[[nodiscard]] Result<Throughput> throughput_of(Provider& on, const std::filesystem::path& cache);

} // namespace blockloom::compute
