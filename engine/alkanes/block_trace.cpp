#include "alkanes/block_trace.h"

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
    void append(const ProtostoneNames& more) {
        tasks_.insert(tasks_.end(), more.tasks_.begin(), more.tasks_.end());
    }
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

/// Bytes of a key.
constexpr std::size_t usual_key = 48;

/// An upper bound: a key that is read and written counts twice.
std::size_t accesses_of(std::span<const TransactionResult> transactions) {
    std::size_t accesses = 0;
    for (const TransactionResult& result : transactions)
        for (const state::TaskLog& log : result.log.tasks)
            accesses += log.reads.size() + log.writes.size();
    return accesses;
}

std::size_t tasks_of(std::span<const TransactionResult> transactions) {
    std::size_t tasks = 0;
    for (const TransactionResult& result : transactions) tasks += result.records.size();
    return tasks;
}

/// Keys of the state and of traces are hashed alike (KeyInterner::hash_of).
void add_key(const state::Key& key, std::vector<std::string_view>& keys,
             std::vector<std::uint32_t>& hashes) {
    keys.push_back(key.bytes());
    hashes.push_back(static_cast<std::uint32_t>(key.hash()));
}

Error trace_error(const BlockExecution& execution, const std::string& why) {
    return {ErrorCode::bad_input, fmt::format("block {}: {}", execution.height, why)};
}

} // namespace

/// Tasks in block order: those of a range of the transactions.
struct BlockTracing::Piece {
    explicit Piece(const BlockExecution& execution)
        : builder(
              "alkanes",
              {execution.height, to_reversed_hex(execution.hash), std::to_string(execution.height)},
              trace::CostUnit::fuel) {}

    void reserve(std::span<const TransactionResult> transactions) {
        const std::size_t tasks = tasks_of(transactions);
        const std::size_t accesses = accesses_of(transactions);
        builder.reserve(tasks, accesses);
        // Most keys of a block are of one transaction, which reads what it writes.
        const std::size_t keys = accesses * 2 / 3;
        builder.reserve_keys(keys, keys * usual_key);
        names->reserve(tasks);
    }

    /// An error text, as of BlockBuilder::add.
    std::optional<std::string> add(std::span<const TransactionResult> transactions,
                                   const BlockContext& context) {
        trace::TaskRecord task;
        for (const TransactionResult& result : transactions)
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
                if (auto why = builder.add(task)) return why;
                names->add(context.block->txids[record.transaction], record.protostone);
            }
        return std::nullopt;
    }

    trace::BlockBuilder builder;
    std::shared_ptr<ProtostoneNames> names = std::make_shared<ProtostoneNames>();
};

BlockTracing::BlockTracing(std::size_t pieces) : pieces_(pieces) {}
BlockTracing::~BlockTracing() = default;

Status BlockTracing::run_piece(const BlockExecution& execution, const BlockContext& context,
                               std::size_t number) {
    const std::span<const TransactionResult> all = execution.transactions;
    const std::size_t first = all.size() * number / pieces_.size();
    const std::size_t end = all.size() * (number + 1) / pieces_.size();
    const std::span<const TransactionResult> mine = all.subspan(first, end - first);
    auto piece = std::make_unique<Piece>(execution);
    piece->reserve(mine);
    if (const auto why = piece->add(mine, context)) return trace_error(execution, *why);
    pieces_[number] = std::move(piece);
    return {};
}

Result<std::shared_ptr<const trace::BlockTrace>>
BlockTracing::finish(const BlockExecution& execution) {
    Piece& whole = *pieces_.front();
    std::vector<const trace::BlockBuilder*> parts;
    for (std::size_t i = 1; i < pieces_.size(); ++i) parts.push_back(&pieces_[i]->builder);
    if (!parts.empty()) whole.builder.reserve(parts);
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        if (const auto why = whole.builder.append(pieces_[i]->builder))
            return trace_error(execution, *why);
        whole.names->append(*pieces_[i]->names);
        pieces_[i].reset();
    }
    return std::move(whole.builder)
        .finish(
            [](trace::KeyInterner keys) -> std::shared_ptr<const trace::KeyNames> {
                return std::make_shared<StateKeyNames>(std::move(keys));
            },
            std::move(whole.names));
}

Result<std::shared_ptr<const trace::BlockTrace>> trace_of(const BlockExecution& execution,
                                                          const BlockContext& context) {
    BlockTracing tracing(1);
    if (const Status traced = tracing.run_piece(execution, context, 0); !traced)
        return traced.error();
    return tracing.finish(execution);
}

} // namespace blockloom::alkanes
