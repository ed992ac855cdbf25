#include "chain/block_file.h"

namespace blockloom::chain {

void XorKey::apply(ByteView stored, std::uint64_t offset, Byte* plain) const noexcept {
    std::array<Byte, 8> turned{};
    for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = bytes_[(offset + i) % 8];
    const auto word = read_le<std::uint64_t>(turned.data());
    std::size_t at = 0;
    for (; at + 8 <= stored.size(); at += 8) {
        const std::uint64_t value = read_le<std::uint64_t>(stored.data() + at) ^ word;
        std::memcpy(plain + at, &value, sizeof value);
    }
    for (; at < stored.size(); ++at) plain[at] = stored[at] ^ turned[at % 8];
}

Result<std::shared_ptr<const FileBytes>> BlockFile::open() const {
    if (kept_) return kept_;
    const std::lock_guard lock(mutex_);
    if (auto mapped = mapped_.lock()) return mapped;
    auto file = MappedFile::open(path_);
    if (!file) return file.error();
    auto mapped = std::make_shared<const FileBytes>(std::move(*file));
    mapped_ = mapped;
    return std::shared_ptr<const FileBytes>(std::move(mapped));
}

} // namespace blockloom::chain
