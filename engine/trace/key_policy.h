// Key policies: what is left out or relaxed before conflicts are counted
// (docs/definitions.md#key-policies).
#pragma once

#include "base/result.h"
#include "trace/block_trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::trace {

/// A policy as the user gives it. Every analysis names its policy; the default leaves out nothing.
///
/// Patterns are globs (`*`, `?`, `[…]`; trace/glob.h) matched against the whole printable key
/// ("balance:0xd4e9…") and against its part after the kind; "kind:NAME" takes every key of a kind
/// (NAME is a glob too). Case matters. Keys of a trace without names print as "key:ID".
///
/// Order: `ignore` first, on the trace's own keys; then touches and votes; then coarsening, after
/// which `ignore` is applied once more to the accounts. `commutative` applies to the remaining
/// keys: an account is commutative if its own name matches, or if every key that became part of it
/// does.
struct KeyPolicy {
    std::vector<std::string> ignore; ///< accesses to these keys are dropped
    std::vector<std::string>
        commutative; ///< writes of these keys do not conflict with each other; pure reads do
    bool coarsen_account = false; ///< storage, balance, nonce and code keys become their account
    bool touches_ignored = false; ///< Ethereum prestate: a balance that is only touched is not read
                                  ///< (`--touches ignored`)
    bool without_votes = false;   ///< leave vote tasks out

    [[nodiscard]] bool leaves_all() const {
        return ignore.empty() && commutative.empty() && !coarsen_account && !touches_ignored &&
               !without_votes;
    }
    friend bool operator==(const KeyPolicy&, const KeyPolicy&) = default;
};

/// Whether a pattern of a policy takes the key with this name. The pattern must be well formed
/// (`glob_fault`).
[[nodiscard]] bool takes_key(std::string_view pattern, std::string_view printable);

/// "nothing left out", or what is left out, in words for a status line.
[[nodiscard]] std::string describe(const KeyPolicy& policy);

/// A trace with a policy applied: the input of the conflict room. Task and key ids are those of
/// `original` unless tasks were left out or keys coarsened; then `original_task` and `original_key`
/// map back.
struct PolicedTrace {
    std::shared_ptr<const BlockTrace> original;
    AccessSets sets;                        ///< empty if `same_sets`
    bool same_sets = true;                  ///< the policy changed nothing: use original->sets
    std::vector<bool> commutative;          ///< one per key; empty: none is
    std::vector<std::uint64_t> cost;        ///< one per task; empty: 1 each
    std::vector<std::uint32_t> transaction; ///< as in BlockTrace
    std::vector<TaskId> original_task;      ///< empty: the same ids
    std::vector<KeyId> original_key; ///< the first key that became this one; empty: the same ids
    std::shared_ptr<const KeyNames> keys; ///< names of the ids used in `sets`; may be null

    [[nodiscard]] const AccessSets& access_sets() const noexcept {
        return same_sets ? original->sets : sets;
    }
    [[nodiscard]] TaskId tasks() const noexcept { return access_sets().tasks(); }
    [[nodiscard]] std::uint64_t cost_of(TaskId task) const noexcept {
        return cost.empty() ? 1 : cost[task];
    }
    [[nodiscard]] TaskId task_in_block(TaskId task) const noexcept {
        return original_task.empty() ? task : original_task[task];
    }
};

/// Applies a policy. Fails on an invalid glob. `use_cost`: use the trace's costs, else 1 each.
/// O(accesses + keys); the name of each key is computed once, and only if the policy needs names.
/// `touches_ignored` drops the reads of balances by tasks that do not write them. `coarsen_account`
/// takes "KIND:ACCOUNT", "KIND:ACCOUNT:…" and "KIND:ACCOUNT/…" with KIND storage, balance, nonce or
/// code to "account:ACCOUNT"; a task's access to any of them becomes an access to the account.
[[nodiscard]] Result<PolicedTrace> apply(std::shared_ptr<const BlockTrace> trace,
                                         const KeyPolicy& policy, bool use_cost);

} // namespace blockloom::trace
