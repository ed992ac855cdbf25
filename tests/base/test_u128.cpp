// 128-bit numbers as bytes and as text.
#include "base/u128.h"

#include <QTest>

#include <random>

using namespace blockloom;

class TestU128 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_and_bytes_round_trip() {
        std::mt19937_64 random(1);
        for (int i = 0; i < 2000; ++i) {
            const unsigned shift = static_cast<unsigned>(random() % 128);
            const u128 value = ((u128{random()} << 64U) | random()) >> shift;
            const std::string bytes = u128_bytes(value);
            QCOMPARE(bytes.size(), std::size_t{16});
            QVERIFY(u128_from_bytes(bytes) == value);
            for (std::size_t at = 0; at < 16; ++at)
                QCOMPARE(static_cast<Byte>(bytes[at]),
                         static_cast<Byte>(value >> static_cast<unsigned>(8 * at)));
            QVERIFY(u128_from_text(u128_text(value)) == value);
            const Bytes big_endian(bytes.rbegin(), bytes.rend());
            QVERIFY(u128_from_text("0x" + to_hex(big_endian)) == value);
            std::string appended = "x";
            append_u128(appended, value);
            QCOMPARE(appended, "x" + bytes);
        }
    }

    void the_ends_of_the_range() {
        const char* most = "340282366920938463463374607431768211455";
        QVERIFY(u128_from_text(most) == ~u128{0});
        QCOMPARE(u128_text(~u128{0}), std::string(most));
        QVERIFY(!u128_from_text("340282366920938463463374607431768211456"));
        QVERIFY(!u128_from_text("999999999999999999999999999999999999999"));
        QVERIFY(!u128_from_text("0x100000000000000000000000000000000"));
        QCOMPARE(u128_text(0), std::string("0"));
        QVERIFY(u128_from_text("18446744073709551616") == u128{1} << 64U);
    }

    void what_is_no_number() {
        for (const char* text : {"", "0x", "-1", "+1", " 1", "1 ", "1a", "0xg", "1.0", "x1"})
            QVERIFY2(!u128_from_text(text), text);
        QVERIFY(!u128_from_bytes(std::string(15, '\0')));
        QVERIFY(!u128_from_bytes(std::string(17, '\0')));
    }
};

QTEST_APPLESS_MAIN(TestU128)
#include "test_u128.moc"
