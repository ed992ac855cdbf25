#include "conflict/naive.h"

#include <algorithm>
#include <fnmatch.h>
#include <optional>

namespace blockloom::test {

using conflict::ConflictModel;

namespace {

std::string kind_of(const std::string& key) {
    return key.substr(0, key.find(':'));
}

bool takes(const std::vector<std::string>& patterns, const std::string& key) {
    for (const std::string& pattern : patterns) {
        if (pattern.rfind("kind:", 0) == 0) {
            if (fnmatch(pattern.c_str() + 5, kind_of(key).c_str(), 0) == 0) return true;
        } else if (fnmatch(pattern.c_str(), key.c_str(), 0) == 0 ||
                   fnmatch(pattern.c_str(), key.substr(key.find(':') + 1).c_str(), 0) == 0) {
            return true;
        }
    }
    return false;
}

std::string coarse(const std::string& key) {
    static const std::set<std::string> kinds{"storage", "balance", "nonce", "code", "account"};
    if (kinds.count(kind_of(key)) == 0) return key;
    const std::string rest = key.substr(key.find(':') + 1);
    return "account:" + rest.substr(0, rest.find_first_of(":/"));
}

bool touches(const NaiveTrace& trace, Task task, const std::string& key) {
    return trace.tasks[task].count(key) != 0;
}

NaiveAccess access(const NaiveTrace& trace, Task task, const std::string& key) {
    const auto there = trace.tasks[task].find(key);
    return there == trace.tasks[task].end() ? NaiveAccess{} : there->second;
}

std::optional<Task> latest_writer(const NaiveTrace& trace, const std::string& key, Task before) {
    for (Task i = before; i-- > 0;)
        if (access(trace, i, key).writes) return i;
    return std::nullopt;
}

/// Commutative keys, single-version: i belongs to the latest run of the other sort (updates, pure
/// reads) before j.
bool in_latest_other_epoch(const NaiveTrace& trace, const std::string& key, Task i, Task j) {
    const bool updates = access(trace, j, key).writes;
    Task t = j;
    const auto back_over = [&](bool sort, auto each) {
        while (t > 0) {
            const NaiveAccess there = access(trace, t - 1, key);
            if ((there.reads || there.writes) && there.writes != sort) return;
            --t;
            if (there.reads || there.writes) each(t);
        }
    };
    bool found = false;
    back_over(updates, [](Task) {});
    back_over(!updates, [&](Task other) { found = found || other == i; });
    return found;
}

} // namespace

NaiveTrace naive_apply(const trace::BlockTrace& trace, const trace::KeyPolicy& policy,
                       bool use_cost) {
    NaiveTrace applied;
    std::map<std::string, bool> all_parts_commutative;
    for (trace::KeyId key = 0; key < trace.sets.key_count; ++key) {
        const std::string fine = trace.keys->printable(key);
        const std::string name = policy.coarsen_account ? coarse(fine) : fine;
        if (takes(policy.ignore, fine)) continue;
        bool& all = all_parts_commutative.try_emplace(name, true).first->second;
        all = all && takes(policy.commutative, fine);
    }
    for (const auto& [name, all] : all_parts_commutative)
        if (all || (name.rfind("account:", 0) == 0 && policy.coarsen_account &&
                    takes(policy.commutative, name)))
            applied.commutative.insert(name);
    for (trace::TaskId task = 0; task < trace.tasks(); ++task) {
        if (policy.without_votes && !trace.vote.empty() && trace.vote[task]) continue;
        std::map<std::string, NaiveAccess> set;
        for (const trace::Access touch : trace.sets.of(task)) {
            const std::string fine = trace.keys->printable(touch.key());
            if (takes(policy.ignore, fine)) continue;
            if (policy.touches_ignored && kind_of(fine) == "balance" && !touch.writes()) continue;
            const std::string name = policy.coarsen_account ? coarse(fine) : fine;
            if (policy.coarsen_account && name.rfind("account:", 0) == 0 &&
                takes(policy.ignore, name))
                continue;
            set[name].reads |= touch.reads();
            set[name].writes |= touch.writes();
        }
        applied.tasks.push_back(set);
        applied.cost.push_back(use_cost ? trace.cost_of(task) : 1);
        if (!trace.transaction.empty()) applied.transaction.push_back(trace.transaction[task]);
        applied.original_task.push_back(task);
    }
    return applied;
}

NaiveTrace without(NaiveTrace trace, const std::string& key) {
    for (auto& task : trace.tasks) task.erase(key);
    return trace;
}

std::uint32_t kinds_on(const NaiveTrace& trace, const std::string& key, Task i, Task j) {
    const NaiveAccess a = access(trace, i, key), b = access(trace, j, key);
    if (trace.commutative.count(key) != 0) {
        if (a.writes && b.reads && !b.writes) return 1;
        if (b.writes && a.reads && !a.writes) return 2;
        return 0;
    }
    return (b.reads && a.writes ? 1U : 0U) | (b.writes && a.reads ? 2U : 0U) |
           (a.writes && b.writes ? 4U : 0U);
}

std::uint32_t kinds_between(const NaiveTrace& trace, Task i, Task j) {
    std::uint32_t kinds = 0;
    for (const auto& [key, touch] : trace.tasks[j]) kinds |= kinds_on(trace, key, i, j);
    return kinds;
}

bool makes_edge(const NaiveTrace& trace, ConflictModel model, const std::string& key, Task i,
                Task j) {
    if (!touches(trace, i, key) || !touches(trace, j, key)) return false;
    const NaiveAccess a = access(trace, i, key), b = access(trace, j, key);
    if (trace.commutative.count(key) != 0) {
        if (model == ConflictModel::multi_version) return a.writes && !b.writes;
        return in_latest_other_epoch(trace, key, i, j);
    }
    const std::optional<Task> writer = latest_writer(trace, key, j);
    if (model == ConflictModel::multi_version) return b.reads && writer == i;
    return writer == i || (b.writes && a.reads && (!writer || i > *writer));
}

NaiveFigures naive_figures(const NaiveTrace& trace, ConflictModel model) {
    NaiveFigures figures;
    const std::size_t n = trace.tasks.size();
    std::set<std::string> keys;
    for (const auto& task : trace.tasks)
        for (const auto& [key, touch] : task) {
            keys.insert(key);
            figures.accesses += touch.reads + touch.writes;
        }
    figures.keys = keys.size();
    for (Task j = 0; j < n; ++j)
        for (Task i = 0; i < j; ++i) {
            const std::uint32_t kinds = kinds_between(trace, i, j);
            if (kinds != 0) figures.conflicts.insert({i, j});
            figures.pairs.any += kinds != 0;
            figures.pairs.raw += kinds & 1;
            figures.pairs.war += kinds >> 1 & 1;
            figures.pairs.waw += kinds >> 2 & 1;
            const bool by_key = std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
                return makes_edge(trace, model, key, i, j);
            });
            const bool by_program = i + 1 == j && !trace.transaction.empty() &&
                                    trace.transaction[i] == trace.transaction[j];
            if (by_key || by_program) figures.edges.insert({i, j});
        }
    figures.level.assign(n, 1);
    figures.group.resize(n);
    for (Task t = 0; t < n; ++t) figures.group[t] = static_cast<std::uint32_t>(t);
    std::vector<std::uint64_t> start(n, 0);
    std::set<Task> conflicting;
    for (Task j = 0; j < n; ++j) {
        for (Task i = 0; i < j; ++i) {
            if (figures.edges.count({i, j}) == 0) continue;
            figures.level[j] = std::max(figures.level[j], figures.level[i] + 1);
            start[j] = std::max(start[j], figures.finish[i]);
            conflicting.insert(i);
            conflicting.insert(j);
            const std::uint32_t a = figures.group[i], b = figures.group[j];
            for (std::uint32_t& group : figures.group)
                if (group == std::max(a, b)) group = std::min(a, b);
        }
        figures.finish.push_back(start[j] + trace.cost[j]);
        figures.work += trace.cost[j];
        figures.span = std::max(figures.span, figures.finish[j]);
    }
    figures.conflicting_tasks = conflicting.size();
    std::map<std::uint32_t, std::uint64_t> sizes;
    for (const std::uint32_t group : figures.group) ++sizes[group];
    figures.groups = sizes.size();
    for (const auto& [group, size] : sizes)
        figures.largest_group = std::max(figures.largest_group, size);
    for (std::uint32_t& group : figures.group)
        group = static_cast<std::uint32_t>(std::distance(sizes.begin(), sizes.find(group)));
    for (const std::uint32_t level : figures.level) {
        if (figures.level_sizes.size() < level) figures.level_sizes.resize(level);
        ++figures.level_sizes[level - 1];
        figures.parallel_tasks += std::count(figures.level.begin(), figures.level.end(), level) > 1;
    }
    return figures;
}

trace::KeyPolicy random_policy(std::mt19937_64& random) {
    static const std::vector<std::string> patterns{
        "kind:utxo",       "kind:[bn]*",  "balance:*",    "*:A*",      "A:*",
        "[AB]*",           "storage:?:*", "account:[AC]", "account:*", "code:?",
        "storage:B/[0-9]", "*[13579]",    "nonce:*",      "*"};
    const auto draw = [&](std::vector<std::string>& into) {
        for (std::size_t count = random() % 3; count > 0; --count)
            into.push_back(patterns[random() % patterns.size()]);
    };
    trace::KeyPolicy policy;
    draw(policy.commutative);
    if (random() % 2 == 0) draw(policy.ignore);
    policy.coarsen_account = random() % 4 == 0;
    policy.touches_ignored = random() % 4 == 0;
    policy.without_votes = random() % 3 == 0;
    return policy;
}

} // namespace blockloom::test
