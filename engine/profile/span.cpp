#include "profile/span.h"

#include <algorithm>
#include <array>

namespace blockloom::profile {

const char* name_of(Category category) noexcept {
    static constexpr std::array<const char*, static_cast<std::size_t>(Category::count)> names{
        "phase", "round", "message", "check", "batch", "slice", "wait", "other"};
    return names[static_cast<std::size_t>(category)];
}

std::string title_of(const Trace& trace, std::size_t lane) {
    const Lane& of = trace.lanes[lane];
    if (of.kind != LaneKind::device || of.spans.empty()) return of.name;
    const auto is_part = [&](const Lane& other) {
        return other.kind == of.kind && other.name == of.name && !other.spans.empty() &&
               other.spans.front().name == of.spans.front().name;
    };
    const auto begin = trace.lanes.begin();
    const auto parts = std::count_if(begin, trace.lanes.end(), is_part);
    const auto of_device = std::count_if(begin, trace.lanes.end(), [&](const Lane& other) {
        return other.kind == of.kind && other.name == of.name;
    });
    if (of_device == 1) return of.name; // as older versions recorded it
    std::string title = of.name + ": " + trace.names[of.spans.front().name];
    if (parts == 1) return title;
    const auto before = std::count_if(begin, begin + static_cast<std::ptrdiff_t>(lane), is_part);
    return title.append(" ").append(std::to_string(before + 1));
}

} // namespace blockloom::profile
