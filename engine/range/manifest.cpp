#include "range/manifest.h"

#include "base/file.h"
#include "recipes/chained_blocks.h"

#include <algorithm>

namespace blockloom::range {

Result<Manifest> read_manifest(const std::filesystem::path& file) {
    const auto content = FileContent::read(file);
    if (!content) return content.error();
    return parse_manifest(content->bytes(), file.string());
}

bool Manifest::begins_with(const Hash256& block) const noexcept {
    return chain == "alkanes" &&
           std::find(first_blocks.begin(), first_blocks.end(), block) != first_blocks.end();
}

Manifest demo_manifest() {
    const recipes::Recipe recipe = recipes::demo_recipe();
    if (!recipe.has_messages()) return {"bitcoin", alkanes::Network::mainnet, {}};
    static const Hash256 first = recipes::ChainedBlocks(recipe).next().hash;
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(),
                    [](const recipes::BlockShape& shape) { return shape.messages->prefixed > 0; });
    return {"alkanes", prefixed ? alkanes::Network::blockloom : alkanes::Network::mainnet, {first}};
}

} // namespace blockloom::range
