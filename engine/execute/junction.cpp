#include "execute/junction.h"

#include <fmt/format.h>

namespace blockloom::execute {
namespace {

bool is_child(const ReplaySource& before, const ReplaySource& next) noexcept {
    if (next.block.header.previous != before.block.hash) return false;
    const auto below = height_of(before), height = height_of(next);
    return !below || !height || *height == *below + 1;
}

std::optional<std::uint64_t> below(const std::optional<std::uint64_t>& height) noexcept {
    return height && *height > 0 ? std::optional(*height - 1) : std::nullopt;
}

/// "SOURCE: block 960103 (HASH) follows block 960102 (HASH); ".
std::string follows(const ReplaySource& next) {
    const auto height = height_of(next);
    return fmt::format("{}: {} follows {}; ", next.block.source(),
                       block_text(height, next.block.hash),
                       block_text(below(height), next.block.header.previous));
}

Error bad(std::string message) {
    return {ErrorCode::bad_input, std::move(message)};
}

/// The parent is neither the workspace's last block nor below it.
Error not_there(const store::Workspace& workspace, const store::Tip& tip,
                const ReplaySource& first) {
    const std::string folder = workspace.folder().string();
    const auto height = height_of(first);
    const std::string last = block_text(tip.height, tip.hash);
    if (height && *height > tip.height + 1)
        return bad(fmt::format("{}expected it in {}, found {} as the last one: the blocks between "
                               "them are missing",
                               follows(first), folder, last));
    if (height && *height == tip.height + 1)
        return bad(fmt::format(
            "{}expected it in {}, found {} at that height: the block belongs to another branch, "
            "whose earlier blocks are missing; replay them too, or give another --workspace",
            follows(first), folder, last));
    return bad(
        fmt::format("{}expected it in {}, which does not have it: the block is below {}, the last "
                    "one there; replay the earlier blocks too, or give another --workspace",
                    follows(first), folder, last));
}

/// No block is committed and the state is declared to be after another block.
Error other_base(const store::Workspace& workspace, const store::Base& base,
                 const ReplaySource& first) {
    const std::string hash = base.hash ? fmt::format(" ({})", to_reversed_hex(*base.hash)) : "";
    return bad(
        fmt::format("{}expected the state in {} to be the one after it, found the state after "
                    "block {}{}; begin at that block's child, give another --workspace, or declare "
                    "that the state is the one before this block (replay --begin)",
                    follows(first), workspace.folder().string(), base.height, hash));
}

Error undeclared(const store::Workspace& workspace, const ReplaySource& first) {
    const auto parent = below(height_of(first));
    return bad(fmt::format(
        "{}the state in {} does not record the block it belongs to. If it is that one, use state "
        "seed FILE --after {}:{} (or --after with any state put-…) or replay --begin; otherwise "
        "replay from the chain's first block",
        follows(first), workspace.folder().string(), parent ? fmt::format("{}", *parent) : "HEIGHT",
        to_reversed_hex(first.block.header.previous)));
}

/// Where no block is committed.
Result<Junction> at_base(const store::Workspace& workspace, const ReplaySource& first,
                         const Beginning& beginning) {
    const auto base = workspace.base();
    if (!base) return base.error();
    const auto height = height_of(first);
    const Hash256& previous = first.block.header.previous;
    if (*base && (!(*base)->hash || *(*base)->hash == previous) &&
        (!height || below(height) == (*base)->height))
        return Junction{};
    if (beginning.declared) return Junction{.above = {}, .begins = true};
    const auto empty = workspace.is_empty_before(0);
    if (!empty) return empty.error();
    const bool of_chain = beginning.of_chain || previous == Hash256{};
    if (of_chain && (*empty || !*base)) return Junction{.above = {}, .begins = true};
    if (*base) return other_base(workspace, **base, first);
    return *empty ? missing_state(first) : undeclared(workspace, first);
}

} // namespace

std::optional<std::uint64_t> height_of(const ReplaySource& source) noexcept {
    return source.height ? source.height : source.block.height;
}

std::string block_text(const std::optional<std::uint64_t>& height, const Hash256& hash) {
    return height ? fmt::format("block {} ({})", *height, to_reversed_hex(hash))
                  : fmt::format("block {}", to_reversed_hex(hash));
}

Status check_link(const ReplaySource& before, const ReplaySource& next) {
    if (is_child(before, next)) return {};
    return bad(fmt::format(
        "{}expected it before this block, found {}: the blocks between them are missing",
        follows(next), block_text(height_of(before), before.block.hash)));
}

Error missing_state(const ReplaySource& first) {
    return bad(fmt::format(
        "{}expected the state before the block, found none. Fill a workspace by replaying the "
        "blocks before it, or with state seed and state put-… for single contracts (--after "
        "declares the block that the state belongs to), and give it as --workspace DIR (default: "
        "your own workspace); replay --empty-state starts from an empty state. --chain bitcoin "
        "analyses the same blocks by their outpoints",
        follows(first)));
}

std::size_t linked_blocks(std::span<const ReplaySource> blocks) noexcept {
    std::size_t linked = blocks.empty() ? 0 : 1;
    while (linked < blocks.size() && is_child(blocks[linked - 1], blocks[linked])) ++linked;
    return linked;
}

Result<std::optional<std::uint64_t>> committed_above(const store::Workspace& workspace,
                                                     const ReplaySource& first,
                                                     const Beginning& beginning) {
    if (const auto height = height_of(first)) {
        const auto committed = workspace.block(*height);
        if (!committed) return committed.error();
        if (*committed && (*committed)->hash == first.block.hash) return height;
    }
    const auto junction = find_junction(workspace, first, beginning);
    if (!junction) return junction.error();
    return junction->above;
}

Result<Junction> find_junction(const store::Workspace& workspace, const ReplaySource& first,
                               const Beginning& beginning) {
    const auto tip = workspace.tip();
    if (!tip) return at_base(workspace, first, beginning);
    const auto height = height_of(first);
    const Hash256& previous = first.block.header.previous;
    if (previous == tip->hash && (!height || *height == tip->height + 1)) return Junction{};
    if (height && *height <= tip->height) {
        const auto parent = workspace.below(*height);
        if (!parent) return parent.error();
        if (*parent && (*parent)->hash == previous) return Junction{.above = *height};
    }
    // A separate chain: all blocks of the other one would be undone.
    if (beginning.of_chain || previous == Hash256{}) {
        const auto empty = workspace.is_empty_before(0);
        if (!empty) return empty.error();
        if (*empty) return Junction{.above = 0, .begins = true};
    }
    return not_there(workspace, *tip, first);
}

} // namespace blockloom::execute
