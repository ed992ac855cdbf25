// Memory of lanes' frames: zero when it is reserved, and zero again when it is cleared.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstddef>
#include <span>

namespace blockloom::simt {

/// Address space; the system provides pages when they are first written.
class FrameRegion {
public:
    FrameRegion() = default;
    ~FrameRegion();
    FrameRegion(FrameRegion&& other) noexcept;
    FrameRegion& operator=(FrameRegion&& other) noexcept;

    /// `count` frames of at least `bytes` bytes, all zero. ErrorCode::system without address space.
    [[nodiscard]] Status reserve(std::size_t count, std::size_t bytes);
    [[nodiscard]] std::span<Byte> frame(std::size_t number) const noexcept;
    /// Makes a frame zero.
    void clear(std::size_t number) const noexcept;

private:
    Byte* data_ = nullptr;
    std::size_t bytes_ = 0;  ///< of all
    std::size_t stride_ = 0; ///< of a frame: whole pages of the system
};

} // namespace blockloom::simt
