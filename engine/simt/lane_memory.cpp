#include "simt/lane_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace blockloom::simt {

using native::LaneHeader;

namespace {

std::uint64_t word(std::span<const Byte> frame, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, frame.data() + at, sizeof value);
    return value;
}

void set_word(std::span<Byte> frame, std::size_t at, std::uint64_t value) {
    std::memcpy(frame.data() + at, &value, sizeof value);
}

} // namespace

std::uint64_t LaneMemory::size() const noexcept {
    return word(frame_, offsetof(LaneHeader, memory_bytes));
}

void LaneMemory::set_size(std::uint64_t bytes) const noexcept {
    set_word(frame_, offsetof(LaneHeader, memory_bytes), bytes);
}

void LaneMemory::charge(std::uint64_t fee) const noexcept {
    set_word(frame_, offsetof(LaneHeader, fees), fees() + fee);
}

std::uint64_t LaneMemory::fees() const noexcept {
    return word(frame_, offsetof(LaneHeader, fees));
}

template <typename Work>
std::uint64_t LaneMemory::parts(std::uint64_t address, std::uint64_t bytes,
                                const Work& work) const {
    std::uint64_t there = 0;
    for (const native::Window& window : plan_.windows) {
        const std::uint64_t window_end = std::uint64_t{window.begin} + window.bytes;
        const std::uint64_t begin = std::max<std::uint64_t>(address, window.begin),
                            end = std::min(address + bytes, window_end);
        if (begin >= end) continue;
        work(window.at + (begin - window.begin), begin - address, end - begin);
        there += end - begin;
    }
    return there;
}

bool LaneMemory::has(std::uint64_t address, std::uint64_t bytes) const {
    return parts(address, bytes, [](auto, auto, auto) {}) == bytes;
}

bool LaneMemory::get(std::uint64_t address, std::span<Byte> to) const {
    if (!has(address, to.size())) return false;
    parts(address, to.size(), [&](std::uint64_t at, std::uint64_t offset, std::uint64_t count) {
        std::memcpy(to.data() + offset, frame_.data() + at, count);
    });
    return true;
}

void LaneMemory::put(std::uint64_t address, ByteView from) const {
    parts(address, from.size(), [&](std::uint64_t at, std::uint64_t offset, std::uint64_t count) {
        std::memcpy(frame_.data() + at, from.data() + offset, count);
    });
}

} // namespace blockloom::simt
