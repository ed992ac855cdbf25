#include "range/indexer_rpc.h"

#include "alkanes/state_keys.h"
#include "range/protobuf_writer.h"
#include "range/trace_writer.h"
#include "trace/gzip.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <map>

namespace blockloom::test {
namespace {

using Map = state::MemoryState::Map;

/// Fields of a message whose numbers are below 16: bytes by number, numbers as their varint's
/// value.
struct Fields {
    std::map<unsigned, std::string> bytes;
    std::map<unsigned, std::uint64_t> numbers;

    explicit Fields(std::string_view message) {
        const auto number = [&] {
            std::uint64_t value = 0;
            for (unsigned shift = 0; !message.empty(); shift += 7) {
                const auto byte = static_cast<unsigned char>(message.front());
                message.remove_prefix(1);
                value |= std::uint64_t{byte & 0x7fU} << shift;
                if (byte < 0x80) break;
            }
            return value;
        };
        while (!message.empty()) {
            const std::uint64_t tag = number();
            const std::uint64_t value = number();
            if ((tag & 7) == 0) {
                numbers[static_cast<unsigned>(tag >> 3)] = value;
                continue;
            }
            bytes[static_cast<unsigned>(tag >> 3)] = std::string(message.substr(0, value));
            message.remove_prefix(std::min<std::size_t>(value, message.size()));
        }
    }
    [[nodiscard]] u128 u128_value() const {
        const auto at = [&](unsigned n) { return numbers.contains(n) ? numbers.at(n) : 0; };
        return u128{at(2)} << 64 | at(1);
    }
};

/// A part that is not there is what the real program stops at.
std::optional<alkanes::AlkaneId> id_of(const std::string& message) {
    const Fields id(message);
    if (!id.bytes.contains(1) || !id.bytes.contains(2)) return std::nullopt;
    return alkanes::AlkaneId{Fields(id.bytes.at(1)).u128_value(),
                             Fields(id.bytes.at(2)).u128_value()};
}

std::string value_at(const Map& state, const state::Key& key) {
    const auto found = state.find(key);
    return found == state.end() ? std::string() : std::string(found->second.bytes());
}

/// As getbytecode has it: inflated, templates followed.
std::string module_of(const Map& state, alkanes::AlkaneId id) {
    for (int steps = 0; steps < 8; ++steps) {
        const std::string stored = value_at(state, alkanes::code_key(id));
        const auto code = alkanes::code_value(stored);
        if (!code) return {};
        if (code->sample) {
            id = *code->sample;
            continue;
        }
        const std::string bytes = value_at(state, alkanes::bytecode_key(code->hash));
        if (code->form == alkanes::CodeForm::plain) return bytes;
        const auto module = trace::gunzip(as_bytes(bytes), "code");
        return module ? *module : std::string();
    }
    return {};
}

std::string inventory_of(const Map& state, const alkanes::AlkaneId& holder, bool incomplete) {
    std::string answer;
    const std::string begin = '\x02' + alkanes::id_bytes(holder);
    std::size_t count = 0;
    for (const auto& [key, value] : state) {
        if (!key.bytes().starts_with(begin)) continue;
        if (incomplete && ++count % 2 == 0) continue;
        const std::string entry =
            field(1, id_message(*alkanes::id_from_bytes(key.bytes().substr(begin.size())))) +
            field(2, message(*u128_from_bytes(value.bytes())));
        answer += field(1, entry) + field(1, entry); // it is listed once for each access
    }
    return answer;
}

std::string output_of(const Map& state, const Fields& asked) {
    alkanes::Outpoint outpoint;
    const std::string& txid = asked.bytes.at(1);
    std::copy(txid.begin(), txid.end(), outpoint.txid.begin());
    if (asked.numbers.contains(2)) outpoint.vout = static_cast<std::uint32_t>(asked.numbers.at(2));
    std::string sheet;
    const std::string value = value_at(state, alkanes::sheet_key(outpoint));
    const auto tokens = alkanes::tokens_of_sheet(value);
    if (!value.empty() && tokens)
        for (const alkanes::Transfer& token : *tokens)
            sheet += field(1, field(1, field(1, id_message(token.id)) + field(2, "UNKNOWN")) +
                                  field(2, message(token.value)));
    return field(1, sheet) + field(2, field(1, txid)) +
           field(3, field(1, "\x51") + number_field(2, 546)) + number_field(4, 7);
}

/// As traceblock has them; those that were not kept are empty.
std::string traces_of(const IndexedBlock& block) {
    std::string answer;
    for (const IndexedMessage& each : block.messages) {
        if (!each.listed) continue;
        const std::string trace = !each.kept   ? std::string()
                                  : each.bytes ? *each.bytes
                                               : trace_bytes(each.events);
        const auto vout =
            read_le<std::uint32_t>(as_bytes(std::string_view(each.outpoint)).data() + 32);
        answer +=
            field(1, field(1, trace) +
                         field(2, field(1, each.outpoint.substr(0, 32)) + number_field(2, vout)) +
                         number_field(3, 1));
    }
    return answer;
}

QJsonObject call_of(const ServedRequest& request) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(request.body)).object();
}

} // namespace

Reply rpc_result(const ServedRequest& request, const QJsonValue& result) {
    const QJsonObject answer{{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
                             {QStringLiteral("id"), call_of(request)[QStringLiteral("id")]},
                             {QStringLiteral("result"), result}};
    return Reply::with_body(QJsonDocument(answer).toJson(QJsonDocument::Compact).toStdString());
}

Reply rpc_error(const ServedRequest& request, int code, const QString& message) {
    const QJsonObject error{{QStringLiteral("code"), code}, {QStringLiteral("message"), message}};
    const QJsonObject answer{{QStringLiteral("id"), call_of(request)[QStringLiteral("id")]},
                             {QStringLiteral("error"), error}};
    return Reply::with_body(QJsonDocument(answer).toJson(QJsonDocument::Compact).toStdString());
}

std::optional<std::string> IndexerRpc::view(const std::string& name, const std::string& input,
                                            const IndexedBlock& at) const {
    const Map& state = at.after;
    if (name == "sequence") {
        const std::string value = value_at(state, alkanes::sequence_key());
        return value.empty() ? std::string(16, '\0') : value;
    }
    if (name == "traceblock") return traces_of(at);
    const Fields asked(input);
    if (name == "getblock") {
        const std::uint64_t height = asked.numbers.contains(1) ? asked.numbers.at(1) : 0;
        for (std::size_t i = 0; i < blocks_.size() && i < raw_.size(); ++i)
            if (blocks_[i].height == height)
                return field(1, std::string(raw_[i].begin(), raw_[i].end())) +
                       number_field(2, height);
        return std::string();
    }
    if (name == "protorunesbyoutpoint") {
        if (!asked.bytes.contains(3) || Fields(asked.bytes.at(3)).u128_value() != 1)
            return std::nullopt;
        return output_of(state, asked);
    }
    const auto id = asked.bytes.contains(1) ? id_of(asked.bytes.at(1)) : std::nullopt;
    if (!id) return std::nullopt;
    if (name == "getstorageat") {
        const std::string value =
            value_at(state, alkanes::storage_key(*id, asked.bytes.contains(2) ? asked.bytes.at(2)
                                                                              : std::string()));
        return value.empty() ? std::string() : field(1, value);
    }
    if (name == "getbytecode") return module_of(state, *id);
    if (name == "getinventory") return inventory_of(state, *id, incomplete_inventories);
    return std::nullopt;
}

Reply IndexerRpc::operator()(const ServedRequest& request) const {
    const QJsonObject call = call_of(request);
    const QString method = call[QStringLiteral("method")].toString();
    const QJsonArray given = call[QStringLiteral("params")].toArray();
    const std::uint64_t tip = blocks_.back().height;
    if (method == QStringLiteral("metashrew_height"))
        return rpc_result(request, QString::number(version_8 ? tip + 1 : tip));
    const auto at_height = [&](std::uint64_t height) -> const IndexedBlock* {
        for (const IndexedBlock& block : blocks_)
            if (block.height == height) return &block;
        return height > tip ? &blocks_.back() : nullptr; // above it answers from the last one
    };
    if (method == QStringLiteral("metashrew_getblockhash")) {
        const auto height = static_cast<std::uint64_t>(given[0].toInteger());
        if (height > tip) return rpc_error(request, -32000, QStringLiteral("no such block"));
        const IndexedBlock* const block = at_height(height);
        Hash256 hash = block != nullptr ? block->hash : blocks_.front().previous;
        if (another_branch) hash[0] ^= 1;
        return rpc_result(request,
                          QStringLiteral("0x") + QString::fromStdString(to_reversed_hex(hash)));
    }
    if (method != QStringLiteral("metashrew_view"))
        return rpc_error(request, -32601, QStringLiteral("Method not found"));
    const std::string hex = given[1].toString().toStdString();
    const auto input = from_hex(std::string_view(hex).substr(hex.starts_with("0x") ? 2 : 0));
    const IndexedBlock* const block = at_height(static_cast<std::uint64_t>(given[2].toInteger(-1)));
    if (!input || block == nullptr || !given[2].isDouble())
        return rpc_error(request, -32602, QStringLiteral("Invalid params"));
    const auto answer =
        view(given[0].toString().toStdString(), std::string(input->begin(), input->end()), *block);
    if (!answer) return rpc_error(request, -32000, QStringLiteral("View function failed"));
    return rpc_result(request,
                      QStringLiteral("0x") + QString::fromStdString(to_hex(as_bytes(*answer))));
}

} // namespace blockloom::test
