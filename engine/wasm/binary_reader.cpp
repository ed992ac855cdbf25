#include "wasm/binary_reader.h"

#include "base/utf8.h"

namespace blockloom::wasm {

void BinaryReader::fail_at(std::uint32_t offset, std::string rule, bool unclaimed) {
    if (!failed_) error_ = {Refusal::malformed, offset, std::move(rule), unclaimed};
    failed_ = true;
    at_ = end_;
}

Byte BinaryReader::byte() {
    if (done()) {
        fail("unexpected end");
        return 0;
    }
    return bytes_[at_++];
}

std::uint64_t BinaryReader::leb(unsigned bits, bool is_signed) {
    const std::uint32_t begin = at_;
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const Byte next = byte();
        if (failed_) return 0;
        const unsigned room = bits - shift; // bits that this byte may still carry
        if (room < 7) {
            // The unused bits of the last byte repeat the sign, or are zero.
            const unsigned unused = (next & 0x7fu) >> room;
            const unsigned ones = 0x7fu >> room;
            const bool negative = is_signed && ((next >> (room - 1)) & 1u) != 0;
            if ((next & 0x80) != 0) {
                fail_at(begin, "integer representation too long");
                return 0;
            }
            if (unused != (negative ? ones : 0u)) {
                fail_at(begin, "integer too large");
                return 0;
            }
        }
        value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
        if ((next & 0x80) == 0) {
            if (is_signed && shift + 7 < 64 && (next & 0x40) != 0)
                value |= ~std::uint64_t{0} << (shift + 7);
            return value;
        }
        if (room == 7) {
            fail_at(begin, "integer representation too long");
            return 0;
        }
    }
}

std::uint32_t BinaryReader::u32() {
    return static_cast<std::uint32_t>(leb(32, false));
}
std::int32_t BinaryReader::s32() {
    return static_cast<std::int32_t>(leb(32, true));
}
std::int64_t BinaryReader::s33() {
    return static_cast<std::int64_t>(leb(33, true));
}
std::int64_t BinaryReader::s64() {
    return static_cast<std::int64_t>(leb(64, true));
}

std::uint32_t BinaryReader::fixed32() {
    const ByteView bytes = take(4);
    return bytes.size() == 4 ? read_le<std::uint32_t>(bytes.data()) : 0;
}

std::uint64_t BinaryReader::fixed64() {
    const ByteView bytes = take(8);
    return bytes.size() == 8 ? read_le<std::uint64_t>(bytes.data()) : 0;
}

ByteView BinaryReader::take(std::uint32_t size) {
    if (size > left()) {
        fail("unexpected end");
        return {};
    }
    const ByteView bytes = bytes_.subspan(at_, size);
    at_ += size;
    return bytes;
}

std::string BinaryReader::name() {
    const std::uint32_t size = u32();
    if (size > left()) {
        fail("unexpected end");
        return {};
    }
    const std::uint32_t begin = at_;
    const ByteView bytes = take(size);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!is_utf8(text)) fail_at(begin, "malformed UTF-8 encoding");
    return failed_ ? std::string() : std::string(text);
}

std::uint32_t BinaryReader::count(std::uint32_t least) {
    const std::uint32_t begin = at_;
    const std::uint32_t items = u32();
    if (std::uint64_t{items} * least > left()) {
        fail_at(begin, "unexpected end");
        return 0;
    }
    return items;
}

} // namespace blockloom::wasm
