#include "compute/sealed_file.h"

#include "base/sha256.h"

#include <cstring>

namespace blockloom::compute {
namespace {

constexpr std::size_t seal_bytes = sizeof(Hash256);

} // namespace

Bytes sealed(ByteView content, std::string_view name) {
    const Hash256 hash = Sha256().once({as_bytes(name), content});
    Bytes file(seal_bytes + content.size());
    std::memcpy(file.data(), hash.data(), seal_bytes);
    if (!content.empty()) std::memcpy(file.data() + seal_bytes, content.data(), content.size());
    return file;
}

ByteView unsealed(ByteView file, std::string_view name) {
    if (file.size() <= seal_bytes) return {};
    const ByteView content = file.subspan(seal_bytes);
    const Hash256 hash = Sha256().once({as_bytes(name), content});
    return std::memcmp(hash.data(), file.data(), seal_bytes) == 0 ? content : ByteView{};
}

} // namespace blockloom::compute
