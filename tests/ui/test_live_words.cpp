// What the Live run says of devices.
#include "models/live_words.h"

#include <QTest>

namespace blockloom::ui::test_live_words {

class TestLiveWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devices() {
        QCOMPARE(device_words({}), QString::fromUtf8("—"));
        execute::LiveDevice device;
        device.name = "Some GPU";
        QCOMPARE(device_words({&device, 1}), QStringLiteral("idle"));
        QCOMPARE(device_lines({&device, 1}), QStringLiteral("Some GPU: idle; 0 waves ended"));
        device.ended = 1;
        device.in_flight = {128};
        device.messages = 40'000;
        device.shares = execute::DeviceShares{0.61, 0.09};
        QCOMPARE(device_words({&device, 1}), QStringLiteral("wave 129, computing 61.0 %"));
        const QString line = device_lines({&device, 1});
        for (const char* part : {"Some GPU: wave 129 in flight with 40,000 messages; 1 wave ended",
                                 "computing 61.0 %", "only transferring 9.0 %", "idle 30.0 %"})
            QVERIFY2(line.contains(QLatin1StringView(part)), qPrintable(line));
        device.in_flight = {7, 9};
        const execute::LiveDevice both[] = {device, {}};
        QCOMPARE(device_words(both), QStringLiteral("waves 8, 10, computing 61.0 %, and 1 more"));
        QCOMPARE(device_lines(both).count(QLatin1Char('\n')), 1);
    }

    void placed() {
        runs::KeptRun run;
        run.backend = "cpu";
        run.on_host = 10;
        QCOMPARE(placed_words(run), QString::fromUtf8("—"));
        run.backend = "cuda";
        run.on_device = 30;
        QCOMPARE(placed_words(run), QString::fromUtf8("75.0 % · 25.0 %"));
        run.on_device = run.on_host = 0; // no block is finished
        QCOMPARE(placed_words(run), QString::fromUtf8("—"));
    }
};

} // namespace blockloom::ui::test_live_words

QTEST_MAIN(blockloom::ui::test_live_words::TestLiveWords)
#include "test_live_words.moc"
