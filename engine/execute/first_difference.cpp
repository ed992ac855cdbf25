#include "execute/first_difference.h"

#include "alkanes/state_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::execute {
namespace {

using alkanes::MessageRecord;
using alkanes::TransactionResult;

std::string numbers(const char* what, std::uint64_t a, std::uint64_t b) {
    return a == b ? std::string() : fmt::format("{}: {} and {}", what, a, b);
}

std::string message_difference(const MessageRecord& a, const MessageRecord& b) {
    if (a.status != b.status)
        return fmt::format("status: {} and {}", name_of(a.status), name_of(b.status));
    if (a.text != b.text) return fmt::format("text: \"{}\" and \"{}\"", a.text, b.text);
    for (const std::string& text :
         {numbers("fuel", a.fuel_used, b.fuel_used), numbers("steps", a.steps, b.steps),
          a.touched_pages == 0 || b.touched_pages == 0 // a device does not count them
              ? std::string()
              : numbers("touched pages", a.touched_pages, b.touched_pages),
          numbers("final pages", a.final_pages, b.final_pages),
          numbers("host calls", a.host_calls.size(), b.host_calls.size())})
        if (!text.empty()) return text;
    if (a.data != b.data) return "response data";
    if (a.transfers != b.transfers) return "transfers";
    if (a.storage != b.storage) return "returned storage";
    for (std::size_t i = 0; i < a.host_calls.size(); ++i)
        if (a.host_calls[i].name != b.host_calls[i].name ||
            a.host_calls[i].arguments != b.host_calls[i].arguments ||
            a.host_calls[i].result != b.host_calls[i].result)
            return fmt::format("host call {}: {} and {}", i, a.host_calls[i].name,
                               b.host_calls[i].name);
    return {};
}

std::string log_difference(const state::TransactionLog& a, const state::TransactionLog& b) {
    const auto read = std::mismatch(a.reads.begin(), a.reads.end(), b.reads.begin(), b.reads.end());
    if (read.first != a.reads.end() || read.second != b.reads.end())
        return "read of " +
               alkanes::key_text(read.first != a.reads.end() ? read.first->key : read.second->key);
    const auto write =
        std::mismatch(a.writes.begin(), a.writes.end(), b.writes.begin(), b.writes.end());
    if (write.first != a.writes.end() || write.second != b.writes.end())
        return "write of " + alkanes::key_text(write.first != a.writes.end() ? write.first->first
                                                                             : write.second->first);
    return a.predicates == b.predicates ? std::string() : "predicates";
}

std::string transaction_difference(const TransactionResult& a, const TransactionResult& b) {
    if (a.transaction != b.transaction)
        return fmt::format("transactions {} and {}", a.transaction, b.transaction);
    if (a.records.size() != b.records.size())
        return numbers("messages", a.records.size(), b.records.size());
    for (std::size_t i = 0; i < a.records.size(); ++i)
        if (const auto text = message_difference(a.records[i], b.records[i]); !text.empty())
            return fmt::format("protostone {}: {}", a.records[i].protostone, text);
    if (a.void_reason != b.void_reason) return "why it is void";
    return log_difference(a.log, b.log);
}

} // namespace

std::string first_difference(const alkanes::BlockExecution& a, const alkanes::BlockExecution& b) {
    const std::size_t both = std::min(a.transactions.size(), b.transactions.size());
    for (std::size_t i = 0; i < both; ++i)
        if (const auto text = transaction_difference(a.transactions[i], b.transactions[i]);
            !text.empty())
            return fmt::format("block {}, transaction {}: {}", a.height,
                               a.transactions[i].transaction, text);
    if (a.transactions.size() != b.transactions.size())
        return fmt::format("block {}: {}", a.height,
                           numbers("transactions", a.transactions.size(), b.transactions.size()));
    if (a.budgets != b.budgets) return fmt::format("block {}: fuel budgets", a.height);
    if (a.digest != b.digest)
        return fmt::format("block {}: digest {} and {}", a.height, to_hex(a.digest),
                           to_hex(b.digest));
    return {};
}

} // namespace blockloom::execute
