// What a point would take, from the points that were measured: a sum of costs, corrected by how far
// it is off nearby.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::profile {

/// A point of a sweep as the model sees it. Points of one group have costs and places of one
/// length.
struct CostPoint {
    std::size_t group = 0;     ///< points of other groups tell nothing of it
    std::vector<double> costs; ///< what adds up, each times a coefficient: launches, 1/workers …
    std::vector<double> place; ///< where it lies; a step between neighbours is about 1
    double measured = 0;       ///< 0: not measured
};

/// Most costs a point may have.
inline constexpr std::size_t most_costs = 4;

struct Predictions {
    /// By point. Of a measured point what the others say of it, so that both can be held against
    /// each other. Absent: fewer than two others of its group were measured.
    std::vector<std::optional<double>> times;
    /// Median of |predicted / measured − 1| over the measured points; absent: none was predicted.
    std::optional<double> typical_error;
};

/// Of each group: time = c0 + Σ ck · cost k with coefficients of 0 or above (least squares of the
/// relative errors, as many coefficients as points at most), times the measured over the modelled
/// time of the points around, the nearest ones first (weights 1 / distance⁴, in logarithms). So a
/// prediction passes through what was measured, and follows the model's trend between and beyond.
[[nodiscard]] Predictions predict(std::span<const CostPoint> points);
/// Of a point that is none of them.
[[nodiscard]] std::optional<double> predict_one(std::span<const CostPoint> points,
                                                const CostPoint& wanted);

} // namespace blockloom::profile
