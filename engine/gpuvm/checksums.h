// Detects damage in data from a device: compares checksums that the device computes before the
// transfer with checksums of what arrived. A single changed word is always detected; several remain
// undetected with a probability of 2^-32.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>

namespace blockloom::gpuvm {

/// The checksum of at most one block of words; `first`: index of the first word in its buffer
/// (shaders/gpuvm_transfer.comp does the same).
[[nodiscard]] inline std::uint32_t checksum(std::span<const std::uint32_t> words,
                                            std::uint32_t first) noexcept {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        const std::uint32_t word = (words[i] ^ (first + i) * 0x9e37'79b9u) * 0x85eb'ca6bu;
        sum += word ^ (word >> 15);
    }
    return sum;
}

/// The number of checksums for this many words.
[[nodiscard]] std::uint32_t checksum_count(std::uint64_t words) noexcept;

/// Error `compute::corrupted` if a block's checksum differs. `begin`: index of the first word in
/// its buffer, at the start of a block.
[[nodiscard]] Status verify_checksums(std::span<const std::uint32_t> words,
                                      std::span<const std::uint32_t> checksums,
                                      std::size_t begin = 0);

} // namespace blockloom::gpuvm
