// The linear memory of a lane in its frame, for the host.
#pragma once

#include "native/lanes/plan.h"

#include <span>

namespace blockloom::simt {

/// A view; the plan and the frame outlive it.
class LaneMemory {
public:
    LaneMemory(const native::LanePlan& plan, std::span<Byte> frame) : plan_(plan), frame_(frame) {}

    [[nodiscard]] std::uint64_t size() const noexcept; ///< bytes
    void set_size(std::uint64_t bytes) const noexcept;
    void charge(std::uint64_t fee) const noexcept; ///< counts fuel that is no step
    [[nodiscard]] std::uint64_t fees() const noexcept;

    /// Copies bytes out of the windows; false: they do not have all of them, and nothing is copied.
    [[nodiscard]] bool get(std::uint64_t address, std::span<Byte> to) const;
    /// Copies what the windows have of these bytes.
    void put(std::uint64_t address, ByteView from) const;
    /// Whether the windows have all of them.
    [[nodiscard]] bool has(std::uint64_t address, std::uint64_t bytes) const;

private:
    /// Calls work(byte of the frame, offset in the range, count) for each part in a window.
    template <typename Work>
    std::uint64_t parts(std::uint64_t address, std::uint64_t bytes, const Work& work) const;

    const native::LanePlan& plan_;
    std::span<Byte> frame_;
};

} // namespace blockloom::simt
