#include "runs/block_divergence.h"

#include "alkanes/state_keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::runs {
namespace {

using alkanes::BlockExecution;
using alkanes::HostCallRecord;
using alkanes::MessageRecord;
using alkanes::TransactionResult;

std::string call_text(const HostCallRecord& call) {
    std::string text = fmt::format("{}({})", call.name, fmt::join(call.arguments, ", "));
    if (call.result) text += fmt::format(" = {}", *call.result);
    return text;
}

bool same_call(const HostCallRecord& a, const HostCallRecord& b) {
    return a.name == b.name && a.arguments == b.arguments && a.result == b.result &&
           a.level == b.level && a.fee == b.fee;
}

std::optional<std::size_t> first_different_call(const MessageRecord& a, const MessageRecord& b) {
    const auto [x, y] = std::mismatch(a.host_calls.begin(), a.host_calls.end(),
                                      b.host_calls.begin(), b.host_calls.end(), same_call);
    if (x == a.host_calls.end() && y == b.host_calls.end()) return std::nullopt;
    return static_cast<std::size_t>(x - a.host_calls.begin());
}

/// The first value, in the order in which A read, that B read with another value.
std::optional<DivergentKey> different_read(const state::TaskLog& a, const state::TaskLog& b) {
    for (const state::Read& mine : a.reads)
        for (const state::Read& theirs : b.reads)
            if (mine.key == theirs.key && mine.value != theirs.value)
                return DivergentKey{mine.key, mine.value, theirs.value, true};
    return std::nullopt;
}

template <typename Writes>
std::optional<DivergentKey> different_write(const Writes& a, const Writes& b) {
    const auto find = [](const Writes& in, const state::Key& key) {
        return std::find_if(in.begin(), in.end(),
                            [&](const auto& entry) { return entry.first == key; });
    };
    for (const auto& [key, value] : a) {
        const auto other = find(b, key);
        if (other == b.end()) return DivergentKey{key, value, state::Value(), false};
        if (other->second != value) return DivergentKey{key, value, other->second, false};
    }
    for (const auto& [key, value] : b)
        if (find(a, key) == a.end()) return DivergentKey{key, state::Value(), value, false};
    return std::nullopt;
}

/// Whether a host call reads `key`. The contract whose storage it reads is not recorded, so a call
/// of the same name by another contract counts too.
bool asks_for(const HostCallRecord& call, std::string_view key) {
    static const std::size_t prefix = alkanes::storage_key({}, {}).size();
    const auto kind = static_cast<alkanes::KeyKind>(key.empty() ? 0 : key.front());
    if (kind == alkanes::KeyKind::sequence) return call.name == "__sequence";
    if (kind == alkanes::KeyKind::balance)
        return call.name == "__balance" && call.arguments.size() == 2 &&
               alkanes::key_text(key) ==
                   fmt::format("balance:{}:{}", call.arguments[0], call.arguments[1]);
    return kind == alkanes::KeyKind::storage &&
           (call.name == "__request_storage" || call.name == "__load_storage") &&
           !call.arguments.empty() &&
           call.arguments.front() == alkanes::storage_key_text(key.substr(prefix));
}

/// The first of A's host calls that B answers or makes differently.
std::optional<DivergentCall> divergent_call(const MessageRecord& a, const MessageRecord& b,
                                            const std::optional<DivergentKey>& key) {
    std::optional<std::size_t> first = first_different_call(a, b);
    if (key && key->read)
        for (std::size_t i = 0; i < a.host_calls.size() && (!first || i < *first); ++i)
            if (asks_for(a.host_calls[i], key->key)) first = i;
    if (!first) return std::nullopt;
    DivergentCall call{*first, {}, {}};
    if (*first < a.host_calls.size()) call.a = call_text(a.host_calls[*first]);
    if (*first < b.host_calls.size()) call.b = call_text(b.host_calls[*first]);
    return call;
}

/// What differs between the records of two messages; empty: nothing.
std::string message_difference(const TransactionResult& a, const TransactionResult& b,
                               std::size_t place) {
    const MessageRecord &x = a.records[place], &y = b.records[place];
    const auto numbers = [](const char* what, std::uint64_t p, std::uint64_t q) {
        return fmt::format("{}: {} and {}", what, p, q);
    };
    if (x.status != y.status)
        return fmt::format("status: {} and {}", name_of(x.status), name_of(y.status));
    if (x.text != y.text) return fmt::format("text: \"{}\" and \"{}\"", x.text, y.text);
    if (x.fuel_used != y.fuel_used) return numbers("fuel", x.fuel_used, y.fuel_used);
    if (x.host_calls.size() != y.host_calls.size())
        return numbers("host calls", x.host_calls.size(), y.host_calls.size());
    if (first_different_call(x, y)) return "host calls";
    if (x.data != y.data) return "response data";
    if (x.transfers != y.transfers) return "transfers";
    if (x.storage != y.storage) return "returned storage";
    if (place < a.log.tasks.size() && place < b.log.tasks.size()) {
        if (different_read(a.log.tasks[place], b.log.tasks[place])) return "what it read";
        if (a.log.tasks[place].writes != b.log.tasks[place].writes) return "what it wrote";
    }
    return {};
}

/// Tasks of the block before this entry.
std::uint32_t tasks_before(const BlockExecution& block, std::size_t entry) {
    std::uint32_t tasks = 0;
    for (std::size_t i = 0; i < entry; ++i)
        tasks += static_cast<std::uint32_t>(block.transactions[i].records.size());
    return tasks;
}

std::optional<BlockDivergence> divergence_of(const BlockExecution& block,
                                             const TransactionResult& a, const TransactionResult& b,
                                             std::size_t entry) {
    BlockDivergence divergence;
    divergence.height = block.height;
    divergence.transaction = a.transaction;
    const std::size_t both = std::min(a.records.size(), b.records.size());
    for (std::size_t place = 0; place < both; ++place) {
        divergence.what = message_difference(a, b, place);
        if (divergence.what.empty()) continue;
        divergence.protostone = a.records[place].protostone;
        divergence.task = tasks_before(block, entry) + static_cast<std::uint32_t>(place);
        if (place < a.log.tasks.size() && place < b.log.tasks.size()) {
            const state::TaskLog &mine = a.log.tasks[place], &theirs = b.log.tasks[place];
            divergence.key = different_read(mine, theirs);
            if (!divergence.key) divergence.key = different_write(mine.writes, theirs.writes);
        }
        divergence.call = divergent_call(a.records[place], b.records[place], divergence.key);
        return divergence;
    }
    if (a.records.size() != b.records.size()) {
        divergence.what = fmt::format("messages: {} and {}", a.records.size(), b.records.size());
        return divergence;
    }
    if (a.void_reason != b.void_reason)
        divergence.what =
            fmt::format("reason for being void: \"{}\" and \"{}\"", a.void_reason, b.void_reason);
    divergence.key = different_write(a.log.writes, b.log.writes);
    if (divergence.key && divergence.what.empty()) divergence.what = "what it wrote";
    if (divergence.what.empty()) return std::nullopt;
    return divergence;
}

} // namespace

std::optional<BlockDivergence> first_divergence(const BlockExecution& a, const BlockExecution& b) {
    const std::size_t both = std::min(a.transactions.size(), b.transactions.size());
    const auto only = [&](const char* side, const BlockExecution& block, std::size_t entry) {
        BlockDivergence divergence;
        divergence.height = block.height;
        divergence.transaction = block.transactions[entry].transaction;
        if (!block.transactions[entry].records.empty())
            divergence.task = tasks_before(block, entry);
        divergence.what = fmt::format("only {} has it", side);
        return divergence;
    };
    for (std::size_t entry = 0; entry < both; ++entry) {
        const std::uint32_t x = a.transactions[entry].transaction,
                            y = b.transactions[entry].transaction;
        if (x < y) return only("A", a, entry);
        if (y < x) return only("B", b, entry);
        if (auto divergence = divergence_of(a, a.transactions[entry], b.transactions[entry], entry))
            return divergence;
    }
    if (a.transactions.size() > both) return only("A", a, both);
    if (b.transactions.size() > both) return only("B", b, both);
    return std::nullopt;
}

} // namespace blockloom::runs
