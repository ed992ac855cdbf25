#include "range/manifest.h"

#include "base/file.h"
#include "recipes/recipe.h"

#include <algorithm>

namespace blockloom::range {

Result<Manifest> read_manifest(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return mapped.error();
    return parse_manifest(mapped->bytes(), file.string());
}

Manifest demo_manifest() {
    const recipes::Recipe recipe = recipes::demo_recipe();
    if (!recipe.has_messages()) return {"bitcoin", alkanes::Network::mainnet};
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(),
                    [](const recipes::BlockShape& shape) { return shape.messages->prefixed > 0; });
    return {"alkanes", prefixed ? alkanes::Network::blockloom : alkanes::Network::mainnet};
}

} // namespace blockloom::range
