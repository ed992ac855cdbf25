// Protostones and cellpacks: decoded examples of real blocks, the rules of the format, identity.
#include "alkanes/cellpack.h"
#include "alkanes/leb128.h"
#include "alkanes/protostone.h"
#include "alkanes/random_stones.h"

#include <QTest>

#include <random>

using namespace blockloom;
using alkanes::AlkaneId;
using alkanes::Protostone;

namespace {

std::vector<u128> values(const std::vector<const char*>& hex) {
    std::vector<u128> numbers;
    for (const char* text : hex) numbers.push_back(*u128_from_text(text));
    return numbers;
}

Result<std::vector<Protostone>> decoded(const std::vector<const char*>& hex) {
    return alkanes::decode_protostones(values(hex));
}

/// The integers as LEB128, 15 bytes a value.
std::vector<u128> packed(const std::vector<u128>& integers) {
    Bytes bytes;
    for (const u128 integer : integers) alkanes::append_leb128(bytes, integer);
    std::vector<u128> chunks;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % 15 == 0) chunks.push_back(0);
        chunks.back() |= u128{bytes[i]} << (8 * (i % 15));
    }
    return chunks;
}

Result<std::vector<Protostone>> of_integers(const std::vector<u128>& integers) {
    return alkanes::decode_protostones(packed(integers));
}

/// An opcode and the zeros that pad its message.
std::vector<u128> padded(u128 opcode, std::size_t zeros) {
    std::vector<u128> inputs(1 + zeros, 0);
    inputs[0] = opcode;
    return inputs;
}

} // namespace

class TestProtostone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mints_of_real_blocks_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("zeros");
        QTest::addColumn<int>("tag");
        const auto row = [](const char* name, const char* value, const char* target, int zeros,
                            int tag) {
            QTest::newRow(name) << QString::fromUtf8(value) << QString::fromUtf8(target) << zeros
                                << tag;
        };
        row("892614 tx 1", "0x2b4808251005d005b0601", "2:0", 12, 1);
        row("892614 tx 329", "0x4e887ae8251005d005b0601", "2:215", 11, 1);
        row("892614 tx 794", "0x2b4f08251005d005b0601", "2:56", 12, 1);
        row("905646 tx 1459", "0x2b4b68251005d005b0602", "2:27", 12, 2);
    }

    void mints_of_real_blocks() {
        QFETCH(QString, value);
        QFETCH(QString, target);
        QFETCH(int, zeros);
        QFETCH(int, tag);
        const auto stones = decoded({value.toUtf8().constData()});
        QVERIFY(stones);
        QCOMPARE(stones->size(), std::size_t{1});
        const Protostone& stone = stones->front();
        QVERIFY(stone.protocol == static_cast<unsigned>(tag));
        QVERIFY(stone.pointer == 0U && stone.refund == 0U && !stone.from && !stone.burn);
        QVERIFY(stone.edicts.empty());
        QCOMPARE(stone.message.size(), std::size_t{15});
        const auto cellpack = alkanes::decode_cellpack(stone.message);
        QVERIFY(cellpack);
        QCOMPARE(alkanes::id_text(cellpack->target), target.toStdString());
        QVERIFY(cellpack->inputs == padded(77, static_cast<std::size_t>(zeros)));
    }

    void edicts_alone() {
        const auto stones = decoded({"0x100200005d005b0901"});
        QVERIFY(stones);
        QCOMPARE(stones->size(), std::size_t{1});
        QVERIFY(!stones->front().is_message());
        QVERIFY((stones->front().edicts == std::vector<alkanes::Edict>{{{2, 16}, 0, 0}}));
    }

    void three_values() {
        const auto stones =
            decoded({"0x83a3b4808080c28651005d005b0801", "0x8fa3aba25101a5c8b5e0bde7aea980",
                     "0x2e8d69896cc8081c4b394fd"});
        QVERIFY(stones);
        QCOMPARE(stones->size(), std::size_t{1});
        QCOMPARE(stones->front().message.size(), std::size_t{30});
        const auto cellpack = alkanes::decode_cellpack(stones->front().message);
        QVERIFY(cellpack);
        QVERIFY((cellpack->target == AlkaneId{6, 33}));
        const std::vector<u128> inputs{0,
                                       0,
                                       100'000,
                                       1'000'000'000,
                                       *u128_from_text("1259877289045384579159"),
                                       0,
                                       1'414'283'603,
                                       0};
        QVERIFY(cellpack->inputs == inputs);
    }

    /// Transaction 1497 of block 905646: five outputs of one token.
    void edicts_by_delta() {
        const auto stones = of_integers({1,   21,
                                         0,   2,
                                         461, 13'200'000'000'000,
                                         0,   0,
                                         0,   12'480'000'000'000,
                                         1,   0,
                                         0,   11'520'000'000'000,
                                         2,   0,
                                         0,   11'280'000'000'000,
                                         3,   0,
                                         0,   41'457'920'000'000'000,
                                         4});
        QVERIFY(stones);
        const FlatList<alkanes::Edict>& edicts = stones->front().edicts;
        QCOMPARE(edicts.size(), std::size_t{5});
        for (std::size_t i = 0; i < edicts.size(); ++i)
            QVERIFY((edicts[i].id == AlkaneId{2, 461} && edicts[i].output == i));
        QVERIFY(edicts[4].amount == 41'457'920'000'000'000U);
        const auto steps = of_integers({1, 9, 0, 2, 3, 1, 0, 0, 4, 1, 0});
        QVERIFY(steps && (steps->front().edicts[1].id == AlkaneId{2, 7}));
        const auto later = of_integers({1, 9, 0, 2, 3, 1, 0, 5, 4, 1, 0});
        QVERIFY(later && (later->front().edicts[1].id == AlkaneId{7, 4}));
    }

    void wrong_edicts_are_no_edicts() {
        for (const std::vector<u128>& integers :
             {std::vector<u128>{1, 6, 91, 3, 0, 2, 1, 1}, // three integers
              {1, 11, 91, 3, 0, ~u128{0}, 0, 1, 1, 1, 0, 1, 1},
              {1, 11, 91, 3, 0, 2, ~u128{0}, 1, 1, 0, 1, 1, 1}}) {
            const auto stones = of_integers(integers);
            QVERIFY(stones);
            QCOMPARE(stones->size(), std::size_t{1});
            QVERIFY(stones->front().edicts.empty() && stones->front().pointer == 3U);
        }
    }

    void first_scalar_counts_and_is_cut_to_32_bits() {
        const auto stones =
            of_integers({1, 10, 91, (u128{1} << 32U) + 5, 91, 6, 93, 7, 95, 8, 83, ~u128{0}});
        QVERIFY(stones);
        const Protostone& stone = stones->front();
        QVERIFY(stone.pointer == 5U && stone.refund == 7U && stone.from == 8U);
        QVERIFY(stone.burn == ~u128{0});
    }

    void odd_ends_are_passed_over() {
        // A tag without a value inside; a protocol tag as the last of exactly 15 bytes.
        const auto stones = of_integers({1, 11, 91, 4, 97, 200, 97, 1, 97, 1, 97, 1, 93, 13});
        QVERIFY(stones);
        QCOMPARE(stones->size(), std::size_t{1});
        QVERIFY(stones->front().pointer == 4U && !stones->front().refund);
        QVERIFY(of_integers({0, 5, 5})->empty());
        QVERIFY(alkanes::decode_protostones({})->empty());
    }

    void every_tag_is_a_protostone() {
        const auto stones = of_integers({13, 2, 83, 1, 1, 0, 99, 2, 81, 5});
        QVERIFY(stones);
        QCOMPARE(stones->size(), std::size_t{3});
        QVERIFY((*stones)[0].burn == u128{1} && (*stones)[2].is_message());
    }

    void too_few_integers_void_the_transaction() {
        for (const std::vector<u128>& integers :
             {std::vector<u128>{1, 0, 1, ~u128{0}}, {1, 200, 91, 4}}) {
            const auto stones = of_integers(integers);
            QVERIFY(!stones);
            QVERIFY(stones.error().message.find("expected") != std::string::npos);
        }
        // Also behind the zero that ends the list.
        u128 cut = 1;
        cut |= u128{0x80} << 112U;
        QVERIFY(!alkanes::decode_protostones(std::vector<u128>{cut}));
    }

    void sixteenth_byte_is_dropped() {
        const u128 value = *u128_from_text("0x2b4808251005d005b0601");
        const auto stones =
            alkanes::decode_protostones(std::vector<u128>{value | u128{0xff} << 120U});
        QVERIFY(stones && *stones == *alkanes::decode_protostones(std::vector<u128>{value}));
    }

    void calldata_that_is_no_cellpack() {
        for (const char* wrong : {"02", "0280", "ffffffffffffffffffffffffffffffffffffff"})
            QVERIFY2(!alkanes::decode_cellpack(*from_hex(wrong)), wrong);
        QVERIFY(!alkanes::decode_cellpack({}));
        QVERIFY(alkanes::decode_cellpack(*from_hex("0200"))->inputs.empty());
    }

    void encoding_loses_nothing() {
        std::mt19937_64 random(2);
        for (int i = 0; i < 3'000; ++i) {
            const auto stones = stones::protostones(random);
            const std::vector<u128> field = alkanes::encode_protostones(stones);
            for (const u128 value : field) QVERIFY(value >> 120U == 0);
            const auto again = alkanes::decode_protostones(field);
            QVERIFY(again && *again == stones);
            const alkanes::Cellpack cellpack = stones::cellpack(random);
            QVERIFY(*alkanes::decode_cellpack(alkanes::encode_cellpack(cellpack)) == cellpack);
        }
    }
};

QTEST_APPLESS_MAIN(TestProtostone)
#include "test_protostone.moc"
