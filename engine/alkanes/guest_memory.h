// How contract and host exchange bytes: a pointer p refers to the bytes at p, with their u32 length
// at p − 4 (docs/alkanes-protocol.md#memory).
#pragma once

#include "wasm/memory.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace blockloom::alkanes {

class GuestMemory {
public:
    explicit GuestMemory(wasm::Memory& memory) : memory_(&memory) {}

    /// The bytes at `pointer`; nothing if they or their length are outside the memory. Valid until
    /// the contract continues.
    [[nodiscard]] std::optional<std::string_view> read(std::uint32_t pointer) const noexcept {
        if (pointer < length_size || !memory_->in_bounds(pointer - length_size, length_size))
            return std::nullopt;
        const auto size = read_le<std::uint32_t>(memory_->data() + pointer - length_size);
        if (!memory_->in_bounds(pointer, size)) return std::nullopt;
        return std::string_view(reinterpret_cast<const char*>(memory_->data()) + pointer, size);
    }

    /// Writes length and bytes. False if one of them does not fit; if only the bytes do not fit,
    /// the length stays written.
    [[nodiscard]] bool write(std::uint32_t pointer, std::string_view bytes) noexcept {
        if (pointer < length_size) return false;
        const auto size = static_cast<std::uint32_t>(bytes.size());
        return put(pointer - length_size, &size, sizeof size) &&
               put(pointer, bytes.data(), bytes.size());
    }

private:
    static constexpr std::uint32_t length_size = 4;

    bool put(std::uint64_t address, const void* bytes, std::size_t size) noexcept {
        if (!memory_->in_bounds(address, size)) return false;
        memory_->mark_range(address, size);
        if (size != 0) std::memcpy(memory_->data() + address, bytes, size);
        return true;
    }

    wasm::Memory* memory_;
};

} // namespace blockloom::alkanes
