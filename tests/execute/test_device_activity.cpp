// What a device is doing now, by times that are made up.
#include "execute/device/device_activity.h"

#include <QTest>

#include <cmath>

using namespace blockloom;
using namespace blockloom::execute;

namespace {

constexpr Nanoseconds ms = 1'000'000;

gpuvm::SubmissionTimes times(Nanoseconds begin, Nanoseconds uploaded, Nanoseconds executed,
                             Nanoseconds read, std::uint32_t number = 0) {
    return {begin * ms, uploaded * ms,          executed * ms, read * ms,
            10,         gpuvm::Lanes::compiled, number};
}

bool near(double a, double b) {
    return std::abs(a - b) < 1e-9;
}

} // namespace

class TestDeviceActivity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waves_in_flight() {
        DeviceActivity activity;
        LiveDevice now = activity.now(5 * ms, 0);
        QVERIFY(now.in_flight.empty() && now.ended == 0 && !now.shares);
        activity.launched(4, 30);
        activity.launched(7, 10);
        now = activity.now(6 * ms, 0);
        QCOMPARE(now.in_flight, (std::vector<std::uint32_t>{4, 7}));
        QCOMPARE(now.messages, 40U);
        QVERIFY(!now.shares);
        activity.ended(times(5, 6, 8, 9, 7)); // in whatever order
        now = activity.now(10 * ms, 0);
        QCOMPARE(now.in_flight, std::vector<std::uint32_t>{4});
        QCOMPARE(now.messages, 30U);
        QCOMPARE(now.ended, 1U);
        activity.abandoned(); // the device was lost
        now = activity.now(11 * ms, 0);
        QVERIFY(now.in_flight.empty() && now.messages == 0 && now.ended == 1);
    }

    void shares_of_a_run_that_began_lately() {
        DeviceActivity activity;
        activity.launched(0, 10);
        activity.ended(times(100, 110, 140, 150));
        // Since 50 ms: 30 of 150 ms computing, 20 transferring.
        const LiveDevice now = activity.now(200 * ms, 50 * ms);
        QVERIFY(near(now.shares->computing, 0.2));
        QVERIFY(near(now.shares->transferring, 20.0 / 150));
        QVERIFY(near(now.shares->idle(), 100.0 / 150));
    }

    /// Uploads and downloads beside a kernel do not count, nor do two kernels at once count twice.
    void overlapping_waves() {
        DeviceActivity activity;
        for (std::uint32_t i = 0; i < 2; ++i) activity.launched(i, 10);
        activity.ended(times(0, 100, 300, 400));
        activity.ended(times(100, 200, 500, 600, 1));
        const LiveDevice now = activity.now(1000 * ms, 0);
        QVERIFY(near(now.shares->computing, 0.4));    // 100 to 500
        QVERIFY(near(now.shares->transferring, 0.2)); // 0 to 100, 500 to 600
        QVERIFY(near(now.shares->idle(), 0.4));
    }

    /// While a wave is in flight nobody knows what it does: the second ends with the last one that
    /// has ended. What is older does not count.
    void the_last_second() {
        DeviceActivity activity;
        for (std::uint32_t i = 0; i < 3; ++i) activity.launched(i, 10);
        activity.ended(times(0, 0, 500, 500));
        activity.ended(times(1800, 1800, 2000, 2000, 1));
        LiveDevice now = activity.now(9000 * ms, 0);
        QCOMPARE(now.in_flight.size(), 1U);
        QVERIFY(near(now.shares->computing, 0.2));
        activity.ended(times(8000, 8500, 8600, 9000, 2));
        now = activity.now(9000 * ms, 0);
        QVERIFY(near(now.shares->computing, 0.1));
        QVERIFY(near(now.shares->transferring, 0.9));
        now = activity.now(20'000 * ms, 0);
        QVERIFY(near(now.shares->idle(), 1));
    }
};

QTEST_APPLESS_MAIN(TestDeviceActivity)
#include "test_device_activity.moc"
