// The trace of an executed block, for every analysis that knows access sets only.
#include "alkanes/block_execution.h"
#include "trace/block_builder.h"

#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// The printed keys of a task; they must outlive the record that views them.
struct PrintedTask {
    std::string id;
    std::vector<std::string> reads, writes;
};

PrintedTask print_task(const BlockContext& context, const MessageRecord& record,
                       const state::TaskLog& log) {
    PrintedTask task;
    task.id = fmt::format("{}:{}", to_reversed_hex(context.block->txids[record.transaction]),
                          record.protostone);
    task.reads.reserve(log.reads.size());
    for (const state::Read& read : log.reads) task.reads.push_back(key_text(read.key));
    task.writes.reserve(log.writes.size());
    for (const auto& [key, value] : log.writes) task.writes.push_back(key_text(key));
    return task;
}

} // namespace

Result<std::shared_ptr<const trace::BlockTrace>> trace_of(const BlockExecution& execution,
                                                          const BlockContext& context) {
    trace::BlockBuilder builder(
        "alkanes",
        {execution.height, to_reversed_hex(execution.hash), std::to_string(execution.height)},
        trace::CostUnit::fuel);
    for (const TransactionResult& result : execution.transactions)
        for (std::size_t i = 0; i < result.records.size(); ++i) {
            const MessageRecord& record = result.records[i];
            const PrintedTask printed = print_task(context, record, result.log.tasks[i]);
            trace::TaskRecord task;
            task.id = printed.id;
            task.reads.assign(printed.reads.begin(), printed.reads.end());
            task.writes.assign(printed.writes.begin(), printed.writes.end());
            task.cost = record.fuel_used;
            task.transaction = record.transaction;
            if (const auto why = builder.add(task))
                return Error{ErrorCode::bad_input,
                             fmt::format("block {}: {}", execution.height, *why)};
        }
    return std::move(builder).finish();
}

} // namespace blockloom::alkanes
