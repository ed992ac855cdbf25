// What a whole block says: shadow vouts, what is void, sizes and counts; two real blocks.
#include "alkanes/message_blocks.h"
#include "alkanes/witness.h"
#include "base/file.h"
#include "headers/shared_data.h"
#include "places.h"

#include <QFile>
#include <QTest>

#include <map>

using namespace blockloom;
using alkanes::AlkaneId;
using alkanes::BlockMessages;
using stones::calling;
using stones::carrying;

namespace {

const alkanes::Cellpack mint{{2, 0}, {77}}, other_mint{{2, 19}, {77}}, create{{1, 0}, {0}};

struct Decoded {
    Bytes bytes;
    chain::Block block;
    BlockMessages messages;
};

Decoded decoded(const std::vector<model::Transaction>& transactions,
                const std::vector<std::uint64_t>& coinbase = {312'500'000}) {
    Decoded made;
    made.bytes = stones::block_bytes(transactions, coinbase);
    auto block = chain::decode_block(nullptr, made.bytes, "test");
    if (!block) qFatal("%s", block.error().message.c_str());
    made.block = *std::move(block);
    made.messages = alkanes::decode_messages(made.block, true);
    return made;
}

std::uint64_t vsize(const model::Transaction& tx) {
    const std::size_t base = model::bytes_of(tx, false).size();
    const std::size_t total = model::bytes_of(tx, tx.has_witness()).size();
    return (3 * base + total + 3) / 4;
}

alkanes::Protostone of_tag(u128 tag, alkanes::Protostone stone) {
    stone.protocol = tag;
    return stone;
}

alkanes::Protostone with_calldata(const char* hex) {
    alkanes::Protostone stone = calling(mint);
    Bytes message = *from_hex(hex);
    message.resize(15, 0x80); // no integer ends
    stone.message = message;
    return stone;
}

} // namespace

class TestBlockMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shadow_vouts_count_all_protostones() {
        const auto made = decoded(
            {carrying({of_tag(13, calling(mint)), calling(other_mint), calling(mint)}, 1, 2),
             carrying({calling(mint)})});
        const BlockMessages& messages = made.messages;
        QCOMPARE(messages.protostones.size(), std::size_t{4});
        const std::vector<std::uint32_t> vouts{5, 6, 7, 3};
        for (std::size_t i = 0; i < vouts.size(); ++i)
            QCOMPARE(messages.protostones[i].vout, vouts[i]);
        QVERIFY(!messages.protostones[0].message);
        QCOMPARE(messages.messages.size(), std::size_t{3});
        QCOMPARE(messages.protostones[2].message.value_or(9), 1U);
        QCOMPARE(messages.messages[1].protostone, 2U);
        QCOMPARE(messages.messages[2].transaction, 2U);
        QCOMPARE(messages.protostones_of(messages.transactions[0]).size(), std::size_t{3});
        QCOMPARE(messages.messages_of(messages.transactions[0]).size(), std::size_t{2});
        QCOMPARE(messages.messages_of(messages.transactions[1]).size(), std::size_t{1});
        QCOMPARE(alkanes::find_transaction(messages, 2).value_or(9), std::size_t{1});
        QVERIFY(!alkanes::find_transaction(messages, 0) && !alkanes::find_transaction(messages, 3));
    }

    void only_the_first_runestone_counts() {
        model::Transaction tx = carrying({calling(mint)}, 0, 1);
        tx.outputs.push_back(carrying({calling(other_mint)}, 0).outputs.front());
        tx.outputs.insert(tx.outputs.begin(), {0, {0x6a, 0x01, 0x5d}}); // OP_RETURN, no OP_13
        const auto made = decoded({tx});
        QCOMPARE(made.messages.transactions.size(), std::size_t{1});
        QCOMPARE(made.messages.transactions[0].output, 1U);
        QCOMPARE(made.messages.messages.size(), std::size_t{1});
        QVERIFY((made.messages.messages[0].cellpack->target == AlkaneId{2, 0}));
    }

    void broken_ones_do_not_stop_the_rest() {
        Bytes cenotaph = alkanes::encode_runestone({});
        cenotaph.push_back(0xac);
        alkanes::Runestone cut;
        cut.protocol = {0x8080};
        cut.protocol[0] |= ~u128{0} << 64U;
        const auto made =
            decoded({carrying(cenotaph), carrying(alkanes::encode_runestone(cut)),
                     carrying({with_calldata("02"), calling(mint)}), carrying({calling(mint)})});
        const BlockMessages& messages = made.messages;
        QCOMPARE(messages.transactions.size(), std::size_t{4});
        QVERIFY(messages.transactions[0].runestone.flaw == alkanes::Flaw::opcode);
        QVERIFY(!messages.transactions[0].void_reason);
        QVERIFY(messages.transactions[1].void_reason);
        QCOMPARE(messages.transactions[1].vfsize, std::uint64_t{0});
        QCOMPARE(messages.messages.size(), std::size_t{3});
        QVERIFY(!messages.messages[0].cellpack && !messages.messages[0].error.empty());
        QVERIFY(messages.messages[1].cellpack && messages.messages[2].cellpack);
        QCOMPARE(messages.mint_transactions, std::uint64_t{2});
    }

    /// Precompile 2 counts transactions, not messages; tag 1, [2, 0] and first input 77 only.
    void reward_mints_and_coinbase() {
        const auto made = decoded(
            {carrying({calling(mint), calling(mint)}), carrying({calling(other_mint)}),
             carrying({calling({{2, 0}, {78}}), calling({{2, 0}, {}})}),
             carrying({of_tag(2, calling(mint))}), carrying({calling(other_mint), calling(mint)})},
            {312'500'000, 2'909'091});
        QCOMPARE(made.messages.mint_transactions, std::uint64_t{2});
        QVERIFY(made.messages.coinbase_total == 315'409'091U);
    }

    void fuel_sizes() {
        const Bytes payload = *alkanes::deflate_code(Bytes(3'000, 5));
        model::Transaction plain = carrying({calling(mint)});
        model::Transaction other = carrying({of_tag(13, calling(mint))});
        model::Transaction no_cellpack = carrying({with_calldata("02")});
        model::Transaction alone = carrying({calling(create)});
        alone.inputs[0].witness = alkanes::envelope_witness(payload);
        model::Transaction pair = alone;
        pair.inputs.push_back(plain.inputs[0]);
        model::Transaction reserved = carrying({calling({{3, 7}, {0}})});
        reserved.inputs[0].witness = alone.inputs[0].witness;
        model::Transaction clone = carrying({calling({{6, 7}, {0}})});
        clone.inputs[0].witness = alone.inputs[0].witness;
        const auto made = decoded({plain, other, no_cellpack, alone, pair, reserved, clone});
        const auto without = [](model::Transaction tx) {
            tx.inputs[0].witness.clear();
            return vsize(tx);
        };
        const std::vector<std::uint64_t> expected{
            vsize(plain), 0, 0, without(alone), without(pair), without(reserved), vsize(clone)};
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(made.messages.transactions[i].vfsize, expected[i]);
            sum += expected[i];
        }
        QCOMPARE(made.messages.vfsize, sum);
        QVERIFY(expected[6] > expected[3] + 20); // the code counts only where it is not deployed
    }

    void envelopes_of_all_inputs_in_order() {
        model::Transaction tx = carrying({calling(create)});
        const Bytes annex{0x50, 1};
        tx.inputs.resize(4, tx.inputs[0]);
        for (std::uint32_t i = 0; i < 4; ++i) tx.inputs[i].vout = 1'000 + i;
        tx.inputs[1].witness = alkanes::envelope_witness(Bytes{1});
        tx.inputs[1].witness.push_back(annex);
        tx.inputs[2].witness = alkanes::envelope_witness(Bytes{2});
        tx.inputs[2].witness.insert(tx.inputs[2].witness.begin(), Bytes(64, 9)); // a signature
        tx.inputs[3].witness = {alkanes::envelope_script(Bytes{3})}; // a key spend has no script
        model::Transaction silent = tx; // no runestone: listed all the same
        silent.outputs = {{5, {0x51}}};
        silent.inputs[0].vout = 2'000;
        const auto made = decoded({carrying({calling(mint)}), tx, silent});
        const auto& envelopes = made.messages.envelopes;
        QCOMPARE(envelopes.size(), std::size_t{4});
        QCOMPARE(envelopes[0].transaction, 2U);
        QCOMPARE(envelopes[0].envelope.input, 1U);
        QVERIFY(envelopes[1].envelope.payload == Bytes{2});
        QCOMPARE(envelopes[2].transaction, 3U);
        QVERIFY(alkanes::first_envelope(made.messages, 2)->payload == Bytes{1});
        QVERIFY(alkanes::first_envelope(made.messages, 1) == nullptr);
        QVERIFY(alkanes::first_envelope(made.messages, 4) == nullptr);
    }

    void virtual_sizes_without_a_witness() {
        model::Transaction tx = carrying({calling(create)});
        tx.inputs[0].witness.clear();
        const auto made = decoded({tx});
        QCOMPARE(alkanes::virtual_size(made.block.transactions[1]), vsize(tx));
        QCOMPARE(made.messages.transactions[0].vfsize, vsize(tx));
    }

    void real_blocks() {
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const auto file = FileContent::read(test::shared_data("bitcoin/892614.bin").toStdString());
        QVERIFY(file);
        const auto block = chain::decode_block(nullptr, file->bytes(), "892614.bin");
        QVERIFY(block);
        const BlockMessages found = alkanes::decode_messages(*block, true);
        QCOMPARE(found.transactions.size(), std::size_t{309});
        QCOMPARE(found.protostones.size(), std::size_t{169});
        QCOMPARE(found.messages.size(), std::size_t{165});
        for (const auto& tx : found.transactions) QVERIFY(!tx.runestone.flaw && !tx.void_reason);
        for (const auto& placed : found.protostones) QVERIFY(placed.protostone.protocol == 1);
        std::map<std::string, int> targets;
        for (const auto& message : found.messages)
            ++targets[alkanes::id_text(message.cellpack->target) + "/" +
                      u128_text(message.cellpack->inputs.at(0))];
        const std::map<std::string, int> expected{
            {"2:19/77", 158}, {"2:0/77", 4}, {"2:215/77", 1}, {"2:56/77", 1}, {"6:33/0", 1}};
        QVERIFY(targets == expected);
        QCOMPARE(found.vfsize, std::uint64_t{32'619});
        QCOMPARE(found.mint_transactions, std::uint64_t{4});
        QVERIFY(found.coinbase_total == 315'409'091U);
        QCOMPARE(found.messages[0].transaction, 1U);
        QCOMPARE(found.protostones[0].vout, 4U);
        QCOMPARE(found.envelopes.size(), std::size_t{1});
        QCOMPARE(found.envelopes[0].transaction, 1'377U);
        QCOMPARE(found.envelopes[0].envelope.payload.size(), std::size_t{31'687});
        const auto picture = alkanes::inflate_code(found.envelopes[0].envelope.payload, "picture");
        QVERIFY(picture);
        QCOMPARE(picture->size(), std::size_t{31'659});

        const auto runes = FileContent::read(test::shared_data("bitcoin/849236.bin").toStdString());
        QVERIFY(runes);
        const auto rune_block = chain::decode_block(nullptr, runes->bytes(), "849236.bin");
        QVERIFY(rune_block);
        const BlockMessages rune_stones = alkanes::decode_messages(*rune_block, true);
        QCOMPARE(rune_stones.transactions.size(), std::size_t{1'813});
        QVERIFY(rune_stones.protostones.empty());
    }
};

QTEST_APPLESS_MAIN(TestBlockMessages)
#include "test_block_messages.moc"
