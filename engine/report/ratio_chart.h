// The ratio of two runs' medians with its interval, beside the line of no difference.
#pragma once

#include "charts/chart.h"
#include "profile/bootstrap.h"

#include <optional>

namespace blockloom::report {

/// One row on a logarithmic axis: a ratio and its inverse are equally far from 1. The ratio is A /
/// B.
[[nodiscard]] charts::Chart ratio_chart(double ratio, std::optional<profile::Interval> interval);

} // namespace blockloom::report
