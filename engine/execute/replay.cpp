#include "execute/replay.h"

#include "state/digest.h"

#include <fmt/format.h>

#include <map>

namespace blockloom::execute {
namespace {

/// A view and the blocks executed on it so far, in memory.
class ScratchState final : public state::StateView {
public:
    explicit ScratchState(const state::StateView* base) : base_(base) {}

    [[nodiscard]] Result<state::Value> get(std::string_view key) const override {
        if (const auto found = written_.find(key); found != written_.end()) return found->second;
        return base_ == nullptr ? Result<state::Value>(state::Value()) : base_->get(key);
    }
    void apply(const std::vector<state::Change>& changes) {
        for (const state::Change& change : changes) written_[change.key] = change.after;
    }
    /// Only where nothing lies below.
    [[nodiscard]] std::optional<Hash256> digest() const {
        if (base_ != nullptr) return std::nullopt;
        state::DigestStream stream;
        for (const auto& [key, value] : written_)
            if (value) stream.add(key, value);
        return stream.finish();
    }

private:
    const state::StateView* base_;
    std::map<state::Key, state::Value, std::less<>> written_;
};

/// Counts blocks for a sink; the transactions of the one at hand are not told.
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

/// Runs blocks one after the other; `keep` takes each before `done` hears of it.
template <typename Before, typename Keep>
Status run_all(std::span<const ReplaySource> blocks, Replayer& replayer, const Before& before,
               const Keep& keep, bool keep_going, const BlockDone& done, ReplaySummary& summary,
               ProgressSink& progress, const std::stop_token& stop) {
    BlockProgress count(progress, blocks.size());
    SilentProgress silent;
    const Nanoseconds begin = now_ns();
    for (const ReplaySource& source : blocks) {
        if (stop.stop_requested()) return cancelled_error();
        auto replayed = replayer.run(source, before(), silent, stop);
        if (!replayed) {
            const Error error = in_place(replayed.error(), source);
            if (!keep_going || !can_skip(error)) return error;
            summary.left_out.push_back({source.block.source(), error.message});
            count.add();
            continue;
        }
        Stopwatch watch;
        if (const Status kept = keep(*replayed); !kept) return in_place(kept.error(), source);
        replayed->phases[Phase::commit] += watch.lap();
        count.add();
        if (const Status told = done(std::make_shared<const ReplayedBlock>(*std::move(replayed)));
            !told)
            return told;
    }
    summary.wall = now_ns() - begin;
    return {};
}

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

/// Holds what was executed again against what is committed.
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

} // namespace

Result<StartingPoint> find_start(std::span<const ReplaySource> blocks,
                                 store::Workspace& workspace) {
    StartingPoint start;
    const auto tip = workspace.tip();
    if (!tip || blocks.empty()) return start;
    for (; start.first < blocks.size(); ++start.first) {
        const ReplaySource& source = blocks[start.first];
        const auto height = source.height ? source.height : source.block.height;
        if (!height || *height > tip->height) return start;
        const auto record = workspace.block(*height);
        if (!record) return record.error();
        if (*record && (*record)->hash == source.block.hash) continue;
        if (start.first == 0 && !*record)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: block {} lies below block {}, the last one committed to "
                                     "{}, which does not hold it; give another --workspace, or "
                                     "take blocks back first (state undo)",
                                     source.block.source(), *height, tip->height,
                                     workspace.folder().string())};
        // Another branch: what was committed from here on never happened.
        const auto undone = workspace.undo(*height);
        if (!undone) return undone.error();
        start.undone = *undone;
        return start;
    }
    start.first = 0;
    start.again = true;
    return start;
}

Result<ReplaySummary> replay_into(store::Workspace& workspace, std::span<const ReplaySource> blocks,
                                  const ReplayOptions& options, bool keep_going,
                                  const BlockDone& done, ProgressSink& progress,
                                  const std::stop_token& stop) {
    const auto start = find_start(blocks, workspace);
    if (!start) return start.error();
    ReplaySummary summary;
    summary.undone = start->undone;
    summary.skipped_committed = start->first;
    Replayer replayer(options);
    if (start->again) {
        const auto first =
            blocks.front().height ? blocks.front().height : blocks.front().block.height;
        const auto past = workspace.state_before(*first);
        if (!past) return past.error();
        ScratchState scratch(past->get());
        const Status ran = run_all(
            blocks, replayer, [&]() -> const state::StateView& { return scratch; },
            [&](ReplayedBlock& replayed) {
                scratch.apply(replayed.execution->changes);
                ++summary.again;
                return compare(workspace, replayed);
            },
            keep_going, done, summary, progress, stop);
        if (!ran) return ran.error();
    } else {
        const Status ran = run_all(
            blocks.subspan(start->first), replayer,
            [&]() -> const state::StateView& { return workspace.state(); },
            [&](ReplayedBlock& replayed) {
                ++summary.committed;
                return commit(workspace, replayed);
            },
            keep_going, done, summary, progress, stop);
        if (!ran) return ran.error();
    }
    progress.report({"Digest of the state", 0, 0});
    const auto digest = workspace.state_digest(stop);
    if (!digest) return digest.error();
    summary.state_digest = *digest;
    return summary;
}

Result<ReplaySummary> replay_on(const state::StateView* before,
                                std::span<const ReplaySource> blocks, const ReplayOptions& options,
                                bool keep_going, const BlockDone& done, ProgressSink& progress,
                                const std::stop_token& stop) {
    ReplaySummary summary;
    Replayer replayer(options);
    ScratchState scratch(before);
    const Status ran = run_all(
        blocks, replayer, [&]() -> const state::StateView& { return scratch; },
        [&](ReplayedBlock& replayed) {
            scratch.apply(replayed.execution->changes);
            return Status();
        },
        keep_going, done, summary, progress, stop);
    if (!ran) return ran.error();
    summary.state_digest = scratch.digest();
    return summary;
}

} // namespace blockloom::execute
