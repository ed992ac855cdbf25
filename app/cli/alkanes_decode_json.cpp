#include "alkanes.h"
#include "json_writer.h"

namespace blockloom::cli {

namespace {

using alkanes::BlockMessages;

std::string text(const alkanes::RuneId& id) {
    return std::to_string(id.block) + ":" + std::to_string(id.tx);
}

class Document {
public:
    Document(const chain::Block& block, const BlockMessages& messages)
        : block_(block), messages_(messages) {}

    std::string write(alkanes::RuleLine line) {
        json_.begin_object();
        json_.field("schema", "blockloom.alkanes/1");
        json_.field("source", block_.source);
        json_.field("rules", name_of(line));
        json_.field("rules_follow", followed_by(line));
        json_.field("height", block_.height);
        json_.field("hash", to_reversed_hex(block_.hash));
        json_.field("transactions", block_.transactions.size());
        counts();
        list("runestones", messages_.transactions,
             [this](const alkanes::RunestoneTransaction& tx) { runestone(tx); });
        list("protostones", messages_.protostones,
             [this](const alkanes::PlacedProtostone& placed) { protostone(placed); });
        list("messages", messages_.messages,
             [this](const alkanes::Message& sent) { message(sent); });
        list("envelopes", messages_.envelopes,
             [this](const alkanes::PlacedEnvelope& placed) { envelope(placed); });
        json_.end_object();
        return json_.text();
    }

private:
    void list(std::string_view name, const auto& items, auto write_fields) {
        json_.key(name);
        json_.begin_array();
        for (const auto& item : items) {
            json_.begin_object();
            write_fields(item);
            json_.end_object();
        }
        json_.end_array();
    }

    void counts() {
        std::size_t cenotaphs = 0, voided = 0;
        for (const alkanes::RunestoneTransaction& tx : messages_.transactions) {
            cenotaphs += tx.runestone.flaw ? 1U : 0U;
            voided += tx.void_reason ? 1U : 0U;
        }
        json_.key("counts");
        json_.begin_object();
        json_.field("runestones", messages_.transactions.size());
        json_.field("cenotaphs", cenotaphs);
        json_.field("void", voided);
        json_.field("protostones", messages_.protostones.size());
        json_.field("messages", messages_.messages.size());
        json_.field("envelopes", messages_.envelopes.size());
        json_.field("vfsize", messages_.vfsize);
        json_.field("mint_transactions", messages_.mint_transactions);
        json_.field("coinbase_total", messages_.coinbase_total);
        json_.end_object();
    }

    void transaction(std::uint32_t index) {
        json_.field("tx", index);
        json_.field("txid", to_reversed_hex(block_.txids[index]));
    }

    void runestone(const alkanes::RunestoneTransaction& tx) {
        const alkanes::Runestone& stone = tx.runestone;
        transaction(tx.transaction);
        json_.field("output", tx.output);
        json_.field("cenotaph", stone.flaw.has_value());
        if (stone.flaw) json_.field("flaw", alkanes::flaw_name(*stone.flaw));
        if (tx.void_reason) json_.field("void", *tx.void_reason);
        if (stone.etching) etching(*stone.etching);
        if (stone.mint) json_.field("mint", text(*stone.mint));
        if (stone.pointer) json_.field("pointer", *stone.pointer);
        list("edicts", stone.edicts, [this](const alkanes::RuneEdict& edict) {
            json_.field("id", text(edict.id));
            json_.field("amount", edict.amount);
            json_.field("output", edict.output);
        });
        json_.key("protocol");
        json_.begin_array();
        for (const u128 value : stone.protocol) json_.value(value);
        json_.end_array();
        json_.field("protostones", tx.protostone_count);
        json_.field("vfsize", tx.vfsize);
    }

    void etching(const alkanes::Etching& made) {
        json_.key("etching");
        json_.begin_object();
        json_.field("rune", made.rune);
        json_.field("divisibility", made.divisibility);
        json_.field("spacers", made.spacers);
        json_.field("symbol", made.symbol);
        json_.field("premine", made.premine);
        json_.field("turbo", made.turbo);
        if (made.terms) {
            json_.key("terms");
            json_.begin_object();
            json_.field("cap", made.terms->cap);
            json_.field("amount", made.terms->amount);
            json_.field("height_start", made.terms->height_start);
            json_.field("height_end", made.terms->height_end);
            json_.field("offset_start", made.terms->offset_start);
            json_.field("offset_end", made.terms->offset_end);
            json_.end_object();
        }
        json_.end_object();
    }

    void protostone(const alkanes::PlacedProtostone& placed) {
        const alkanes::Protostone& stone = placed.protostone;
        transaction(placed.transaction);
        json_.field("protostone", placed.place);
        json_.field("shadow_vout", placed.vout);
        json_.field("protocol_tag", stone.protocol);
        json_.field("pointer", stone.pointer);
        json_.field("refund", stone.refund);
        if (stone.from) json_.field("from", *stone.from);
        if (stone.burn) json_.field("burn", *stone.burn);
        json_.field("message", to_hex(stone.message));
        list("edicts", stone.edicts, [this](const alkanes::Edict& edict) {
            json_.field("id", alkanes::id_text(edict.id));
            json_.field("amount", edict.amount);
            json_.field("output", edict.output);
        });
    }

    void message(const alkanes::Message& sent) {
        const alkanes::PlacedProtostone& placed = messages_.protostones[sent.protostone];
        transaction(sent.transaction);
        json_.field("protostone", placed.place);
        json_.field("shadow_vout", placed.vout);
        json_.key("target");
        sent.cellpack ? json_.value(alkanes::id_text(sent.cellpack->target))
                      : json_.value(std::nullopt);
        json_.key("inputs");
        json_.begin_array();
        if (sent.cellpack)
            for (const u128 input : sent.cellpack->inputs) json_.value(input);
        json_.end_array();
        json_.field("pointer", placed.protostone.pointer);
        json_.field("refund", placed.protostone.refund);
        if (!sent.cellpack) json_.field("error", sent.error);
    }

    void envelope(const alkanes::PlacedEnvelope& placed) {
        transaction(placed.transaction);
        json_.field("input", placed.envelope.input);
        json_.field("bytes", placed.envelope.payload.size());
        const Result<Bytes> content = look_into(placed.envelope, budget_);
        if (content) {
            json_.field("inflated", content->size());
        } else {
            json_.field("error", content.error().message);
        }
    }

    const chain::Block& block_;
    const BlockMessages& messages_;
    JsonWriter json_;
    std::size_t budget_ = most_looked_at;
};

} // namespace

std::string decoded_json(const chain::Block& block, const BlockMessages& messages,
                         alkanes::RuleLine line) {
    return Document(block, messages).write(line);
}

} // namespace blockloom::cli
