#include "range/database_source.h"

#include "base/contain.h"
#include "chain/block_file.h"
#include "chain/block_source.h"
#include "range/indexer_keys.h"
#include "store/metashrew/node_database.h"

#include <fmt/format.h>

#include <filesystem>

namespace blockloom::range {
namespace {

constexpr std::string_view of_metashrew = "metashrew:";
/// Each is read to be listed.
constexpr std::uint64_t most_blocks = 100'000;

using Database = std::shared_ptr<const store::NodeDatabase>;

/// A block as the indexer kept it.
Result<Bytes> read_raw(const store::NodeDatabase& database, std::uint64_t height) {
    const auto raw = database.get(indexer_block_key(height), height);
    if (!raw) return raw.error();
    if (!*raw)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected block {}, found none: this indexer keeps no blocks; "
                                 "give files of them",
                                 database.options().folder.string(), height)};
    return Bytes((*raw)->begin(), (*raw)->end());
}

Result<chain::BlockRef> list_block(const Database& database, const std::string& source,
                                   std::uint64_t height) {
    const auto indexed = database->block_hash(height);
    if (!indexed) return indexed.error();
    auto raw = read_raw(*database, height);
    if (!raw) return raw.error();
    const std::string name = fmt::format("{}, block {}", source, height);
    chain::SourceListing listing = chain::list_block_bytes(*std::move(raw), name);
    if (!listing.malformed.empty()) return listing.malformed.front().error;
    if (listing.blocks.size() != 1)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected one block, found {}", name, listing.blocks.size())};
    chain::BlockRef block = std::move(listing.blocks.front());
    if (!*indexed || **indexed != block.hash)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the block that was indexed, {}, found {}", name,
                                 *indexed ? to_reversed_hex(**indexed) : "of unknown hash",
                                 to_reversed_hex(block.hash))};
    block.height = height;
    // A long range does not fit into memory.
    block.file = std::make_shared<const chain::BlockFile>(
        name, [database, height](std::uint64_t offset, std::uint64_t size) -> Result<Bytes> {
            auto bytes = read_raw(*database, height);
            if (!bytes || (offset == 0 && bytes->size() == size)) return bytes;
            if (offset > bytes->size() || size > bytes->size() - offset) return Bytes();
            const auto from = bytes->begin() + static_cast<std::ptrdiff_t>(offset);
            return Bytes(from, from + static_cast<std::ptrdiff_t>(size));
        });
    return block;
}

} // namespace

bool is_database_source(std::string_view source) noexcept {
    return source.starts_with(of_metashrew) && source.find("://") == std::string_view::npos;
}

Result<std::vector<chain::BlockRef>> database_blocks(const RangeOptions& options,
                                                     std::string_view source,
                                                     ProgressSink& progress,
                                                     const std::stop_token& stop) {
    return contain("listing an indexer's blocks", [&]() -> Result<std::vector<chain::BlockRef>> {
        store::NodeOptions where;
        if (options.state.place == source) {
            where.fork = options.state.fork;
            where.label = options.state.label;
            where.access = options.state.access;
        }
        where.folder = std::string(source.substr(of_metashrew.size()));
        if (!options.from || !options.to)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected the heights of its blocks (--from H --to "
                                     "H), found none",
                                     source)};
        if (*options.to < *options.from || *options.to - *options.from >= most_blocks)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected up to {} blocks, found {} to {}", source,
                                     most_blocks, *options.from, *options.to)};
        auto opened = store::NodeDatabase::open(where);
        if (!opened) return opened.error();
        const Database database = *std::move(opened);
        const auto tip = database->tip();
        if (!tip) return tip.error();
        if (*tip < *options.to)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected blocks up to {}, found {} as the last "
                                     "indexed block",
                                     source, *options.to, *tip)};
        std::vector<chain::BlockRef> blocks;
        const std::uint64_t count = *options.to - *options.from + 1;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (stop.stop_requested()) return cancelled_error();
            progress.report({"Listing the indexer's blocks", i, count});
            auto block = list_block(database, std::string(source), *options.from + i);
            if (!block) return block.error();
            blocks.push_back(*std::move(block));
        }
        return blocks;
    });
}

RangeOptions with_state_of_source(RangeOptions options) {
    if (options.state.given() || !options.workspace.empty() || options.sources.size() != 1 ||
        !is_database_source(options.sources.front()))
        return options;
    options.state.place = options.sources.front();
    return options;
}

} // namespace blockloom::range
