// Predictions of points that nobody measured, on costs whose truth is known.
#include "profile/cost_model.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace blockloom::profile;

namespace {

/// A device: 4 ms serial, 0.2 ms a launch of 6,000 tasks, 120 ms of work on the workers, and a bump
/// of caches that no term of the model knows.
double truth(double batch, double workers) {
    const double bump = 1 + 0.15 * std::exp(-std::pow(std::log2(batch) - 7, 2));
    return (4 + 0.2 * std::ceil(6000 / batch) + 120 / workers) * bump * 1e6;
}

CostPoint point(double batch, double workers, bool measured, double noise = 1) {
    CostPoint made;
    made.costs = {std::ceil(6000 / batch), 1 / workers, workers};
    made.place = {std::log2(batch), std::log2(workers)};
    made.measured = measured ? truth(batch, workers) * noise : 0;
    return made;
}

} // namespace

class TestCostModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Half of a map, every other batch size and number of workers: the rest within a few percent.
    void fills_a_map() {
        std::mt19937_64 random{7};
        std::lognormal_distribution<double> noise(0, 0.02);
        std::vector<CostPoint> points;
        std::vector<double> truths;
        for (int b = 5; b <= 13; ++b)
            for (int w = 0; w <= 4; ++w) {
                const double batch = std::exp2(b), workers = std::exp2(w);
                points.push_back(point(batch, workers, (b + w) % 2 == 0, noise(random)));
                truths.push_back(truth(batch, workers));
            }
        const Predictions made = predict(points);
        QCOMPARE(made.times.size(), points.size());
        double worst = 0, sum = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            QVERIFY(made.times[i].has_value());
            const double off = std::abs(*made.times[i] / truths[i] - 1);
            worst = std::max(worst, off);
            sum += off;
        }
        QVERIFY2(worst < 0.25, qPrintable(QString::number(worst)));
        const double mean = sum / static_cast<double>(points.size());
        QVERIFY2(mean < 0.06, qPrintable(QString::number(mean)));
        QVERIFY(made.typical_error && *made.typical_error < 0.08);
    }

    /// A sum of the costs that are given is found exactly, and beyond what was measured.
    void exact_where_the_model_holds() {
        std::vector<CostPoint> points;
        const auto time = [](double batch) { return 2e6 + 3e5 * std::ceil(1000 / batch); };
        for (const double batch : {1, 10, 100, 500, 2000}) {
            CostPoint made;
            made.costs = {std::ceil(1000 / batch)};
            made.place = {std::log2(batch)};
            made.measured = batch == 10 || batch == 100 || batch == 500 ? time(batch) : 0;
            points.push_back(made);
        }
        const Predictions made = predict(points);
        QVERIFY(std::abs(*made.times[0] / time(1) - 1) < 1e-6);
        QVERIFY(std::abs(*made.times[4] / time(2000) - 1) < 1e-6);
        QVERIFY(*made.typical_error < 1e-6);
    }

    /// A measured point is predicted from the others: it never sees itself.
    void leaves_itself_out() {
        std::vector<CostPoint> points;
        for (const double batch : {32, 64, 128, 256}) points.push_back(point(batch, 4, true));
        const auto before = *predict(points).times[1];
        points[1].measured *= 10;
        QCOMPARE(*predict(points).times[1], before);
    }

    void one_is_as_all() {
        std::vector<CostPoint> points;
        for (const double batch : {32, 64, 128, 256}) points.push_back(point(batch, 4, true));
        points.push_back(point(90, 4, false));
        QCOMPARE(predict_one(std::span(points).first(4), points[4]), predict(points).times[4]);
    }

    void groups_and_too_little() {
        std::vector<CostPoint> points{point(32, 1, true), point(64, 1, false)};
        QVERIFY(!predict(points).times[0] && !predict(points).times[1]);
        QVERIFY(!predict(points).typical_error);
        // Another group's points change nothing.
        for (const double batch : {32, 64, 128}) {
            points.push_back(point(batch, 1, true));
            points.back().group = 1;
        }
        QVERIFY(!predict(points).times[1]);
        // Two measured ones of the group: the third is predicted.
        points.push_back(point(128, 1, true));
        QVERIFY(predict(points).times[1].has_value());
        QVERIFY(predict({}).times.empty());
    }

    /// Whatever was measured, a prediction is a time: above zero, never infinite.
    void never_absurd() {
        std::mt19937_64 random{11};
        std::uniform_real_distribution<double> any(1, 1e9);
        for (int round = 0; round < 200; ++round) {
            std::vector<CostPoint> points;
            for (int i = 0; i < 12; ++i) {
                CostPoint made = point(std::exp2(i % 6), std::exp2(i % 3), false);
                if (i % 3 != 0) made.measured = any(random);
                points.push_back(made);
            }
            for (const auto& time : predict(points).times)
                QVERIFY(!time || (std::isfinite(*time) && *time > 0));
        }
    }
};

QTEST_APPLESS_MAIN(TestCostModel)
#include "test_cost_model.moc"
