#include "range/indexer_views.h"

#include "alkanes/sheet.h"
#include "range/indexer_keys.h"
#include "range/protobuf.h"

#include <algorithm>
#include <vector>

namespace blockloom::range {
namespace {

using alkanes::AlkaneId;

/// {1 block, 2 tx}: a part that is 0 is an empty message, which must not be left out.
std::string id_message(const AlkaneId& id) {
    std::string message;
    append_bytes(message, 1, u128_to_protobuf(id.block));
    append_bytes(message, 2, u128_to_protobuf(id.tx));
    return message;
}

struct Amount {
    AlkaneId id;
    u128 value = 0;
};

/// {1 id, 2 value}.
std::optional<Amount> transfer_from(std::string_view message) {
    ProtobufReader reader(message);
    Amount amount;
    while (const auto field = reader.next()) {
        if (field->value) continue;
        if (field->number == 1) {
            const auto id = id_from_protobuf(field->bytes);
            if (!id) return std::nullopt;
            amount.id = *id;
        } else if (field->number == 2) {
            const auto value = u128_from_protobuf(field->bytes);
            if (!value) return std::nullopt;
            amount.value = *value;
        }
    }
    return reader.failed() ? std::nullopt : std::optional(amount);
}

/// {1 rune {1 id, …}, 2 value}.
std::optional<Amount> rune_from(std::string_view message) {
    ProtobufReader reader(message);
    Amount amount;
    while (const auto field = reader.next()) {
        if (field->value) continue;
        if (field->number == 2) {
            const auto value = u128_from_protobuf(field->bytes);
            if (!value) return std::nullopt;
            amount.value = *value;
        } else if (field->number == 1) {
            ProtobufReader rune(field->bytes);
            while (const auto part = rune.next())
                if (part->number == 1 && !part->value) {
                    const auto id = id_from_protobuf(part->bytes);
                    if (!id) return std::nullopt;
                    amount.id = *id;
                }
            if (rune.failed()) return std::nullopt;
        }
    }
    return reader.failed() ? std::nullopt : std::optional(amount);
}

/// {repeated 1 rune}: amounts of one token are added.
std::optional<std::string> sheet_from(std::string_view message) {
    ProtobufReader reader(message);
    std::map<AlkaneId, u128> tokens;
    while (const auto field = reader.next()) {
        if (field->number != 1 || field->value) continue;
        const auto amount = rune_from(field->bytes);
        if (!amount) return std::nullopt;
        u128& sum = tokens[amount->id];
        if (sum + amount->value < sum) return std::nullopt; // more than there can be
        sum += amount->value;
    }
    if (reader.failed()) return std::nullopt;
    std::vector<alkanes::Transfer> sheet;
    for (const auto& [id, value] : tokens)
        if (value != 0) sheet.push_back({id, value});
    return std::string(alkanes::Sheet(sheet).value().bytes());
}

/// {1 txid, 2 vout}.
bool outpoint_from(std::string_view message, TraceAnswer& into) {
    ProtobufReader reader(message);
    bool named = false;
    while (const auto field = reader.next()) {
        if (field->number == 1 && !field->value) {
            if (field->bytes.size() != into.txid.size()) return false;
            std::copy(field->bytes.begin(), field->bytes.end(), into.txid.begin());
            named = true;
        } else if (field->number == 2 && field->value) {
            if (*field->value > 0xffffffffU) return false;
            into.vout = static_cast<std::uint32_t>(*field->value);
        }
    }
    return named && !reader.failed();
}

/// {1 trace, 2 outpoint, 3 number of the transaction}.
std::optional<TraceAnswer> trace_from(std::string_view message) {
    ProtobufReader reader(message);
    TraceAnswer trace;
    bool placed = false;
    while (const auto field = reader.next()) {
        if (field->value) continue;
        if (field->number == 1) trace.trace = field->bytes;
        if (field->number == 2) {
            if (!outpoint_from(field->bytes, trace)) return std::nullopt;
            placed = true;
        }
    }
    if (!placed || reader.failed()) return std::nullopt;
    return trace;
}

} // namespace

std::string storage_question(const AlkaneId& contract, std::string_view key) {
    std::string message;
    append_bytes(message, 1, id_message(contract));
    append_bytes(message, 2, key);
    return message;
}

std::optional<std::string> storage_answer(std::string_view bytes) {
    ProtobufReader reader(bytes);
    std::string value;
    while (const auto field = reader.next())
        if (field->number == 1 && !field->value) value = field->bytes;
    return reader.failed() ? std::nullopt : std::optional(std::move(value));
}

std::string contract_question(const AlkaneId& contract) {
    std::string message;
    append_bytes(message, 1, id_message(contract));
    return message;
}

std::optional<std::map<AlkaneId, u128>> inventory_answer(std::string_view bytes) {
    ProtobufReader reader(bytes);
    std::map<AlkaneId, u128> tokens;
    while (const auto field = reader.next()) {
        if (field->number != 1 || field->value) continue;
        const auto amount = transfer_from(field->bytes);
        if (!amount) return std::nullopt;
        tokens[amount->id] = amount->value; // listed once for each access, always as it is now
    }
    return reader.failed() ? std::nullopt : std::optional(std::move(tokens));
}

std::string output_question(std::string_view outpoint) {
    constexpr std::size_t txid_size = 32;
    std::string message;
    append_bytes(message, 1, outpoint.substr(0, txid_size));
    const auto vout = read_le<std::uint32_t>(as_bytes(outpoint).data() + txid_size);
    if (vout != 0) append_number(message, 2, vout);
    append_bytes(message, 3, u128_to_protobuf(1));
    return message;
}

std::optional<OutputAnswer> output_answer(std::string_view bytes) {
    ProtobufReader reader(bytes);
    OutputAnswer answer;
    while (const auto field = reader.next()) {
        if (field->value) continue;
        if (field->number == 1) {
            auto sheet = sheet_from(field->bytes);
            if (!sheet) return std::nullopt;
            answer.sheet = *std::move(sheet);
        }
        // The output itself, {1 script, 2 value}, is only there if the indexer has it.
        if (field->number == 3 && !field->bytes.empty()) answer.known = true;
    }
    if (reader.failed()) return std::nullopt;
    answer.known = answer.known || !answer.sheet.empty();
    return answer;
}

std::optional<std::vector<TraceAnswer>> traces_answer(std::string_view bytes) {
    ProtobufReader reader(bytes);
    std::vector<TraceAnswer> traces;
    while (const auto field = reader.next()) {
        if (field->number != 1 || field->value) continue;
        auto trace = trace_from(field->bytes);
        if (!trace) return std::nullopt;
        traces.push_back(*std::move(trace));
    }
    return reader.failed() ? std::nullopt : std::optional(std::move(traces));
}

std::string block_question(std::uint32_t height) {
    std::string message;
    append_number(message, 1, height);
    return message;
}

std::optional<std::string> block_answer(std::string_view bytes) {
    return storage_answer(bytes); // {1 bytes, 2 height}
}

} // namespace blockloom::range
