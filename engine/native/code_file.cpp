#include "native/code_file.h"

#include "base/sha256.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::native {
namespace {

constexpr std::string_view file_magic = "BLMCODE\n";
constexpr std::uint32_t file_version = 1;
constexpr std::size_t key_at = 12, hash_at = key_at + 32, content_at = hash_at + 32;

bool equal(ByteView a, ByteView b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace

Bytes code_file_bytes(const Hash256& key, std::span<const ByteView> objects) {
    std::size_t all = content_at + 4 + 8 * objects.size();
    for (const ByteView object : objects) all += object.size();
    Bytes file(all);
    Byte* to = file.data();
    const auto put = [&](ByteView part) { to = std::copy(part.begin(), part.end(), to); };
    const auto put_number = [&](auto number) {
        std::memcpy(to, &number, sizeof number); // little-endian, as read_le has it
        to += sizeof number;
    };
    put(as_bytes(file_magic));
    put_number(file_version);
    put(key);
    to += 32; // the hash
    put_number(static_cast<std::uint32_t>(objects.size()));
    for (const ByteView object : objects) put_number(static_cast<std::uint64_t>(object.size()));
    for (const ByteView object : objects) put(object);
    const Hash256 hash = Sha256().once({ByteView(file).subspan(content_at)});
    std::copy(hash.begin(), hash.end(), file.begin() + hash_at);
    return file;
}

Result<std::vector<ByteView>> read_code_file(ByteView file, const Hash256& key,
                                             std::string_view place) {
    const auto damaged = [&](std::size_t offset, std::string_view expected,
                             const std::string& found) {
        return input_error(std::string(place), offset, std::string(expected), found);
    };
    if (file.size() < content_at + 4)
        return damaged(file.size(), fmt::format("at least {} bytes", content_at + 4),
                       "the end of the file");
    if (!equal(file.first(file_magic.size()), as_bytes(file_magic)))
        return damaged(0, "a file of machine code", to_hex(file.first(file_magic.size())));
    if (const auto version = read_le<std::uint32_t>(file.data() + file_magic.size());
        version != file_version)
        return damaged(file_magic.size(), fmt::format("version {}", file_version),
                       fmt::format("{}", version));
    if (!equal(file.subspan(key_at, 32), key))
        return damaged(key_at, "the key " + to_hex(key), to_hex(file.subspan(key_at, 32)));
    const ByteView content = file.subspan(content_at);
    if (const Hash256 hash = Sha256().once({content}); !equal(file.subspan(hash_at, 32), hash))
        return damaged(hash_at, "content of SHA-256 " + to_hex(file.subspan(hash_at, 32)),
                       to_hex(hash));
    const auto count = read_le<std::uint32_t>(content.data());
    if (count > most_code_objects || content.size() - 4 < std::size_t{8} * count)
        return damaged(content_at, "the sizes of as many objects as the file has room for",
                       fmt::format("{} objects", count));
    ByteView rest = content.subspan(4 + std::size_t{8} * count);
    std::vector<ByteView> objects;
    objects.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = read_le<std::uint64_t>(content.data() + 4 + 8 * i);
        if (size > rest.size())
            return damaged(content_at + 4 + 8 * i,
                           fmt::format("at most {} bytes of object {}", rest.size(), i),
                           fmt::format("{}", size));
        objects.push_back(rest.first(static_cast<std::size_t>(size)));
        rest = rest.subspan(static_cast<std::size_t>(size));
    }
    if (!rest.empty())
        return damaged(file.size() - rest.size(), "the end of the file",
                       fmt::format("{} bytes more", rest.size()));
    return objects;
}

} // namespace blockloom::native
