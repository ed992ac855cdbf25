#include "chain/container.h"

#include "chain/block_head.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::chain {

namespace {

constexpr std::size_t height_size = 4;

/// A whole block that does not start with a coinbase: strange, but a block if all of it decodes.
std::optional<BlockHead> decoded_head(ByteView bytes, const std::string& name,
                                      std::optional<Error>& why_not) {
    const auto block = decode_block(nullptr, bytes, name);
    if (block) return BlockHead{block->header, block->hash, block->height};
    if (!why_not) why_not = block.error();
    return std::nullopt;
}

} // namespace

Finding find_blocks(const std::shared_ptr<const BlockFile>& plain,
                    const std::shared_ptr<const BlockFile>& obfuscated, ByteView stored) {
    if (obfuscated)
        if (auto records = find_records(obfuscated, stored)) return std::move(*records);
    if (auto records = find_records(plain, stored)) return std::move(*records);

    Finding finding;
    const auto take = [&](const BlockHead& head, Container container, std::size_t offset) {
        BlockRef ref{plain,     offset,     stored.size() - offset, container, false, head.header,
                     head.hash, head.height};
        if (offset != 0 && !ref.height) ref.height = read_le<std::uint32_t>(stored.data());
        finding.blocks.push_back(std::move(ref));
    };
    const auto from = [&](std::size_t offset) {
        return stored.subspan(std::min(offset, stored.size()));
    };
    const auto beginning = [&](std::size_t offset) {
        return from(offset).first(std::min(head_size, from(offset).size()));
    };
    if (const auto head = read_block_head(beginning(0))) {
        take(*head, Container::raw, 0);
    } else if (const auto after = read_block_head(beginning(height_size))) {
        take(*after, Container::height_prefixed, height_size);
    } else if (auto text = find_in_text(plain, stored)) {
        return std::move(*text);
    } else if (const auto odd = decoded_head(stored, plain->name(), finding.not_blocks)) {
        take(*odd, Container::raw, 0);
    } else if (const auto odd_after =
                   decoded_head(from(height_size), plain->name(), finding.not_blocks)) {
        take(*odd_after, Container::height_prefixed, height_size);
        finding.not_blocks.reset();
    }
    if (finding.not_blocks)
        finding.not_blocks->message += " (read as a raw block; it looks like no other form either)";
    return finding;
}

} // namespace blockloom::chain
