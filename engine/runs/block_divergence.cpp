#include "execute/parting.h"

#include "alkanes/state_keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::execute {
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

bool alike(const HostCallRecord& a, const HostCallRecord& b) {
    return a.name == b.name && a.arguments == b.arguments && a.result == b.result &&
           a.level == b.level && a.fee == b.fee;
}

std::optional<std::size_t> first_unlike_call(const MessageRecord& a, const MessageRecord& b) {
    const auto [x, y] = std::mismatch(a.host_calls.begin(), a.host_calls.end(),
                                      b.host_calls.begin(), b.host_calls.end(), alike);
    if (x == a.host_calls.end() && y == b.host_calls.end()) return std::nullopt;
    return static_cast<std::size_t>(x - a.host_calls.begin());
}

/// The first value, in the order in which A read, that B read otherwise.
std::optional<PartedKey> unlike_read(const state::TaskLog& a, const state::TaskLog& b) {
    for (const state::Read& mine : a.reads)
        for (const state::Read& theirs : b.reads)
            if (mine.key == theirs.key && mine.value != theirs.value)
                return PartedKey{mine.key, mine.value, theirs.value, true};
    return std::nullopt;
}

template <typename Writes> std::optional<PartedKey> unlike_write(const Writes& a, const Writes& b) {
    const auto find = [](const Writes& in, const state::Key& key) {
        return std::find_if(in.begin(), in.end(),
                            [&](const auto& entry) { return entry.first == key; });
    };
    for (const auto& [key, value] : a) {
        const auto other = find(b, key);
        if (other == b.end()) return PartedKey{key, value, state::Value(), false};
        if (other->second != value) return PartedKey{key, value, other->second, false};
    }
    for (const auto& [key, value] : b)
        if (find(a, key) == a.end()) return PartedKey{key, state::Value(), value, false};
    return std::nullopt;
}

/// Whether a host call asks the state for `key`. Whose storage it asks is not recorded: a call of
/// the same name at another contract is taken for it.
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

/// The first of A's host calls that is answered otherwise, or that B does not make alike.
std::optional<PartedCall> parted_call(const MessageRecord& a, const MessageRecord& b,
                                      const std::optional<PartedKey>& key) {
    std::optional<std::size_t> first = first_unlike_call(a, b);
    if (key && key->read)
        for (std::size_t i = 0; i < a.host_calls.size() && (!first || i < *first); ++i)
            if (asks_for(a.host_calls[i], key->key)) first = i;
    if (!first) return std::nullopt;
    PartedCall call{*first, {}, {}};
    if (*first < a.host_calls.size()) call.a = call_text(a.host_calls[*first]);
    if (*first < b.host_calls.size()) call.b = call_text(b.host_calls[*first]);
    return call;
}

/// What is unlike about two messages, as far as records tell; empty: nothing.
std::string unlike(const TransactionResult& a, const TransactionResult& b, std::size_t place) {
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
    if (first_unlike_call(x, y)) return "host calls";
    if (x.data != y.data) return "response data";
    if (x.transfers != y.transfers) return "transfers";
    if (x.storage != y.storage) return "returned storage";
    if (place < a.log.tasks.size() && place < b.log.tasks.size()) {
        if (unlike_read(a.log.tasks[place], b.log.tasks[place])) return "what it read";
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

std::optional<Parting> part(const BlockExecution& block, const TransactionResult& a,
                            const TransactionResult& b, std::size_t entry) {
    Parting parting;
    parting.height = block.height;
    parting.transaction = a.transaction;
    const std::size_t both = std::min(a.records.size(), b.records.size());
    for (std::size_t place = 0; place < both; ++place) {
        parting.what = unlike(a, b, place);
        if (parting.what.empty()) continue;
        parting.protostone = a.records[place].protostone;
        parting.task = tasks_before(block, entry) + static_cast<std::uint32_t>(place);
        if (place < a.log.tasks.size() && place < b.log.tasks.size()) {
            const state::TaskLog &mine = a.log.tasks[place], &theirs = b.log.tasks[place];
            parting.key = unlike_read(mine, theirs);
            if (!parting.key) parting.key = unlike_write(mine.writes, theirs.writes);
        }
        parting.call = parted_call(a.records[place], b.records[place], parting.key);
        return parting;
    }
    if (a.records.size() != b.records.size()) {
        parting.what = fmt::format("messages: {} and {}", a.records.size(), b.records.size());
        return parting;
    }
    if (a.void_reason != b.void_reason)
        parting.what =
            fmt::format("why it is void: \"{}\" and \"{}\"", a.void_reason, b.void_reason);
    parting.key = unlike_write(a.log.writes, b.log.writes);
    if (parting.key && parting.what.empty()) parting.what = "what it wrote";
    if (parting.what.empty()) return std::nullopt;
    return parting;
}

} // namespace

std::optional<Parting> find_parting(const BlockExecution& a, const BlockExecution& b) {
    const std::size_t both = std::min(a.transactions.size(), b.transactions.size());
    const auto only = [&](const char* side, const BlockExecution& block, std::size_t entry) {
        Parting parting;
        parting.height = block.height;
        parting.transaction = block.transactions[entry].transaction;
        if (!block.transactions[entry].records.empty()) parting.task = tasks_before(block, entry);
        parting.what = fmt::format("only {} has a part in it", side);
        return parting;
    };
    for (std::size_t entry = 0; entry < both; ++entry) {
        const std::uint32_t x = a.transactions[entry].transaction,
                            y = b.transactions[entry].transaction;
        if (x < y) return only("A", a, entry);
        if (y < x) return only("B", b, entry);
        if (auto parting = part(a, a.transactions[entry], b.transactions[entry], entry))
            return parting;
    }
    if (a.transactions.size() > both) return only("A", a, both);
    if (b.transactions.size() > both) return only("B", b, both);
    return std::nullopt;
}

} // namespace blockloom::execute
