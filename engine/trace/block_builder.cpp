#include "trace/block_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace blockloom::trace {
namespace {

constexpr std::size_t most_tasks = (std::size_t{1} << 30) - 1;
constexpr std::size_t most_accesses = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr const char* too_many_keys = "at most 2^30 keys in a block";
constexpr std::uint64_t most_work = std::numeric_limits<std::int64_t>::max();

Mode both(Mode a, Mode b) noexcept {
    return static_cast<Mode>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

} // namespace

BlockBuilder::BlockBuilder(std::string chain, BlockIdentity block, CostUnit unit) {
    trace_.chain = std::move(chain);
    trace_.block = std::move(block);
    trace_.cost_unit = unit;
}

/// `first`: where the task's accesses begin. A key's latest access belongs to this task or to an
/// earlier one.
void BlockBuilder::touch(KeyId key, Mode mode, std::size_t first) {
    std::vector<Access>& accesses = trace_.sets.accesses;
    if (after_[key] > first) {
        Access& there = accesses[after_[key] - 1];
        there = Access(key, both(there.mode(), mode));
        return;
    }
    accesses.emplace_back(key, mode);
    after_[key] = static_cast<std::uint32_t>(accesses.size());
}

void BlockBuilder::reserve_keys(std::size_t keys, std::size_t bytes) {
    keys_.reserve(keys, bytes);
    after_.reserve(keys);
}

void BlockBuilder::reserve(std::size_t tasks, std::size_t accesses) {
    trace_.sets.begin.reserve(tasks + 1);
    trace_.sets.accesses.reserve(accesses);
    trace_.cost.reserve(tasks);
    trace_.transaction.reserve(tasks);
}

void BlockBuilder::reserve(std::span<const BlockBuilder* const> parts) {
    std::size_t tasks = trace_.tasks(), accesses = trace_.sets.accesses.size();
    std::size_t keys = keys_.size(), bytes = keys_.bytes();
    for (const BlockBuilder* const part : parts) {
        tasks += part->trace_.tasks();
        accesses += part->trace_.sets.accesses.size();
        keys += part->keys_.size();
        bytes += part->keys_.bytes();
    }
    reserve(tasks, accesses);
    keys_.reserve(keys, bytes);
}

std::optional<std::string> BlockBuilder::check_room(std::size_t tasks, std::size_t accesses,
                                                    std::uint64_t cost) const {
    if (tasks > most_tasks - trace_.tasks()) return "fewer than 2^30 tasks in a block";
    if (accesses > most_accesses - trace_.sets.accesses.size())
        return "fewer than 2^32 accesses in a block";
    if (cost > most_work - cost_sum_) return "costs with a sum below 2^63 in a block";
    return std::nullopt;
}

std::optional<std::string> BlockBuilder::add(const TaskRecord& task) {
    AccessSets& sets = trace_.sets;
    const std::size_t first = sets.accesses.size();
    const std::uint64_t cost = task.cost.value_or(1);
    if (auto why = check_room(1, task.reads.size() + task.writes.size(), cost)) return why;
    cost_sum_ += cost;

    for (const auto& [keys, hashes, mode] :
         {std::tuple{&task.reads, &task.read_hashes, Mode::read},
          std::tuple{&task.writes, &task.write_hashes, Mode::write}}) {
        ids_.resize(keys->size());
        keys_.insert(*keys, *hashes, ids_);
        after_.resize(keys_.size());
        for (const KeyId key : ids_) {
            if (key == KeyInterner::no_key) return too_many_keys;
            touch(key, mode, first);
        }
    }
    const TaskId index = sets.tasks();
    sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
    names_.add(task.id);
    if (task.cost && trace_.cost.empty()) trace_.cost.assign(index, 1);
    if (task.cost || !trace_.cost.empty()) trace_.cost.push_back(cost);
    if (task.vote && trace_.vote.empty()) trace_.vote.assign(index, false);
    if (task.vote || !trace_.vote.empty()) trace_.vote.push_back(task.vote);
    if (task.transaction) {
        ++with_transaction_;
        trace_.transaction.push_back(*task.transaction);
    }
    return std::nullopt;
}

std::optional<std::string> BlockBuilder::append(const BlockBuilder& part) {
    const BlockTrace& more = part.trace_;
    const TaskId first = trace_.tasks();
    if (auto why = check_room(more.tasks(), more.sets.accesses.size(), part.cost_sum_)) return why;
    cost_sum_ += part.cost_sum_;

    // In the order of their first appearance in the part: the new ones among them get the ids that
    // they would have got one by one.
    std::vector<KeyId> ids(part.keys_.size());
    std::vector<std::string_view> keys(ids.size());
    for (KeyId key = 0; key < ids.size(); ++key) keys[key] = part.keys_.key(key);
    keys_.insert(keys, part.keys_.hashes(), ids);
    if (std::find(ids.begin(), ids.end(), KeyInterner::no_key) != ids.end()) return too_many_keys;

    AccessSets& sets = trace_.sets;
    const auto begin = static_cast<std::uint32_t>(sets.accesses.size());
    for (const Access access : more.sets.accesses)
        sets.accesses.emplace_back(ids[access.key()], access.mode());
    for (TaskId task = 0; task < more.tasks(); ++task)
        sets.begin.push_back(begin + more.sets.begin[task + 1]);
    names_.append(part.names_);
    if (trace_.cost.empty() && !more.cost.empty()) trace_.cost.assign(first, 1);
    if (!more.cost.empty())
        trace_.cost.insert(trace_.cost.end(), more.cost.begin(), more.cost.end());
    else if (!trace_.cost.empty())
        trace_.cost.resize(trace_.tasks(), 1);
    if (trace_.vote.empty() && !more.vote.empty()) trace_.vote.assign(first, false);
    if (!more.vote.empty())
        trace_.vote.insert(trace_.vote.end(), more.vote.begin(), more.vote.end());
    else if (!trace_.vote.empty())
        trace_.vote.resize(trace_.tasks(), false);
    with_transaction_ += part.with_transaction_;
    trace_.transaction.insert(trace_.transaction.end(), more.transaction.begin(),
                              more.transaction.end());
    return std::nullopt;
}

Status BlockBuilder::check_transactions() const {
    if (with_transaction_ != 0 && with_transaction_ != trace_.tasks())
        return Error{
            ErrorCode::bad_input,
            fmt::format("expected a transaction for all {} tasks of the block or for none, "
                        "found {}",
                        trace_.tasks(), with_transaction_)};
    return {};
}

Result<std::shared_ptr<const BlockTrace>> BlockBuilder::finish() && {
    auto names = std::make_shared<StoredTaskNames>(std::move(names_));
    return std::move(*this).finish(
        [](KeyInterner keys) -> std::shared_ptr<const KeyNames> {
            return std::make_shared<StoredKeyNames>(std::move(keys));
        },
        std::move(names));
}

Result<std::shared_ptr<const BlockTrace>>
BlockBuilder::finish(KeyNamesOf keys, std::shared_ptr<const TaskNames> tasks) && {
    if (const Status checked = check_transactions(); !checked) return checked.error();
    trace_.sets.key_count = keys_.size();
    trace_.keys = keys(std::move(keys_));
    trace_.names = std::move(tasks);
    return std::shared_ptr<const BlockTrace>(std::make_shared<BlockTrace>(std::move(trace_)));
}

} // namespace blockloom::trace
