// Reads the binary grammar: LEB128, vectors, names. A failure is recorded, not thrown; later reads
// return zeros.
#pragma once

#include "wasm/module.h"

namespace blockloom::wasm {

/// Offsets count from the module's start. After a failure `failed()` is true and `error()` returns
/// the first one; every later read returns zero at once, so that loops over counts end.
class BinaryReader {
public:
    BinaryReader(ByteView bytes, std::uint32_t begin, std::uint32_t end) noexcept
        : bytes_(bytes), at_(begin), end_(end) {}

    [[nodiscard]] std::uint32_t at() const noexcept { return at_; }
    [[nodiscard]] std::uint32_t end() const noexcept { return end_; }
    [[nodiscard]] std::uint32_t left() const noexcept { return end_ - at_; }
    [[nodiscard]] bool done() const noexcept { return at_ >= end_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    [[nodiscard]] const ModuleError& error() const noexcept { return error_; }

    void fail(std::string rule) { fail_at(at_, std::move(rule)); }
    void fail_at(std::uint32_t offset, std::string rule, bool unclaimed = false);

    [[nodiscard]] Byte peek() const noexcept { return failed_ || done() ? Byte{0} : bytes_[at_]; }
    Byte byte();
    std::uint32_t u32();
    std::int32_t s32();
    std::int64_t s33();
    std::int64_t s64();
    std::uint32_t fixed32();
    std::uint64_t fixed64();
    ByteView take(std::uint32_t size);
    std::string name(); ///< valid UTF-8
    /// A vector's length: no more items than the remaining bytes can hold at `least` bytes per
    /// item.
    std::uint32_t count(std::uint32_t least);
    void skip_to(std::uint32_t offset) noexcept { at_ = offset; }

private:
    std::uint64_t leb(unsigned bits, bool is_signed);

    ByteView bytes_;
    std::uint32_t at_, end_;
    bool failed_ = false;
    ModuleError error_;
};

} // namespace blockloom::wasm
