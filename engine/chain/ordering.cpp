#include "chain/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace blockloom::chain {

namespace {

__extension__ using Work = unsigned __int128;
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct HashOfHash {
    std::size_t operator()(const Hash256& hash) const noexcept {
        return read_le<std::size_t>(hash.data()); // the low end: no proof of work makes it zero
    }
};
using Index = std::unordered_map<Hash256, std::uint32_t, HashOfHash>;

/// Expected hashes to find a block of this target: 2^256 / target, as nodes compare branches. At
/// least 1, so that forged blocks without a valid target still compare by their number; at most
/// 2^90, which no real block comes near and of which 2^32 blocks do not overflow the sum.
Work work_of(std::uint32_t bits) {
    constexpr Work least = 1, most = Work{1} << 90;
    const std::uint32_t mantissa = bits & 0x7fffff;
    if (mantissa == 0 || (bits & 0x800000) != 0) return least; // no valid target
    const int shift = 256 - 8 * (static_cast<int>(bits >> 24) - 3);
    if (shift < 0) return least;
    if (shift >= 128) return most;
    return std::clamp((Work{1} << shift) / mantissa, least, most);
}

/// The forest of the blocks: children as linked lists, in the order in which they were seen. A
/// parent that is not among the blocks is a node too, so that its children compete.
class Forest {
public:
    explicit Forest(std::span<const ChainLink> blocks) : blocks_(blocks) {
        Index index;
        index.reserve(blocks.size() * 2);
        parent_.assign(blocks.size(), none);
        duplicate_of_.assign(blocks.size(), none);
        for (std::uint32_t i = 0; i < blocks.size(); ++i) {
            const auto [at, is_new] = index.try_emplace(blocks[i].hash, i);
            if (!is_new) duplicate_of_[i] = at->second;
        }
        nodes_ = static_cast<std::uint32_t>(blocks.size());
        for (std::uint32_t i = 0; i < blocks.size(); ++i) {
            if (duplicate_of_[i] != none) continue;
            const auto [at, is_new] = index.try_emplace(blocks[i].previous, nodes_);
            if (is_new) roots_.push_back(nodes_++);
            parent_[i] = at->second;
        }
        first_child_.assign(nodes_, none);
        next_sibling_.assign(nodes_, none);
        for (std::uint32_t i = static_cast<std::uint32_t>(blocks.size()); i-- > 0;) {
            if (parent_[i] == none) continue;
            next_sibling_[i] = first_child_[parent_[i]];
            first_child_[parent_[i]] = i;
        }
    }

    [[nodiscard]] ChainOrder order() {
        result_.heights.resize(blocks_.size());
        reached_.assign(nodes_, false);
        depth_.assign(nodes_, 0);
        work_.assign(nodes_, 0);
        for (const std::uint32_t root : roots_) walk_tree(root);
        leave_out_circles();
        std::stable_sort(trees_.begin(), trees_.end(), [](const Tree& a, const Tree& b) {
            if (!a.height || !b.height) return a.height.has_value() && !b.height.has_value();
            return *a.height < *b.height;
        });
        for (const Tree& tree : trees_)
            result_.order.insert(result_.order.end(), tree.best.begin(), tree.best.end());
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            if (duplicate_of_[i] == none) continue;
            result_.heights[i] = result_.heights[duplicate_of_[i]];
            result_.off_chain.push_back({i, false, "duplicate: the same block was seen before"});
        }
        std::sort(result_.off_chain.begin(), result_.off_chain.end(),
                  [](const OffChain& a, const OffChain& b) { return a.block < b.block; });
        return std::move(result_);
    }

private:
    struct Tree {
        std::vector<std::size_t> best; ///< the winning branch, first block first
        std::optional<std::uint64_t> height;
    };

    /// Visits a tree breadth first (parents before children), then picks its best branch.
    void walk_tree(std::uint32_t root) {
        std::vector<std::uint32_t> visited;
        for (std::uint32_t i = first_child_[root]; i != none; i = next_sibling_[i])
            visited.push_back(i);
        std::size_t tip = 0;
        for (std::size_t at = 0; at < visited.size(); ++at) {
            const std::uint32_t node = visited[at];
            reached_[node] = true;
            const std::uint32_t parent = parent_[node];
            const bool first = parent == root;
            depth_[node] = first ? 0 : depth_[parent] + 1;
            work_[node] = work_of(blocks_[node].bits) + (first ? 0 : work_[parent]);
            const std::uint32_t tip_node = visited[tip];
            if (work_[node] > work_[tip_node] ||
                (work_[node] == work_[tip_node] && node < tip_node))
                tip = at;
            for (std::uint32_t i = first_child_[node]; i != none; i = next_sibling_[i])
                visited.push_back(i);
        }
        const std::optional<std::uint64_t> height = infer_heights(visited);
        keep_best(visited, visited[tip], root, height);
    }

    /// The height of the tree's first blocks on which most stated heights agree (ties: the one
    /// stated first).
    std::optional<std::uint64_t> infer_heights(const std::vector<std::uint32_t>& visited) {
        std::unordered_map<std::uint64_t, std::size_t> votes;
        std::optional<std::uint64_t> best;
        for (const std::uint32_t node : visited) {
            const auto stated = blocks_[node].height;
            if (stated && *stated >= depth_[node]) ++votes[*stated - depth_[node]];
        }
        for (const std::uint32_t node : visited) {
            const auto stated = blocks_[node].height;
            if (!stated || *stated < depth_[node]) continue;
            const std::uint64_t base = *stated - depth_[node];
            if (!best || votes[base] > votes[*best]) best = base;
        }
        for (const std::uint32_t node : visited)
            result_.heights[node] =
                best ? std::optional(*best + depth_[node]) : blocks_[node].height;
        return best;
    }

    void keep_best(const std::vector<std::uint32_t>& visited, std::uint32_t tip, std::uint32_t root,
                   std::optional<std::uint64_t> height) {
        Tree tree{{}, height};
        std::vector<std::uint32_t> best;
        for (std::uint32_t node = tip; node != root; node = parent_[node]) best.push_back(node);
        tree.best.assign(best.rbegin(), best.rend());
        if (visited.size() != best.size()) {
            for (const std::uint32_t node : best) reached_[node] = false; // marks the winners
            for (const std::uint32_t node : visited) {
                if (reached_[node])
                    result_.off_chain.push_back(
                        {node, true,
                         fmt::format(
                             "stale: the branch of block {} has more work or was seen first",
                             to_reversed_hex(blocks_[tip].hash))});
                reached_[node] = true;
            }
        }
        trees_.push_back(std::move(tree));
    }

    /// Hashes cannot form a circle; forged links can. Such blocks have no order.
    void leave_out_circles() {
        for (std::uint32_t i = 0; i < blocks_.size(); ++i)
            if (!reached_[i] && duplicate_of_[i] == none)
                result_.off_chain.push_back({i, true, "its previous-block links form a cycle"});
    }

    std::span<const ChainLink> blocks_;
    std::uint32_t nodes_ = 0;
    std::vector<std::uint32_t> parent_, duplicate_of_, first_child_, next_sibling_, roots_;
    std::vector<std::uint32_t> depth_;
    std::vector<Work> work_; ///< of the branch up to a node
    std::vector<bool> reached_;
    std::vector<Tree> trees_;
    ChainOrder result_;
};

} // namespace

ChainOrder order_blocks(std::span<const ChainLink> blocks) {
    return Forest(blocks).order();
}

ChainOrder order_blocks(std::span<const BlockRef> blocks) {
    std::vector<ChainLink> links;
    links.reserve(blocks.size());
    for (const BlockRef& block : blocks)
        links.push_back({block.hash, block.header.previous, block.header.bits, block.height});
    return order_blocks(links);
}

} // namespace blockloom::chain
