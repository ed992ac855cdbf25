#include "profile/cost_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace blockloom::profile {
namespace {

constexpr std::size_t most_terms = most_costs + 1; ///< the first one is constant

using Terms = std::array<double, most_terms>;

Terms terms_of(const CostPoint& point) {
    Terms terms{1};
    for (std::size_t i = 0; i < std::min(point.costs.size(), most_costs); ++i)
        terms[i + 1] = point.costs[i];
    return terms;
}

double sum_of(const Terms& coefficients, const CostPoint& point) {
    const Terms terms = terms_of(point);
    double sum = 0;
    for (std::size_t i = 0; i < most_terms; ++i) sum += coefficients[i] * terms[i];
    return sum;
}

/// Solves the normal equations of the terms in `used` by elimination with pivots; nothing where
/// they are not independent.
std::optional<Terms> solve(std::span<const CostPoint* const> points, unsigned used) {
    std::array<std::size_t, most_terms> of{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < most_terms; ++i)
        if ((used >> i & 1U) != 0) of[n++] = i;
    std::array<std::array<double, most_terms + 1>, most_terms> rows{};
    for (const CostPoint* point : points) {
        const Terms terms = terms_of(*point);
        const double weight = 1 / (point->measured * point->measured);
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t c = 0; c < n; ++c) rows[r][c] += weight * terms[of[r]] * terms[of[c]];
            rows[r][n] += weight * terms[of[r]] * point->measured;
        }
    }
    std::array<double, most_terms> scale{};
    for (std::size_t r = 0; r < n; ++r) scale[r] = std::abs(rows[r][r]);
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t pivot = step;
        for (std::size_t r = step + 1; r < n; ++r)
            if (std::abs(rows[r][step]) > std::abs(rows[pivot][step])) pivot = r;
        if (std::abs(rows[pivot][step]) <= 1e-10 * scale[step]) return std::nullopt;
        std::swap(rows[step], rows[pivot]);
        std::swap(scale[step], scale[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == step) continue;
            const double by = rows[r][step] / rows[step][step];
            for (std::size_t c = step; c <= n; ++c) rows[r][c] -= by * rows[step][c];
        }
    }
    Terms found{};
    for (std::size_t r = 0; r < n; ++r) found[of[r]] = rows[r][n] / rows[r][r];
    return found;
}

/// There are so few terms that every subset can be tried; fewer terms win ties.
Terms fit(std::span<const CostPoint* const> points) {
    Terms best{};
    double least = std::numeric_limits<double>::infinity();
    std::array<unsigned, 1U << most_terms> choices{};
    for (unsigned i = 0; i < choices.size(); ++i) choices[i] = i;
    std::stable_sort(choices.begin(), choices.end(), [](unsigned a, unsigned b) {
        return __builtin_popcount(a) < __builtin_popcount(b);
    });
    for (const unsigned used : choices) {
        const auto terms = static_cast<std::size_t>(__builtin_popcount(used));
        if (terms == 0 || terms > points.size()) continue;
        const auto found = solve(points, used);
        if (!found || std::any_of(found->begin(), found->end(), [](double c) { return c < 0; }))
            continue;
        double error = 0;
        for (const CostPoint* point : points) {
            const double off = sum_of(*found, *point) / point->measured - 1;
            error += off * off;
        }
        if (error >= 0.99 * least || least < 1e-12) continue;
        least = error;
        best = *found;
    }
    return best;
}

double distance_squared(const CostPoint& a, const CostPoint& b) {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(a.place.size(), b.place.size()); ++i)
        sum += (a.place[i] - b.place[i]) * (a.place[i] - b.place[i]);
    return sum;
}

std::optional<double> time_of(const CostPoint& wanted, std::span<const CostPoint* const> known) {
    if (known.size() < 2) return std::nullopt;
    const Terms coefficients = fit(known);
    double weights = 0, off = 0;
    for (const CostPoint* point : known) {
        const double modelled = sum_of(coefficients, *point);
        if (modelled <= 0) return std::nullopt;
        const double near = distance_squared(wanted, *point) + 1e-6;
        weights += 1 / (near * near);
        off += std::log(point->measured / modelled) / (near * near);
    }
    const double modelled = sum_of(coefficients, wanted);
    if (modelled <= 0) return std::nullopt;
    return modelled * std::exp(off / weights);
}

} // namespace

std::optional<double> predict_one(std::span<const CostPoint> points, const CostPoint& wanted) {
    std::vector<const CostPoint*> known;
    for (const CostPoint& point : points)
        if (point.group == wanted.group && point.measured > 0) known.push_back(&point);
    return time_of(wanted, known);
}

Predictions predict(std::span<const CostPoint> points) {
    Predictions made;
    made.times.resize(points.size());
    std::vector<double> errors;
    std::vector<const CostPoint*> known;
    for (std::size_t i = 0; i < points.size(); ++i) {
        known.clear();
        for (std::size_t k = 0; k < points.size(); ++k)
            if (k != i && points[k].group == points[i].group && points[k].measured > 0)
                known.push_back(&points[k]);
        made.times[i] = time_of(points[i], known);
        if (made.times[i] && points[i].measured > 0)
            errors.push_back(std::abs(*made.times[i] / points[i].measured - 1));
    }
    if (!errors.empty()) {
        const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
        std::nth_element(errors.begin(), middle, errors.end());
        made.typical_error = *middle;
    }
    return made;
}

} // namespace blockloom::profile
