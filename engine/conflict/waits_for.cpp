// Why a task waits: the key and the kinds of conflict behind each of its edges.
#include "conflict/conflict_index.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr std::uint32_t for_raw = 1, for_war = 2, for_waw = 4;

/// A key of the task, during the walk from it back to the beginning of the block.
struct Watched {
    Access access;
    bool commutative = false;
    bool closed = false;     ///< anything further back causes no edge
    bool seen_other = false; ///< commutative: the epoch that makes the edges has begun
};

/// The kinds between `earlier` and the watched access if they make an edge; 0 if not. Notes what
/// the earlier access closes.
std::uint32_t edge_kinds(Watched& watched, Access earlier, bool multi_version) {
    const Access mine = watched.access;
    if (watched.commutative) {
        if (multi_version) return !mine.writes() && earlier.writes() ? for_raw : 0;
        if (mine.writes() == earlier.writes()) {
            // The task's own epoch, or beyond the one it depends on.
            watched.closed = watched.seen_other;
            return 0;
        }
        watched.seen_other = true;
        return mine.writes() ? for_war : for_raw;
    }
    std::uint32_t kinds = 0;
    if (earlier.writes() && mine.reads()) kinds |= for_raw;
    if (!multi_version && earlier.reads() && mine.writes()) kinds |= for_war;
    if (!multi_version && earlier.writes() && mine.writes()) kinds |= for_waw;
    watched.closed = earlier.writes();
    return kinds;
}

} // namespace

std::vector<Reason> waits_for(const ConflictIndex& index, TaskId task) {
    std::vector<Reason> reasons;
    if (task >= index.tasks()) return reasons;
    const auto before = index.predecessors_of(task);
    const trace::PolicedTrace& trace = *index.trace;
    const trace::AccessSets& sets = trace.access_sets();
    std::vector<Watched> watched;
    for (const Access access : sets.of(task))
        watched.push_back(
            {access, !trace.commutative.empty() && trace.commutative[access.key()], false, false});
    std::sort(watched.begin(), watched.end(),
              [](const Watched& a, const Watched& b) { return a.access.key() < b.access.key(); });
    // From the last predecessor to the first; the tasks between them are visited too, because they
    // may close a key.
    const TaskId first = before.empty() ? task : before.front();
    for (TaskId earlier = task; earlier-- > first;) {
        Reason reason{earlier, no_key, 0};
        for (const Access access : sets.of(earlier)) {
            const auto mine =
                std::lower_bound(watched.begin(), watched.end(), access.key(),
                                 [](const Watched& w, KeyId key) { return w.access.key() < key; });
            if (mine == watched.end() || mine->access.key() != access.key() || mine->closed)
                continue;
            const std::uint32_t kinds =
                edge_kinds(*mine, access, index.model == ConflictModel::multi_version);
            if (kinds != 0 && access.key() < reason.key) reason = {earlier, access.key(), kinds};
        }
        if (std::binary_search(before.begin(), before.end(), earlier)) reasons.push_back(reason);
    }
    std::reverse(reasons.begin(), reasons.end());
    return reasons;
}

} // namespace blockloom::conflict
