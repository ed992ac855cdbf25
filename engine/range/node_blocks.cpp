#include "range/node_blocks.h"

#include "base/contain.h"
#include "chain/block_source.h"
#include "node/metashrew_node.h"
#include "range/metashrew_blocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

constexpr std::string_view of_core = "core:", of_rest = "rest:", of_indexer = "metashrew:";
/// How many times a chain is read again because it changed meanwhile.
constexpr int most_chains = 4;
constexpr std::size_t blocks_at_a_time = 16;

/// A block's bytes as a listed block. Fails unless it is the one that was asked for.
Result<chain::BlockRef> checked_block(const node::NodeBlock& asked, Bytes bytes,
                                      const std::string& source) {
    // Digits at the end of the name are the height, where the block does not say it.
    const std::string name = fmt::format("{} block {}", source, asked.height);
    auto listing = chain::list_block_bytes(std::move(bytes), name);
    if (!listing.malformed.empty()) return listing.malformed.front().error;
    if (listing.blocks.size() != 1)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected one block, found {}", name, listing.blocks.size())};
    chain::BlockRef block = std::move(listing.blocks.front());
    if (block.hash != asked.hash)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected {}, found {}", name, to_reversed_hex(asked.hash),
                                 to_reversed_hex(block.hash))};
    if (block.height && *block.height != asked.height)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected this height, found {} in it", name, *block.height)};
    block.height = asked.height;
    const auto decoded = chain::load_block(block);
    if (!decoded) return decoded.error();
    if (!decoded->checks.merkle)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected transactions of its merkle root, found others", name)};
    return block;
}

/// One reading of a range; nothing: the chain changed meanwhile.
class ChainReading {
public:
    ChainReading(const node::BlockNode& node, const std::string& source, ProgressSink& progress,
                 const std::stop_token& stop, FetchedAnswers* fetched)
        : node_(node), source_(source), progress_(progress), stop_(stop), fetched_(fetched) {}

    Result<std::optional<std::vector<chain::BlockRef>>> read(std::uint64_t first,
                                                             std::uint64_t last) {
        const std::size_t count = last - first + 1;
        progress_.report({"Reading blocks of the node", 0, count});
        const auto hashes = node_.hashes(first, count, stop_);
        if (!hashes) return hashes.error();
        std::vector<chain::BlockRef> blocks(count);
        std::uint64_t bytes = 0;
        for (std::size_t at = 0; at < count; at += blocks_at_a_time) {
            const auto part =
                std::span(*hashes).subspan(at, std::min(blocks_at_a_time, count - at));
            std::size_t done = 0;
            std::vector<node::NodeBlock> missing;
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < part.size(); ++i) {
                if (auto block = fetched_block(part[i], bytes)) {
                    blocks[at + i] = *std::move(block);
                    ++done;
                    continue;
                }
                missing.push_back(part[i]);
                places.push_back(at + i);
            }
            const auto take = [&](std::size_t i, Bytes content) -> Status {
                bytes += content.size();
                const std::string kept = fetched_ != nullptr
                                             ? std::string(content.begin(), content.end())
                                             : std::string();
                auto block = checked_block(missing[i], std::move(content), source_);
                if (!block) return block.error();
                if (fetched_ != nullptr) fetched_->keep(name_of_fetched(missing[i]), kept);
                blocks[places[i]] = *std::move(block);
                progress_.report({"Reading blocks of the node", at + ++done, count});
                return {};
            };
            if (!missing.empty())
                if (const Status read = node_.read(missing, take, stop_); !read)
                    return read.error();
            if (bytes > most_node_bytes)
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: expected at most {} bytes of blocks, found more by "
                                         "block {}; give fewer at a time (--from, --to)",
                                         source_, most_node_bytes, part.back().height)};
        }
        for (std::size_t i = 1; i < count; ++i)
            if (blocks[i].header.previous != blocks[i - 1].hash)
                return std::optional<std::vector<chain::BlockRef>>();
        return std::optional(std::move(blocks));
    }

private:
    static std::string name_of_fetched(const node::NodeBlock& block) {
        return {block.hash.begin(), block.hash.end()};
    }
    /// A block that was fetched before, checked like any other; its size is added to `bytes`.
    [[nodiscard]] std::optional<chain::BlockRef> fetched_block(const node::NodeBlock& asked,
                                                               std::uint64_t& bytes) const {
        const auto kept =
            fetched_ != nullptr ? fetched_->find(name_of_fetched(asked)) : std::nullopt;
        if (!kept) return std::nullopt;
        auto block = checked_block(asked, Bytes(kept->begin(), kept->end()), source_);
        if (!block) return std::nullopt;
        bytes += kept->size();
        return *std::move(block);
    }

    const node::BlockNode& node_;
    const std::string& source_;
    ProgressSink& progress_;
    const std::stop_token& stop_;
    FetchedAnswers* fetched_;
};

struct NodeSource {
    std::string_view kind; ///< of the prefixes
    node::NodeAddress address;
};

Result<NodeSource> read_node_source(std::string_view source) {
    const std::size_t url_at = node::is_url(source) ? 0 : source.find(':') + 1;
    const std::string_view kind = source.substr(0, url_at);
    auto address = node::node_address(source.substr(url_at));
    if (!address) return address.error();
    if (kind != of_core && kind != of_rest && kind != of_indexer)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected core: (JSON-RPC of Bitcoin Core), rest: (its "
                                 "REST) or metashrew: (JSON-RPC of an indexer) before the URL",
                                 address->url)};
    return NodeSource{kind, *std::move(address)};
}

} // namespace

bool is_node_source(std::string_view source) noexcept {
    for (const std::string_view prefix : {of_core, of_rest, of_indexer})
        if (source.starts_with(prefix) && source.find("://") != std::string_view::npos) return true;
    return node::is_url(source);
}

Status check_node_source(std::string_view source) {
    const auto parts = read_node_source(source);
    return parts ? Status() : Status(parts.error());
}

std::string shown_source(std::string_view source) {
    if (source.find("://") == std::string_view::npos) return std::string(source);
    const auto parts = read_node_source(source);
    return parts ? fmt::format("{}{}", parts->kind, parts->address.url) : std::string("a node");
}

Result<std::unique_ptr<node::BlockNode>> open_node(std::string_view source,
                                                   const node::NodeAccess& access) {
    return contain("opening a node", [&]() -> Result<std::unique_ptr<node::BlockNode>> {
        auto parts = read_node_source(source);
        if (!parts) return parts.error();
        auto http = node::HttpClient::open(std::move(parts->address), access);
        if (!http) return http.error();
        if (parts->kind == of_core) return node::core_node(*std::move(http));
        if (parts->kind == of_rest) return node::rest_node(*std::move(http));
        return metashrew_blocks(*std::move(http));
    });
}

Result<std::vector<chain::BlockRef>>
read_node_blocks(const node::BlockNode& node, const std::string& source, std::uint64_t first,
                 std::uint64_t last, ProgressSink& progress, const std::stop_token& stop,
                 FetchedAnswers* fetched) {
    return contain("reading blocks of a node", [&]() -> Result<std::vector<chain::BlockRef>> {
        if (last < first || last - first >= most_node_blocks)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected 1 to {} blocks, found heights {} to {}", source,
                                     most_node_blocks, first, last)};
        ChainReading reading(node, source, progress, stop, fetched);
        for (int chain = 0; chain < most_chains; ++chain) {
            auto blocks = reading.read(first, last);
            if (!blocks) return blocks.error();
            if (*blocks) return **std::move(blocks);
        }
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected blocks {} to {} of one chain, found that the node "
                                 "keeps changing its chain",
                                 source, first, last)};
    });
}

Result<std::vector<chain::BlockRef>>
node_blocks(const std::string& source, const node::NodeAccess& access,
            const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& last,
            ProgressSink& progress, const std::stop_token& stop) {
    const auto node = open_node(source, access);
    if (!node) return node.error();
    if (!first)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected the first height to read (--from H, and --to H "
                                 "unless all up to the last block)",
                                 source)};
    std::uint64_t end = last.value_or(0);
    if (!last) {
        const auto tip = (*node)->tip(stop);
        if (!tip) return tip.error();
        end = *tip;
        if (end < *first)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected blocks from height {} on, found {} as the last "
                                     "one",
                                     source, *first, end)};
    }
    // A single block, such as one that is followed, is not worth keeping.
    FetchedAnswers fetched = end > *first ? FetchedAnswers(FetchedAnswers::default_folder(),
                                                           "blocks\n" + (*node)->address().url)
                                          : FetchedAnswers();
    return read_node_blocks(**node, source, *first, end, progress, stop, &fetched);
}

Status choose_heights(RangeOptions& options, const std::stop_token& stop) {
    if (options.sources.size() != 1 || !is_node_source(options.sources.front())) return {};
    if (options.from && options.to) return {};
    const auto node = open_node(options.sources.front(), options.nodes);
    if (!node) return node.error();
    const auto tip = (*node)->tip(stop);
    if (!tip) return tip.error();
    if (options.from && *options.from > *tip) return {}; // reading says what is wrong
    if (!options.to) options.to = *tip;
    if (!options.from) options.from = *options.to;
    return {};
}

} // namespace blockloom::range
