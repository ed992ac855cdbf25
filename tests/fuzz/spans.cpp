// Reader of kept spans: any bytes give a trace or an error; a trace nests, and is written and read
// again without a change.
#include "profile/trace_bytes.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

void check(const profile::Trace& trace) {
    for (const profile::Lane& lane : trace.lanes) {
        std::vector<Nanoseconds> open;
        Nanoseconds begin = 0;
        for (const profile::Span& span : lane.spans) {
            require(span.begin >= begin && span.end >= span.begin && span.end <= trace.duration);
            require(span.name < trace.names.size());
            require(span.block == profile::none || span.block < trace.heights.size());
            while (!open.empty() && open.back() <= span.begin) open.pop_back();
            require(open.empty() || span.end <= open.back());
            require(span.depth == 255 || span.depth == open.size());
            open.push_back(span.end);
            begin = span.begin;
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto trace = profile::read_trace(ByteView(data, size), "fuzz");
    if (!trace) {
        require(trace.error().message.starts_with("fuzz"));
        return 0;
    }
    require(trace->span_count() <= size);
    check(*trace);
    const auto again = profile::read_trace(profile::trace_bytes(*trace), "again");
    require(again.ok() && *again == *trace);
    return 0;
}
