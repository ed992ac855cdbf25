#include "execute/replay.h"

#include "base/contain.h"
#include "execute/layered_state.h"
#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/worker_pool.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::execute {
namespace {

/// Counts blocks for a sink; transactions of the current block are not reported.
class BlockProgress {
public:
    BlockProgress(ProgressSink& sink, std::size_t total) : sink_(sink), total_(total) { tell(); }
    void add() {
        ++done_;
        tell();
    }

private:
    void tell() { sink_.report({"Replaying", done_, total_}); }
    ProgressSink& sink_;
    std::size_t total_, done_ = 0;
};

/// Whether an error is about the block and not about what it is executed on.
bool can_skip(const Error& error) noexcept {
    return error.code == ErrorCode::bad_input;
}

Error in_place(const Error& error, const ReplaySource& source) {
    const std::string name = source.block.source();
    if (error.message.find(name) != std::string::npos) return error;
    return {error.code, fmt::format("{}: {}", name, error.message)};
}

/// Runs blocks window by window; `keep` stores each block before `done` is called with it.
template <typename Before, typename Keep> class RangeRun {
public:
    RangeRun(std::span<const ReplaySource> blocks, Replayer& replayer, const Before& before,
             const Keep& keep, bool keep_going, const BlockDone& done, ReplaySummary& summary,
             ProgressSink& progress, const std::stop_token& stop)
        : blocks_(blocks), replayer_(replayer), before_(before), keep_(keep),
          keep_going_(keep_going), done_(done), summary_(summary), count_(progress, blocks.size()),
          stop_(stop) {}

    Status perform() {
        LiveRun* const live = replayer_.options().live.get();
        const StrategyOptions& how = replayer_.options().strategy;
        if (live != nullptr)
            live->expect(blocks_.size(),
                         how.strategy == Strategy::serial ? 1 : WorkerPool::count(how.workers));
        const std::size_t pauses_before = live == nullptr ? 0 : live->gate().pauses().size();
        WorkWatch watch(live == nullptr ? nullptr : &live->gate());
        while (next_ < blocks_.size()) {
            if (live != nullptr) live->gate().pass(stop_);
            if (stop_.stop_requested()) return cancelled_error();
            Status broken; // the blocks before it are executed and kept first
            std::vector<OpenedBlock> window;
            std::vector<std::size_t> places;
            const std::size_t most = std::max(replayer_.options().strategy.window, 1U);
            for (; next_ < blocks_.size() && window.size() < most; ++next_) {
                const Status linked = on_parent(next_, places);
                auto opened = linked ? replayer_.open(blocks_[next_], before_())
                                     : Result<OpenedBlock>(linked.error());
                if (!opened) {
                    broken = leave_out(next_, opened.error());
                    if (!broken) break;
                    continue;
                }
                window.push_back(*std::move(opened));
                places.push_back(next_);
            }
            if (const Status ran = run(std::move(window), places); !ran) return ran;
            if (!broken) return broken;
        }
        summary_.wall = watch.lap();
        if (live != nullptr) {
            live->repetition_over();
            note_pauses(*live, pauses_before);
        }
        return {};
    }

private:
    /// A block is executed only on its parent: the one before it in the window, or the last that
    /// was executed. The caller is responsible for the first one's parent.
    [[nodiscard]] Status on_parent(std::size_t place,
                                   const std::vector<std::size_t>& window) const {
        const auto before = window.empty() ? last_ : std::optional(window.back());
        if (before) return check_link(at(*before), at(place));
        if (place == 0) return {};
        // The block that should have been first was left out.
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: the blocks below it were left out",
                                 block_text(height_of(at(place)), at(place).block.hash))};
    }

    /// The timeline shows the time as it went by: pauses are separate spans.
    void note_pauses(const LiveRun& live, std::size_t first) const {
        Recording* const recording = replayer_.options().recording.get();
        if (recording == nullptr) return;
        const auto all = live.gate().pauses();
        for (std::size_t i = first; i < all.size(); ++i)
            recording->note(SpanName::paused, profile::Category::wait, all[i].begin, all[i].end);
    }

    Status run(std::vector<OpenedBlock> window, const std::vector<std::size_t>& places) {
        if (window.empty()) return {};
        auto replayed = replayer_.execute(std::move(window), before_(), silent_, stop_);
        if (!replayed) {
            if (places.size() == 1) return leave_out(places.front(), replayed.error());
            if (!can_skip(replayed.error())) return in_place(replayed.error(), at(places.front()));
            return run_one_by_one(places);
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i != 0 && stop_.stop_requested()) return cancelled_error();
            Stopwatch watch;
            ReplayedBlock& block = (*replayed)[i];
            if (block.verified == false) return differs(block, at(places[i]));
            std::optional<DriverSpan> span(std::in_place, replayer_.options().recording.get(),
                                           Phase::commit,
                                           static_cast<std::uint32_t>(block.height()));
            if (const Status kept = keep_(block); !kept)
                return in_place(kept.error(), at(places[i]));
            span.reset(); // reporting the block does not count as commit
            block.phases[Phase::commit] += watch.lap();
            last_ = places[i];
            if (LiveRun* const live = replayer_.options().live.get()) live->finished(block);
            count_.add();
            if (const Status reported =
                    done_(std::make_shared<const ReplayedBlock>(std::move(block)));
                !reported)
                return reported;
        }
        return {};
    }

    /// Ends the run before the block is kept.
    static Error differs(const ReplayedBlock& block, const ReplaySource& source) {
        return in_place({ErrorCode::verification,
                         fmt::format("block {}: differs from the serial execution and is not "
                                     "committed: {}",
                                     block.height(), block.difference)},
                        source);
    }

    /// One of the blocks cannot be executed; the others are.
    Status run_one_by_one(const std::vector<std::size_t>& places) {
        for (const std::size_t place : places) {
            if (stop_.stop_requested()) return cancelled_error();
            if (const Status linked = on_parent(place, {}); !linked) {
                if (const Status out = leave_out(place, linked.error()); !out) return out;
                continue;
            }
            auto opened = replayer_.open(at(place), before_());
            if (!opened) return in_place(opened.error(), at(place));
            std::vector<OpenedBlock> one;
            one.push_back(*std::move(opened));
            if (const Status ran = run(std::move(one), {place}); !ran) return ran;
        }
        return {};
    }

    /// An error, unless the block may be left out.
    Status leave_out(std::size_t place, const Error& why) {
        const Error error = in_place(why, at(place));
        if (!keep_going_ || !can_skip(error)) return error;
        summary_.left_out.push_back({at(place).block.source(), error.message});
        count_.add();
        return {};
    }

    [[nodiscard]] const ReplaySource& at(std::size_t place) const { return blocks_[place]; }

    std::span<const ReplaySource> blocks_;
    Replayer& replayer_;
    const Before& before_;
    const Keep& keep_;
    bool keep_going_;
    const BlockDone& done_;
    ReplaySummary& summary_;
    BlockProgress count_;
    SilentProgress silent_;
    const std::stop_token& stop_;
    std::size_t next_ = 0;
    std::optional<std::size_t> last_; ///< the last block that was executed and kept
};

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
        const auto before = [&]() -> const state::StateView& { return scratch; };
        const auto keep = [&](ReplayedBlock& replayed) {
            scratch.apply(replayed.execution->changes);
            ++summary.again;
            return compare(workspace, replayed);
        };
        const Status ran =
            RangeRun(blocks, replayer, before, keep, keep_going, done, summary, progress, stop)
                .perform();
        if (!ran) return ran.error();
    } else {
        const auto before = [&]() -> const state::StateView& { return workspace.state(); };
        const auto keep = [&](ReplayedBlock& replayed) {
            ++summary.committed;
            return commit(workspace, replayed);
        };
        const Status ran = RangeRun(blocks.subspan(start->first), replayer, before, keep,
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
    const auto at_end = [&]() -> const state::StateView& { return scratch; };
    const auto keep = [&](ReplayedBlock& replayed) {
        scratch.apply(replayed.execution->changes);
        return Status();
    };
    const Status ran =
        RangeRun(blocks, replayer, at_end, keep, keep_going, done, summary, progress, stop)
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
