#include "range/demo_source.h"

#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <iterator>

namespace blockloom::range {

Result<std::vector<chain::BlockRef>> demo_blocks(const std::stop_token& stop) {
    auto blocks = recipes::make_blocks(recipes::demo_recipe(), stop);
    if (!blocks) return blocks.error();
    std::vector<chain::BlockRef> refs;
    for (Bytes& bytes : *blocks) {
        chain::SourceListing listing = chain::list_block_bytes(std::move(bytes), "demo");
        if (!listing.malformed.empty()) return listing.malformed.front().error;
        refs.insert(refs.end(), std::make_move_iterator(listing.blocks.begin()),
                    std::make_move_iterator(listing.blocks.end()));
    }
    return refs;
}

} // namespace blockloom::range
