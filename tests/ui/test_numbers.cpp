// Numbers as the window writes them.
#include "text/numbers.h"

#include <QTest>

using namespace blockloom::ui;

class TestNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void counts_have_commas() {
        QCOMPARE(count_text(0), QStringLiteral("0"));
        QCOMPARE(count_text(2489), QStringLiteral("2,489"));
        QCOMPARE(count_text(1'000'000), QStringLiteral("1,000,000"));
    }

    void ratios_have_three_digits_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("small") << 0.10309 << QStringLiteral("0.103");
        QTest::newRow("one") << 1.0 << QStringLiteral("1.00");
        QTest::newRow("tens") << 99.56 << QStringLiteral("99.6");
        QTest::newRow("carry") << 9.996 << QStringLiteral("10.0");
        QTest::newRow("thousands") << 1920.4 << QStringLiteral("1,920");
        QTest::newRow("true minus") << -1.5 << QStringLiteral("−1.50");
        QTest::newRow("zero is no minus") << -0.0 << QStringLiteral("0");
    }
    void ratios_have_three_digits() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(significant_text(value), text);
        QCOMPARE(ratio_text(value), text + QChar(0x00D7));
    }

    void signs() {
        QCOMPARE(signed_text(0), QStringLiteral("="));
        QCOMPARE(signed_text(1.2), QStringLiteral("+1.20"));
        QCOMPARE(signed_text(-1.2), QStringLiteral("−1.20"));
        QCOMPARE(percent_text(0.8115), QStringLiteral("81.2 %"));
        QCOMPARE(percent_text(-0.5), QStringLiteral("−50.0 %"));
    }

    void units_step() {
        QCOMPARE(time_text(35'000'000), QStringLiteral("35.0 ms"));
        QCOMPARE(time_text(999'999), QStringLiteral("1.00 ms"));
        QCOMPARE(time_text(-1), not_applicable());
        QCOMPARE(size_text(1536), QStringLiteral("1.50 KiB"));
    }

    void words() {
        QCOMPARE(counted(1, QStringLiteral("task"), QStringLiteral("tasks")),
                 QStringLiteral("1 task"));
        QCOMPARE(counted(1200, QStringLiteral("task"), QStringLiteral("tasks")),
                 QStringLiteral("1,200 tasks"));
        QCOMPARE(range_text(3, 9), QStringLiteral("3–9"));
        QCOMPARE(range_text(3, 3), QStringLiteral("3"));
    }

    void long_keys_keep_both_ends() {
        const QString hash(64, QLatin1Char('a'));
        QCOMPARE(short_key(QStringLiteral("utxo:") + hash + QStringLiteral(":13")),
                 QStringLiteral("aaaaaaaaaa…aaaa:13"));
        QCOMPARE(short_key(QStringLiteral("nonce:0xcc")), QStringLiteral("0xcc"));
        QCOMPARE(shortened(QStringLiteral("short")), QStringLiteral("short"));
        const QString cut = shortened(hash, 6, 4);
        QCOMPARE(cut.size(), 11);
    }
};

QTEST_GUILESS_MAIN(TestNumbers)
#include "test_numbers.moc"
