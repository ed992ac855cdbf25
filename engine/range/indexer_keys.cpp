#include "range/indexer_keys.h"

#include "alkanes/sheet.h"
#include "range/protobuf.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace blockloom::range {
namespace {

using alkanes::AlkaneId;
using alkanes::id_size;
using alkanes::KeyKind;

constexpr std::string_view contracts = "/alkanes/";
constexpr std::string_view outpoints = "/runes/proto/1/byoutpoint/";
constexpr std::string_view traces = "/trace/";
constexpr std::size_t outpoint_size = 36;
/// More tokens than fit into a block.
constexpr std::uint32_t most_tokens = 1U << 20U;

using Tokens = std::map<AlkaneId, u128>;

Error malformed(std::string_view key, const std::string& expected, const std::string& found) {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected {}, found {}", alkanes::key_text(key), expected, found)};
}

std::string value_of(const Tokens& tokens) {
    std::vector<alkanes::Transfer> sheet;
    for (const auto& [id, amount] : tokens)
        if (amount != 0) sheet.push_back({id, amount});
    return std::string(alkanes::Sheet(sheet).value().bytes());
}

/// {1 rune {1 id}, 2 amount}.
bool add_entry(Tokens& tokens, std::string_view message) {
    ProtobufReader reader(message);
    AlkaneId id;
    u128 amount = 0;
    while (const auto field = reader.next()) {
        if (field->value) continue;
        if (field->number == 1) {
            ProtobufReader rune(field->bytes);
            while (const auto part = rune.next())
                if (part->number == 1 && !part->value) {
                    const auto found = id_from_protobuf(part->bytes);
                    if (!found) return false;
                    id = *found;
                }
            if (rune.failed()) return false;
        } else if (field->number == 2) {
            const auto found = u128_from_protobuf(field->bytes);
            if (!found) return false;
            amount = *found;
        }
    }
    if (reader.failed()) return false;
    tokens[id] = amount; // of two entries of one id the later one is set
    return true;
}

/// {repeated 1 entry, 2 height at which it was spent}: the development branch keeps spent ones.
std::optional<std::string> sheet_of_message(std::string_view message) {
    ProtobufReader reader(message);
    Tokens tokens;
    bool spent = false;
    while (const auto field = reader.next()) {
        if (field->number == 1 && !field->value) {
            if (!add_entry(tokens, field->bytes)) return std::nullopt;
        } else if (field->number == 2 && field->value) {
            spent = true;
        }
    }
    if (reader.failed()) return std::nullopt;
    return spent ? std::string() : value_of(tokens);
}

/// The number of elements of an indexer's list.
Result<std::uint32_t> length_of(const IndexerRead& read, std::string_view key,
                                const std::string& list) {
    const auto bytes = read(list + "/length");
    if (!bytes) return bytes.error();
    if (!*bytes) return 0U;
    if ((*bytes)->size() != 4)
        return malformed(key, "a list's length of 4 bytes", fmt::format("{}", (*bytes)->size()));
    const auto length = read_le<std::uint32_t>(as_bytes(**bytes).data());
    if (length > most_tokens)
        return malformed(key, fmt::format("at most {} tokens", most_tokens),
                         fmt::format("{}", length));
    return length;
}

Result<std::string> element(const IndexerRead& read, std::string_view key, const std::string& list,
                            std::uint32_t index, std::size_t size) {
    auto bytes = read(fmt::format("{}/{}", list, index));
    if (!bytes) return bytes.error();
    if (!*bytes || (*bytes)->size() != size)
        return malformed(
            key,
            fmt::format("{} bytes as element {} of {}", size, index, list.substr(list.rfind('/'))),
            *bytes ? fmt::format("{}", (*bytes)->size()) : "none");
    return **std::move(bytes);
}

} // namespace

std::optional<AlkaneId> id_from_protobuf(std::string_view message) {
    ProtobufReader reader(message);
    AlkaneId id;
    while (const auto field = reader.next()) {
        if (field->value || field->number > 2) continue;
        const auto number = u128_from_protobuf(field->bytes);
        if (!number) return std::nullopt;
        (field->number == 1 ? id.block : id.tx) = *number;
    }
    return reader.failed() ? std::nullopt : std::optional(id);
}

std::string indexer_code_key(const AlkaneId& contract) {
    return std::string(contracts) + alkanes::id_bytes(contract);
}

std::string indexer_sheet_key(std::string_view sheet_key) {
    return std::string(outpoints) + std::string(sheet_key.substr(1));
}

std::string indexer_block_key(std::uint64_t height) {
    std::string key("/blockdata/");
    for (int shift = 0; shift < 32; shift += 8) key += static_cast<char>(height >> shift & 0xffU);
    return key;
}

std::string indexer_traces_key(std::uint64_t height) {
    std::string key(traces);
    for (int shift = 0; shift < 64; shift += 8) key += static_cast<char>(height >> shift & 0xffU);
    return key;
}

std::string indexer_trace_key(std::string_view outpoint) {
    return std::string(traces) + std::string(outpoint);
}

IndexerKey read_indexer_key(std::string_view key) {
    const auto follows = [](std::string_view& rest, std::string_view prefix) {
        if (!rest.starts_with(prefix)) return false;
        rest.remove_prefix(prefix.size());
        return true;
    };
    std::string_view rest = key;
    if (follows(rest, outpoints)) {
        if (rest.size() < outpoint_size) return {{}, "other tables"};
        return {std::string(1, static_cast<char>(KeyKind::sheet)) +
                    std::string(rest.substr(0, outpoint_size)),
                {}};
    }
    if (follows(rest, traces)) return {{}, "traces"};
    if (rest.starts_with("/alkanes_id_to_outpoint/")) return {{}, "outpoints of creation"};
    if (!follows(rest, contracts)) return {{}, "other tables"};
    if (rest == "sequence") return {std::string(alkanes::sequence_key().bytes()), {}};
    if (rest.size() < id_size) return {{}, "other tables"};
    const auto id = *alkanes::id_from_bytes(rest.substr(0, id_size));
    rest.remove_prefix(id_size);
    if (rest.empty()) return {std::string(alkanes::code_key(id).bytes()), {}};
    if (follows(rest, "/storage/"))
        return {std::string(alkanes::storage_key(id, rest).bytes()), {}};
    if (follows(rest, "/balances/")) {
        const auto holder = alkanes::id_from_bytes(rest);
        if (holder) return {std::string(alkanes::balance_key(*holder, id).bytes()), {}};
    }
    return {{}, rest.starts_with("/inventory/") ? "inventories" : "other tables"};
}

std::optional<std::string> indexer_key(std::string_view key) {
    const std::string_view kind = alkanes::key_kind_text(key);
    std::string name(contracts);
    if (kind == "storage") {
        name += key.substr(1, id_size);
        name += "/storage/";
        name += key.substr(1 + id_size);
    } else if (kind == "balance") { // ours: holder, token
        name += key.substr(1 + id_size);
        name += "/balances/";
        name += key.substr(1, id_size);
    } else if (kind == "sequence") {
        name += "sequence";
    } else if (kind == "code") {
        name += key.substr(1);
    } else {
        return std::nullopt;
    }
    return name;
}

Result<std::string> read_indexer_sheet(const IndexerRead& read, std::string_view key) {
    const std::string name = indexer_sheet_key(key);
    const auto message = read(name);
    if (!message) return message.error();
    if (*message) {
        auto sheet = sheet_of_message(**message);
        if (!sheet)
            return malformed(key, "a balance sheet",
                             fmt::format("{} other bytes", (*message)->size()));
        return *std::move(sheet);
    }
    const std::string ids = name + "/runes", amounts = name + "/balances";
    const auto length = length_of(read, key, ids);
    if (!length) return length.error();
    if (*length == 0) return std::string();
    const auto other = length_of(read, key, amounts);
    if (!other) return other.error();
    if (*other != *length)
        return malformed(key, fmt::format("as many amounts as tokens, {}", *length),
                         fmt::format("{}", *other));
    Tokens tokens;
    for (std::uint32_t i = 0; i < *length; ++i) {
        const auto id = element(read, key, ids, i, id_size);
        if (!id) return id.error();
        const auto amount = element(read, key, amounts, i, u128_size);
        if (!amount) return amount.error();
        tokens[*alkanes::id_from_bytes(*id)] = *u128_from_bytes(*amount);
    }
    return value_of(tokens);
}

} // namespace blockloom::range
