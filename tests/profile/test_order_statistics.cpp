// Percentiles, medians and intervals against values worked out by hand and against counting.
#include "profile/order_statistics.h"

#include <QTest>

#include <random>

using namespace blockloom;
using profile::order_statistics;

class TestOrderStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void few_samples() {
        QCOMPARE(order_statistics({}).median, Nanoseconds{0});
        const auto one = order_statistics({7});
        QCOMPARE(one.median, Nanoseconds{7});
        QCOMPARE(one.p99, Nanoseconds{7});
        QVERIFY(!one.ci95);
        QCOMPARE(order_statistics({4, 1}).median, Nanoseconds{2}); // 2.5, rounded down
        QVERIFY(!order_statistics({1, 2, 3, 4, 5}).ci95);
    }

    void interval_ranks() {
        // 2^-6 = 1.6 % on each side with six samples: lowest to highest.
        const auto six = order_statistics({6, 5, 4, 3, 2, 1});
        QVERIFY(six.ci95.has_value());
        QCOMPARE(six.ci95->first, Nanoseconds{1});
        QCOMPARE(six.ci95->second, Nanoseconds{6});
        // Twenty samples: the 6th and the 15th (a table of the binomial distribution).
        std::vector<Nanoseconds> twenty;
        for (Nanoseconds i = 1; i <= 20; ++i) twenty.push_back(i);
        const auto statistics = order_statistics(twenty);
        QCOMPARE(statistics.ci95->first, Nanoseconds{6});
        QCOMPARE(statistics.ci95->second, Nanoseconds{15});
        QCOMPARE(statistics.p95, Nanoseconds{19});
        QCOMPARE(statistics.p99, Nanoseconds{20});
    }

    /// The interval holds the true median in at least 95 % of many draws, and not always.
    void interval_covers() {
        std::mt19937_64 random(20261121);
        std::exponential_distribution<double> draw(1e-6);
        const double truth = std::log(2.0) * 1e6;
        int inside = 0;
        constexpr int draws = 4000;
        for (int i = 0; i < draws; ++i) {
            std::vector<Nanoseconds> samples;
            for (int k = 0; k < 15; ++k) samples.push_back(static_cast<Nanoseconds>(draw(random)));
            const auto interval = order_statistics(samples).ci95;
            QVERIFY(interval.has_value());
            inside += static_cast<double>(interval->first) <= truth &&
                      truth <= static_cast<double>(interval->second);
        }
        QVERIFY2(inside >= draws * 95 / 100, qPrintable(QString::number(inside)));
        QVERIFY2(inside <= draws * 99 / 100, qPrintable(QString::number(inside)));
    }
};

QTEST_APPLESS_MAIN(TestOrderStatistics)
#include "test_order_statistics.moc"
