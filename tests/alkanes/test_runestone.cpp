// Runestones: examples worked through by hand, every flaw, and that encoding loses nothing.
#include "alkanes/leb128.h"
#include "alkanes/random_stones.h"
#include "alkanes/runestone.h"
#include "alkanes/script.h"

#include <QTest>

#include <random>

using namespace blockloom;
using alkanes::Flaw;
using alkanes::Runestone;

namespace {

constexpr std::uint32_t outputs = 3;

Bytes hex(const char* text) {
    return *from_hex(text);
}

/// OP_RETURN OP_13 and one push of the payload.
Bytes script_of(const Bytes& payload) {
    Bytes script = alkanes::encode_runestone({});
    alkanes::append_push(script, payload);
    return script;
}

Runestone decoded(const Bytes& payload) {
    return alkanes::decode_runestone(script_of(payload), outputs);
}

/// Varints as docs/alkanes-protocol.md#integers describes them, byte by byte; nothing where one is
/// wrong.
std::optional<std::vector<u128>> slow_integers(const Bytes& bytes) {
    std::vector<u128> values;
    for (std::size_t at = 0; at < bytes.size();) {
        u128 value = 0;
        for (std::size_t index = 0;; ++index) {
            if (at == bytes.size() || index > 18) return std::nullopt;
            const Byte byte = bytes[at++];
            if (index == 18 && (byte & 0x7c) != 0) return std::nullopt;
            value |= u128{static_cast<Byte>(byte & 0x7f)} << (7 * index);
            if ((byte & 0x80) == 0) break;
        }
        values.push_back(value);
    }
    return values;
}

Runestone of_integers(const std::vector<u128>& integers) {
    Bytes payload;
    for (const u128 integer : integers) alkanes::append_leb128(payload, integer);
    return decoded(payload);
}

} // namespace

class TestRunestone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void integers_as_written() {
        const auto values = alkanes::decode_leb128(hex("00ff7f818cec82d08bc0a88281d215"), "test");
        QVERIFY(values);
        QCOMPARE(values->size(), std::size_t{3});
        QVERIFY((*values)[1] == 16383);
        QCOMPARE(u128_text((*values)[2]), std::string("3270248179674326792603137"));
        // Longer forms than needed are integers too; 19 bytes hold 128 bits and no more.
        QVERIFY((*alkanes::decode_leb128(hex("8100"), "test"))[0] == 1);
        QVERIFY((*alkanes::decode_leb128(hex("ffffffffffffffffffffffffffffffffffff03"),
                                         "test"))[0] == ~u128{0});
        for (const char* wrong : {"80", "0180", "ffffffffffffffffffffffffffffffffffff04",
                                  "8080808080808080808080808080808080808000"}) {
            const auto refused = alkanes::decode_leb128(hex(wrong), "place");
            QVERIFY2(!refused && refused.error().message.find("place") == 0, wrong);
        }
    }

    /// Long runs of bytes that go on, so that every length up to 21 and every last byte is met.
    void integers_equal_the_slow_reference() {
        std::mt19937_64 random(4);
        std::size_t right = 0, wrong = 0;
        for (int round = 0; round < 20'000; ++round) {
            Bytes bytes;
            for (std::size_t n = random() % 4; n > 0; --n) {
                for (std::size_t run = random() % 21; run > 0; --run)
                    bytes.push_back(static_cast<Byte>(0x80 | random()));
                bytes.push_back(static_cast<Byte>(random() % 4 == 0 ? random() : random() % 4));
            }
            const auto expected = slow_integers(bytes);
            const auto found = alkanes::decode_leb128(bytes, "test");
            QCOMPARE(found.ok(), expected.has_value());
            if (expected) QVERIFY(*found == *expected);
            ++(expected ? right : wrong);
        }
        QVERIFY(right > 3'000 && wrong > 3'000);
    }

    void mint_of_892614() {
        const Runestone stone = decoded(hex("ff7f818cec82d08bc0a88281d215"));
        QVERIFY(!stone.flaw);
        QCOMPARE(stone.protocol.size(), std::size_t{1});
        QVERIFY(stone.protocol[0] == *u128_from_text("0x2b4808251005d005b0601"));
        QVERIFY(!stone.mint && !stone.pointer && stone.edicts.empty());
    }

    /// Transaction 1459 of block 905646 also mints a rune: the protocol's values keep their order.
    void mint_of_a_rune_beside() {
        const Runestone stone = decoded(hex("14011400ff7f828cec82d08bc0a882edd215"));
        QVERIFY(!stone.flaw);
        QVERIFY((stone.mint == alkanes::RuneId{1, 0}));
        QCOMPARE(stone.protocol.size(), std::size_t{1});
        // Also with other fields between them.
        const Runestone mixed = of_integers({16383, 5, 20, 2, 16383, 6, 99, 1, 20, 3, 16383, 7});
        QVERIFY(!mixed.flaw && (mixed.mint == alkanes::RuneId{2, 3}));
        QVERIFY((mixed.protocol == std::vector<u128>{5, 6, 7}));
    }

    void pushes_are_joined() {
        const Runestone whole = decoded(hex("ff7f818cec82d08bc0a88281d215"));
        // An empty push, direct pushes and the three forms of PUSHDATA.
        const Bytes parts = hex("6a5d0001ff4c027f814d02008cec4e0400000082d08bc0"
                                "05a88281d215");
        QVERIFY(alkanes::decode_runestone(parts, outputs) == whole);
    }

    void edicts_by_delta() {
        const Runestone stone = of_integers({0, 5, 7, 10, 1, 0, 2, 11, 0, 3, 1, 12, 3});
        QVERIFY(!stone.flaw);
        const std::vector<alkanes::RuneEdict> expected{
            {{5, 7}, 10, 1}, {{5, 9}, 11, 0}, {{8, 1}, 12, 3}};
        QVERIFY(stone.edicts == expected);
    }

    /// What ord refuses and Alkanes needs: a pointer to a shadow vout.
    void pointer_beyond_the_outputs() {
        const Runestone stone = of_integers({22, 4'000'000'000});
        QVERIFY(!stone.flaw);
        QCOMPARE(stone.pointer.value_or(0), 4'000'000'000U);
    }

    void flaws_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("flaw");
        const auto row = [](const char* name, const Bytes& script, Flaw flaw) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(script.data()),
                                              static_cast<qsizetype>(script.size()))
                                << static_cast<int>(flaw);
        };
        const auto integers = [&row](const char* name, const std::vector<u128>& values, Flaw flaw) {
            Bytes payload;
            for (const u128 value : values) alkanes::append_leb128(payload, value);
            row(name, script_of(payload), flaw);
        };
        row("OP_1", hex("6a5d51"), Flaw::opcode);
        row("OP_1NEGATE after a push", hex("6a5d01004f"), Flaw::opcode);
        row("OP_CHECKSIG", hex("6a5dac"), Flaw::opcode);
        row("push cut off", hex("6a5d0400"), Flaw::invalid_script);
        row("length cut off", hex("6a5d4d00"), Flaw::invalid_script);
        row("opcode before a cut push", hex("6a5d5104"), Flaw::opcode);
        row("varint cut off", hex("6a5d0180"), Flaw::varint);
        integers("three integers in the body", {0, 1, 1, 1}, Flaw::trailing_integers);
        integers("one after a whole edict", {0, 1, 1, 1, 0, 9}, Flaw::trailing_integers);
        integers("edict of 0:1", {0, 0, 1, 1, 0}, Flaw::edict_rune_id);
        integers("edict's block beyond u64", {0, u128{1} << 64U, 1, 1, 0}, Flaw::edict_rune_id);
        integers("edict's tx beyond u32", {0, 1, u128{1} << 32U, 1, 0}, Flaw::edict_rune_id);
        integers("edict's tx sum beyond u32", {0, 1, 0xffffffff, 1, 0, 0, 1, 1, 0},
                 Flaw::edict_rune_id);
        integers("edict's output", {0, 1, 1, 1, outputs + 1}, Flaw::edict_output);
        integers("tag without a value", {3}, Flaw::truncated_field);
        integers("supply", {2, 3, 8, u128{1} << 64U, 10, u128{1} << 64U}, Flaw::supply_overflow);
        integers("premine above the rest", {2, 3, 6, 1, 8, 1, 10, ~u128{0}}, Flaw::supply_overflow);
        integers("terms without etching", {2, 2}, Flaw::unrecognized_flag);
        integers("flag 3", {2, 8}, Flaw::unrecognized_flag);
        integers("tag 126", {126, 0}, Flaw::unrecognized_even_tag);
        integers("large even tag", {~u128{0} - 1, 0}, Flaw::unrecognized_even_tag);
        integers("premine without etching", {6, 1}, Flaw::unrecognized_even_tag);
        integers("pointer twice", {22, 1, 22, 1}, Flaw::unrecognized_even_tag);
        integers("pointer beyond u32", {22, u128{1} << 32U}, Flaw::unrecognized_even_tag);
        integers("half a mint", {20, 1}, Flaw::unrecognized_even_tag);
        integers("mint of 0:1", {20, 0, 20, 1}, Flaw::unrecognized_even_tag);
        integers("height beyond u64", {2, 3, 12, u128{1} << 64U}, Flaw::unrecognized_even_tag);
        integers("the first flaw counts", {126, 0, 2, 8, 3}, Flaw::truncated_field);
    }

    void flaws() {
        QFETCH(QByteArray, script);
        QFETCH(int, flaw);
        const Bytes bytes(script.begin(), script.end());
        const Runestone stone = alkanes::decode_runestone(bytes, outputs);
        QVERIFY(stone.flaw);
        QCOMPARE(alkanes::flaw_name(*stone.flaw), alkanes::flaw_name(static_cast<Flaw>(flaw)));
        QVERIFY(stone.protocol.empty());
    }

    /// A cenotaph drops the protocol field, whatever it says.
    void cenotaph_has_no_protocol() {
        const Runestone stone = of_integers({16383, 5, 126, 0, 20, 2, 20, 3});
        QVERIFY(stone.flaw == Flaw::unrecognized_even_tag);
        QVERIFY(stone.protocol.empty());
        QVERIFY((stone.mint == alkanes::RuneId{2, 3}));
    }

    void odd_tags_are_ignored() {
        const Runestone stone = of_integers({127, 1, 99, 2, 3, 4, 1, 5, 5, 6, ~u128{0}, 7});
        QVERIFY(stone == Runestone{});
    }

    void nothing_after_the_magic() {
        QVERIFY(alkanes::decode_runestone(hex("6a5d"), outputs) == Runestone{});
        QVERIFY(alkanes::is_runestone_script(hex("6a5d")));
        for (const char* other : {"", "6a", "5d", "6a5c", "6a015d"})
            QVERIFY2(!alkanes::is_runestone_script(hex(other)), other);
    }

    void encoding_loses_nothing() {
        std::mt19937_64 random(1);
        for (int i = 0; i < 3'000; ++i) {
            const auto count = static_cast<std::uint32_t>(random() % 5);
            const Runestone stone = stones::runestone(random, count);
            const Bytes script = alkanes::encode_runestone(stone);
            QVERIFY(alkanes::is_runestone_script(script));
            QVERIFY(alkanes::decode_runestone(script, count) == stone);
        }
    }
};

QTEST_APPLESS_MAIN(TestRunestone)
#include "test_runestone.moc"
