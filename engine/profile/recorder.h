// Records spans while a run goes on: each thread writes to a lane of its own, without a lock, into
// memory that is bounded; finish() makes the trace.
#pragma once

#include "profile/span.h"
#include "profile/tick.h"

#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace blockloom::profile {

/// What a span says of itself while it is recorded.
struct SpanLabel {
    std::uint16_t name = 0; ///< index into the recorder's names
    Category category = Category::other;
    std::uint32_t height = none;      ///< of its block
    std::uint32_t transaction = none; ///< in its block; becomes the task
    std::uint32_t detail = 0;
};

/// A lane while it is written to, by one thread at a time.
class alignas(64) LaneWriter {
public:
    LaneWriter(std::string name, LaneKind kind, std::size_t most)
        : name_(std::move(name)), kind_(kind), most_(most) {}

    /// Ticks as tick() gives them.
    void add(Tick begin, Tick end, const SpanLabel& label) noexcept {
        put({begin, end, label.height, label.transaction, label.detail, label.name, label.category,
             false});
    }
    /// Moments of the steady clock, as now_ns() gives them.
    void add_ns(Nanoseconds begin, Nanoseconds end, const SpanLabel& label) noexcept {
        put({static_cast<Tick>(begin), static_cast<Tick>(end), label.height, label.transaction,
             label.detail, label.name, label.category, true});
    }

private:
    friend class Recorder;
    struct Raw {
        Tick begin = 0, end = 0;
        std::uint32_t height = none, transaction = none, detail = 0;
        std::uint16_t name = 0;
        Category category = Category::other;
        bool in_ns = false;
    };
    static constexpr std::size_t chunk = 4096;

    void put(const Raw& raw) noexcept {
        if (next_ == end_ && !grow()) {
            ++dropped_;
            return;
        }
        *next_++ = raw;
    }
    /// False: there is no room for more.
    bool grow() noexcept;

    Raw *next_ = nullptr, *end_ = nullptr;
    std::vector<std::unique_ptr<Raw[]>> chunks_;
    std::uint64_t dropped_ = 0;
    std::string name_;
    LaneKind kind_;
    std::size_t most_;
};

/// Lives as long as the run. Lanes are made and the recorder itself is told things by one thread.
class Recorder {
public:
    /// `names`: what spans are called. `most`: spans a lane; more are counted as dropped.
    explicit Recorder(std::vector<std::string> names, std::size_t most = std::size_t{1} << 20);

    /// A new lane. The reference stays valid.
    LaneWriter& lane(std::string name, LaneKind kind);

    /// Reads both clocks, so that ticks can be told as nanoseconds. Cheap; does nothing within
    /// 5 ms of the last time.
    void calibrate();

    /// (transaction, its first task) of a block, ascending: spans of a transaction get the task's
    /// number.
    void set_tasks(std::uint64_t height,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks);

    /// A point of the counter `name`, now.
    void count(std::string_view name, std::string_view unit, std::int64_t value);

    /// Everything so far, nested and sorted. Not while a lane is written to; the recorder can go on
    /// afterwards.
    [[nodiscard]] Trace finish();

private:
    struct Pair {
        Tick tick = 0;
        Nanoseconds at = 0;
    };
    struct BlockTasks {
        std::uint64_t height = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks;
    };
    void take_pair();
    [[nodiscard]] Nanoseconds time_of(Tick tick) const;
    using Places = std::unordered_map<std::uint32_t, std::uint32_t>; ///< height → its number
    [[nodiscard]] Lane nested(const LaneWriter& writer, const Places& places, Trace& trace) const;

    std::vector<std::string> names_;
    std::size_t most_;
    std::vector<Pair> pairs_;
    std::deque<LaneWriter> lanes_;
    std::vector<BlockTasks> blocks_;
    std::vector<Counter> counters_;
};

/// Puts spans that were recorded in any order into the form of Lane: sorted, nested, with depths. A
/// span that reaches beyond the end of the one that holds it is cut there.
void nest(std::vector<Span>& spans);

} // namespace blockloom::profile
