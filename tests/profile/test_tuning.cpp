// The search for the fastest point, on points whose truth is known.
#include "profile/tuning.h"

#include <QTest>

#include <cmath>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

/// Points with noise of a few percent; counts what was asked.
struct World {
    std::vector<double> truth;
    std::mt19937_64 random{1};
    std::map<std::size_t, int> asked;

    Nanoseconds measure(std::size_t point) {
        std::lognormal_distribution<double> noise(0, 0.03);
        // The first time costs ten times as much: nobody may count it.
        const double warm = asked[point]++ == 0 ? 10 : 1;
        return static_cast<Nanoseconds>(truth[point] * noise(random) * warm);
    }
};

Result<Tuning> search(World& world, const TuningOptions& options = {}) {
    SilentProgress silent;
    return tune(world.truth.size(),
                [&](std::size_t point) -> Result<Nanoseconds> { return world.measure(point); },
                options, silent, {});
}

} // namespace

class TestTuning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_the_best_and_its_band() {
        int found = 0, with_best_in_band = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            World world;
            world.random.seed(seed);
            // Sixty points: a bowl around 37 with a flat floor of three, 36 to 38.
            for (int i = 0; i < 60; ++i)
                world.truth.push_back(1e6 * (1 + 0.08 * std::max(0, std::abs(i - 37) - 1)));
            const auto tuning = search(world);
            QVERIFY(tuning);
            found += tuning->best >= 36 && tuning->best <= 38;
            const bool all = tuning->points[36].in_band && tuning->points[37].in_band &&
                             tuning->points[38].in_band;
            with_best_in_band += all;
            // What is twice as slow is never in the band.
            for (std::size_t i = 0; i < 60; ++i)
                if (world.truth[i] > 2e6) QVERIFY(!tuning->points[i].in_band);
            QVERIFY((tuning->points[tuning->best].against_best == Interval{1, 1}));
        }
        QVERIFY2(found >= 58, qPrintable(QString::number(found)));
        QVERIFY2(with_best_in_band >= 45, qPrintable(QString::number(with_best_in_band)));
    }

    /// Most points are measured a few times only; the good ones to the end.
    void spends_its_time_where_it_matters() {
        World world;
        for (int i = 0; i < 64; ++i) world.truth.push_back(1e6 * (1 + 0.1 * i));
        const TuningOptions options;
        const auto tuning = search(world, options);
        QVERIFY(tuning);
        const std::uint64_t all = 64 * (options.most + 1);
        QVERIFY2(tuning->measurements < all / 2, qPrintable(QString::number(tuning->measurements)));
        QCOMPARE(tuning->points[tuning->best].samples.size(), std::size_t{options.most});
        QCOMPARE(tuning->points[63].samples.size(), std::size_t{options.first});
        QCOMPARE(world.asked[63], static_cast<int>(options.first) + 1);
        std::uint64_t measured = 0;
        for (const auto& [point, times] : world.asked)
            measured += static_cast<std::uint64_t>(times);
        QCOMPARE(measured, tuning->measurements);
        QVERIFY(!tuning->out_of_budget);
    }

    void equal_points_all_stay() {
        World world;
        world.truth.assign(10, 1e6);
        const auto tuning = search(world);
        QVERIFY(tuning);
        int in_band = 0;
        for (const TunedPoint& point : tuning->points) in_band += point.in_band;
        QVERIFY2(in_band >= 7, qPrintable(QString::number(in_band)));
    }

    void budgets_end_it() {
        World world;
        world.truth.assign(10, 1e6);
        TuningOptions options;
        options.budget = 150'000'000; // ten warm-ups of 10 ms, fifty samples of 1 ms
        const auto tuning = search(world, options);
        QVERIFY(tuning && tuning->out_of_budget);
        QVERIFY(tuning->spent < 160'000'000);
        for (const TunedPoint& point : tuning->points) QVERIFY(!point.samples.empty());
        // Nothing left of it: still one sample of each.
        options.budget = 1;
        World poor;
        poor.truth.assign(4, 1e6);
        const auto least = search(poor, options);
        QVERIFY(least);
        QCOMPARE(least->measurements, std::uint64_t{8});
    }

    /// A coarse grid first; the others only where what was found makes them worth it.
    void points_join() {
        World world;
        for (int i = 0; i < 40; ++i) world.truth.push_back(1e6 * (1 + 0.1 * std::abs(i - 17)));
        TuningOptions options;
        options.begin_with = {0, 13, 26, 39};
        options.more = [](const Tuning& tuning) { // neighbours of the best, as far as 3
            std::vector<std::size_t> near;
            for (std::size_t i = 0; i < 40; ++i)
                if (i + 3 >= tuning.best && i <= tuning.best + 3) near.push_back(i);
            return near;
        };
        const auto tuning = search(world, options);
        QVERIFY(tuning);
        QVERIFY2(tuning->best >= 16 && tuning->best <= 18,
                 qPrintable(QString::number(tuning->best)));
        QCOMPARE(tuning->points[tuning->best].samples.size(), std::size_t{options.most});
        QVERIFY(tuning->points[30].samples.empty());
        QVERIFY(!tuning->points[30].in_band && tuning->points[30].median == 0);
        QVERIFY(!world.asked.contains(30));
        // A budget that is spent by the first ones asks nobody else.
        World poor;
        poor.truth = world.truth;
        options.budget = 1;
        const auto least = search(poor, options);
        QVERIFY(least && least->out_of_budget);
        QCOMPARE(least->measurements, std::uint64_t{8});
        QCOMPARE(poor.asked.size(), std::size_t{4});
    }

    /// Whoever looks sees each measurement, in order, with a best point among those measured.
    void is_seen() {
        World world;
        for (int i = 0; i < 8; ++i) world.truth.push_back(1e6 * (8 - i));
        TuningOptions options;
        std::vector<Tuning> seen;
        options.seen = [&](const Tuning& tuning) { seen.push_back(tuning); };
        const auto tuning = search(world, options);
        QVERIFY(tuning);
        QCOMPARE(seen.size(), tuning->measurements + 1);
        for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
            QCOMPARE(seen[i].measurements, i);
            QVERIFY(seen[i].measuring.has_value());
        }
        QVERIFY(!seen.back().measuring && !tuning->measuring);
        QCOMPARE(seen.back().best, tuning->best);
        QCOMPARE(seen.back().points[7].samples, tuning->points[7].samples);
        // In the middle of the first turn: those that were not measured have no median.
        QCOMPARE(seen[11].points[seen[11].best].samples.size(), std::size_t{1});
    }

    void ends() {
        World none;
        QVERIFY(!search(none));
        World one;
        one.truth = {1e6};
        const auto alone = search(one);
        QVERIFY(alone && alone->points[0].in_band);
        SilentProgress silent;
        const auto failed = tune(3,
                                 [](std::size_t) -> Result<Nanoseconds> {
                                     return Error{ErrorCode::system, "no"};
                                 },
                                 {}, silent, {});
        QVERIFY(!failed);
        std::stop_source stop;
        int asked = 0;
        const auto stopped = tune(
            3,
            [&](std::size_t) -> Result<Nanoseconds> {
                if (++asked == 5) stop.request_stop();
                return 1000;
            },
            {}, silent, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
        QCOMPARE(asked, 5);
    }

    void same_measurements_same_answer() {
        World a, b;
        for (World* world : {&a, &b})
            for (int i = 0; i < 20; ++i) world->truth.push_back(1e6 * (1 + 0.01 * i));
        const auto one = search(a), two = search(b);
        QVERIFY(one && two);
        QCOMPARE(one->best, two->best);
        QCOMPARE(one->measurements, two->measurements);
    }
};

QTEST_APPLESS_MAIN(TestTuning)
#include "test_tuning.moc"
