// Predicts the time of a point from measured points: a sum of costs, corrected by the model's error
// nearby.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::profile {

/// A point of a sweep as the model sees it. Within a group, `costs` and `place` have the same
/// lengths.
struct CostPoint {
    std::size_t group = 0;     ///< points of other groups are not used for it
    std::vector<double> costs; ///< terms of the sum, each with a coefficient: launches, 1/workers …
    std::vector<double> place; ///< its position; neighbours are about 1 apart
    double measured = 0;       ///< 0: not measured
};

/// The most costs of a point.
inline constexpr std::size_t most_costs = 4;

struct Predictions {
    /// By point. For a measured point, the prediction from the others, so that both can be
    /// compared. Absent: fewer than two others of its group were measured.
    std::vector<std::optional<double>> times;
    /// Median of |predicted / measured − 1| over the measured points; absent: none could be
    /// predicted.
    std::optional<double> typical_error;
};

/// For each group: time = c0 + Σ ck · cost k with coefficients of at least 0 (least squares of the
/// relative errors, at most as many coefficients as points), multiplied by the ratio of measured to
/// modelled time of the surrounding points (weights 1 / distance⁴, in logarithms). So the
/// prediction passes through the measurements and follows the model's trend between and beyond
/// them.
[[nodiscard]] Predictions predict(std::span<const CostPoint> points);
/// The prediction for a point that is not among them.
[[nodiscard]] std::optional<double> predict_one(std::span<const CostPoint> points,
                                                const CostPoint& wanted);

} // namespace blockloom::profile
