#include "execute/accepted_block.h"

#include "state/written_state.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace blockloom::execute {
namespace {

/// Results that a worker takes at once.
constexpr std::size_t results_a_part = 256;
/// More parts of the keys would only mean more passes over all writes.
constexpr std::size_t most_key_parts = 16;

/// Of each list of changes, to find ranges of about equal size.
constexpr std::size_t samples_a_list = 16;

using Changes = std::vector<state::Change>;

bool is_before(const state::Change* a, const state::Change* b) {
    return a->key < b->key;
}
bool is_below(const state::Change& change, const state::Key& key) {
    return change.key < key;
}

/// Which of `parts` parts a key belongs to. By the upper half of the hash: the lower one is where
/// it lies in a table.
std::size_t part_of(const state::Key& key, std::size_t parts) noexcept {
    return ((key.hash() >> 32U) * parts) >> 32U;
}

class Joining {
public:
    Joining(std::span<const std::unique_ptr<ExecutionResult>> executions, WorkerPool* pool)
        : executions_(executions), pool_(pool) {}

    /// Counts the results and moves them to where they belong.
    std::uint64_t take_results(alkanes::BlockExecution& into) {
        const std::size_t count = executions_.size();
        into.transactions.resize(count);
        std::vector<alkanes::BlockExecution> sums((count + results_a_part - 1) / results_a_part);
        std::vector<std::uint64_t> first(sums.size());
        std::atomic<bool> any_empty{false};
        each(count, results_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
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
    Result<Changes> changes(const state::StateView& below) {
        const std::size_t parts =
            pool_ == nullptr ? 1 : std::clamp<std::size_t>(pool_->workers(), 1, most_key_parts);
        std::vector<Changes> changes(parts);
        std::mutex guard;
        Status status;
        each(parts, 1, [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t part = begin; part < end; ++part) {
                Result<Changes> found = changes_of_part(executions_, part, parts, below);
                const std::lock_guard lock(guard);
                if (found)
                    changes[part] = *std::move(found);
                else
                    status = found.error();
            }
        });
        if (!status) return status.error();
        return merged(changes);
    }

private:
    void each(std::size_t count, std::size_t grain, const Work& work) {
        if (pool_ != nullptr) return pool_->each(count, grain, work);
        for (std::size_t begin = 0; begin < count; begin += grain)
            work(0, begin, std::min(count, begin + grain));
    }

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

    /// All lists as one: each worker merges a range of keys and puts it where it belongs.
    Changes merged(std::vector<Changes>& lists) {
        if (lists.size() == 1) return std::move(lists.front());
        const std::vector<const state::Key*> borders = range_borders(lists);
        const std::size_t ranges = borders.size() + 1;
        // Where each range begins in each list, and in the merged one.
        std::vector<std::vector<std::size_t>> from(ranges + 1);
        from.front().resize(lists.size());
        std::vector<std::size_t> to(ranges + 1);
        for (std::size_t range = 1; range <= ranges; ++range)
            for (const Changes& list : lists) {
                const auto end = range == ranges ? list.end()
                                                 : std::lower_bound(list.begin(), list.end(),
                                                                    *borders[range - 1], is_below);
                from[range].push_back(static_cast<std::size_t>(end - list.begin()));
                to[range] += from[range].back();
            }
        Changes all(to.back());
        each(ranges, 1, [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t range = begin; range < end; ++range) {
                std::vector<state::Change*> order;
                order.reserve(to[range + 1] - to[range]);
                for (std::size_t i = 0; i < lists.size(); ++i)
                    for (std::size_t at = from[range][i]; at < from[range + 1][i]; ++at)
                        order.push_back(&lists[i][at]);
                std::sort(order.begin(), order.end(), is_before);
                for (std::size_t i = 0; i < order.size(); ++i)
                    all[to[range] + i] = std::move(*order[i]);
            }
        });
        return all;
    }

    /// Keys that part those of all lists in about equal ranges, by samples of each.
    static std::vector<const state::Key*> range_borders(const std::vector<Changes>& lists) {
        std::vector<const state::Key*> samples;
        for (const Changes& list : lists)
            for (std::size_t i = 0; i < samples_a_list; ++i)
                if (!list.empty()) samples.push_back(&list[list.size() * i / samples_a_list].key);
        std::sort(samples.begin(), samples.end(),
                  [](const state::Key* a, const state::Key* b) { return *a < *b; });
        std::vector<const state::Key*> borders;
        for (std::size_t range = 1; range < lists.size() && !samples.empty(); ++range)
            borders.push_back(samples[samples.size() * range / lists.size()]);
        return borders;
    }

    std::span<const std::unique_ptr<ExecutionResult>> executions_;
    WorkerPool* pool_;
};

/// Sorted lists as one, on this thread.
Changes merge(std::vector<Changes> lists) {
    if (lists.size() == 1) return std::move(lists.front());
    std::size_t count = 0;
    for (const Changes& list : lists) count += list.size();
    std::vector<std::size_t> at(lists.size());
    Changes all;
    all.reserve(count);
    while (all.size() < count) {
        state::Change* least = nullptr;
        std::size_t from = 0;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (at[i] == lists[i].size()) continue;
            state::Change& next = lists[i][at[i]];
            if (least != nullptr && least->key < next.key) continue;
            least = &next;
            from = i;
        }
        all.push_back(std::move(*least));
        ++at[from];
    }
    return all;
}

/// The block with the budgets of its transactions.
AcceptedBlock with_budgets(const alkanes::BlockContext& context, std::span<const FuelClaim> claims,
                           alkanes::FuelTank tank) {
    AcceptedBlock block{alkanes::begin_execution(context)};
    block.execution.budgets.resize(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
        block.execution.budgets[i] = tank.budget_for(claims[i].vfsize);
        tank.settle(claims[i].vfsize, claims[i].use);
    }
    return block;
}

} // namespace

Result<Changes> changes_of_part(std::span<const std::unique_ptr<ExecutionResult>> executions,
                                std::size_t part, std::size_t parts,
                                const state::StateView& below) {
    std::size_t writes = 0; // of all parts
    for (const auto& execution : executions) writes += execution->result.log.writes.size();
    state::WrittenState written;
    written.reserve(writes / parts);
    // The slots lie anywhere: those of an execution are fetched while the ones before are put.
    const auto each_write = [&](std::size_t of, const auto& work) {
        if (of >= executions.size()) return;
        for (const auto& write : executions[of]->result.log.writes)
            if (part_of(write.first, parts) == part) work(write);
    };
    each_write(0, [&](const auto& write) { written.expect_place(write.first); });
    for (std::size_t i = 0; i < executions.size(); ++i) {
        each_write(i + 1, [&](const auto& write) { written.expect_place(write.first); });
        each_write(i,
                   [&](const auto& write) { written.put(write.first, write.second.canonical()); });
    }
    return state::changes_on(below, written);
}

void set_budget(alkanes::TransactionResult& result, std::uint64_t budget) {
    const std::uint64_t assumed = std::exchange(result.fuel.assumed_budget, budget);
    for (alkanes::MessageRecord& record : result.records) {
        if (record.fuel_budget == 0) continue;
        const std::uint64_t before = record.fuel_budget;
        record.fuel_budget += budget - assumed;
        // All its calls run on the budget, unless it has fuel of its own.
        const auto first = std::find_if(record.events.begin(), record.events.end(),
                                        [](const alkanes::CallEvent& event) {
                                            return event.kind == alkanes::CallEvent::Kind::enter;
                                        });
        if (first == record.events.end() || first->fuel != before) continue;
        for (alkanes::CallEvent& event : record.events)
            if (event.kind == alkanes::CallEvent::Kind::enter) event.fuel += budget - assumed;
    }
}

Result<AcceptedBlock> join_accepted(const alkanes::BlockContext& context,
                                    std::span<const std::unique_ptr<ExecutionResult>> executions,
                                    std::span<const FuelClaim> claims, alkanes::FuelTank tank,
                                    const state::StateView& below, WorkerPool* pool) {
    AcceptedBlock block = with_budgets(context, claims, tank);
    Joining joining(executions, pool);
    auto changes = joining.changes(below);
    if (!changes) return changes.error();
    block.accepted_first = joining.take_results(block.execution);
    block.execution.changes = *std::move(changes);
    return block;
}

AcceptedBlock join_accepted(const alkanes::BlockContext& context,
                            std::span<const std::unique_ptr<ExecutionResult>> executions,
                            std::span<const FuelClaim> claims, alkanes::FuelTank tank,
                            std::vector<Changes> parts) {
    AcceptedBlock block = with_budgets(context, claims, tank);
    block.accepted_first = Joining(executions, nullptr).take_results(block.execution);
    block.execution.changes = merge(std::move(parts));
    return block;
}

} // namespace blockloom::execute
