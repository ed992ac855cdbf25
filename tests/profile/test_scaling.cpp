// Laws of speed-up against values worked out by hand, and fits against laws that are known.
#include "profile/scaling.h"

#include <QTest>

#include <cmath>
#include <random>
#include <vector>

using namespace blockloom::profile;

namespace {

double usl(double sigma, double kappa, double p) {
    return p / (1 + sigma * (p - 1) + kappa * p * (p - 1));
}

std::vector<SpeedupPoint> points(double sigma, double kappa) {
    std::vector<SpeedupPoint> all;
    for (const double p : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0})
        all.push_back({p, usl(sigma, kappa, p)});
    return all;
}

bool near(double a, double b, double by) {
    return std::abs(a - b) <= by;
}

} // namespace

class TestScaling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void laws() {
        QVERIFY(near(amdahl_bound(0.1, 1), 1, 1e-12));
        QVERIFY(near(amdahl_bound(0.1, 10), 1 / 0.19, 1e-12));
        QVERIFY(near(amdahl_limit(0.05), 20, 1e-12));
        QVERIFY(std::isinf(amdahl_limit(0)));
        QVERIFY(near(gustafson(0.1, 10), 9.1, 1e-12));
    }

    /// Where Amdahl's law holds, Karp and Flatt find its serial fraction at every p.
    void karp_flatt_undoes_amdahl() {
        for (const double f : {0.0, 0.01, 0.2, 1.0})
            for (const double p : {2.0, 3.0, 64.0})
                QVERIFY(near(karp_flatt({p, amdahl_bound(f, p)}).value(), f, 1e-9));
        QVERIFY(!karp_flatt({1, 1}));
        QVERIFY(!karp_flatt({4, 0}));
        QVERIFY(karp_flatt({4, 5}).value() < 0);
    }

    void usl_recovers_its_parameters() {
        for (const double sigma : {0.0, 0.03, 0.3})
            for (const double kappa : {0.0, 0.0005, 0.02}) {
                const auto fit = fit_usl(points(sigma, kappa));
                QVERIFY(fit.has_value());
                QVERIFY(near(fit->contention.value, sigma, 1e-6));
                QVERIFY(near(fit->coherency.value, kappa, 1e-7));
                QVERIFY(fit->r_squared > 0.999999);
                QCOMPARE(fit->most_workers, 32.0);
                QVERIFY(near(fit->at(8), usl(sigma, kappa, 8), 1e-5));
                QCOMPARE(fit->peak.has_value(), fit->coherency.value > 0);
                if (kappa > 0) QVERIFY(near(*fit->peak, std::sqrt((1 - sigma) / kappa), 1e-2));
            }
    }

    /// With noise, the truth lies within two standard errors about as often as it should.
    void errors_cover() {
        std::mt19937_64 random(17);
        std::normal_distribution<double> noise(0, 0.05);
        int sigma_inside = 0, kappa_inside = 0;
        constexpr int draws = 1000;
        for (int i = 0; i < draws; ++i) {
            std::vector<SpeedupPoint> noisy;
            for (double p = 1; p <= 24; ++p)
                noisy.push_back({p, usl(0.08, 0.004, p) + noise(random)});
            const auto fit = fit_usl(noisy);
            QVERIFY(fit && fit->contention.error && fit->coherency.error);
            sigma_inside += near(fit->contention.value, 0.08, 2 * *fit->contention.error);
            kappa_inside += near(fit->coherency.value, 0.004, 2 * *fit->coherency.error);
        }
        for (const int inside : {sigma_inside, kappa_inside}) {
            QVERIFY2(inside > draws * 91 / 100, qPrintable(QString::number(inside)));
            QVERIFY2(inside < draws * 99 / 100, qPrintable(QString::number(inside)));
        }
    }

    void too_few_points() {
        const std::vector<SpeedupPoint> two{{1, 1}, {2, 1.9}, {2, 1.8}};
        QVERIFY(!fit_usl(two));
        QVERIFY(!fit_usl(std::vector<SpeedupPoint>{{1, 1}, {2, -1}, {4, 3}}));
        const auto three = fit_usl(std::vector<SpeedupPoint>{{1, 1}, {2, 1.9}, {4, 3.4}});
        QVERIFY(three.has_value());
        QVERIFY(!three->contention.error);
        QVERIFY(!fit_amdahl(std::vector<SpeedupPoint>{{1, 1}}));
    }

    /// Faster than the workers allow: no coefficient goes below 0.
    void coefficients_stay_at_zero() {
        const auto fit = fit_usl(std::vector<SpeedupPoint>{{1, 1}, {2, 2.2}, {4, 4.9}, {8, 10.5}});
        QVERIFY(fit.has_value());
        QCOMPARE(fit->contention.value, 0.0);
        QCOMPARE(fit->coherency.value, 0.0);
        QVERIFY(!fit->peak);
    }

    void amdahl_fit() {
        for (const double f : {0.0, 0.02, 0.4}) {
            std::vector<SpeedupPoint> all;
            for (const double p : {1.0, 2.0, 4.0, 8.0}) all.push_back({p, amdahl_bound(f, p)});
            const auto fit = fit_amdahl(all);
            QVERIFY(fit && fit->error);
            QVERIFY(near(fit->value, f, 1e-7));
            QVERIFY(*fit->error < 1e-6);
        }
        QVERIFY(!fit_amdahl(std::vector<SpeedupPoint>{{1, 1}, {2, 1.5}})->error);
    }
};

QTEST_APPLESS_MAIN(TestScaling)
#include "test_scaling.moc"
