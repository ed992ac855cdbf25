#include "conflict/touch_lists.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::conflict {
namespace {

constexpr std::size_t fetched_ahead = 24; ///< accesses between prefetching memory and using it
constexpr trace::KeyId uncached_keys = 64 * 1024; ///< their lists no longer fit the nearer caches

Error broken(const std::string& expected, const std::string& found) {
    return {ErrorCode::bad_input,
            fmt::format("access sets: expected {}, found {}", expected, found)};
}

Status check_shape(const trace::AccessSets& sets) {
    if (sets.begin.empty() || sets.begin.front() != 0 ||
        sets.begin.back() != sets.accesses.size() ||
        !std::is_sorted(sets.begin.begin(), sets.begin.end()))
        return broken(
            fmt::format("non-descending begin offsets from 0 to {}", sets.accesses.size()),
            "others");
    if (sets.begin.size() > std::size_t{1} << 30)
        return broken("fewer than 2^30 tasks", fmt::format("{}", sets.begin.size() - 1));
    if (sets.key_count > trace::max_keys)
        return broken("at most 2^30 keys", fmt::format("{}", sets.key_count));
    return {};
}

} // namespace

Result<TouchLists> list_touches(const trace::AccessSets& sets) {
    if (Status checked = check_shape(sets); !checked) return checked.error();
    TouchLists lists;
    // begin[k + 1] counts, then is where the list of k continues, and ends as where it ends: one
    // array for all three.
    lists.begin.assign(std::size_t{sets.key_count} + 2, 0);
    std::uint32_t* const next = lists.begin.data() + 1;
    for (const trace::Access access : sets.accesses) {
        if (access.key() >= sets.key_count)
            return broken(fmt::format("key ids below {}", sets.key_count),
                          fmt::format("{}", access.key()));
        ++next[access.key() + 1];
    }
    for (std::size_t key = 1; key <= sets.key_count; ++key) next[key] += next[key - 1];
    lists.touches.resize(sets.accesses.size());
    const trace::TaskId tasks = sets.tasks();
    const trace::Access* const accesses = sets.accesses.data();
    const std::size_t near_end =
        sets.accesses.size() - std::min(sets.accesses.size(), 2 * fetched_ahead);
    for (trace::TaskId task = 0; task < tasks; ++task)
        for (std::size_t i = sets.begin[task]; i < sets.begin[task + 1]; ++i) {
            if (sets.key_count > uncached_keys && i < near_end) {
                __builtin_prefetch(&next[accesses[i + 2 * fetched_ahead].key()], 1);
                __builtin_prefetch(&lists.touches[next[accesses[i + fetched_ahead].key()]], 1);
            }
            lists.touches[next[accesses[i].key()]++] = Touch(task, accesses[i].mode());
        }
    lists.begin.pop_back();
    return lists;
}

} // namespace blockloom::conflict
