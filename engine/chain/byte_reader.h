// Reads forward through untrusted bytes: every step is checked, and the first failure is kept.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace blockloom::chain {

/// A cursor over bytes that stays failed after the first failure. Steps return false on failure;
/// `error()` then says where, what was expected and what was found. Messages are only built on
/// failure.
class ByteReader {
public:
    /// `place` must outlive the reader; offsets in errors count from `base_offset`.
    ByteReader(ByteView bytes, const std::string& place, std::uint64_t base_offset) noexcept
        : bytes_(bytes), place_(place), base_offset_(base_offset) {}

    [[nodiscard]] std::size_t position() const noexcept { return at_; }
    [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] const Byte* here() const noexcept { return bytes_.data() + at_; }
    [[nodiscard]] const Error& error() const noexcept { return error_; }

    [[nodiscard]] bool skip(std::uint64_t size, const char* what) {
        if (size > remaining()) return fail_short(size, what);
        at_ += static_cast<std::size_t>(size);
        return true;
    }

    template <typename Integer> [[nodiscard]] bool read(Integer& value, const char* what) {
        if (sizeof value > remaining()) return fail_short(sizeof value, what);
        value = read_le<Integer>(here());
        at_ += sizeof value;
        return true;
    }

    /// CompactSize: < 0xfd one byte; 0xfd u16; 0xfe u32; 0xff u64. Canonical form is not required.
    [[nodiscard]] bool compact_size(std::uint64_t& value, const char* what) {
        if (remaining() != 0 && *here() < 0xfd) {
            value = *here();
            ++at_;
            return true;
        }
        return long_compact_size(value, what);
    }

    /// A CompactSize count of things of at least `least_size` bytes each: never more than the
    /// remaining bytes can hold, so it is safe to reserve memory by it.
    [[nodiscard]] bool count(std::uint64_t& value, std::size_t least_size, const char* what) {
        const std::size_t before = at_;
        if (!compact_size(value, what)) return false;
        if (value > remaining() / least_size) return fail_count(before, value, least_size, what);
        return true;
    }

    /// A CompactSize length and as many bytes, which are skipped.
    [[nodiscard]] bool sized_bytes(std::uint32_t& begin, std::uint32_t& size, const char* what) {
        std::uint64_t length = 0;
        if (!compact_size(length, what)) return false;
        begin = static_cast<std::uint32_t>(at_);
        size = static_cast<std::uint32_t>(length);
        return skip(length, what);
    }

    /// Always false, for `return reader.fail(…)`.
    bool fail(std::size_t position, const std::string& expected, const std::string& found);

private:
    [[nodiscard]] bool long_compact_size(std::uint64_t& value, const char* what);
    bool fail_short(std::uint64_t needed, const char* what);
    bool fail_count(std::size_t position, std::uint64_t value, std::size_t least_size,
                    const char* what);

    ByteView bytes_;
    const std::string& place_;
    std::uint64_t base_offset_;
    std::size_t at_ = 0;
    Error error_;
};

} // namespace blockloom::chain
