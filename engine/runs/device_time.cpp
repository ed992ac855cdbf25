#include "runs/device_time.h"

#include "profile/time_cover.h"

#include <array>
#include <map>
#include <string_view>

namespace blockloom::runs {
namespace {

using profile::Category;
using profile::LaneKind;
using profile::TimeCover;
using profile::TimeRange;

struct Ranges {
    std::vector<TimeRange> kernels, transfers;
};

} // namespace

DeviceTime device_time(const profile::Trace& spans) {
    std::map<std::string_view, Ranges> devices; // by name: their lanes share it
    std::array<std::vector<TimeRange>, 3> host;
    for (const profile::Lane& lane : spans.lanes)
        for (const profile::Span& span : lane.spans) {
            const std::string_view name = spans.names[span.name];
            const TimeRange range{span.begin, span.end};
            if (lane.kind == LaneKind::device) {
                const bool moves = name == "upload" || name == "download";
                (moves ? devices[lane.name].transfers : devices[lane.name].kernels)
                    .push_back(range);
            } else if (lane.kind == LaneKind::worker) {
                if (name == "begin transactions" || name == "lay out calls")
                    host[0].push_back(range);
                else if (name == "take results" || name == "accept answers")
                    host[1].push_back(range);
                else if (span.category == Category::message || span.category == Category::other)
                    host[2].push_back(range);
            }
        }
    DeviceTime found;
    found.devices = static_cast<unsigned>(devices.size());
    if (devices.empty()) devices[""]; // it did nothing
    const TimeCover preparing(std::move(host[0])), taking(std::move(host[1])),
        messages(std::move(host[2]));
    const TimeCover accepting = taking.without(preparing);
    const TimeCover on_workers = messages.without(preparing).without(taking);
    for (auto& [name, ranges] : devices) {
        const TimeCover kernels(std::move(ranges.kernels)), moved(std::move(ranges.transfers));
        found.kernels += kernels.length();
        found.transfer += moved.without(kernels).length();
        const auto idle = [&](const TimeCover& cover) {
            return cover.without(kernels).without(moved).length();
        };
        found.preparing += idle(preparing);
        found.accepting += idle(accepting);
        found.on_workers += idle(on_workers);
    }
    const auto count = static_cast<Nanoseconds>(devices.size());
    for (Nanoseconds* sum :
         {&found.kernels, &found.transfer, &found.preparing, &found.accepting, &found.on_workers})
        *sum /= count;
    return found;
}

} // namespace blockloom::runs
