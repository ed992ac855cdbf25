// What a sweep shows, on sweeps that are made up: maps, predicted cells, the curve and where it
// crosses the CPU.
#include "runs/tuning_views.h"

#include <QTest>

#include <cmath>

using namespace blockloom;
using namespace blockloom::runs;
using execute::Strategy;

namespace {

/// Milliseconds: the CPU does 6,000 tasks in 60, a device in 10 and 0.05 a launch.
double truth(const TuningSetting& setting) {
    if (setting.how.strategy == Strategy::serial) return 60;
    const double batch = setting.how.batch_max == 0 ? 6000 : double(setting.how.batch_max);
    if (setting.backend == "cpu") return 50.0 / setting.how.workers + 4 + 6000 / batch * 0.01;
    return 6 + 4.0 / setting.how.workers + std::ceil(6000 / batch) * 0.05;
}

/// `measured`: which points have samples.
ReplayTuning made_up(const std::function<bool(std::size_t)>& measured) {
    TuningSpace space;
    space.backends = {"cpu", "vulkan"};
    space.workers = {1, 2, 4};
    space.batch_min = {1};
    space.batch_max = {16, 32, 64, 128, 256, 1024, 0};
    ReplayTuning tuned;
    tuned.settings = settings_of(space);
    tuned.blocks = 1;
    tuned.tasks = tuned.largest = 6000;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        profile::TunedPoint point;
        if (measured(i))
            for (int k = 0; k < 8; ++k)
                point.samples.push_back(
                    static_cast<Nanoseconds>(truth(tuned.settings[i]) * (1e6 + 1e3 * k)));
        tuned.tuning.points.push_back(point);
    }
    profile::settle(tuned.tuning);
    return tuned;
}

TuningSetting on_device(unsigned workers) {
    TuningSetting setting{"vulkan", {}, 0};
    setting.how.strategy = Strategy::speculative;
    setting.how.sets = execute::SetsFrom::estimate;
    setting.how.workers = workers;
    setting.how.batch_min = 1;
    return setting;
}

} // namespace

class TestTuningViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slices_are_a_devices() {
        TuningSpace space;
        space.backends = {"cpu", "vulkan:1"};
        space.workers = {2};
        space.slices = {0, 2500, 10000};
        const auto settings = settings_of(space);
        QCOMPARE(settings.size(), std::size_t{1 + 1 + 3}); // serial, CPU, three on the device
        for (const TuningSetting& setting : settings)
            QVERIFY(setting.slice == 0 || setting.backend == "vulkan:1");
        QCOMPARE(text_of(settings.back()),
                 std::string("vulkan:1 speculative, 2 workers, batches 4 to any, 1 block, slices "
                             "of 10000"));
    }

    /// Blocks that run together, and whether the workers share a device's rounds, are dimensions
    /// like all others; the processor shares nothing.
    void windows_and_placement() {
        TuningSpace space;
        space.backends = {"cpu", "cuda"};
        space.workers = {2};
        space.windows = {1, 16};
        space.hybrid = {0, 1};
        ReplayTuning tuned;
        tuned.settings = settings_of(space);
        QCOMPARE(tuned.settings.size(), std::size_t{1 + 2 + 4}); // serial, CPU, device
        std::size_t shared = 0;
        for (const TuningSetting& setting : tuned.settings) {
            QVERIFY(!setting.how.hybrid || setting.backend == "cuda");
            shared += setting.how.hybrid;
            TuningSetting other = setting;
            other.how.hybrid = !other.how.hybrid;
            QVERIFY(same_setting(setting, setting) && !same_setting(setting, other));
        }
        QCOMPARE(shared, std::size_t{2});
        QCOMPARE(text_of(tuned.settings.back()),
                 std::string("cuda speculative, 2 workers, batches 4 to any, 16 blocks, shared "
                             "with the workers"));
        QCOMPARE(coarse_points(tuned.settings).size(), tuned.settings.size());
        QCOMPARE(values_of(tuned, TuningAxis::window), (std::vector<std::uint64_t>{1, 16}));
        QCOMPARE(values_of(tuned, TuningAxis::hybrid), (std::vector<std::uint64_t>{0, 1}));
        tuned.blocks = 16, tuned.tasks = 1600, tuned.largest = 100;
        for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
            profile::TunedPoint point;
            const auto& how = tuned.settings[i].how;
            for (int k = 0; k < 8; ++k)
                point.samples.push_back(1'000'000 / how.window - (how.hybrid ? 10'000 : 0) + k);
            tuned.tuning.points.push_back(point);
        }
        profile::settle(tuned.tuning);
        QVERIFY(tuned.best().how.hybrid && tuned.best().how.window == 16);
        const HeatMap map =
            heat_map(tuned, "cuda", Strategy::speculative, TuningAxis::window, TuningAxis::hybrid);
        QCOMPARE(map.cells.size(), std::size_t{4});
        QCOMPARE(map.cells[3].point, tuned.tuning.best);
        QVERIFY(map.cells[0].median > map.cells[1].median); // window 1, window 16
        QVERIFY(map.cells[1].median > map.cells[3].median); // device alone, shared
        // Kept and read back; a document of before had no placement.
        std::string text = tuning_json(tuned, provenance_now("1"));
        for (const char* part : {"\"hybrid\": true", "\"y\": \"window\"", "\"y\": \"hybrid\""})
            QVERIFY2(text.find(part) != std::string::npos, part);
        const auto read = read_tuning(text);
        QVERIFY(read);
        for (std::size_t i = 0; i < tuned.settings.size(); ++i)
            QVERIFY(same_setting(read->settings[i], tuned.settings[i]));
        const auto setting =
            read_setting(R"({"backend": "cuda", "strategy": "predict", "workers": 2, "batch_min": 4,
                             "batch_max": 0, "window": 16})");
        QVERIFY(setting && !setting->how.hybrid && setting->how.window == 16);
    }

    void coarse_has_ends_and_middles() {
        const ReplayTuning tuned = made_up([](std::size_t) { return true; });
        const auto coarse = coarse_points(tuned.settings);
        QVERIFY(coarse.size() < tuned.settings.size() / 2 + 2);
        const auto has = [&](unsigned workers, std::size_t most) {
            return std::any_of(coarse.begin(), coarse.end(), [&](std::size_t i) {
                const auto& s = tuned.settings[i];
                return s.backend == "vulkan" && s.how.workers == workers && s.how.batch_max == most;
            });
        };
        for (const unsigned workers : {1U, 2U, 4U})
            QVERIFY(has(workers, 16) && has(workers, 128) && has(workers, 0));
        QVERIFY(!has(1, 32) && !has(4, 1024));
    }

    /// From the coarse points the rest is predicted within a tenth, and said to be predicted.
    void maps_of_measured_and_predicted() {
        const ReplayTuning all = made_up([](std::size_t) { return true; });
        const auto coarse = coarse_points(all.settings);
        const ReplayTuning tuned = made_up([&](std::size_t i) {
            return std::find(coarse.begin(), coarse.end(), i) != coarse.end();
        });
        const PredictedTimes predicted = predict_points(tuned);
        QVERIFY(predicted.typical_error.has_value());
        const HeatMap map = heat_map(tuned, "vulkan", Strategy::speculative, TuningAxis::batch_max,
                                     TuningAxis::workers, &predicted);
        QCOMPARE(map.x, (std::vector<std::uint64_t>{16, 32, 64, 128, 256, 1024, 0}));
        QCOMPARE(map.y, (std::vector<std::uint64_t>{1, 2, 4}));
        int hollow = 0;
        for (const HeatMap::Cell& cell : map.cells) {
            QVERIFY(cell.median > 0);
            QCOMPARE(cell.predicted, tuned.tuning.points[cell.point].samples.empty());
            hollow += cell.predicted;
            const double off = cell.median / 1e6 / truth(tuned.settings[cell.point]) - 1;
            QVERIFY2(std::abs(off) < 0.1, qPrintable(QString::number(off)));
            QVERIFY(!(cell.predicted && cell.in_band));
        }
        QCOMPARE(hollow, 12);
        // Without predictions these cells are empty.
        const HeatMap bare = heat_map(tuned, "vulkan", Strategy::speculative, TuningAxis::batch_max,
                                      TuningAxis::workers);
        QCOMPARE(std::count_if(bare.cells.begin(), bare.cells.end(),
                               [](const auto& cell) { return cell.median == 0; }),
                 12);
        // Devices as rows, each with the best of its numbers of workers.
        const HeatMap devices =
            heat_map(all, "", Strategy::speculative, TuningAxis::batch_max, TuningAxis::device);
        QCOMPARE(devices.y.size(), std::size_t{2});
        QCOMPARE(all.settings[devices.cells[0].point].backend, std::string("cpu"));
        QCOMPARE(all.settings[devices.cells.back().point].backend, std::string("vulkan"));
        QCOMPARE(all.settings[devices.cells.back().point].how.workers, 4U);
    }

    void what_is_worth_measuring() {
        const ReplayTuning all = made_up([](std::size_t) { return true; });
        const auto coarse = coarse_points(all.settings);
        const ReplayTuning tuned = made_up([&](std::size_t i) {
            return std::find(coarse.begin(), coarse.end(), i) != coarse.end();
        });
        const auto near = near_best(tuned, 1.25);
        QVERIFY(!near.empty());
        for (const std::size_t point : near) {
            QVERIFY(tuned.tuning.points[point].samples.empty());
            QVERIFY(truth(tuned.settings[point]) < 1.4 * truth(tuned.best()));
        }
        // The neighbours of the best size are among them.
        QVERIFY(std::any_of(near.begin(), near.end(), [&](std::size_t i) {
            return tuned.settings[i].how.batch_max == 1024 && tuned.settings[i].how.workers == 4 &&
                   tuned.settings[i].backend == "vulkan";
        }));
        // Of a size that is no point at all.
        TuningSetting between = on_device(4);
        between.how.batch_max = 200;
        const auto time = predict_setting(tuned, between);
        QVERIFY(time && std::abs(*time / 1e6 / truth(between) - 1) < 0.1);
        QVERIFY(!predict_setting(ReplayTuning(), between));
    }

    /// A document reads back as what it was written of; what is no such document is refused.
    void documents_read_back() {
        ReplayTuning tuned = made_up([](std::size_t i) { return i % 3 != 0; });
        tuned.processor = "P";
        tuned.device = "D";
        tuned.code = "0123456789abcdef";
        tuned.date = "2026-11-22 01:02 UTC";
        tuned.digests = {Hash256{1}, Hash256{2}};
        const std::string text = tuning_json(tuned, provenance_now("1"));
        const auto read = read_tuning(text);
        QVERIFY(read);
        QCOMPARE(read->settings.size(), tuned.settings.size());
        for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
            QVERIFY(same_setting(read->settings[i], tuned.settings[i]));
            QCOMPARE(read->tuning.points[i].samples, tuned.tuning.points[i].samples);
            QCOMPARE(read->tuning.points[i].in_band, tuned.tuning.points[i].in_band);
        }
        QCOMPARE(read->tuning.best, tuned.tuning.best);
        QVERIFY(read->digests == tuned.digests);
        QCOMPARE(read->largest, tuned.largest);
        QCOMPARE(read->date, tuned.date);
        QCOMPARE(tuning_json(*read, provenance_now("1")).size(), text.size());
        for (const char* wrong : {"", "{}", "[1]", R"({"schema": "blockloom.tuning/1"})",
                                  R"({"schema": "blockloom.tuning/1", "points": [1]})",
                                  R"({"schema": "blockloom.tuning/1", "points": []})"})
            QVERIFY2(!read_tuning(wrong), wrong);
        // Cut anywhere, it is refused and nothing worse.
        for (std::size_t end = 0; end < text.size(); end += 97)
            QVERIFY(!read_tuning(text.substr(0, end)));
    }

    void the_curve_and_the_crossing() {
        const ReplayTuning tuned = made_up([](std::size_t) { return true; });
        const PredictedTimes predicted = predict_points(tuned);
        const TuningCurve curve = tuning_curve(tuned, predicted, on_device(4));
        QCOMPARE(curve.points.size(), std::size_t{7});
        QCOMPARE(curve.points.back().batch_max, std::uint64_t{0});
        QVERIFY(curve.points.back().batch >= 2048);
        QVERIFY(curve.serial.there && curve.cpu.there);
        QCOMPARE(tuned.settings[curve.cpu.point].how.workers, 4U);
        QVERIFY(curve.band && curve.band->high == curve.points.back().batch);
        // The CPU takes 16.6 ms; the device 7 and 300/batch: from 31.3 on.
        QCOMPARE(curve.crossing, TuningCurve::Crossing::at);
        QVERIFY2(curve.crossover > 25 && curve.crossover < 33,
                 qPrintable(QString::number(curve.crossover)));
        QVERIFY(!curve.crossover_predicted);
        QVERIFY(curve.points[2].interval && curve.points[2].interval->low <= curve.points[2].time);

        TuningSetting cpu = on_device(4);
        cpu.backend = "cpu";
        const TuningCurve own = tuning_curve(tuned, predicted, cpu);
        QVERIFY(!own.cpu.there);
        QCOMPARE(own.crossing, TuningCurve::Crossing::always); // always faster than serial
        ReplayTuning alone = tuned;
        for (std::size_t i = 0; i < alone.settings.size(); ++i)
            if (alone.settings[i].backend == "cpu") alone.tuning.points[i].samples.clear();
        QCOMPARE(tuning_curve(alone, predicted, on_device(4)).crossing,
                 TuningCurve::Crossing::unknown);
        // Large batches that cost more: faster up to a size only.
        ReplayTuning worse = tuned;
        for (std::size_t i = 0; i < worse.settings.size(); ++i) {
            const TuningSetting& setting = worse.settings[i];
            if (setting.backend == "cpu" || setting.how.batch_max - 1 < 255) continue;
            worse.tuning.points[i].samples.assign(8, 90'000'000);
        }
        profile::settle(worse.tuning);
        const TuningCurve rising = tuning_curve(worse, predicted, on_device(4));
        QCOMPARE(rising.crossing, TuningCurve::Crossing::until);
        QVERIFY(rising.crossover > 128 && rising.crossover < 256);
        // One sample each: no band is reported.
        ReplayTuning few = tuned;
        for (auto& point : few.tuning.points) point.samples.resize(1);
        profile::settle(few.tuning);
        QVERIFY(!tuning_curve(few, predicted, on_device(4)).band);
        // A machine on which the device never pays.
        for (std::size_t i = 0; i < alone.settings.size(); ++i)
            if (alone.settings[i].how.strategy == Strategy::serial)
                alone.tuning.points[i].samples = {1'000'000}, alone.tuning.points[i].median = 1e6;
        QCOMPARE(tuning_curve(alone, predicted, on_device(4)).crossing,
                 TuningCurve::Crossing::never);
    }
};

QTEST_APPLESS_MAIN(TestTuningViews)
#include "test_tuning_views.moc"
