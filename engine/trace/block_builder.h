// Builds a block's trace from its tasks, one at a time: interns keys and merges a task's accesses.
#pragma once

#include "base/result.h"
#include "trace/stored_names.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockloom::trace {

/// A task as its source describes it. The views only need to live during the call that takes them.
struct TaskRecord {
    std::string_view id; ///< empty: none
    std::vector<std::string_view> reads, writes;
    /// Of the reads and of the writes, by KeyInterner::hash_of; empty: not known.
    std::vector<std::uint32_t> read_hashes, write_hashes;
    std::optional<std::uint64_t> cost;
    std::optional<std::uint32_t> transaction;
    bool vote = false;
};

/// Builds one BlockTrace. Key ids follow the order of first appearance, a task's reads before its
/// writes.
class BlockBuilder {
public:
    BlockBuilder(std::string chain, BlockIdentity block, CostUnit unit);

    /// Makes room for so many.
    void reserve(std::size_t tasks, std::size_t accesses);
    /// Makes room for so many keys of so many bytes together.
    void reserve_keys(std::size_t keys, std::size_t bytes);
    /// Makes room for the tasks of these, which are to be appended.
    void reserve(std::span<const BlockBuilder* const> parts);

    /// Returns an error text (without place) if the block exceeds the range of ids or costs.
    [[nodiscard]] std::optional<std::string> add(const TaskRecord& task);

    /// Adds the tasks of `part` after those that are there, with the same result as if each had
    /// been added here: parts of a block can be built on several threads. The same errors as of
    /// `add`.
    [[nodiscard]] std::optional<std::string> append(const BlockBuilder& part);

    /// Fails if only some tasks have a transaction.
    [[nodiscard]] Result<std::shared_ptr<const BlockTrace>> finish() &&;

    /// Names that are made on demand, where keys were not added as they are printed, and tasks
    /// without an id.
    using KeyNamesOf = std::shared_ptr<const KeyNames> (*)(KeyInterner keys);
    [[nodiscard]] Result<std::shared_ptr<const BlockTrace>>
    finish(KeyNamesOf keys, std::shared_ptr<const TaskNames> tasks) &&;

    [[nodiscard]] TaskId tasks() const noexcept { return trace_.tasks(); }

private:
    [[nodiscard]] std::optional<std::string> check_room(std::size_t tasks, std::size_t accesses,
                                                        std::uint64_t cost) const;
    void touch(KeyId key, Mode mode, std::size_t first);
    [[nodiscard]] Status check_transactions() const;

    BlockTrace trace_;
    KeyInterner keys_;
    StoredTaskNames names_;
    std::vector<KeyId> ids_;           ///< of the current task
    std::vector<std::uint32_t> after_; ///< one per key: the index after its latest access; 0: none
    std::uint64_t cost_sum_ = 0;
    std::size_t with_transaction_ = 0;
};

} // namespace blockloom::trace
