// Whether what a device sends is what it had: sums that the device takes before, held against sums
// of what arrived. One changed word always shows; several hide with a probability of 2^-32.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>

namespace blockloom::gpuvm {

/// Of at most one block of words; `first`: place of the first word in its buffer
/// (shaders/gpuvm_transfer.comp has the same).
[[nodiscard]] inline std::uint32_t sum_of(std::span<const std::uint32_t> words,
                                          std::uint32_t first) noexcept {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        const std::uint32_t word = (words[i] ^ (first + i) * 0x9e37'79b9u) * 0x85eb'ca6bu;
        sum += word ^ (word >> 15);
    }
    return sum;
}

/// How many sums so many words have.
[[nodiscard]] std::uint32_t sums_of(std::uint64_t words) noexcept;

/// Error `compute::corrupted` where a block's sum differs. `begin`: place of the first word in its
/// buffer, that of a block.
[[nodiscard]] Status check_sums(std::span<const std::uint32_t> words,
                                std::span<const std::uint32_t> sums, std::size_t begin = 0);

} // namespace blockloom::gpuvm
