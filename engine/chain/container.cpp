#include "chain/container.h"

#include "chain/block_head.h"
#include "chain/foreign_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::chain {

namespace {

constexpr std::size_t height_size = 4;

/// Enough to see that a file is text, leading spaces included.
constexpr std::size_t text_beginning = 65536;

/// A larger file that does not begin like a block is not read to find out whether it is one.
constexpr std::uint64_t most_odd_block = 64 << 20;

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
                    const std::shared_ptr<const BlockFile>& obfuscated, StoredBytes& stored) {
    if (obfuscated)
        if (auto records = find_records(obfuscated, stored)) return std::move(*records);
    if (auto records = find_records(plain, stored)) return std::move(*records);

    Finding finding;
    const auto take = [&](const BlockHead& head, Container container, std::size_t offset) {
        BlockRef ref{plain,     offset,     stored.size() - offset, container, false, head.header,
                     head.hash, head.height};
        if (offset != 0 && !ref.height)
            ref.height = read_le<std::uint32_t>(stored.at(0, height_size).data());
        finding.blocks.push_back(std::move(ref));
    };
    if (const auto head = read_block_head(stored.at(0, head_size))) {
        take(*head, Container::raw, 0);
        return finding;
    }
    if (const auto head = read_block_head(stored.at(height_size, head_size))) {
        take(*head, Container::height_prefixed, height_size);
        return finding;
    }
    if (const auto form = foreign_form(stored.at(0, text_beginning))) {
        finding.not_blocks =
            input_error(plain->name(), 0, "Bitcoin blocks or a .bloomtrace", *form);
        return finding;
    }
    // The remaining cases need the whole file: text, or a block with an unusual beginning.
    const bool text = may_be_text(stored.at(0, text_beginning));
    const std::uint64_t most = text ? FileContent::most_bytes : most_odd_block;
    if (stored.size() > most) {
        finding.not_blocks = input_error(plain->name(), 0, "the beginning of a block",
                                         fmt::format("{} bytes of another format", stored.size()));
        return finding;
    }
    const ByteView all = stored.all();
    if (stored.failure()) return finding;
    const ByteView after_height = all.subspan(std::min(height_size, all.size()));
    if (auto found = find_in_text(plain, all)) {
        return std::move(*found);
    } else if (const auto odd = decoded_head(all, plain->name(), finding.not_blocks)) {
        take(*odd, Container::raw, 0);
    } else if (const auto odd_after =
                   decoded_head(after_height, plain->name(), finding.not_blocks)) {
        take(*odd_after, Container::height_prefixed, height_size);
        finding.not_blocks.reset();
    }
    if (finding.not_blocks && finding.not_blocks->message.starts_with(plain->name()))
        finding.not_blocks->message.insert(plain->name().size(),
                                           ": not a recognised block file; as a raw block");
    return finding;
}

} // namespace blockloom::chain
