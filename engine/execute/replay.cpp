#include "execute/replay.h"

#include "base/contain.h"
#include "execute/layered_state.h"
#include "execute/range_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace blockloom::execute {
namespace {

Status commit(store::Workspace& workspace, ReplayedBlock& replayed) {
    const alkanes::BlockExecution& execution = *replayed.execution;
    const auto record = workspace.commit({.height = execution.height,
                                          .hash = execution.hash,
                                          .previous = replayed.block().header.previous,
                                          .changes = execution.changes,
                                          .extra = {}});
    if (!record) return record.error();
    replayed.committed = true;
    return {};
}

/// Compares re-executed blocks with the committed ones.
Status compare(const store::Workspace& workspace, ReplayedBlock& replayed) {
    const auto record = workspace.block(replayed.height());
    if (!record) return record.error();
    replayed.committed_before = true;
    if (!*record) return {};
    const bool equal = (*record)->digest == replayed.execution->digest;
    if (!equal && replayed.difference.empty())
        replayed.difference =
            fmt::format("block {}: digest {}, committed {}", replayed.height(),
                        to_hex(replayed.execution->digest), to_hex((*record)->digest));
    replayed.verified = replayed.verified.value_or(true) && equal;
    return {};
}

/// A longer branch is followed, as a node follows it. A branch that would leave the workspace with
/// fewer blocks, or none of its blocks, must be requested.
Status may_take_back(const store::Workspace& workspace, std::span<const ReplaySource> rest,
                     const Junction& junction, const JoinOptions& join) {
    if (join.switch_branch) return {};
    const store::Tip tip = *workspace.tip();
    const auto base = workspace.base();
    if (!base) return base.error();
    const std::size_t linked = linked_blocks(rest);
    const std::uint64_t above = *junction.above,
                        first = *base ? std::max((*base)->height + 1, above) : above,
                        end = height_of(rest.front()).value_or(0) + linked - 1;
    const bool in_common = !junction.begins && (*base ? above > (*base)->height + 1 : above > 0);
    if (in_common && end > tip.height) return {};
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: {} belongs to another branch than the one in {}: {} committed blocks, {} "
                    "to {}, would be undone for {} that {}; give --switch-branch to do so, or give "
                    "another --workspace to keep them",
                    rest.front().block.source(),
                    block_text(height_of(rest.front()), rest.front().block.hash),
                    workspace.folder().string(), tip.height - first + 1, first, tip.height, linked,
                    in_common ? fmt::format("end at {}", end) : "have none in common with them")};
}

} // namespace

Result<StartingPoint> find_start(std::span<const ReplaySource> blocks, store::Workspace& workspace,
                                 const JoinOptions& join) {
    StartingPoint start;
    if (blocks.empty()) return start;
    for (; start.first < blocks.size(); ++start.first) {
        const auto height = height_of(blocks[start.first]);
        if (!height || !workspace.tip() || *height > workspace.tip()->height) break;
        const auto record = workspace.block(*height);
        if (!record) return record.error();
        if (!*record || (*record)->hash != blocks[start.first].block.hash) break;
    }
    if (start.first == blocks.size()) {
        start.first = 0;
        start.again = true;
        return start;
    }
    const auto rest = blocks.subspan(start.first);
    if (start.first != 0)
        if (const Status linked = check_link(blocks[start.first - 1], rest.front()); !linked)
            return linked.error();
    const Beginning beginning = start.first == 0 ? join.beginning : Beginning{};
    const auto junction = find_junction(workspace, rest.front(), beginning);
    if (!junction) return junction.error();
    if (junction->above) {
        if (const Status may = may_take_back(workspace, rest, *junction, join); !may)
            return may.error();
        const auto undone = workspace.undo(*junction->above);
        if (!undone) return undone.error();
        start.undone = *undone;
    }
    const auto height = height_of(rest.front());
    if (junction->begins && height && *height > 0) {
        const store::Base below{*height - 1, rest.front().block.header.previous};
        if (const Status set = workspace.set_base(below); !set) return set.error();
    }
    return start;
}

static Result<ReplaySummary> run_into(store::Workspace& workspace,
                                      std::span<const ReplaySource> blocks,
                                      const ReplayOptions& options, bool keep_going,
                                      const BlockDone& done, ProgressSink& progress,
                                      const std::stop_token& stop, const JoinOptions& join) {
    const auto start = find_start(blocks, workspace, join);
    if (!start) return start.error();
    ReplaySummary summary;
    summary.undone = start->undone;
    summary.skipped_committed = start->first;
    Replayer replayer(options);
    if (start->again) {
        const auto past = workspace.state_before(*height_of(blocks.front()));
        if (!past) return past.error();
        LayeredState scratch(past->get());
        RangeTarget target;
        target.before = [&]() -> const state::StateView& { return scratch; };
        target.apply = [&](const PartedChanges& changes, WorkerPool* pool) {
            scratch.apply(changes, pool);
        };
        target.keep = [&](ReplayedBlock& replayed) {
            ++summary.again;
            return compare(workspace, replayed);
        };
        const Status ran =
            RangeRun(blocks, replayer, std::move(target), keep_going, done, summary, progress, stop)
                .perform();
        if (!ran) return ran.error();
    } else {
        RangeTarget target;
        target.before = [&]() -> const state::StateView& { return workspace.state(); };
        target.keep = [&](ReplayedBlock& replayed) {
            ++summary.committed;
            return commit(workspace, replayed);
        };
        target.kept_state = true;
        const Status ran = RangeRun(blocks.subspan(start->first), replayer, std::move(target),
                                    keep_going, done, summary, progress, stop)
                               .perform();
        if (!ran) return ran.error();
    }
    progress.report({"Digest of the state", 0, 0});
    const auto digest = workspace.state_digest(stop);
    if (!digest) return digest.error();
    summary.state_digest = *digest;
    return summary;
}

static Result<ReplaySummary> run_on(const state::StateView* before,
                                    std::span<const ReplaySource> blocks,
                                    const ReplayOptions& options, bool keep_going,
                                    const BlockDone& done, ProgressSink& progress,
                                    const std::stop_token& stop) {
    ReplaySummary summary;
    Replayer replayer(options);
    LayeredState scratch(before);
    RangeTarget target;
    target.before = [&]() -> const state::StateView& { return scratch; };
    target.apply = [&](const PartedChanges& changes, WorkerPool* pool) {
        scratch.apply(changes, pool);
    };
    const Status ran =
        RangeRun(blocks, replayer, std::move(target), keep_going, done, summary, progress, stop)
            .perform();
    if (!ran) return ran.error();
    const auto digest = scratch.digest(stop);
    if (!digest) return digest.error();
    summary.state_digest = *digest;
    return summary;
}

Result<ReplaySummary> replay_into(store::Workspace& workspace, std::span<const ReplaySource> blocks,
                                  const ReplayOptions& options, bool keep_going,
                                  const BlockDone& done, ProgressSink& progress,
                                  const std::stop_token& stop, const JoinOptions& join) {
    return contain("replay", [&] {
        return run_into(workspace, blocks, options, keep_going, done, progress, stop, join);
    });
}

Result<ReplaySummary> replay_on(const state::StateView* before,
                                std::span<const ReplaySource> blocks, const ReplayOptions& options,
                                bool keep_going, const BlockDone& done, ProgressSink& progress,
                                const std::stop_token& stop) {
    return contain("replay", [&] {
        return run_on(before, blocks, options, keep_going, done, progress, stop);
    });
}

} // namespace blockloom::execute
