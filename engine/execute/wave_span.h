// How many blocks of a block window `speculative` tries at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace blockloom::execute {

/// All of them at first. Where later blocks of a wave have read what earlier ones wrote, they ran
/// for nothing: the next wave has as many as were accepted, and twice as many waves as the last
/// time have to be accepted before a larger one is tried.
class WaveSpan {
public:
    [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }

    /// A wave of so many blocks was accepted without a repetition.
    void accepted(std::uint32_t blocks) noexcept {
        if (blocks < blocks_ || ++accepted_ < patience_) return;
        accepted_ = 0;
        blocks_ = std::min(2 * blocks_, most);
    }
    /// Only the first so many blocks of a wave were accepted; 0: not even its first.
    void rejected(std::uint32_t accepted_blocks) noexcept {
        accepted_ = 0;
        blocks_ = std::max(accepted_blocks, 1U);
        patience_ = std::min(2 * patience_, most_patience);
    }

private:
    static constexpr std::uint32_t most = 1U << 16U, most_patience = 64;

    std::uint32_t blocks_ = most;
    std::uint32_t accepted_ = 0; ///< waves in a row
    std::uint32_t patience_ = 1;
};

} // namespace blockloom::execute
