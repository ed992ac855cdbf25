// The trace of an executed block, for every analysis that knows access sets only.
#include "alkanes/block_execution.h"
#include "alkanes/state_keys.h"
#include "trace/block_builder.h"

#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// Keys of the state, printed on demand.
class StateKeyNames final : public trace::KeyNames {
public:
    explicit StateKeyNames(trace::KeyInterner keys) : keys_(std::move(keys)) {}
    [[nodiscard]] std::string printable(trace::KeyId key) const override {
        return key_text(keys_.key(key));
    }
    [[nodiscard]] std::string kind(trace::KeyId key) const override {
        return std::string(key_kind_text(keys_.key(key)));
    }

private:
    trace::KeyInterner keys_;
};

/// Tasks by transaction and place of the protostone, printed on demand.
class ProtostoneNames final : public trace::TaskNames {
public:
    void reserve(std::size_t tasks) { tasks_.reserve(tasks); }
    void add(const Hash256& txid, std::uint32_t place) { tasks_.push_back({txid, place}); }
    [[nodiscard]] std::string printable(trace::TaskId task) const override {
        return fmt::format("{}:{}", to_reversed_hex(tasks_[task].txid), tasks_[task].place);
    }

private:
    struct Task {
        Hash256 txid;
        std::uint32_t place;
    };
    std::vector<Task> tasks_;
};

/// An upper bound: a key that is read and written counts twice.
std::size_t accesses_of(const BlockExecution& execution) {
    std::size_t accesses = 0;
    for (const TransactionResult& result : execution.transactions)
        for (const state::TaskLog& log : result.log.tasks)
            accesses += log.reads.size() + log.writes.size();
    return accesses;
}

/// Keys of the state and of traces are hashed alike (KeyInterner::hash_of).
void add_key(const state::Key& key, std::vector<std::string_view>& keys,
             std::vector<std::uint32_t>& hashes) {
    keys.push_back(key.bytes());
    hashes.push_back(static_cast<std::uint32_t>(key.hash()));
}

} // namespace

Result<std::shared_ptr<const trace::BlockTrace>> trace_of(const BlockExecution& execution,
                                                          const BlockContext& context) {
    trace::BlockBuilder builder(
        "alkanes",
        {execution.height, to_reversed_hex(execution.hash), std::to_string(execution.height)},
        trace::CostUnit::fuel);
    auto names = std::make_shared<ProtostoneNames>();
    names->reserve(execution.tasks);
    builder.reserve(execution.tasks, accesses_of(execution));
    trace::TaskRecord task;
    for (const TransactionResult& result : execution.transactions)
        for (std::size_t i = 0; i < result.records.size(); ++i) {
            const MessageRecord& record = result.records[i];
            const state::TaskLog& log = result.log.tasks[i];
            task.reads.clear();
            task.read_hashes.clear();
            for (const state::Read& read : log.reads)
                add_key(read.key, task.reads, task.read_hashes);
            task.writes.clear();
            task.write_hashes.clear();
            for (const auto& [key, value] : log.writes)
                add_key(key, task.writes, task.write_hashes);
            task.cost = record.fuel_used;
            task.transaction = record.transaction;
            if (const auto why = builder.add(task))
                return Error{ErrorCode::bad_input,
                             fmt::format("block {}: {}", execution.height, *why)};
            names->add(context.block->txids[record.transaction], record.protostone);
        }
    return std::move(builder).finish(
        [](trace::KeyInterner keys) -> std::shared_ptr<const trace::KeyNames> {
            return std::make_shared<StateKeyNames>(std::move(keys));
        },
        std::move(names));
}

} // namespace blockloom::alkanes
