// Bytes with their length before them (alkanes/guest_memory.h) in the memories of a batch's lanes.
#pragma once

#include "base/result.h"
#include "gpuvm/batch.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

/// A pointer that a lane holds.
struct BufferAt {
    std::uint32_t lane = 0;
    std::uint32_t pointer = 0;
    std::uint64_t memory = 0; ///< bytes of the lane's memory
};

struct Buffer {
    enum class State : std::uint8_t {
        there,
        outside, ///< it or its length lies outside the memory
        too_long
    };
    State state = State::outside;
    /// The length's four bytes and what follows; those four alone where it is too long or leaves
    /// the memory; none where the length lies outside.
    std::string bytes;
};

inline constexpr std::size_t length_bytes = sizeof(std::uint32_t);
/// Longer buffers are `too_long`.
inline constexpr std::uint32_t most_buffer = std::uint32_t{1} << 20;

/// Reads the pages of a few bytes, whatever else the lanes have in memory: two copies from the
/// device for all buffers, the second for what does not lie in the first pages.
[[nodiscard]] Result<std::vector<Buffer>> read_buffers(gpuvm::Batch& batch,
                                                       std::span<const BufferAt> wanted);

} // namespace blockloom::execute
