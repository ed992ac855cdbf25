#include "range/followed_place.h"

#include "base/contain.h"
#include "range/database_source.h"
#include "range/indexer_keys.h"
#include "range/node_blocks.h"
#include "store/metashrew/node_database.h"

#include <fmt/format.h>

#include <mutex>

namespace blockloom::range {
namespace {

constexpr std::string_view place_of_indexer = "metashrew:";

/// The folder of an indexer, read again whenever it is asked for its tip.
class DatabaseNode final : public node::BlockNode {
public:
    explicit DatabaseNode(store::NodeOptions options) : options_(std::move(options)) {
        address_.url = options_.folder.string();
        address_.origin = address_.url;
    }

    [[nodiscard]] Result<std::uint64_t> tip(const std::stop_token& /*stop*/) const override {
        const std::lock_guard lock(guard_);
        if (const Status fresh = read_again(); !fresh) return fresh.error();
        return database_->tip();
    }
    [[nodiscard]] Result<std::vector<node::NodeBlock>>
    hashes(std::uint64_t first, std::size_t count, const std::stop_token& /*stop*/) const override {
        const std::lock_guard lock(guard_);
        if (const Status open = open_once(); !open) return open.error();
        std::vector<node::NodeBlock> blocks;
        for (std::size_t i = 0; i < count; ++i) {
            const auto hash = database_->block_hash(first + i);
            if (!hash) return hash.error();
            if (!*hash)
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: expected block {}, found that it is not indexed",
                                         address_.url, first + i)};
            blocks.push_back({first + i, **hash});
        }
        return blocks;
    }
    Status read(std::span<const node::NodeBlock> blocks, const node::TakeBlock& take,
                const std::stop_token& /*stop*/) const override {
        const std::lock_guard lock(guard_);
        if (const Status open = open_once(); !open) return open.error();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto raw = database_->get(indexer_block_key(blocks[i].height), blocks[i].height);
            if (!raw) return raw.error();
            if (!*raw)
                return Error{ErrorCode::bad_input, fmt::format("{}: expected block {}, found none",
                                                               address_.url, blocks[i].height)};
            if (const Status taken = take(i, Bytes((*raw)->begin(), (*raw)->end())); !taken)
                return taken;
        }
        return {};
    }
    [[nodiscard]] const node::NodeAddress& address() const noexcept override { return address_; }

private:
    Status open_once() const { return database_ != nullptr ? Status() : open(); }
    Status open() const {
        auto opened = store::NodeDatabase::open(options_);
        if (!opened) return opened.error();
        database_ = *std::move(opened);
        return {};
    }
    /// A view of a running node catches up; any other is opened anew, and so is one that cannot.
    Status read_again() const {
        if (database_ != nullptr && database_->running() && database_->catch_up()) return {};
        database_.reset();
        return open();
    }

    store::NodeOptions options_;
    node::NodeAddress address_;
    mutable std::mutex guard_;
    mutable std::unique_ptr<store::NodeDatabase> database_;
};

std::unique_ptr<node::BlockNode> database_node(std::string_view place, const StateSource& state) {
    store::NodeOptions options;
    if (state.place == place) {
        options.fork = state.fork;
        options.label = state.label;
        options.access = state.access;
    }
    options.folder = std::string(place.substr(place_of_indexer.size()));
    return std::make_unique<DatabaseNode>(std::move(options));
}

} // namespace

bool can_be_followed(std::string_view source) noexcept {
    return is_node_source(source) || is_database_source(source);
}

Result<std::unique_ptr<node::BlockNode>> open_followed_source(const RangeOptions& options) {
    return contain("opening a node", [&]() -> Result<std::unique_ptr<node::BlockNode>> {
        const std::string& source = options.sources.front();
        if (is_database_source(source)) return database_node(source, options.state);
        return open_node(source, options.nodes);
    });
}

Result<std::unique_ptr<node::BlockNode>> open_followed_state(const RangeOptions& options) {
    return contain("opening a node", [&]() -> Result<std::unique_ptr<node::BlockNode>> {
        const std::string& place = options.state.place;
        if (!place.starts_with(place_of_indexer) || place == options.sources.front())
            return std::unique_ptr<node::BlockNode>();
        if (is_database_source(place)) return database_node(place, options.state);
        return open_node(place, options.state.access_of_node);
    });
}

Result<std::string> why_no_state_yet(const node::BlockNode& indexer, const node::BlockNode& blocks,
                                     const node::NodeBlock& block, bool recorded,
                                     const std::stop_token& stop) {
    if (block.height == 0) return std::string();
    const std::uint64_t parent = block.height - 1, needed = recorded ? block.height : parent;
    const auto tip = indexer.tip(stop);
    if (!tip) return tip.error();
    if (*tip < needed)
        return fmt::format("{}: block {} waits until the indexer has block {}; its last block is "
                           "{}",
                           indexer.address().url, block.height, needed, *tip);
    for (std::uint64_t height = parent; height <= needed; ++height) {
        const auto indexed = indexer.hashes(height, 1, stop);
        if (!indexed) return indexed.error();
        Hash256 hash = block.hash;
        if (height == parent) {
            const auto of_chain = blocks.hashes(parent, 1, stop);
            if (!of_chain) return of_chain.error();
            hash = of_chain->front().hash;
        }
        if (indexed->front().hash != hash)
            return fmt::format("{}: block {} waits until the indexer has {} as block {}; it has {}",
                               indexer.address().url, block.height, to_reversed_hex(hash), height,
                               to_reversed_hex(indexed->front().hash));
    }
    return std::string();
}

} // namespace blockloom::range
