#include "state/digest.h"

namespace blockloom::state {
namespace {

constexpr std::uint32_t absent = 0xffffffff;

} // namespace

void DigestStream::add_length(std::uint32_t length) {
    std::array<Byte, sizeof length> bytes{};
    std::memcpy(bytes.data(), &length, sizeof length);
    stream_.add(bytes);
}

void DigestStream::add_present(std::string_view key, std::string_view value) {
    add_length(static_cast<std::uint32_t>(key.size()));
    stream_.add(as_bytes(key));
    add_length(static_cast<std::uint32_t>(value.size()));
    stream_.add(as_bytes(value));
}

void DigestStream::add(std::string_view key, const Value& value) {
    if (value) return add_present(key, value.bytes());
    add_length(static_cast<std::uint32_t>(key.size()));
    stream_.add(as_bytes(key));
    add_length(absent);
}

Hash256 block_digest(std::span<const Change> changes) {
    DigestStream stream;
    for (const Change& change : changes) stream.add(change.key, change.after);
    return stream.finish();
}

} // namespace blockloom::state
