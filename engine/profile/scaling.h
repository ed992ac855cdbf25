// Amdahl's law and its relatives: how much more workers can help
// (docs/definitions.md#laws-of-speed-up).
#pragma once

#include <optional>
#include <span>

namespace blockloom::profile {

/// A speed-up measured with p workers.
struct SpeedupPoint {
    double workers = 1, speedup = 1;
};

/// 1 / (f + (1 − f)/p) with the serial fraction f of the one-worker run, 0 … 1.
[[nodiscard]] double amdahl_bound(double serial_fraction, double workers);
/// The limit for an infinitely fast device: 1/f. Infinity if nothing is serial.
[[nodiscard]] double amdahl_limit(double serial_fraction);
/// p − f·(p − 1): the block grows with p.
[[nodiscard]] double gustafson(double serial_fraction, double workers);
/// Experimentally determined serial fraction, (1/S − 1/p)/(1 − 1/p). Absent for one worker or a
/// speed-up that is not above 0. Negative if the speed-up exceeds p.
[[nodiscard]] std::optional<double> karp_flatt(const SpeedupPoint& measured);

/// A coefficient and its standard error.
struct Estimate {
    double value = 0;
    std::optional<double> error; ///< absent: too few points
};

/// Universal scalability law, S(p) = p / (1 + σ(p − 1) + κp(p − 1)).
struct UslFit {
    Estimate contention; ///< σ >= 0
    Estimate coherency;  ///< κ >= 0
    double r_squared = 0;
    double most_workers = 1;    ///< of the points; the curve is drawn up to twice as many
    std::optional<double> peak; ///< workers at which S is highest, sqrt((1 − σ)/κ); absent: κ = 0
    [[nodiscard]] double at(double workers) const;
};
/// Least squares in S, with both coefficients at least 0. Absent below three different numbers of
/// workers; standard errors need one more point than coefficients.
[[nodiscard]] std::optional<UslFit> fit_usl(std::span<const SpeedupPoint> points);

/// The serial fraction that fits measured speed-ups best (least squares in S), with its error.
/// Absent without a point of two or more workers.
[[nodiscard]] std::optional<Estimate> fit_amdahl(std::span<const SpeedupPoint> points);

} // namespace blockloom::profile
