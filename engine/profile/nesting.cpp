#include "profile/nesting.h"

#include <algorithm>

namespace blockloom::profile {

void nest(std::vector<Span>& spans) {
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Nanoseconds> open; // ends of the spans that hold the next one
    for (Span& span : spans) {
        while (!open.empty() && open.back() <= span.begin) open.pop_back();
        if (!open.empty()) span.end = std::min(span.end, open.back());
        span.end = std::max(span.end, span.begin);
        span.depth = static_cast<std::uint8_t>(std::min<std::size_t>(open.size(), 255));
        open.push_back(span.end);
    }
}

} // namespace blockloom::profile
