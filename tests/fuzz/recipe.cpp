// Reader of recipes: any bytes give a recipe that can be made or an error, and a recipe is written
// and read again without a change.
#include "recipes/recipe.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto recipe = recipes::parse_recipe(ByteView(data, size), "fuzz");
    if (!recipe) {
        require(recipe.error().message.starts_with("fuzz"));
        return 0;
    }
    require(recipes::check(*recipe).ok() && recipe->shapes.size() <= size + 8);
    const std::string text = recipes::to_json(*recipe);
    const auto again = recipes::parse_recipe(as_bytes(text), "again");
    require(again.ok() && recipes::to_json(*again) == text);
    return 0;
}
