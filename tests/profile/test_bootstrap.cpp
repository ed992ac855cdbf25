// Intervals by resampling: they cover the truth as often as they say, and are the same every time.
#include "profile/bootstrap.h"
#include "profile/warm_up.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

constexpr double true_median = 693'147.0; // of an exponential distribution of mean 1 ms

std::vector<Nanoseconds> draw(std::mt19937_64& random, int count, double scale = 1) {
    std::exponential_distribution<double> times(1e-6);
    std::vector<Nanoseconds> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(static_cast<Nanoseconds>(times(random) * scale) + 1);
    return samples;
}

} // namespace

class TestBootstrap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void medians() {
        QCOMPARE(median_of({}), 0.0);
        const std::vector<Nanoseconds> odd{9, 1, 5}, even{4, 1, 2, 9};
        QCOMPARE(median_of(odd), 5.0);
        QCOMPARE(median_of(even), 3.0);
    }

    void too_few_have_none() {
        const std::vector<Nanoseconds> five{1, 2, 3, 4, 5}, six{1, 2, 3, 4, 5, 6},
            with_zero{0, 2, 3, 4, 5, 6};
        QVERIFY(!median_interval(five));
        QVERIFY(median_interval(six));
        QVERIFY(!ratio_interval(six, five));
        QVERIFY(!ratio_interval(five, six));
        QVERIFY(!ratio_interval(six, with_zero));
        QVERIFY(ratio_interval(with_zero, six));
    }

    void same_samples_same_interval() {
        std::mt19937_64 random(1);
        const auto a = draw(random, 20), b = draw(random, 30);
        QVERIFY(median_interval(a) == median_interval(a));
        QVERIFY(ratio_interval(a, b) == ratio_interval(a, b));
        BootstrapOptions other;
        other.seed = 2;
        other.resamples = 50;
        QVERIFY(median_interval(b, other) != median_interval(b));
    }

    /// Scaling every sample scales the interval: nothing depends on the unit.
    void unit_free() {
        std::mt19937_64 random(3);
        auto a = draw(random, 15);
        const auto small = median_interval(a);
        for (Nanoseconds& sample : a) sample *= 1000;
        const auto large = median_interval(a);
        QCOMPARE(large->low, small->low * 1000);
        QCOMPARE(large->high, small->high * 1000);
    }

    void equal_samples_are_sure() {
        const std::vector<Nanoseconds> same(12, 5000);
        QVERIFY((median_interval(same) == Interval{5000, 5000}));
        QVERIFY((ratio_interval(same, same) == Interval{1, 1}));
    }

    void median_coverage_data() {
        QTest::addColumn<int>("count");
        for (const int count : {8, 15, 40})
            QTest::newRow(qPrintable(QString::number(count))) << count;
    }
    void median_coverage() {
        QFETCH(int, count);
        std::mt19937_64 random(20261121);
        BootstrapOptions options;
        options.resamples = 800;
        constexpr int draws = 1500;
        int inside = 0;
        for (int i = 0; i < draws; ++i)
            inside += median_interval(draw(random, count), options)->holds(true_median);
        // The percentile bootstrap of a median is a little short for few samples.
        QVERIFY2(inside >= draws * 90 / 100, qPrintable(QString::number(inside)));
        QVERIFY2(inside < draws, qPrintable(QString::number(inside)));
    }

    void ratio_coverage_data() { median_coverage_data(); }
    void ratio_coverage() {
        QFETCH(int, count);
        std::mt19937_64 random(7);
        BootstrapOptions options;
        options.resamples = 800;
        constexpr int draws = 1500;
        int inside = 0, without_difference = 0;
        for (int i = 0; i < draws; ++i) {
            const auto a = draw(random, count, 3), b = draw(random, count);
            const auto interval = ratio_interval(a, b, options);
            inside += interval->holds(3);
            without_difference += interval->holds(1);
        }
        QVERIFY2(inside >= draws * 92 / 100, qPrintable(QString::number(inside)));
        QVERIFY2(inside < draws, qPrintable(QString::number(inside)));
        // Forty samples are enough to see a factor of three mostly.
        if (count == 40)
            QVERIFY2(without_difference < draws / 8,
                     qPrintable(QString::number(without_difference)));
    }

    void warm_up_is_cut() {
        std::mt19937_64 random(11);
        std::normal_distribution<double> noise(1e6, 1e4);
        int exact = 0;
        for (int run = 0; run < 200; ++run) {
            std::vector<Nanoseconds> samples{4'000'000, 2'500'000, 1'600'000};
            for (int i = 0; i < 27; ++i) samples.push_back(static_cast<Nanoseconds>(noise(random)));
            const std::size_t cut = warm_up_of(samples);
            QVERIFY2(cut >= 3 && cut <= 4, qPrintable(QString::number(cut)));
            exact += cut == 3;
            QCOMPARE(without_warm_up(samples).size(), samples.size() - cut);
        }
        QVERIFY2(exact > 190, qPrintable(QString::number(exact)));
    }

    void what_was_warm_stays() {
        QCOMPARE(warm_up_of({}), std::size_t{0});
        QCOMPARE(warm_up_of(std::vector<Nanoseconds>(30, 7)), std::size_t{0});
        // A slow end is no warm-up.
        std::vector<Nanoseconds> late(20, 1000);
        late.insert(late.end(), {5000, 6000});
        QCOMPARE(warm_up_of(late), std::size_t{0});
        const std::vector<Nanoseconds> few{9000, 1, 1, 1, 1, 1, 1};
        QCOMPARE(warm_up_of(few), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestBootstrap)
#include "test_bootstrap.moc"
