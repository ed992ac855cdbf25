#include "range/make_bundle.h"

#include "execute/replay.h"
#include "range/chain_rules.h"
#include "range/sources.h"
#include "range/state_before.h"
#include "state/memory_state.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace blockloom::range {
namespace {

/// Keeps what was read.
class NotedReads final : public state::StateView {
public:
    explicit NotedReads(const state::StateView& base) : base_(&base) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        auto value = base_->get(key);
        if (!value) return value;
        const std::lock_guard lock(guard_);
        read_.try_emplace(state::Key(key), *value);
        return value;
    }
    [[nodiscard]] std::vector<std::pair<state::Key, state::Value>> entries() const {
        return {read_.begin(), read_.end()};
    }

private:
    const state::StateView* base_;
    mutable std::mutex guard_;
    mutable std::map<state::Key, state::Value> read_;
};

} // namespace

Result<StateBundle> make_bundle(const RangeOptions& options, const std::string& made_by,
                                ProgressSink& progress, const std::stop_token& stop) {
    RangeOptions listing = options;
    listing.chain = "bitcoin"; // blocks only
    const auto sources = gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    std::vector<execute::ReplaySource> blocks;
    for (const Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(replay_source(pending));
    if (blocks.empty())
        return Error{ErrorCode::bad_input, "expected blocks to execute, found none"};
    const auto before = state_before(options, sources->pending.front(), sources->manifest, stop);
    if (!before) return before.error();
    execute::ReplayOptions how;
    if (const Status chosen = choose_rules(how, options, sources->manifest, *before); !chosen)
        return chosen.error();
    how.engine = options.engine;
    how.contracts = options.contracts;
    how.estimate = true;
    if (const Status read = read_ahead(before->source, blocks, how, progress, stop); !read)
        return read.error();
    const state::MemoryState empty;
    const NotedReads noted(before->view() != nullptr ? *before->view() : empty);
    StateBundle bundle;
    const auto summary = execute::replay_on(
        &noted, blocks, how, false,
        [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            bundle.blocks.push_back({block->height(), block->block().hash});
            return Status();
        },
        progress, stop);
    if (!summary) return summary.error();
    bundle.made_by = made_by;
    bundle.from = !before->source.text.empty() ? before->source.text
                  : before->workspace          ? before->workspace->folder().string()
                                               : "the empty state";
    bundle.rules = fmt::format("network {}, {} rules, {} fuel", name_of(how.network),
                               alkanes::rules_name(how.network, how.line), name_of(how.fuel));
    bundle.parent = blocks.front().block.header.previous;
    bundle.entries = noted.entries();
    if (before->source.is_unknown)
        for (const auto& [key, value] : bundle.entries)
            if (before->source.is_unknown(key.bytes())) bundle.unknown.push_back(key);
    if (const Status same = confirm(before->source, stop); !same) return same.error();
    return bundle;
}

} // namespace blockloom::range
