// Numbers as text.
#include "base/number_text.h"

#include <QTest>

#include <limits>

using namespace blockloom;

class TestNumberText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbers() {
        QCOMPARE(count_text(0), "0");
        QCOMPARE(count_text(999), "999");
        QCOMPARE(count_text(1000), "1,000");
        QCOMPARE(count_text(1234567), "1,234,567");
        QCOMPARE(count_text(std::numeric_limits<std::uint64_t>::max()),
                 "18,446,744,073,709,551,615");
        QCOMPARE(three_digits(35), "35.0");
        QCOMPARE(three_digits(0.1034), "0.103");
        QCOMPARE(three_digits(9.996), "10.0");
        QCOMPARE(three_digits(99.96), "100");
        QCOMPARE(three_digits(999.6), "1,000");
        QCOMPARE(three_digits(12345), "12,345");
        QCOMPARE(three_digits(-1.5), "-1.50");
        QCOMPARE(three_digits(0), "0");
        QCOMPARE(three_digits(std::numeric_limits<double>::infinity()), "—");
        QCOMPARE(ratio_text(1.916), "1.92×");
        QCOMPARE(percent_text(0.8125), "81.2 %");
        QCOMPARE(with_commas("-1234567.25"), "-1,234,567.25");
        QCOMPARE(time_text(0), "0 ns");
        QCOMPARE(time_text(999), "999 ns");
        QCOMPARE(time_text(1000), "1.00 µs");
        QCOMPARE(time_text(999'600), "1.00 ms");
        QCOMPARE(time_text(35'000'000), "35.0 ms");
        QCOMPARE(time_text(-1), "—");
        QCOMPARE(size_text(1023), "1,023 B");
        QCOMPARE(size_text(1'199'570), "1.14 MiB");
        QCOMPARE(bitcoin_text(12'345), "0.00012345 BTC");
        QCOMPARE(bitcoin_text(2'100'000'000'000'000), "21,000,000.00000000 BTC");
    }

    void nouns() {
        QCOMPARE(counted(0, "key"), "0 keys");
        QCOMPARE(counted(1, "key"), "1 key");
        QCOMPARE(counted(2'489, "key"), "2,489 keys");
        QCOMPARE(counted(1, "vertex", "vertices"), "1 vertex");
        QCOMPARE(counted(0, "vertex", "vertices"), "0 vertices");
    }

    /// The largest unit of which the time is at least one.
    void units_of_time() {
        for (const TimeUnit& unit : time_units) {
            const auto ns = static_cast<Nanoseconds>(unit.ns);
            QCOMPARE(time_unit(ns).ns, unit.ns);
            QCOMPARE(time_unit(999 * ns).ns, unit.ns);
            QVERIFY(ns == 1 || time_unit(ns - 1).ns < unit.ns);
        }
        QCOMPARE(time_unit(0).ns, 1.0);
    }
};

QTEST_APPLESS_MAIN(TestNumberText)
#include "test_number_text.moc"
