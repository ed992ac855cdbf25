#include "execute/levels.h"

#include "state/key_shards.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

void sort_once(std::vector<state::Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// The highest levels that touched a key so far; readers since the last write only.
struct Touched {
    std::uint32_t writer = 0, readers = 0;
};

} // namespace

bool DeclaredSets::may_read(std::string_view key) const {
    return std::binary_search(reads.begin(), reads.end(), key, std::less<>());
}

bool DeclaredSets::may_write(std::string_view key) const {
    return std::binary_search(writes.begin(), writes.end(), key, std::less<>());
}

DeclaredSets sets_of(const state::TransactionLog& log) {
    DeclaredSets sets;
    sets.reads.reserve(log.reads.size() + log.predicates.size());
    for (const state::Read& read : log.reads) sets.reads.push_back(read.key);
    for (const state::CounterAbove& predicate : log.predicates) sets.reads.push_back(predicate.key);
    for (const auto& [key, value] : log.writes) sets.writes.push_back(key);
    sort_once(sets.reads);
    return sets;
}

std::vector<std::uint32_t> levels_of(std::span<const DeclaredSets> sets, bool multi_version) {
    std::unordered_map<state::KeyView, Touched, state::KeyHash> touched;
    std::vector<std::uint32_t> levels;
    levels.reserve(sets.size());
    for (const DeclaredSets& own : sets) {
        std::uint32_t level = 0;
        for (const state::Key& key : own.reads)
            if (const auto found = touched.find(key); found != touched.end())
                level = std::max(level, found->second.writer);
        if (!multi_version)
            for (const state::Key& key : own.writes)
                if (const auto found = touched.find(key); found != touched.end())
                    level = std::max({level, found->second.writer, found->second.readers});
        levels.push_back(++level);
        for (const state::Key& key : own.reads) {
            Touched& at = touched[key];
            at.readers = std::max(at.readers, level);
        }
        for (const state::Key& key : own.writes) touched[key] = {level, 0};
    }
    return levels;
}

} // namespace blockloom::execute
