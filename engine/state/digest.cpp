#include "state/digest.h"

#include <cstring>
#include <utility>

namespace blockloom::state {
namespace {

constexpr std::uint32_t absent = 0xffffffff;

std::string_view bytes_of(const std::uint32_t& length) noexcept {
    return {reinterpret_cast<const char*>(&length), sizeof length};
}

char* copy(std::string_view bytes, char* to) noexcept {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return to + bytes.size();
}

} // namespace

void DigestStream::flush() {
    stream_.add(as_bytes(std::string_view(buffer_.data(), std::exchange(used_, 0))));
}

void DigestStream::add_pair(std::string_view key, std::uint32_t length, std::string_view value) {
    const auto key_length = static_cast<std::uint32_t>(key.size());
    const std::size_t size = sizeof key_length + key.size() + sizeof length + value.size();
    if (size > buffer_.size() - used_) flush();
    if (size > buffer_.size()) {
        for (const std::string_view piece : {bytes_of(key_length), key, bytes_of(length), value})
            stream_.add(as_bytes(piece));
        return;
    }
    char* const after_key = copy(key, copy(bytes_of(key_length), buffer_.data() + used_));
    copy(value, copy(bytes_of(length), after_key));
    used_ += size;
}

void DigestStream::add_present(std::string_view key, std::string_view value) {
    add_pair(key, static_cast<std::uint32_t>(value.size()), value);
}

void DigestStream::add(std::string_view key, const Value& value) {
    if (value) return add_present(key, value.bytes());
    add_pair(key, absent, {});
}

Hash256 block_digest(std::span<const Change> changes) {
    DigestStream stream;
    for (const Change& change : changes) stream.add(change.key, change.after);
    return stream.finish();
}

} // namespace blockloom::state
