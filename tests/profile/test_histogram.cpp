// Merged histograms are the histogram of the union; percentiles are within a bucket of the sample.
#include "profile/histogram.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

using namespace blockloom;
using profile::Histogram;

namespace {

/// Values of every size: a random number of bits each.
std::vector<Nanoseconds> values(std::mt19937_64& random, std::size_t count) {
    std::vector<Nanoseconds> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(static_cast<Nanoseconds>(random() >> (1 + random() % 63)));
    return all;
}

Histogram of(const std::vector<Nanoseconds>& all) {
    Histogram histogram;
    for (const Nanoseconds value : all) histogram.add(value);
    return histogram;
}

} // namespace

class TestHistogram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void empty() {
        const Histogram histogram;
        QCOMPARE(histogram.percentile(50), Nanoseconds{0});
        QCOMPARE(histogram.least(), Nanoseconds{0});
        QVERIFY(histogram.buckets().empty());
    }

    void ends_of_the_range() {
        Histogram histogram;
        histogram.add(-5);
        histogram.add(std::numeric_limits<Nanoseconds>::max());
        QCOMPARE(histogram.least(), Nanoseconds{0});
        QCOMPARE(histogram.percentile(100), std::numeric_limits<Nanoseconds>::max());
        QCOMPARE(histogram.percentile(50), Nanoseconds{0});
        QCOMPARE(histogram.buckets().size(), std::size_t{2});
    }

    void many_at_once_is_many_times() {
        Histogram once, often;
        once.add(123'456, 3);
        once.add(99, 0);
        for (int i = 0; i < 3; ++i) often.add(123'456);
        QVERIFY(once == often);
    }

    /// Buckets cover the values without gap or overlap and are as narrow as promised.
    void buckets_partition() {
        std::mt19937_64 random(9);
        const auto all = values(random, 5000);
        const auto buckets = of(all).buckets();
        std::uint64_t count = 0;
        Nanoseconds before = -1;
        for (const Histogram::Bucket& bucket : buckets) {
            QVERIFY(bucket.low > before && bucket.high >= bucket.low);
            QVERIFY(bucket.high - bucket.low <= bucket.low / 64);
            const auto inside = std::count_if(all.begin(), all.end(), [&](Nanoseconds value) {
                return bucket.low <= value && value <= bucket.high;
            });
            QCOMPARE(static_cast<std::uint64_t>(inside), bucket.count);
            count += bucket.count;
            before = bucket.high;
        }
        QCOMPARE(count, std::uint64_t{5000});
    }

    void percentiles_are_near() {
        std::mt19937_64 random(13);
        for (int round = 0; round < 100; ++round) {
            auto all = values(random, 1 + random() % 200);
            const Histogram histogram = of(all);
            std::sort(all.begin(), all.end());
            for (const unsigned percent : {1U, 50U, 90U, 95U, 99U, 100U}) {
                const std::size_t rank =
                    std::max<std::size_t>((all.size() * percent + 99) / 100, 1);
                const Nanoseconds truth = all[rank - 1], found = histogram.percentile(percent);
                QVERIFY(found >= truth);
                QVERIFY(found - truth <= truth / 64);
            }
        }
    }

    /// Bins lie side by side, hold everything, and are no more than asked for.
    void bins_side_by_side() {
        QVERIFY(Histogram().bins(10).empty());
        std::mt19937_64 random(9);
        for (const std::size_t most : {8U, 24U, 64U, 200U}) {
            for (const unsigned size : {1U, 3U, 500U}) {
                std::vector<Nanoseconds> all;
                for (unsigned i = 0; i < size; ++i)
                    all.push_back(static_cast<Nanoseconds>(1'000 + random() % 60'000));
                const auto bins = of(all).bins(most);
                QVERIFY(!bins.empty() && bins.size() <= most);
                std::uint64_t held = 0;
                for (std::size_t i = 0; i < bins.size(); ++i) {
                    if (i > 0) QCOMPARE(bins[i].low, bins[i - 1].high + 1);
                    const auto count = static_cast<std::uint64_t>(
                        std::count_if(all.begin(), all.end(), [&](Nanoseconds value) {
                            return value >= bins[i].low && value <= bins[i].high;
                        }));
                    QCOMPARE(bins[i].count, count);
                    held += count;
                }
                QCOMPARE(held, std::uint64_t{size});
            }
        }
        // From nothing to 2^62: one a power of two is as coarse as it gets.
        QCOMPARE(of({0, Nanoseconds{1} << 62}).bins(3).size(), std::size_t{64});
    }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "test_histogram.moc"
