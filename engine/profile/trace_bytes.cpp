#include "profile/trace_bytes.h"

#include "profile/nesting.h"

#include <string_view>

namespace blockloom::profile {
namespace {

/// The format's name and version; a newer one has another last byte.
constexpr std::string_view magic = "BLSPANS\x01";
/// 292 years: sums of two times stay inside 64 bits.
constexpr std::uint64_t most_time = std::uint64_t{1} << 62U;
constexpr std::size_t least_span = 7; ///< bytes

// Numbers are LEB128: seven bits a byte, lowest first. Texts are a length and bytes.
class Writer {
public:
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) bytes.push_back(static_cast<Byte>(value | 0x80U));
        bytes.push_back(static_cast<Byte>(value));
    }
    /// Small whatever its sign.
    void difference(std::int64_t value) {
        number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void text(std::string_view text) {
        number(text.size());
        bytes.insert(bytes.end(), text.begin(), text.end());
    }
    Bytes bytes;
};

class Reader {
public:
    Reader(ByteView bytes, const std::string& place) : bytes_(bytes), place_(place) {}

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    [[nodiscard]] bool at_end() const noexcept { return at_ == bytes_.size(); }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }

    bool starts_with(std::string_view text) {
        if (left() < text.size() ||
            !std::equal(text.begin(), text.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                        [](char a, Byte b) { return static_cast<Byte>(a) == b; }))
            return false;
        at_ += text.size();
        return true;
    }
    /// At most `most`; 0 after a failure.
    std::uint64_t number(std::uint64_t most, const char* what) {
        if (!ok_) return 0;
        const std::size_t begin = at_;
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at_ == bytes_.size()) return fail(begin, what, "the end");
            const std::uint64_t byte = bytes_[at_++];
            if (shift == 63 && byte > 1) return fail(begin, what, "a number above 64 bits");
            value |= (byte & 0x7fU) << shift;
            if (byte < 0x80) break;
        }
        if (value > most)
            return fail(begin, what, std::to_string(value) + ", above " + std::to_string(most));
        return value;
    }
    std::int64_t difference(const char* what) {
        const std::uint64_t value = number(~std::uint64_t{0}, what);
        return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
    }
    std::string text(const char* what) {
        const std::uint64_t size = number(left(), what);
        if (!ok_) return {};
        if (size > left()) {
            fail(at_, what, "the end");
            return {};
        }
        std::string text(reinterpret_cast<const char*>(bytes_.data()) + at_,
                         static_cast<std::size_t>(size));
        at_ += text.size();
        return text;
    }
    /// Of things that take at least `each` bytes.
    std::size_t count(std::size_t each, const char* what) {
        return static_cast<std::size_t>(number(left() / each, what));
    }
    std::uint64_t fail(std::size_t at, const char* expected, const std::string& found) {
        if (ok_) error_ = input_error(place_, at, expected, found);
        ok_ = false;
        return 0;
    }
    std::uint64_t fail_here(const char* expected, const std::string& found) {
        return fail(at_, expected, found);
    }
    [[nodiscard]] const Error& error() const noexcept { return error_; }

private:
    ByteView bytes_;
    const std::string& place_;
    std::size_t at_ = 0;
    bool ok_ = true;
    Error error_;
};

/// `none` is written as 0, everything else one higher.
std::uint64_t shifted(std::uint32_t number) {
    return number == none ? 0 : std::uint64_t{number} + 1;
}
std::uint32_t unshifted(std::uint64_t number) {
    return number == 0 ? none : static_cast<std::uint32_t>(number - 1);
}

void write_lane(const Lane& lane, Writer& to) {
    to.text(lane.name);
    to.number(static_cast<std::uint64_t>(lane.kind));
    to.number(lane.spans.size());
    Span before;
    before.block = before.task = 0;
    for (const Span& span : lane.spans) {
        to.difference(span.begin - before.begin);
        to.number(static_cast<std::uint64_t>(span.duration()));
        to.number(span.name);
        to.number(static_cast<std::uint64_t>(span.category));
        to.number(shifted(span.block));
        to.difference(static_cast<std::int64_t>(shifted(span.task)) -
                      static_cast<std::int64_t>(shifted(before.task)));
        to.number(span.detail);
        before = span;
    }
}

Lane read_lane(Reader& from, const Trace& trace) {
    Lane lane;
    lane.name = from.text("a lane's name");
    lane.kind = static_cast<LaneKind>(
        from.number(static_cast<std::uint64_t>(LaneKind::count) - 1, "a kind of lane"));
    const std::size_t count = from.count(least_span, "a number of spans");
    if (from.ok()) lane.spans.reserve(count);
    Span before;
    before.block = before.task = 0;
    for (std::size_t i = 0; i < count && from.ok(); ++i) {
        Span span;
        const std::int64_t later = from.difference("a span's start");
        const std::uint64_t duration = from.number(most_time, "a span's duration");
        if (later < 0 || later > static_cast<std::int64_t>(most_time) - before.begin) {
            from.fail_here("spans in the order of their starts", "one that starts out of order");
            break;
        }
        span.begin = before.begin + later;
        span.end = span.begin + static_cast<Nanoseconds>(duration);
        if (span.end > trace.duration) {
            from.fail_here("a span inside the recording", "one that ends after it");
            break;
        }
        const std::uint64_t names = trace.names.size();
        if (names == 0) {
            from.fail_here("a name for a span", "no names");
            break;
        }
        span.name = static_cast<std::uint16_t>(from.number(names - 1, "a span's name"));
        span.category = static_cast<Category>(
            from.number(static_cast<std::uint64_t>(Category::count) - 1, "a span's category"));
        span.block = unshifted(from.number(trace.heights.size(), "a span's block"));
        const auto task_before = static_cast<std::int64_t>(shifted(before.task));
        const std::int64_t step = from.difference("a span's task");
        if (step < -task_before || step > std::int64_t{none} - task_before) {
            from.fail_here("a span's task", "one outside 32 bits");
            break;
        }
        span.task = unshifted(static_cast<std::uint64_t>(task_before + step));
        span.detail = static_cast<std::uint32_t>(from.number(none, "a span's detail"));
        lane.spans.push_back(span);
        before = span;
    }
    nest(lane.spans); // depths are not written; spans that do not nest are adjusted
    return lane;
}

void write_counter(const Counter& counter, Writer& to) {
    to.text(counter.name);
    to.text(counter.unit);
    to.number(counter.points.size());
    Counter::Point before;
    for (const Counter::Point& point : counter.points) {
        to.number(static_cast<std::uint64_t>(point.at - before.at));
        to.difference(point.value);
        before = point;
    }
}

Counter read_counter(Reader& from) {
    Counter counter;
    counter.name = from.text("a counter's name");
    counter.unit = from.text("a counter's unit");
    const std::size_t count = from.count(2, "a number of points");
    Nanoseconds at = 0;
    for (std::size_t i = 0; i < count && from.ok(); ++i) {
        const std::uint64_t later =
            from.number(most_time - static_cast<std::uint64_t>(at), "a point's time");
        at += static_cast<Nanoseconds>(later);
        counter.points.push_back({at, from.difference("a point's value")});
    }
    return counter;
}

} // namespace

Bytes trace_bytes(const Trace& trace) {
    Writer to;
    to.bytes.insert(to.bytes.end(), magic.begin(), magic.end());
    to.number(static_cast<std::uint64_t>(trace.duration));
    to.number(trace.dropped);
    to.number(trace.names.size());
    for (const std::string& name : trace.names) to.text(name);
    to.number(trace.heights.size());
    for (const std::uint64_t height : trace.heights) to.number(height);
    to.number(trace.lanes.size());
    for (const Lane& lane : trace.lanes) write_lane(lane, to);
    to.number(trace.counters.size());
    for (const Counter& counter : trace.counters) write_counter(counter, to);
    return std::move(to.bytes);
}

Result<Trace> read_trace(ByteView bytes, const std::string& place) {
    Reader from(bytes, place);
    if (!from.starts_with(magic))
        return input_error(place, 0, "spans (BLSPANS, version 1)", "something else");
    Trace trace;
    trace.duration = static_cast<Nanoseconds>(from.number(most_time, "the recording's duration"));
    trace.dropped = from.number(~std::uint64_t{0}, "a number of dropped spans");
    const std::size_t names = from.count(1, "a number of names");
    for (std::size_t i = 0; i < names && from.ok(); ++i) trace.names.push_back(from.text("a name"));
    if (trace.names.size() > 65'536) from.fail_here("at most 65536 names", "more");
    const std::size_t heights = from.count(1, "a number of blocks");
    for (std::size_t i = 0; i < heights && from.ok(); ++i)
        trace.heights.push_back(from.number(~std::uint64_t{0}, "a height"));
    const std::size_t lanes = from.count(3, "a number of lanes");
    for (std::size_t i = 0; i < lanes && from.ok(); ++i)
        trace.lanes.push_back(read_lane(from, trace));
    const std::size_t counters = from.count(3, "a number of counters");
    for (std::size_t i = 0; i < counters && from.ok(); ++i)
        trace.counters.push_back(read_counter(from));
    if (from.ok() && !from.at_end()) from.fail_here("the end", "more bytes");
    if (!from.ok()) return from.error();
    return trace;
}

} // namespace blockloom::profile
