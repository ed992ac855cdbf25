// Any bytes as a file of blocks: listed, loaded and ordered, never a crash. The first byte says
// whether the next eight are an XOR key.
#include "chain/block_source.h"
#include "chain/ordering.h"

#include <cstdlib>

using namespace blockloom;

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t key_size = 8;
    if (size < 1 + key_size) return 0;
    const ByteView input(data, size);
    const bool with_key = input[0] == 'k';
    const ByteView file = input.subspan(1 + key_size);
    const auto listing = chain::list_block_bytes(
        {file.begin(), file.end()}, "input", with_key ? input.subspan(1, key_size) : ByteView());
    // Every block takes at least a header, so a file cannot list more than fit into it.
    must(listing.blocks.size() <= file.size() / 80);
    must(!listing.blocks.empty() || !listing.malformed.empty());
    for (const chain::BlockRef& ref : listing.blocks) {
        must(ref.offset <= file.size() && ref.size <= file.size() - ref.offset);
        const auto block = chain::load_block(ref);
        if (block) {
            must(block->hash == ref.hash && block->height == ref.height);
        } else {
            must(!block.error().message.empty());
        }
    }
    const auto order = chain::order_blocks(listing.blocks);
    must(order.order.size() + order.off_chain.size() == listing.blocks.size());
    return 0;
}
