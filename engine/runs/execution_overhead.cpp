#include "runs/execution_overhead.h"

#include <algorithm>
#include <vector>

namespace blockloom::runs {

using profile::Category;
using profile::LaneKind;

Nanoseconds overhead_of_an_execution(const profile::Trace& trace) {
    // Whatever the driver begins, workers do not begin earlier.
    std::vector<Nanoseconds> begins;
    for (const profile::Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::driver)
            for (const profile::Span& span : lane.spans) begins.push_back(span.begin);
    std::sort(begins.begin(), begins.end());
    Nanoseconds sum = 0, count = 0;
    for (const profile::Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::worker) continue;
        auto next = begins.begin();
        Nanoseconds since = 0; // the end of what the worker did before
        for (const profile::Span& span : lane.spans) {
            while (next != begins.end() && *next <= span.begin) since = std::max(since, *next++);
            if (span.category == Category::message) {
                sum += std::max<Nanoseconds>(0, span.begin - since);
                ++count;
            }
            since = std::max(since, span.end);
        }
    }
    return count == 0 ? 0 : sum / count;
}

} // namespace blockloom::runs
