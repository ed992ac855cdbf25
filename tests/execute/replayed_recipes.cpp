#include "execute/replayed_recipes.h"

#include "recipes/recipe.h"

namespace blockloom::tests {

std::vector<execute::ReplaySource> sources_of(const char* name, std::uint32_t tasks,
                                              std::uint32_t blocks) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks;
    changes.tasks = tasks;
    changes.contracts = 2;
    auto made = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(name), changes));
    std::vector<execute::ReplaySource> sources;
    for (Bytes& bytes : *made) {
        const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
        for (const chain::BlockRef& ref : listing.blocks) sources.push_back({ref, ref.height, {}});
    }
    return sources;
}

Result<ReplayedBlocks> replay(std::span<const execute::ReplaySource> sources,
                              const execute::ReplayOptions& options) {
    ReplayedBlocks blocks;
    SilentProgress silent;
    const auto summary =
        execute::replay_on(nullptr, sources, options, false,
                           [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                               blocks.push_back(block);
                               return Status();
                           },
                           silent, {});
    if (!summary) return summary.error();
    return blocks;
}

} // namespace blockloom::tests
