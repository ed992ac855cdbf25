#include "alkanes/block_execution.h"

#include "alkanes/state_keys.h"
#include "alkanes/transaction_run.h"
#include "state/digest.h"

#include <algorithm>

namespace blockloom::alkanes {
namespace {

class BlockRun {
public:
    BlockRun(Runtime& runtime, const BlockContext& context, const TransactionOptions& options,
             ProgressSink& progress)
        : runtime_(runtime), context_(context), options_(options), progress_(progress) {}

    /// `handle` gets the index of every transaction that concerns Alkanes on `view`.
    template <typename Handle>
    Status each(const state::StateView& view, const Handle& handle) const {
        const auto total = static_cast<std::uint32_t>(context_.block->transactions.size());
        for (std::uint32_t index = 0; index < total; ++index) {
            if (options_.stop.stop_requested()) return cancelled_error();
            if (index % 64 == 0) progress_.report({"execute", index, total});
            if (index + 1 < total) expect_transaction(context_, index + 1, view);
            const auto concerned = concerns_alkanes(context_, index, view);
            if (!concerned) return concerned.error();
            if (!*concerned) continue;
            if (const Status handled = handle(index); !handled) return handled;
        }
        progress_.report({"execute", total, total});
        return {};
    }

    Result<TransactionResult> run(std::uint32_t index, const state::StateView& view,
                                  std::uint64_t budget) const {
        return execute_transaction(runtime_, context_, index, view, budget, options_);
    }

private:
    Runtime& runtime_;
    const BlockContext& context_;
    const TransactionOptions& options_;
    ProgressSink& progress_;
};

/// The keys that a task reads and those that it writes, each sorted.
struct Sets {
    explicit Sets(const state::TaskLog& log) {
        for (const state::Read& read : log.reads) reads.push_back(read.key);
        for (const auto& [key, value] : log.writes) writes.push_back(key);
        std::sort(reads.begin(), reads.end());
        std::sort(writes.begin(), writes.end());
    }
    std::vector<std::string_view> reads, writes;
};

std::uint64_t count_missing(const std::vector<std::string_view>& from,
                            const std::vector<std::string_view>& in) {
    std::vector<std::string_view> missing;
    std::set_difference(from.begin(), from.end(), in.begin(), in.end(),
                        std::back_inserter(missing));
    return missing.size();
}

} // namespace

BlockExecution begin_execution(const BlockContext& context) {
    BlockExecution block;
    block.transactions.reserve(context.messages.transactions.size());
    block.budgets.reserve(context.messages.transactions.size());
    block.height = context.height;
    block.hash = context.block->hash;
    block.candidates = static_cast<std::uint32_t>(context.candidates.size());
    block.demoted = context.demoted;
    return block;
}

void count(BlockExecution& block, const TransactionResult& result) {
    block.tasks += result.records.size();
    block.host_tasks += result.is_host_task() ? 1 : 0;
    for (const MessageRecord& record : result.records) {
        block.messages += record.is_message ? 1 : 0;
        block.succeeded += record.is_message && record.ok() ? 1 : 0;
        block.fuel += record.fuel_used;
        block.steps += record.steps;
        block.interpreted += record.is_message && record.engine == Engine::interpreter ? 1 : 0;
        block.on_device += record.is_message && is_device(record.engine) ? 1 : 0;
        if (!record.fuel_doubt.empty() && block.fuel_uncertain++ == 0)
            block.fuel_doubt = record.fuel_doubt;
    }
}

void add_counts(BlockExecution& block, const BlockExecution& part) {
    block.tasks += part.tasks;
    block.host_tasks += part.host_tasks;
    block.messages += part.messages;
    block.succeeded += part.succeeded;
    block.fuel += part.fuel;
    block.steps += part.steps;
    block.interpreted += part.interpreted;
    block.on_device += part.on_device;
    if (block.fuel_uncertain == 0) block.fuel_doubt = part.fuel_doubt;
    block.fuel_uncertain += part.fuel_uncertain;
}

void append(BlockExecution& block, TransactionResult result, std::uint64_t budget) {
    count(block, result);
    if (result.is_empty()) return;
    block.budgets.push_back(budget);
    block.transactions.push_back(std::move(result));
}

Status finish_execution(BlockExecution& block, const state::BlockState& after) {
    auto changes = after.changes();
    if (!changes) return changes.error();
    finish_execution(block, *std::move(changes));
    return {};
}

void finish_execution(BlockExecution& block, state::ChangeList changes) {
    block.changes = std::move(changes);
    block.digest = state::block_digest(block.changes);
}

std::uint64_t vfsize_of(const BlockContext& context, std::uint32_t transaction) {
    const auto place = find_transaction(context.messages, transaction);
    return place ? context.messages.transactions[*place].vfsize : 0;
}

Result<BlockExecution> execute_block(Runtime& runtime, const BlockContext& context,
                                     const state::StateView& before,
                                     const TransactionOptions& options, ProgressSink& progress,
                                     TransactionWatch* watch) {
    BlockExecution block = begin_execution(context);
    state::BlockState state(before);
    FuelTank tank(context.rules, context.messages.vfsize);
    ArenaSlabs memory; // every result is the block's
    TransactionOptions kept = options;
    kept.memory = &memory;
    const BlockRun run(runtime, context, kept, progress);
    const auto done = run.each(state, [&](std::uint32_t index) -> Status {
        const std::uint64_t vfsize = vfsize_of(context, index);
        const std::uint64_t budget = tank.budget_for(vfsize);
        if (watch != nullptr) watch->begins(index);
        auto result = run.run(index, state, budget);
        if (watch != nullptr) watch->ended(index, result);
        if (!result) return result.error();
        tank.settle(vfsize, result->fuel);
        state.apply(result->log.writes);
        append(block, *std::move(result), budget);
        return {};
    });
    if (!done) return done.error();
    if (const Status finished = finish_execution(block, state); !finished) return finished.error();
    return block;
}

Result<BlockExecution> estimate_block(Runtime& runtime, const BlockContext& context,
                                      const state::StateView& before,
                                      const TransactionOptions& options, ProgressSink& progress) {
    BlockExecution block = begin_execution(context);
    ArenaSlabs memory;
    TransactionOptions dry = options;
    dry.dry_run = true;
    dry.memory = &memory;
    const BlockRun run(runtime, context, dry, progress);
    const auto done = run.each(before, [&](std::uint32_t index) -> Status {
        const auto place = find_transaction(context.messages, index);
        const std::uint64_t budget =
            place ? likely_budget(context, *place) : context.rules.minimum_fuel;
        auto result = run.run(index, before, budget);
        if (!result) return result.error();
        append(block, *std::move(result), budget);
        return {};
    });
    if (!done) return done.error();
    return block;
}

SetDifference compare_sets(const BlockExecution& truth, const BlockExecution& estimate) {
    SetDifference difference;
    auto guess = estimate.transactions.begin();
    for (const TransactionResult& result : truth.transactions) {
        while (guess != estimate.transactions.end() && guess->transaction < result.transaction)
            ++guess;
        if (guess == estimate.transactions.end()) break;
        if (guess->transaction != result.transaction) continue;
        const std::size_t tasks = std::min(result.records.size(), guess->records.size());
        for (std::size_t task = 0; task < tasks; ++task) {
            const Sets real(result.log.tasks[task]), guessed(guess->log.tasks[task]);
            const std::uint64_t missing = count_missing(real.reads, guessed.reads) +
                                          count_missing(real.writes, guessed.writes);
            const std::uint64_t surplus = count_missing(guessed.reads, real.reads) +
                                          count_missing(guessed.writes, real.writes);
            ++difference.tasks;
            difference.equal_tasks += missing + surplus == 0 ? 1 : 0;
            difference.missing += missing;
            difference.surplus += surplus;
        }
    }
    return difference;
}

} // namespace blockloom::alkanes
