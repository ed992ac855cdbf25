#include "execute/replayed_recipes.h"

#include "execute/first_difference.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

namespace blockloom::tests {
namespace {

constexpr Nanoseconds one_year = 365 * 86'400 * Nanoseconds{1'000'000'000};

} // namespace

std::vector<execute::ReplaySource> sources_of(const char* name, std::uint32_t tasks,
                                              std::uint32_t blocks,
                                              std::optional<std::uint32_t> contracts) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks;
    changes.tasks = tasks;
    changes.contracts = contracts;
    auto made = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(name), changes));
    std::vector<execute::ReplaySource> sources;
    for (Bytes& bytes : *made) {
        const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
        for (const chain::BlockRef& ref : listing.blocks) sources.push_back({ref, ref.height, {}});
    }
    return sources;
}

Result<ReplayedBlocks> replay(std::span<const execute::ReplaySource> sources,
                              const execute::ReplayOptions& options,
                              execute::ReplaySummary* summary) {
    ReplayedBlocks blocks;
    execute::ReplayOptions patient = options;
    patient.device_options.time_out = one_year; // a loaded machine is no lost device
    SilentProgress silent;
    auto made = execute::replay_on(nullptr, sources, patient, false,
                                   [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                       blocks.push_back(block);
                                       return Status();
                                   },
                                   silent, {});
    if (!made) return made.error();
    if (summary != nullptr) *summary = *std::move(made);
    return blocks;
}

std::string difference(const ReplayedBlocks& found, const ReplayedBlocks& truth) {
    if (found.size() != truth.size()) return "blocks are missing";
    for (std::size_t i = 0; i < truth.size(); ++i)
        if (std::string text =
                execute::first_difference(*found[i]->execution, *truth[i]->execution);
            !text.empty())
            return text;
    return {};
}

} // namespace blockloom::tests
