// A block's trace from its tasks, one at a time: keys interned, a task's accesses merged.
#pragma once

#include "base/result.h"
#include "trace/stored_names.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace blockloom::trace {

/// What a source says of a task. The views need only live during the call that takes them.
struct TaskRecord {
    std::string_view id; ///< empty: none
    std::vector<std::string_view> reads, writes;
    std::optional<std::uint64_t> cost;
    std::optional<std::uint32_t> transaction;
    bool vote = false;
};

/// Builds one BlockTrace. Key ids follow the order in which keys come, a task's reads before its
/// writes.
class BlockBuilder {
public:
    BlockBuilder(std::string chain, BlockIdentity block, CostUnit unit);

    /// Fails (in words, without place) where the block outgrows its ids or costs.
    [[nodiscard]] std::optional<std::string> add(const TaskRecord& task);

    /// Fails where only some tasks have a transaction.
    [[nodiscard]] Result<std::shared_ptr<const BlockTrace>> finish() &&;

    [[nodiscard]] TaskId tasks() const noexcept { return trace_.tasks(); }

private:
    void touch(KeyId key, Mode mode, std::size_t first);

    BlockTrace trace_;
    KeyInterner keys_;
    StoredTaskNames names_;
    std::vector<KeyId> ids_;           ///< of the task at hand
    std::vector<std::uint32_t> place_; ///< one a key: where its latest access is
    std::uint64_t cost_sum_ = 0;
    std::size_t with_transaction_ = 0;
};

} // namespace blockloom::trace
