#include "range/written_check.h"

#include "range/indexer_keys.h"
#include "range/stored_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace blockloom::range {
namespace {

/// Written by the indexer in every block, and by nothing that we execute (docs/alkanes.md).
const state::Key& last_block_key() {
    static const state::Key key = alkanes::storage_key({32, 0}, "/last_block");
    return key;
}

bool is_built_in(std::string_view code_key) {
    static const std::array<state::Key, 3> keys{
        alkanes::code_key({2, 0}), alkanes::code_key({32, 0}), alkanes::code_key({32, 1})};
    return std::any_of(keys.begin(), keys.end(),
                       [&](const state::Key& key) { return key.bytes() == code_key; });
}

class Written {
public:
    Written(const NodeRecords& records, std::uint64_t height, const state::StateView& state,
            const CheckRules& rules, CheckSink& sink)
        : records_(records), height_(height), state_(state), rules_(rules), sink_(sink) {}

    Status compare(const std::optional<std::vector<std::string>>& list,
                   std::span<const state::Change> changes) {
        std::set<std::string, std::less<>> keys;
        if (list) {
            for (const std::string& name : *list) {
                IndexerKey key = read_indexer_key(name);
                if (key.state_key.empty())
                    sink_.not_compared(fmt::format("keys of the indexer's own: {}", key.other));
                else
                    keys.insert(std::move(key.state_key));
            }
        } else {
            sink_.not_compared("blocks whose written keys the node does not list: only keys that "
                               "the replay changed were compared");
        }
        for (const state::Change& change : changes) {
            const std::string_view key = change.key.bytes();
            if (!is_compared(key) || keys.contains(key)) continue;
            // An output that a transaction without protostones spends keeps its tokens in the node.
            if (alkanes::key_kind_text(key) == "sheet" && !change.after)
                sink_.not_compared("outputs that were spent, whose tokens the indexer leaves "
                                   "there");
            else if (list)
                unlisted(change);
            else
                keys.emplace(key);
        }
        std::erase_if(keys, [this](const std::string& key) { return !is_compared(key); });
        const std::vector<std::string> all(keys.begin(), keys.end());
        if (const Status ready = records_.read_ahead(all, height_); !ready) return ready;
        for (const std::string& key : all)
            if (const Status done = value(key); !done) return done;
        return {};
    }

private:
    /// The replay changed a key that is not in the node's list.
    void unlisted(const state::Change& change) {
        const std::string_view key = change.key.bytes();
        ++sink_.block().keys;
        sink_.compared(false, "written", alkanes::key_text(key), [&] {
            return std::pair(std::string("not among the keys that the block wrote"),
                             stored_text(key, change.after));
        });
    }

    bool is_compared(std::string_view key) {
        const std::string_view kind = alkanes::key_kind_text(key);
        if (kind == "bytecode") return false; // compared with the contract that has it
        if (key == last_block_key().bytes()) {
            if (left_out_.insert(std::string(key)).second)
                sink_.not_compared("/last_block of 32:0, which the indexer itself writes");
            return false;
        }
        if (kind == "code" && rules_.code_by_height && is_built_in(key)) {
            if (left_out_.insert(std::string(key)).second)
                sink_.not_compared("code of built-in contracts, which depends on the height");
            return false;
        }
        return true;
    }

    Status value(const std::string& key) {
        const auto ours = state_.get(state::Key(key));
        if (!ours) return ours.error();
        const auto theirs = records_.value(key, height_);
        if (theirs && std::holds_alternative<const char*>(*theirs)) {
            sink_.not_compared(std::get<const char*>(*theirs));
            return {};
        }
        ++sink_.block().keys;
        if (!theirs) {
            if (theirs.error().code == ErrorCode::system) return theirs.error();
            sink_.compared(false, "value", alkanes::key_text(key), [&] {
                return std::pair("unreadable: " + theirs.error().message, stored_text(key, *ours));
            });
            return {};
        }
        const state::Value node = std::get<state::Value>(*theirs).canonical(),
                           replay = ours->canonical();
        sink_.compared(node == replay, "value", alkanes::key_text(key), [&] {
            std::pair texts(stored_text(key, node), stored_text(key, replay));
            return texts.first == texts.second ? different_bytes(node.bytes(), replay.bytes())
                                               : texts;
        });
        return {};
    }

    const NodeRecords& records_;
    std::uint64_t height_;
    const state::StateView& state_;
    const CheckRules& rules_;
    CheckSink& sink_;
    std::set<std::string> left_out_; ///< keys that were counted as not compared
};

} // namespace

Status check_written(const NodeRecords& records, const execute::ReplayedBlock& block,
                     const state::StateView& state, const CheckRules& rules, CheckSink& sink) {
    const auto list = records.written_at(block.height());
    if (!list) return list.error();
    return Written(records, block.height(), state, rules, sink)
        .compare(*list, block.execution->changes);
}

} // namespace blockloom::range
