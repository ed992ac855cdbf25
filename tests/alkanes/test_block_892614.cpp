// What is known of block 892614, fact by fact (docs/alkanes-protocol.md#a-worked-block).
#include "alkanes/block_messages.h"
#include "alkanes/fuel_tank.h"
#include "alkanes/network.h"
#include "alkanes/state_keys.h"
#include "alkanes/witness.h"
#include "base/file.h"
#include "headers/shared_data.h"
#include "places.h"

#include <QFile>
#include <QtTest>

#include <set>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

struct Known {
    std::optional<FileContent> file;
    chain::Block block;
    BlockMessages messages;
};

std::unique_ptr<Known> load() {
    const QString path = test::shared_data("bitcoin/892614.bin");
    auto file = FileContent::read(path.toStdString());
    if (!file) qFatal("%s", file.error().message.c_str());
    auto known = std::make_unique<Known>();
    known->file.emplace(*std::move(file));
    auto block = chain::decode_block(nullptr, known->file->bytes(), "892614.bin");
    if (!block) qFatal("%s", block.error().message.c_str());
    known->block = *std::move(block);
    known->messages = decode_messages(known->block, true);
    return known;
}

std::string hex_of_script(const Known& known, std::uint32_t transaction) {
    const RunestoneTransaction& at =
        known.messages.transactions.at(find_transaction(known.messages, transaction).value());
    const chain::Transaction& tx = known.block.transactions[transaction];
    return to_hex(known.block.script(known.block.outputs[tx.first_output + at.output]));
}

const RunestoneTransaction& stone_at(const Known& known, std::uint32_t transaction) {
    return known.messages.transactions.at(find_transaction(known.messages, transaction).value());
}

const Cellpack& cellpack_at(const Known& known, std::uint32_t transaction) {
    const auto messages = known.messages.messages_of(stone_at(known, transaction));
    if (messages.size() != 1) qFatal("transaction %u", transaction);
    return messages.front().cellpack.value();
}

/// An opcode and the zeros that pad its message.
std::vector<u128> padded(u128 opcode, std::size_t zeros) {
    std::vector<u128> inputs(1 + zeros, 0);
    inputs[0] = opcode;
    return inputs;
}

} // namespace

class TestBlock892614 : public QObject {
    Q_OBJECT

    std::unique_ptr<Known> known_;

private Q_SLOTS:
    void initTestCase() {
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        known_ = load();
    }

    void counts() {
        const BlockMessages& found = known_->messages;
        QCOMPARE(known_->block.transactions.size(), std::size_t{2'489});
        QCOMPARE(found.transactions.size(), std::size_t{309});
        QCOMPARE(found.protostones.size(), std::size_t{169});
        QCOMPARE(found.messages.size(), std::size_t{165});
        std::size_t edicts_only = 0;
        for (const RunestoneTransaction& tx : found.transactions) {
            QVERIFY(!tx.runestone.flaw && !tx.void_reason);
            QVERIFY(tx.protostone_count <= 1);
        }
        for (const PlacedProtostone& placed : found.protostones) {
            QVERIFY(placed.protostone.protocol == alkanes_protocol);
            edicts_only += placed.message ? 0 : 1;
            QVERIFY(placed.message || !placed.protostone.edicts.empty());
        }
        QCOMPARE(edicts_only, std::size_t{4});
    }

    /// From the script to the inputs, padding included.
    void transaction_1() {
        QCOMPARE(hex_of_script(*known_, 1), std::string("6a5d0eff7f818cec82d08bc0a88281d215"));
        const RunestoneTransaction& stone = stone_at(*known_, 1);
        QCOMPARE(stone.runestone.protocol.size(), std::size_t{1});
        QVERIFY(stone.runestone.protocol[0] == *u128_from_text("0x2b4808251005d005b0601"));
        const PlacedProtostone& placed = known_->messages.protostones_of(stone).front();
        QCOMPARE(placed.vout, 4U);
        QVERIFY(placed.protostone.pointer == 0U && placed.protostone.refund == 0U);
        QCOMPARE(to_hex(placed.protostone.message), std::string("02004d000000000000000000000000"));
        QVERIFY((cellpack_at(*known_, 1) == Cellpack{{2, 0}, padded(77, 12)}));
        QCOMPARE(to_reversed_hex(known_->block.txids[1]).substr(0, 8), std::string("88b11e54"));
    }

    void edicts_of_transaction_185() {
        QCOMPARE(hex_of_script(*known_, 185), std::string("6a5d0cff7f8192ec82d08b80808220"));
        const auto stones = known_->messages.protostones_of(stone_at(*known_, 185));
        QVERIFY(!stones.front().message);
        QVERIFY((stones.front().protostone.edicts == std::vector<Edict>{{{2, 16}, 0, 0}}));
    }

    /// One of each other target; the padding differs with the number before it.
    void other_targets() {
        QVERIFY((cellpack_at(*known_, 329) == Cellpack{{2, 215}, padded(77, 11)}));
        QVERIFY((cellpack_at(*known_, 794) == Cellpack{{2, 56}, padded(77, 12)}));
        const auto& values = stone_at(*known_, 1'377).runestone.protocol;
        QCOMPARE(values.size(), std::size_t{3});
        QVERIFY(values[0] == *u128_from_text("0x83a3b4808080c28651005d005b0801"));
        QVERIFY(values[2] == *u128_from_text("0x2e8d69896cc8081c4b394fd"));
        const Cellpack& create = cellpack_at(*known_, 1'377);
        QVERIFY((create.target == AlkaneId{6, 33}));
        QCOMPARE(create.inputs.size(), std::size_t{8});
        QVERIFY(create.inputs[3] == 1'000'000'000U && create.inputs[6] == 1'414'283'603U);
    }

    /// Precompiles 2 and 3 would answer these.
    void reward_mints_and_coinbase() {
        std::vector<std::uint32_t> mints;
        for (const Message& message : known_->messages.messages)
            if (message.cellpack->target == AlkaneId{2, 0}) mints.push_back(message.transaction);
        QCOMPARE(mints, (std::vector<std::uint32_t>{1, 2, 4, 5}));
        QCOMPARE(known_->messages.mint_transactions, std::uint64_t{4});
        QVERIFY(known_->messages.coinbase_total == 315'409'091U);
        QCOMPARE(to_hex(as_bytes(u128_bytes(known_->messages.coinbase_total))),
                 "c3c2cc12" + std::string(24, '0'));
    }

    /// Section 0: no message spends another one's output; what they look like.
    void messages_are_alone() {
        std::set<Hash256> message_txids;
        for (const Message& message : known_->messages.messages)
            message_txids.insert(known_->block.txids[message.transaction]);
        QCOMPARE(message_txids.size(), std::size_t{165});
        for (const Message& message : known_->messages.messages) {
            const chain::Transaction& tx = known_->block.transactions[message.transaction];
            QCOMPARE(tx.input_count, 1U);
            QVERIFY(tx.output_count >= 2 && tx.output_count <= 4);
            if (message.transaction == 1'377)
                QCOMPARE(tx.size, 32'178U);
            else
                QVERIFY(tx.size >= 219 && tx.size <= 303);
            Hash256 spent;
            const ByteView outpoint = known_->block.outpoint(known_->block.inputs[tx.first_input]);
            std::copy(outpoint.begin(), outpoint.begin() + 32, spent.begin());
            QVERIFY(!message_txids.contains(spent));
        }
    }

    /// A clone brings no code: its witness counts.
    void sizes_share_the_fuel() {
        QCOMPARE(known_->messages.vfsize, std::uint64_t{32'619});
        const chain::Transaction& create = known_->block.transactions[1'377];
        QCOMPARE(stone_at(*known_, 1'377).vfsize, virtual_size(create));
        QVERIFY(virtual_size(create) > 8'000);
        QCOMPARE(stone_at(*known_, 185).vfsize, std::uint64_t{0});
    }

    /// Section K: every message uses 300,000.
    void tank() {
        FuelTank tank(rules_at(Network::mainnet, 892'614), known_->messages.vfsize);
        std::vector<std::uint64_t> budgets;
        for (const RunestoneTransaction& tx : known_->messages.transactions) {
            if (tx.vfsize == 0) continue;
            FuelUse use;
            use.reached_tank = true;
            use.gas = 300'000;
            const std::uint64_t left = tank.block_fuel();
            budgets.push_back(tank.settle(tx.vfsize, use));
            // The last one may use everything: what is there and what the one before gave back.
            if (budgets.size() == 165) QVERIFY(budgets.back() >= left && tank.block_fuel() == 0);
        }
        QCOMPARE(budgets.size(), std::size_t{165});
        QCOMPARE(budgets.front(), std::uint64_t{548'759});
        QCOMPARE(*std::min_element(budgets.begin(), budgets.end()), std::uint64_t{424'207});
        QCOMPARE(*std::max_element(budgets.begin(), budgets.end()), std::uint64_t{50'800'000});
        QCOMPARE(budgets.back(), std::uint64_t{50'800'000});
    }
};

QTEST_GUILESS_MAIN(TestBlock892614)
#include "test_block_892614.moc"
