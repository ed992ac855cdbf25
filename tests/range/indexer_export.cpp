#include "range/indexer_export.h"

#include "alkanes/state_keys.h"
#include "chain/block_source.h"
#include "execute/junction.h"
#include "range/protobuf_writer.h"
#include "range/trace_writer.h"
#include "store/workspace.h"

#include <QTemporaryDir>

namespace blockloom::test {
namespace {

using Map = state::MemoryState::Map;

std::string sheet_message(const std::vector<alkanes::Transfer>& tokens) {
    std::string bytes;
    for (const alkanes::Transfer& token : tokens)
        bytes += field(1, field(1, field(1, field(1, message(token.id.block)) +
                                                field(2, message(token.id.tx))) +
                                       field(2, "UNKNOWN") + varint(3 << 3) + varint(1)) +
                              field(2, message(token.value)));
    return bytes;
}

void put_sheet(NodeWriter& writer, std::uint64_t height, SheetForm form, std::string_view key,
               const state::Value& before, const state::Value& after) {
    const std::string name = "/runes/proto/1/byoutpoint/" + std::string(key.substr(1));
    const auto tokens = *alkanes::tokens_of_sheet(after.bytes());
    if (form == SheetForm::messages) {
        writer.put(name, after ? sheet_message(tokens) : varint(2 << 3) + varint(height));
        return;
    }
    if (!after) { // spent: the amounts become 0, the lists stay
        const std::size_t was = alkanes::tokens_of_sheet(before.bytes())->size();
        for (std::size_t i = 0; i < was; ++i)
            writer.put(name + "/balances/" + std::to_string(i), u128_bytes(0));
        writer.put(name + "/id_to_balance" + std::string(16, '\0'), u128_bytes(0));
        return;
    }
    std::vector<std::string> ids, amounts;
    for (const alkanes::Transfer& token : tokens) {
        ids.push_back(alkanes::id_bytes(token.id));
        amounts.push_back(u128_bytes(token.value));
        writer.put(name + "/id_to_balance" + ids.back(), amounts.back());
    }
    writer.put_list(name + "/runes", ids);
    writer.put_list(name + "/balances", amounts);
}

void put_change(NodeWriter& writer, std::uint64_t height, SheetForm form, std::string_view key,
                const state::Value& before, const state::Value& after, const Map& state) {
    const std::string_view kind = alkanes::key_kind_text(key);
    const std::string rest(key.substr(1));
    if (kind == "storage")
        writer.put("/alkanes/" + rest.substr(0, 32) + "/storage/" + rest.substr(32), after.bytes());
    if (kind == "balance")
        writer.put("/alkanes/" + rest.substr(32) + "/balances/" + rest.substr(0, 32),
                   after.bytes());
    if (kind == "sequence") writer.put("/alkanes/sequence", after.bytes());
    if (kind == "sheet") put_sheet(writer, height, form, key, before, after);
    if (kind == "code") {
        std::string stored(after.bytes());
        if (after.size() == 33)
            stored = state.find(alkanes::bytecode_key(alkanes::code_value(stored)->hash))
                         ->second.bytes();
        writer.put("/alkanes/" + rest, stored);
    }
}

/// A message's own call comes from its record, the calls inside it from their events.
std::vector<IndexedMessage> messages_of(const execute::ReplayedBlock& block) {
    std::vector<IndexedMessage> messages;
    for (const alkanes::TransactionResult& result : block.execution->transactions)
        for (const alkanes::MessageRecord& record : result.records) {
            if (record.events.empty()) continue;
            const Hash256& txid = block.block().txids[record.transaction];
            IndexedMessage message;
            message.outpoint = std::string(txid.begin(), txid.end()) + four(record.shadow_vout);
            message.events = record.events;
            for (alkanes::CallEvent& event : message.events) {
                if (event.kind != alkanes::CallEvent::Kind::enter) continue;
                event.myself = record.myself;
                event.caller = {};
                event.inputs.assign(record.inputs.begin(), record.inputs.end());
                event.vout = record.shadow_vout;
                event.fuel = record.fuel_budget;
                event.transfers.assign(record.incoming.begin(), record.incoming.end());
                break;
            }
            alkanes::CallEvent& last = message.events.back();
            last = {};
            last.kind = alkanes::CallEvent::Kind::exit;
            last.ok = record.ok();
            if (last.ok) {
                last.transfers.assign(record.transfers.begin(), record.transfers.end());
                for (const auto& [key, value] : record.storage)
                    last.storage.emplace_back(std::string(key), std::string(value));
                last.data = std::string(record.data);
            } else {
                last.data = "\x08\xc3\x79\xa0" + record.text;
            }
            messages.push_back(std::move(message));
        }
    return messages;
}

void put_traces(NodeWriter& writer, const IndexedBlock& block) {
    const std::string list = "/trace/" + four(block.height) + four(block.height >> 32);
    std::vector<std::string> outpoints;
    for (const IndexedMessage& message : block.messages) {
        if (message.listed) outpoints.push_back(message.outpoint);
        if (message.kept)
            writer.put("/trace/" + message.outpoint,
                       message.bytes ? *message.bytes : trace_bytes(message.events));
    }
    if (!outpoints.empty()) writer.put_list(list, outpoints);
}

} // namespace

Result<std::vector<IndexedBlock>> index_blocks(std::span<const execute::ReplaySource> blocks,
                                               const execute::ReplayOptions& how) {
    const QTemporaryDir folder;
    auto workspace = store::Workspace::open(folder.filePath(QStringLiteral("w")).toStdString());
    if (!workspace) return workspace.error();
    execute::ReplayOptions with = how;
    with.events = true;
    std::vector<IndexedBlock> indexed;
    for (const execute::ReplaySource& block : blocks) {
        SilentProgress silent;
        IndexedBlock at;
        const auto summary = execute::replay_into(
            **workspace, {&block, 1}, with, false,
            [&](const std::shared_ptr<const execute::ReplayedBlock>& done) {
                at.digest = done->execution->digest;
                at.messages = messages_of(*done);
                return Status();
            },
            silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
        if (!summary) return summary.error();
        at.height = *execute::height_of(block);
        at.hash = block.block.hash;
        at.previous = block.block.header.previous;
        const auto stored = chain::read_block(block.block);
        if (!stored) return stored.error();
        at.raw.assign(stored->bytes.begin(), stored->bytes.end());
        const Status visited =
            (*workspace)->visit({}, [&](std::string_view key, std::string_view value) {
                at.after.emplace(state::Key(key), state::Value(value));
                return true;
            });
        if (!visited) return visited.error();
        indexed.push_back(std::move(at));
    }
    return indexed;
}

void write_indexer(NodeWriter& writer, std::span<const IndexedBlock> blocks, SheetForm form) {
    writer.put("/blockdata/" + four(blocks.front().height - 1), "a block");
    writer.end_block(blocks.front().height - 1, blocks.front().previous);
    const Map nothing;
    const Map* before = &nothing;
    for (const IndexedBlock& block : blocks) {
        for (const auto& [key, value] : *before)
            if (!block.after.contains(key))
                put_change(writer, block.height, form, key, value, {}, block.after);
        for (const auto& [key, value] : block.after) {
            const auto was = before->find(key);
            const state::Value old = was == before->end() ? state::Value() : was->second;
            if (!(old == value))
                put_change(writer, block.height, form, key, old, value, block.after);
        }
        put_traces(writer, block);
        if (!block.raw.empty()) writer.put("/blockdata/" + four(block.height), block.raw);
        // What no state has.
        writer.put("/txids/byheight" + four(block.height) + four(0) + "/length", four(1));
        writer.put("/alkanes_id_to_outpoint/" + std::string(32, '\2'), std::string(36, '\1'));
        for (const auto& [key, value] : block.more) writer.put(key, value);
        writer.end_block(block.height, block.hash);
        before = &block.after;
    }
}

} // namespace blockloom::test
