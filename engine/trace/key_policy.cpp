#include "trace/key_policy.h"

#include "trace/coarsen.h"
#include "trace/glob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace blockloom::trace {
namespace {

constexpr std::string_view kind_prefix = "kind:";

std::string_view kind_of(std::string_view printable) {
    return printable.substr(0, printable.find(':'));
}

bool any_takes(const std::vector<std::string>& patterns, std::string_view printable) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return takes_key(pattern, printable); });
}

Status check_patterns(const std::vector<std::string>& patterns, const char* what) {
    for (const std::string& pattern : patterns) {
        std::string fault = glob_fault(pattern);
        if (fault.empty() && pattern == kind_prefix) fault = "expected a kind after \"kind:\"";
        if (!fault.empty())
            return Error{ErrorCode::wrong_usage, fmt::format("{} pattern: {}", what, fault)};
    }
    return {};
}

std::string name_of_key(const BlockTrace& trace, KeyId key) {
    return trace.keys ? trace.keys->printable(key) : fmt::format("key:{}", key);
}

/// A policy's verdict on each key of a trace, looked up once per name.
struct KeyVerdicts {
    std::vector<bool> ignored, commutative, balance; ///< empty: none
    std::vector<KeyId> coarse;                       ///< empty: no coarsening
    std::vector<KeyId> first;                        ///< the first key of each coarse one
    std::vector<bool> is_account;                    ///< coarse keys that represent accounts
};

KeyVerdicts judge_keys(const BlockTrace& trace, const KeyPolicy& policy) {
    KeyVerdicts verdicts;
    const KeyId count = trace.sets.key_count;
    if (policy.ignore.empty() && policy.commutative.empty() && !policy.coarsen_account &&
        !policy.touches_ignored)
        return verdicts;
    if (!policy.ignore.empty()) verdicts.ignored.resize(count);
    if (!policy.commutative.empty()) verdicts.commutative.resize(count);
    if (policy.touches_ignored) verdicts.balance.resize(count);
    if (policy.coarsen_account) verdicts.coarse.resize(count);
    AccountTable accounts;
    for (KeyId key = 0; key < count; ++key) {
        const std::string name = name_of_key(trace, key);
        if (!policy.ignore.empty()) verdicts.ignored[key] = any_takes(policy.ignore, name);
        if (!policy.commutative.empty())
            verdicts.commutative[key] = any_takes(policy.commutative, name);
        if (policy.touches_ignored) verdicts.balance[key] = kind_of(name) == "balance";
        if (policy.coarsen_account) verdicts.coarse[key] = accounts.place(key, name);
    }
    verdicts.first = accounts.first_keys();
    verdicts.is_account = accounts.accounts();
    return verdicts;
}

/// Transfers the verdicts on the trace's own keys to the coarse ones.
void judge_accounts(const BlockTrace& trace, const KeyPolicy& policy, KeyVerdicts& verdicts) {
    const std::size_t count = verdicts.first.size();
    std::vector<bool> ignored(count), commutative(count, true);
    for (std::size_t coarse = 0; coarse < count; ++coarse) {
        if (!verdicts.is_account[coarse]) continue;
        const std::string name = account_name(name_of_key(trace, verdicts.first[coarse]));
        ignored[coarse] = any_takes(policy.ignore, name);
    }
    if (!policy.ignore.empty()) {
        for (KeyId key = 0; key < trace.sets.key_count; ++key)
            if (ignored[verdicts.coarse[key]]) verdicts.ignored[key] = true;
    }
    if (policy.commutative.empty()) return;
    for (KeyId key = 0; key < trace.sets.key_count; ++key) {
        const bool left_out = !verdicts.ignored.empty() && verdicts.ignored[key];
        if (!left_out && !verdicts.commutative[key]) commutative[verdicts.coarse[key]] = false;
    }
    for (std::size_t coarse = 0; coarse < count; ++coarse) {
        if (commutative[coarse] || !verdicts.is_account[coarse]) continue;
        const std::string name = account_name(name_of_key(trace, verdicts.first[coarse]));
        commutative[coarse] = any_takes(policy.commutative, name);
    }
    verdicts.commutative = std::move(commutative);
}

/// Copies the accesses that remain under the policy, task by task.
class SetBuilder {
public:
    SetBuilder(const BlockTrace& trace, const KeyVerdicts& verdicts)
        : trace_(trace), verdicts_(verdicts) {
        sets_.key_count = verdicts.coarse.empty() ? trace.sets.key_count
                                                  : static_cast<KeyId>(verdicts.first.size());
        if (!verdicts.coarse.empty()) place_.assign(sets_.key_count, no_place);
        sets_.begin.reserve(trace.sets.begin.size());
        sets_.accesses.reserve(trace.sets.accesses.size());
    }

    void add(TaskId task) {
        const std::size_t first = sets_.accesses.size();
        for (const Access access : trace_.sets.of(task)) {
            if (left_out(access)) {
                changed_ = true;
            } else if (verdicts_.coarse.empty()) {
                sets_.accesses.push_back(access);
            } else {
                merge(verdicts_.coarse[access.key()], access.mode());
            }
        }
        if (!place_.empty())
            for (std::size_t i = first; i < sets_.accesses.size(); ++i)
                place_[sets_.accesses[i].key()] = no_place;
        sets_.begin.push_back(static_cast<std::uint32_t>(sets_.accesses.size()));
    }

    [[nodiscard]] bool changed() const noexcept { return changed_ || !verdicts_.coarse.empty(); }
    [[nodiscard]] AccessSets take() { return std::move(sets_); }

private:
    static constexpr std::uint32_t no_place = ~std::uint32_t{0};

    [[nodiscard]] bool left_out(Access access) const {
        if (!verdicts_.ignored.empty() && verdicts_.ignored[access.key()]) return true;
        return !verdicts_.balance.empty() && verdicts_.balance[access.key()] && !access.writes();
    }

    void merge(KeyId key, Mode mode) {
        if (place_[key] == no_place) {
            place_[key] = static_cast<std::uint32_t>(sets_.accesses.size());
            sets_.accesses.emplace_back(key, mode);
            return;
        }
        Access& there = sets_.accesses[place_[key]];
        there = Access(key, static_cast<Mode>(static_cast<std::uint32_t>(there.mode()) |
                                              static_cast<std::uint32_t>(mode)));
    }

    const BlockTrace& trace_;
    const KeyVerdicts& verdicts_;
    AccessSets sets_;
    std::vector<std::uint32_t> place_; ///< where the current task has a coarse key
    bool changed_ = false;
};

bool is_left_out_vote(const BlockTrace& trace, const KeyPolicy& policy, TaskId task) {
    return policy.without_votes && task < trace.vote.size() && trace.vote[task];
}

} // namespace

bool takes_key(std::string_view pattern, std::string_view printable) {
    if (pattern.starts_with(kind_prefix))
        return glob_matches(pattern.substr(kind_prefix.size()), kind_of(printable));
    if (glob_matches(pattern, printable)) return true;
    const std::size_t colon = printable.find(':');
    return colon != std::string_view::npos && glob_matches(pattern, printable.substr(colon + 1));
}

std::string describe(const KeyPolicy& policy) {
    std::vector<std::string> parts;
    if (!policy.ignore.empty())
        parts.push_back(fmt::format("ignored: {}", fmt::join(policy.ignore, ", ")));
    if (!policy.commutative.empty())
        parts.push_back(fmt::format("commutative: {}", fmt::join(policy.commutative, ", ")));
    if (policy.coarsen_account) parts.emplace_back("keys coarsened to accounts");
    if (policy.touches_ignored)
        parts.emplace_back("balances that are only touched do not count as read");
    if (policy.without_votes) parts.emplace_back("votes left out");
    return parts.empty() ? "nothing left out" : fmt::format("{}", fmt::join(parts, "; "));
}

Result<PolicedTrace> apply(std::shared_ptr<const BlockTrace> trace, const KeyPolicy& policy,
                           bool use_cost) {
    if (!trace) return Error{ErrorCode::bad_input, "key policy: expected a trace, found none"};
    if (Status checked = check_patterns(policy.ignore, "ignore"); !checked) return checked.error();
    if (Status checked = check_patterns(policy.commutative, "commutative"); !checked)
        return checked.error();

    PolicedTrace policed;
    policed.original = trace;
    policed.keys = trace->keys;
    KeyVerdicts verdicts = judge_keys(*trace, policy);
    if (policy.coarsen_account) {
        judge_accounts(*trace, policy, verdicts);
        policed.original_key = verdicts.first;
        policed.keys = coarse_names(trace->keys, verdicts.first, verdicts.is_account);
    }

    const bool by_key =
        !verdicts.ignored.empty() || !verdicts.balance.empty() || !verdicts.coarse.empty();
    std::vector<TaskId> kept;
    bool votes_left_out = false;
    for (TaskId task = 0; policy.without_votes && task < trace->tasks(); ++task) {
        if (is_left_out_vote(*trace, policy, task)) {
            votes_left_out = true;
        } else {
            kept.push_back(task);
        }
    }
    if (by_key || votes_left_out) {
        SetBuilder builder(*trace, verdicts);
        if (votes_left_out) {
            for (const TaskId task : kept) builder.add(task);
        } else {
            for (TaskId task = 0; task < trace->tasks(); ++task) builder.add(task);
        }
        if (builder.changed() || votes_left_out) {
            policed.sets = builder.take();
            policed.same_sets = false;
        }
    }
    if (std::find(verdicts.commutative.begin(), verdicts.commutative.end(), true) !=
        verdicts.commutative.end())
        policed.commutative = std::move(verdicts.commutative);
    if (!votes_left_out) {
        if (use_cost) policed.cost = trace->cost;
        policed.transaction = trace->transaction;
        return policed;
    }
    for (const TaskId task : kept) {
        if (use_cost && !trace->cost.empty()) policed.cost.push_back(trace->cost[task]);
        if (!trace->transaction.empty()) policed.transaction.push_back(trace->transaction[task]);
    }
    policed.original_task = std::move(kept);
    return policed;
}

} // namespace blockloom::trace
