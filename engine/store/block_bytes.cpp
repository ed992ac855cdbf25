#include "store/block_bytes.h"

namespace blockloom::store {
namespace {

constexpr std::uint32_t absent = 0xffffffff;
constexpr std::size_t hash_size = sizeof(Hash256);
constexpr std::size_t record_size = 3 * hash_size + 8 + 1 + 8;

template <typename Integer> void append(std::string& to, Integer value) {
    static_assert(std::endian::native == std::endian::little);
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append(std::string& to, const Hash256& hash) {
    to.append(reinterpret_cast<const char*>(hash.data()), hash.size());
}

/// Takes `size` bytes off the front; false if there are fewer.
bool take(std::string_view& from, std::size_t size, std::string_view& taken) {
    if (from.size() < size) return false;
    taken = from.substr(0, size);
    from.remove_prefix(size);
    return true;
}

template <typename Integer> bool take(std::string_view& from, Integer& value) {
    std::string_view bytes;
    if (!take(from, sizeof value, bytes)) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    return true;
}

} // namespace

std::string height_key(std::uint64_t height) {
    std::string key;
    append(key, __builtin_bswap64(height));
    return key;
}

std::string record_bytes(const BlockRecord& record) {
    std::string bytes;
    bytes.reserve(record_size + record.extra.size());
    append(bytes, record.hash);
    append(bytes, record.previous);
    append(bytes, record.digest);
    append(bytes, record.keys);
    append(bytes, static_cast<Byte>(record.tip_before ? 1 : 0));
    append(bytes, record.tip_before.value_or(0));
    bytes += record.extra;
    return bytes;
}

std::optional<BlockRecord> record_from(std::uint64_t height, std::string_view bytes) {
    if (bytes.size() < record_size) return std::nullopt;
    BlockRecord record;
    record.height = height;
    for (Hash256* hash : {&record.hash, &record.previous, &record.digest}) {
        std::memcpy(hash->data(), bytes.data(), hash_size);
        bytes.remove_prefix(hash_size);
    }
    Byte known = 0;
    std::uint64_t before = 0;
    if (!take(bytes, record.keys) || !take(bytes, known) || !take(bytes, before) || known > 1)
        return std::nullopt;
    if (known == 1) record.tip_before = before;
    record.extra = bytes;
    return record;
}

std::string undo_bytes(std::span<const state::Change> changes) {
    std::size_t size = 0;
    for (const state::Change& change : changes)
        size += 8 + change.key.size() + change.before.size();
    std::string bytes;
    bytes.reserve(size);
    for (const state::Change& change : changes) {
        append(bytes, static_cast<std::uint32_t>(change.key.size()));
        bytes += change.key;
        append(bytes, change.before ? static_cast<std::uint32_t>(change.before.size()) : absent);
        bytes += change.before.bytes();
    }
    return bytes;
}

bool read_undo(
    std::string_view bytes,
    const std::function<void(std::string_view, std::optional<std::string_view>)>& restore) {
    while (!bytes.empty()) {
        std::uint32_t size = 0;
        std::string_view key, value;
        if (!take(bytes, size) || !take(bytes, size, key) || !take(bytes, size)) return false;
        if (size == absent) {
            restore(key, std::nullopt);
            continue;
        }
        if (!take(bytes, size, value)) return false;
        restore(key, value);
    }
    return true;
}

} // namespace blockloom::store
