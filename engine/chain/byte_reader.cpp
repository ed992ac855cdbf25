#include "chain/byte_reader.h"

#include <fmt/format.h>

namespace blockloom::chain {

bool ByteReader::long_compact_size(std::uint64_t& value, const char* what) {
    if (remaining() == 0) return fail_short(1, what);
    const std::size_t width = *here() == 0xfd ? 2 : *here() == 0xfe ? 4 : 8;
    if (remaining() < 1 + width) return fail_short(1 + width, what);
    value = 0;
    std::memcpy(&value, here() + 1, width);
    at_ += 1 + width;
    return true;
}

bool ByteReader::fail(std::size_t position, const std::string& expected, const std::string& found) {
    error_ = input_error(place_, base_offset_ + position, expected, found);
    return false;
}

bool ByteReader::fail_short(std::uint64_t needed, const char* what) {
    return fail(at_, fmt::format("{} bytes of {}", needed, what),
                fmt::format("the end after {}", remaining()));
}

bool ByteReader::fail_count(std::size_t position, std::uint64_t value, std::size_t least_size,
                            const char* what) {
    return fail(position,
                fmt::format("at most {} in {} (what the {} bytes left can hold)",
                            remaining() / least_size, what, remaining()),
                fmt::format("{}", value));
}

} // namespace blockloom::chain
