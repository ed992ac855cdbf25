#include "execute/accepted_block.h"

#include "state/written_state.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace blockloom::execute {
namespace {

/// Results that a worker takes at once.
constexpr std::size_t results_a_part = 256;
/// More parts of the keys would only mean more passes over all writes.
constexpr std::size_t most_key_parts = 16;

using ByKey = std::vector<state::Change*>;

bool is_before(const state::Change* a, const state::Change* b) {
    return a->key < b->key;
}

/// Which of `parts` parts a key belongs to. By the upper half of the hash: the lower one is where
/// it lies in a table.
std::size_t part_of(const state::Key& key, std::size_t parts) noexcept {
    return ((key.hash() >> 32U) * parts) >> 32U;
}

class Joining {
public:
    Joining(std::span<const std::unique_ptr<ExecutionResult>> executions,
            const state::StateView& below, WorkerPool& pool)
        : executions_(executions), below_(below), pool_(pool) {}

    /// Counts the results and moves them to where they belong.
    std::uint64_t take_results(alkanes::BlockExecution& into) {
        const std::size_t count = executions_.size();
        into.transactions.resize(count);
        std::vector<alkanes::BlockExecution> sums((count + results_a_part - 1) / results_a_part);
        std::vector<std::uint64_t> first(sums.size());
        std::atomic<bool> any_empty{false};
        pool_.each(count, results_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
            const std::size_t part = begin / results_a_part;
            for (std::size_t i = begin; i < end; ++i) {
                ExecutionResult& execution = *executions_[i];
                set_budget(execution.result, into.budgets[i]);
                if (execution.attempt == 1) first[part] += execution.result.records.size();
                alkanes::count(sums[part], execution.result);
                if (execution.result.is_empty()) any_empty = true;
                into.transactions[i] = std::move(execution.result);
            }
        });
        std::uint64_t accepted_first = 0;
        for (std::size_t part = 0; part < sums.size(); ++part) {
            alkanes::add_counts(into, sums[part]);
            accepted_first += first[part];
        }
        if (any_empty) drop_empty(into);
        return accepted_first;
    }

    /// What all writes together changed, by key. Before `take_results`.
    Result<std::vector<state::Change>> changes() {
        const std::size_t parts = std::clamp<std::size_t>(pool_.workers(), 1, most_key_parts);
        std::vector<std::vector<state::Change>> changes(parts);
        std::vector<ByKey> lists(parts);
        std::mutex guard;
        Status status;
        pool_.each(parts, 1, [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t part = begin; part < end; ++part) {
                const Status found = find_changes(part, parts, changes[part]);
                for (state::Change& change : changes[part]) lists[part].push_back(&change);
                const std::lock_guard lock(guard);
                if (!found) status = found;
            }
        });
        if (!status) return status.error();
        const ByKey order = merged(std::move(lists));
        std::vector<state::Change> all;
        all.reserve(order.size());
        for (state::Change* const change : order) all.push_back(std::move(*change));
        return all;
    }

private:
    static void drop_empty(alkanes::BlockExecution& block) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < block.transactions.size(); ++i) {
            if (block.transactions[i].is_empty()) continue;
            if (kept != i) {
                block.transactions[kept] = std::move(block.transactions[i]);
                block.budgets[kept] = block.budgets[i];
            }
            ++kept;
        }
        block.transactions.resize(kept);
        block.budgets.resize(kept);
    }

    /// Of one part of the keys, sorted.
    Status find_changes(std::size_t part, std::size_t parts,
                        std::vector<state::Change>& changes) const {
        state::WrittenState written;
        for (const auto& execution : executions_)
            for (const auto& [key, value] : execution->result.log.writes)
                if (part_of(key, parts) == part) written.put(key, value.canonical());
        changes.reserve(written.size());
        for (const state::WrittenState::Entry* const entry : written.sorted()) {
            Result<state::Value> before = below_.get(entry->key);
            if (!before) return before.error();
            if (!(*before == entry->value))
                changes.push_back({entry->key, *std::move(before), entry->value});
        }
        return {};
    }

    /// Pairs of lists at once, until there is one.
    ByKey merged(std::vector<ByKey> lists) {
        while (lists.size() > 1) {
            std::vector<ByKey> next((lists.size() + 1) / 2);
            pool_.each(next.size(), 1, [&](unsigned, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    if (2 * i + 1 == lists.size()) {
                        next[i] = std::move(lists[2 * i]);
                        continue;
                    }
                    const ByKey &a = lists[2 * i], &b = lists[2 * i + 1];
                    next[i].reserve(a.size() + b.size());
                    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(next[i]),
                               is_before);
                }
            });
            lists = std::move(next);
        }
        return std::move(lists.front());
    }

    std::span<const std::unique_ptr<ExecutionResult>> executions_;
    const state::StateView& below_;
    WorkerPool& pool_;
};

} // namespace

void set_budget(alkanes::TransactionResult& result, std::uint64_t budget) {
    const std::uint64_t assumed = std::exchange(result.fuel.assumed_budget, budget);
    for (alkanes::MessageRecord& record : result.records)
        if (record.fuel_budget != 0) record.fuel_budget += budget - assumed;
}

Result<AcceptedBlock> join_accepted(const alkanes::BlockContext& context,
                                    std::span<const std::unique_ptr<ExecutionResult>> executions,
                                    std::span<const FuelClaim> claims, alkanes::FuelTank tank,
                                    const state::StateView& below, WorkerPool& pool) {
    AcceptedBlock block{alkanes::begin_execution(context)};
    block.execution.budgets.resize(executions.size());
    for (std::size_t i = 0; i < executions.size(); ++i) {
        block.execution.budgets[i] = tank.budget_for(claims[i].vfsize);
        tank.settle(claims[i].vfsize, claims[i].use);
    }
    Joining joining(executions, below, pool);
    auto changes = joining.changes();
    if (!changes) return changes.error();
    block.accepted_first = joining.take_results(block.execution);
    alkanes::finish_execution(block.execution, *std::move(changes));
    return block;
}

} // namespace blockloom::execute
