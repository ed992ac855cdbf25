#include "profile/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace blockloom::profile {
namespace {

double usl(double sigma, double kappa, double p) {
    return p / (1 + sigma * (p - 1) + kappa * p * (p - 1));
}

struct Coefficients {
    double sigma = 0, kappa = 0;
};

double residual_squares(std::span<const SpeedupPoint> points, const Coefficients& at) {
    double sum = 0;
    for (const SpeedupPoint& point : points) {
        const double off = point.speedup - usl(at.sigma, at.kappa, point.workers);
        sum += off * off;
    }
    return sum;
}

/// Normal equations of the step: JᵀJ and Jᵀr. dS/dσ = −(p − 1)·S²/p, dS/dκ = −(p − 1)·S².
struct Normal {
    double ss = 0, sk = 0, kk = 0, rs = 0, rk = 0;
};
Normal normal_at(std::span<const SpeedupPoint> points, const Coefficients& at) {
    Normal sums;
    for (const SpeedupPoint& point : points) {
        const double p = point.workers, s = usl(at.sigma, at.kappa, p);
        const double ds = -(p - 1) * s * s / p, dk = -(p - 1) * s * s, r = point.speedup - s;
        sums.ss += ds * ds;
        sums.sk += ds * dk;
        sums.kk += dk * dk;
        sums.rs += ds * r;
        sums.rk += dk * r;
    }
    return sums;
}

/// Levenberg–Marquardt with one or both coefficients free; they stay at 0 or above.
Coefficients descend(std::span<const SpeedupPoint> points, Coefficients at, bool sigma_free,
                     bool kappa_free) {
    double damping = 1e-3, best = residual_squares(points, at);
    for (int step = 0; step < 200; ++step) {
        const Normal n = normal_at(points, at);
        const double a = n.ss * (1 + damping), d = n.kk * (1 + damping);
        Coefficients next = at;
        if (sigma_free && kappa_free) {
            const double determinant = a * d - n.sk * n.sk;
            if (determinant == 0) break;
            next.sigma += (d * n.rs - n.sk * n.rk) / determinant;
            next.kappa += (a * n.rk - n.sk * n.rs) / determinant;
        } else if (sigma_free) {
            if (a == 0) break;
            next.sigma += n.rs / a;
        } else {
            if (d == 0) break;
            next.kappa += n.rk / d;
        }
        next.sigma = std::max(next.sigma, 0.0);
        next.kappa = std::max(next.kappa, 0.0);
        const double squares = residual_squares(points, next);
        if (squares <= best) {
            const bool still =
                std::abs(next.sigma - at.sigma) + std::abs(next.kappa - at.kappa) < 1e-15;
            at = next;
            best = squares;
            damping = std::max(damping / 10, 1e-12);
            if (still) break;
        } else {
            damping *= 10;
            if (damping > 1e12) break;
        }
    }
    return at;
}

std::size_t different_workers(std::span<const SpeedupPoint> points) {
    std::set<double> workers;
    for (const SpeedupPoint& point : points) workers.insert(point.workers);
    return workers.size();
}

} // namespace

double amdahl_bound(double serial_fraction, double workers) {
    return 1 / (serial_fraction + (1 - serial_fraction) / workers);
}

double amdahl_limit(double serial_fraction) {
    return serial_fraction > 0 ? 1 / serial_fraction : std::numeric_limits<double>::infinity();
}

double gustafson(double serial_fraction, double workers) {
    return workers - serial_fraction * (workers - 1);
}

std::optional<double> karp_flatt(const SpeedupPoint& measured) {
    if (measured.workers <= 1 || measured.speedup <= 0) return std::nullopt;
    return (1 / measured.speedup - 1 / measured.workers) / (1 - 1 / measured.workers);
}

double UslFit::at(double workers) const {
    return usl(contention.value, coherency.value, workers);
}

std::optional<UslFit> fit_usl(std::span<const SpeedupPoint> points) {
    for (const SpeedupPoint& point : points)
        if (!(point.workers >= 1) || !(point.speedup > 0)) return std::nullopt;
    if (different_workers(points) < 3) return std::nullopt;
    // The best inside, or on one of the two edges.
    struct Start {
        Coefficients at;
        bool sigma_free, kappa_free;
    };
    const std::array<Start, 4> starts{{{{0.05, 0.001}, true, true},
                                       {{0.5, 0.1}, true, true},
                                       {{0.05, 0}, true, false},
                                       {{0, 0.001}, false, true}}};
    Coefficients best{};
    double squares = std::numeric_limits<double>::infinity();
    for (const auto& [at, sigma_free, kappa_free] : starts) {
        const Coefficients found = descend(points, at, sigma_free, kappa_free);
        const double sum = residual_squares(points, found);
        if (sum < squares) {
            squares = sum;
            best = found;
        }
    }
    UslFit fit;
    fit.contention.value = best.sigma;
    fit.coherency.value = best.kappa;
    double mean = 0, spread = 0;
    std::size_t useful = 0; // one worker says nothing about either coefficient
    for (const SpeedupPoint& point : points) {
        mean += point.speedup / static_cast<double>(points.size());
        fit.most_workers = std::max(fit.most_workers, point.workers);
        useful += point.workers > 1;
    }
    for (const SpeedupPoint& point : points) spread += std::pow(point.speedup - mean, 2);
    fit.r_squared = spread > 0 ? 1 - squares / spread : 1;
    const Normal n = normal_at(points, best);
    const double determinant = n.ss * n.kk - n.sk * n.sk;
    if (useful > 2 && determinant > 0) {
        const double variance = squares / static_cast<double>(useful - 2);
        fit.contention.error = std::sqrt(variance * n.kk / determinant);
        fit.coherency.error = std::sqrt(variance * n.ss / determinant);
    }
    if (best.kappa > 0 && best.sigma < 1) fit.peak = std::sqrt((1 - best.sigma) / best.kappa);
    return fit;
}

std::optional<Estimate> fit_amdahl(std::span<const SpeedupPoint> points) {
    // Amdahl's law is the USL without coherency: S = p / (1 + f(p − 1)).
    std::size_t useful = 0;
    for (const SpeedupPoint& point : points) {
        if (!(point.workers >= 1) || !(point.speedup > 0)) return std::nullopt;
        useful += point.workers > 1;
    }
    if (useful == 0) return std::nullopt;
    const Coefficients found = descend(points, {0.1, 0}, true, false);
    Estimate estimate{found.sigma, std::nullopt};
    const Normal n = normal_at(points, found);
    if (useful > 1 && n.ss > 0)
        estimate.error =
            std::sqrt(residual_squares(points, found) / static_cast<double>(useful - 1) / n.ss);
    return estimate;
}

} // namespace blockloom::profile
