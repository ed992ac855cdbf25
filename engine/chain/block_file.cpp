#include "chain/block_file.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::chain {

namespace {

/// A hundred times the largest that consensus allows.
constexpr std::uint64_t most_block_bytes = 400'000'000;

constexpr std::size_t least_window = 4096, most_window = 1 << 20;

} // namespace

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

Result<BlockBytes> BlockFile::read(std::uint64_t offset, std::uint64_t size) const {
    const auto shorter = [&] {
        return input_error(name_, offset, fmt::format("a block of {} bytes", size),
                           "a file that was truncated since it was listed");
    };
    if (kept_) {
        const ByteView all = kept_->bytes();
        if (offset > all.size() || size > all.size() - offset) return shorter();
        return BlockBytes{kept_, all.subspan(offset, size)};
    }
    if (reader_) {
        auto bytes = reader_(offset, size);
        if (!bytes) return bytes.error();
        if (bytes->size() != size) return shorter();
        auto storage = std::make_shared<const FileBytes>(*std::move(bytes));
        const ByteView view = storage->bytes();
        return BlockBytes{std::move(storage), view};
    }
    // A sparse file may claim any size.
    if (size > most_block_bytes)
        return input_error(name_, offset,
                           fmt::format("a block of at most {} bytes", most_block_bytes),
                           fmt::format("{}", size));
    const auto file = OpenFile::open(path_);
    if (!file) return file.error();
    if (offset > file->size() || size > file->size() - offset) return shorter();
    auto content = file->read(offset, size);
    if (!content) return content.error();
    auto storage = std::make_shared<const FileBytes>(*std::move(content));
    const ByteView bytes = storage->bytes();
    return BlockBytes{std::move(storage), bytes};
}

ByteView StoredBytes::at(std::uint64_t offset, std::size_t count) {
    if (failure_ || offset >= size_) return {};
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - offset));
    if (!file_ || whole_) return all_.subspan(offset, count);
    if (offset < window_at_ || offset + count > window_at_ + window_.size()) fill(offset, count);
    if (failure_) return {};
    return ByteView(window_).subspan(offset - window_at_, count);
}

void StoredBytes::fill(std::uint64_t offset, std::size_t count) {
    if (stop_.stop_requested()) {
        failure_ = cancelled_error();
        return;
    }
    // Twice as much each time while the search reads on from where it was.
    const bool on = offset >= window_at_ && offset <= window_at_ + window_.size();
    const std::size_t wanted = on ? std::min(2 * window_.size(), most_window) : least_window;
    const std::uint64_t size =
        std::min<std::uint64_t>(std::max({wanted, count, least_window}), size_ - offset);
    window_.resize(size);
    window_at_ = offset;
    if (const Status read = file_->read(offset, window_); !read) failure_ = read.error();
}

ByteView StoredBytes::all() {
    if (failure_) return {};
    if (file_ && !whole_) {
        auto content = file_->read(0, size_);
        if (!content) {
            failure_ = content.error();
            return {};
        }
        whole_ = *std::move(content);
        all_ = whole_->bytes();
    }
    return all_;
}

} // namespace blockloom::chain
