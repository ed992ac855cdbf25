// Documents of runs that another machine may have written: what is out of bounds is refused by its
// place, what is of another type is left out.
#include "report/kept_run.h"

#include <QTest>

using namespace blockloom;
using report::read_run;

class TestRunDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bounds_are_kept_data() {
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<QByteArray>("expected"); // in the message; empty: it is read
        const char* const time = "there: expected a time within 9007199254740992 ns, found ";
        QTest::newRow("nothing else") << QByteArray() << QByteArray();
        QTest::newRow("longest") << QByteArray(
                                        R"(,"totals":{"wall_ns":{"median":9007199254740992}})")
                                 << QByteArray();
        QTest::newRow("wall") << QByteArray(
                                     R"(,"totals":{"wall_ns":{"median":18446744073709551615}})")
                              << time + QByteArray("18446744073709551615");
        QTest::newRow("sample")
            << QByteArray(R"(,"totals":{"samples_ns":{"wall":[1,-9223372036854775808]}})")
            << time + QByteArray("-9223372036854775808");
        QTest::newRow("interval") << QByteArray(
                                         R"(,"totals":{"wall_ns":{"ci95":[1,9007199254740993]}})")
                                  << time + QByteArray("9007199254740993");
        QTest::newRow("sum of unknown phases")
            << QByteArray(R"(,"blocks":[{"phases_ns":{"a":9007199254740992,"b":1}}])")
            << time + QByteArray("9007199254740993");
        QTest::newRow("sum of tasks")
            << QByteArray(R"(,"blocks":[{"tasks":18446744073709551615},{"tasks":1}])")
            << QByteArray("there: expected counts with a sum below 2^64");
        QTest::newRow("a rest below zero")
            << QByteArray(R"(,"blocks":[{"phases_ns":{"other":-5}}])") << QByteArray();
    }
    void bounds_are_kept() {
        QFETCH(QByteArray, rest);
        QFETCH(QByteArray, expected);
        const QByteArray document = R"({"schema":"blockloom.run/1","run":"r")" + rest + "}";
        const auto run = read_run(document.toStdString(), "there");
        QCOMPARE(run.ok(), expected.isEmpty());
        if (!run)
            QVERIFY2(run.error().message.starts_with(expected.constData()),
                     run.error().message.c_str());
    }

    void counts_beyond_their_type_are_left_out() {
        const auto run = read_run(R"({"schema":"blockloom.run/1","run":"r","settings":
            {"workers":4294967296,"repeat":-1,"window":"two"}})",
                                  "there");
        QVERIFY(run);
        QCOMPARE(run->workers, 1U);
        QCOMPARE(run->repetitions, std::uint64_t{1});
        QCOMPARE(run->window, std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestRunDocument)
#include "test_run_document.moc"
