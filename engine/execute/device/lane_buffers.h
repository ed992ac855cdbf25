// Length-prefixed bytes (alkanes/guest_memory.h) in the memories of a batch's lanes.
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
        outside, ///< it or its length is outside the memory
        too_long
    };
    State state = State::outside;
    /// The four bytes of the length and the content; only the four bytes if the content is too long
    /// or extends beyond the memory; empty if the length is outside.
    std::string bytes;
};

inline constexpr std::size_t length_bytes = sizeof(std::uint32_t);
/// Longer buffers are `too_long`.
inline constexpr std::uint32_t most_buffer = std::uint32_t{1} << 20;

/// Reads only the pages of the buffers, whatever else is in the lanes' memories: two copies from
/// the device for all buffers, the second for what is not in the first pages.
[[nodiscard]] Result<std::vector<Buffer>> read_buffers(gpuvm::Batch& batch,
                                                       std::span<const BufferAt> wanted);

} // namespace blockloom::execute
