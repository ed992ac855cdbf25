#include "state/digest.h"

#include <cstring>
#include <utility>

namespace blockloom::state {
namespace {

constexpr std::uint32_t absent = 0xffffffff;

} // namespace

void DigestStream::flush() {
    stream_.add(as_bytes(std::string_view(buffer_.data(), std::exchange(used_, 0))));
}

void DigestStream::add_bytes(std::string_view bytes) {
    if (bytes.size() > buffer_.size() - used_) flush();
    if (bytes.size() > buffer_.size()) return stream_.add(as_bytes(bytes));
    if (!bytes.empty()) std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
}

void DigestStream::add_length(std::uint32_t length) {
    add_bytes({reinterpret_cast<const char*>(&length), sizeof length});
}

void DigestStream::add_present(std::string_view key, std::string_view value) {
    add_length(static_cast<std::uint32_t>(key.size()));
    add_bytes(key);
    add_length(static_cast<std::uint32_t>(value.size()));
    add_bytes(value);
}

void DigestStream::add(std::string_view key, const Value& value) {
    if (value) return add_present(key, value.bytes());
    add_length(static_cast<std::uint32_t>(key.size()));
    add_bytes(key);
    add_length(absent);
}

Hash256 block_digest(std::span<const Change> changes) {
    DigestStream stream;
    for (const Change& change : changes) stream.add(change.key, change.after);
    return stream.finish();
}

} // namespace blockloom::state
