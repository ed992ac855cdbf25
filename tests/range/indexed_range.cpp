#include "range/indexed_range.h"

#include "range/chain_rules.h"
#include "range/sources.h"

namespace blockloom::test {

Result<IndexedRange> index_folder(const std::string& folder, std::optional<wasm::FuelRule> fuel) {
    range::RangeOptions options;
    options.sources = {folder};
    options.chain = "bitcoin";
    SilentProgress silent;
    const auto sources = range::gather_sources(options, silent, {});
    if (!sources) return sources.error();
    IndexedRange made;
    for (const range::Pending& pending : sources->pending) {
        made.blocks.push_back(range::replay_source(pending));
        const auto bytes = chain::read_block(*pending.block);
        if (!bytes) return bytes.error();
        made.raw.emplace_back(bytes->bytes.begin(), bytes->bytes.end());
    }
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    if (const Status chosen = range::choose_rules(how, {}, sources->manifest, nullptr, false);
        !chosen)
        return chosen.error();
    if (fuel) how.fuel = *fuel;
    auto indexed = index_blocks(made.blocks, how);
    if (!indexed) return indexed.error();
    made.indexed = *std::move(indexed);
    return made;
}

} // namespace blockloom::test
