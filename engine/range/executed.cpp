#include "range/executed.h"

#include "execute/replay.h"
#include "range/chain_rules.h"
#include "range/state_before.h"

#include <algorithm>

namespace blockloom::range {

Result<bool> is_alkanes(const RangeOptions& options, const Sources& sources) {
    if (options.chain != "auto") return options.chain == "alkanes";
    if (sources.manifest) return sources.manifest->chain == "alkanes";
    if (options.state.given()) return true;
    if (options.workspace.empty()) return false;
    return holds_state(options.workspace);
}

Status execute_pending(Sources& sources, const RangeOptions& options, ProgressSink& progress,
                       const std::stop_token& stop) {
    std::erase_if(sources.pending, [&](const Pending& pending) {
        if (pending.block) return false;
        sources.left_out.push_back({pending.source, "it is a trace and cannot be executed", false});
        return true;
    });
    if (sources.pending.empty())
        return Error{ErrorCode::bad_input, "expected blocks to execute, found traces only"};
    const auto before = state_before(options, sources.pending.front(), sources.manifest, stop);
    if (!before) return before.error();

    execute::ReplayOptions how;
    if (const Status chosen = choose_rules(how, options, sources.manifest, *before); !chosen)
        return chosen;
    how.engine = options.engine;
    how.record = options.record;
    how.estimate = options.estimate;
    how.model = options.analysis.model; // so that the analysis can share the index
    how.contracts = options.contracts;
    std::vector<execute::ReplaySource> blocks;
    for (const Pending& pending : sources.pending) blocks.push_back(replay_source(pending));
    if (const Status read = read_ahead(before->source, blocks, how, progress, stop); !read)
        return read;
    std::vector<std::shared_ptr<const execute::ReplayedBlock>> replayed;
    auto summary = execute::replay_on(
        before->view(), blocks, how, options.keep_going,
        [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            replayed.push_back(block);
            if (options.executed) options.executed->push_back(block);
            return Status();
        },
        progress, stop);
    if (!summary) return summary.error();
    if (const Status same = confirm(before->source, stop); !same) return same;
    sources.state = before->source.text;
    sources.unknown = before->source.unknown_values();
    if (before->source.notes) sources.notes = before->source.notes();
    for (execute::SkippedBlock& out : summary->left_out)
        sources.left_out.push_back({std::move(out.source), std::move(out.reason), false});

    // Blocks that were left out have no execution; the others are found by their hashes, in order.
    std::size_t next = 0;
    std::erase_if(sources.pending, [&](Pending& pending) {
        if (next < replayed.size() && replayed[next]->block().hash == pending.block->hash) {
            pending.replayed = std::move(replayed[next++]);
            return false;
        }
        return true;
    });
    return {};
}

} // namespace blockloom::range
