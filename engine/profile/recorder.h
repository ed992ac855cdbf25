// Records spans during a run: each thread writes to its own lane, without a lock, into bounded
// memory; finish() makes the trace, and so_far() returns its newest part while it is written.
#pragma once

#include "profile/busy_strip.h"
#include "profile/span.h"
#include "profile/tick.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace blockloom::profile {

/// The label of a span while it is recorded.
struct SpanLabel {
    std::uint16_t name = 0; ///< index into the recorder's names
    Category category = Category::other;
    std::uint32_t height = none;      ///< of its block
    std::uint32_t transaction = none; ///< in its block; replaced by the task
    std::uint32_t detail = 0;         ///< for a message: which task of its transaction, from 0
};

/// A lane that is written to by one thread at a time.
class alignas(64) LaneWriter {
public:
    LaneWriter(std::string name, LaneKind kind, std::size_t most)
        : chunks_(new std::unique_ptr<Raw[]>[(most + chunk - 1) / chunk]), name_(std::move(name)),
          kind_(kind), most_(most) {}

    /// Ticks as returned by tick().
    void add(Tick begin, Tick end, const SpanLabel& label) noexcept {
        put({begin, end, label.height, label.transaction, label.detail, label.name, label.category,
             false});
    }
    /// Times of the steady clock, as returned by now_ns().
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
            dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
        *next_++ = raw;
        written_.store(written_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    /// False: there is no more room.
    bool grow() noexcept;
    /// The span at an index below written_.
    [[nodiscard]] const Raw& at(std::size_t index) const noexcept {
        return chunks_[index / chunk][index % chunk];
    }

    Raw *next_ = nullptr, *end_ = nullptr;
    std::unique_ptr<std::unique_ptr<Raw[]>[]> chunks_; ///< filled from the front, never moved
    std::size_t grown_ = 0;                            ///< chunks
    /// Spans that another thread may read: they and their chunk were written before the count.
    std::atomic<std::size_t> written_{0};
    std::atomic<std::uint64_t> dropped_{0};
    std::string name_;
    LaneKind kind_;
    std::size_t most_;
};

/// The part of what was recorded so far that was requested.
struct SoFar {
    Trace trace;          ///< until now; unfinished spans extend to now
    Nanoseconds from = 0; ///< complete from here on; before it, spans may be missing
};

/// How far busy time was read, and its result.
struct BusySoFar {
    std::vector<std::size_t> read; ///< spans read, by lane
    unsigned workers = 0;
    BusyStrip host, device;
};

/// Lives as long as the run. One thread creates lanes and calls the recorder; so_far() and
/// add_busy() may be called by another thread at the same time.
class Recorder {
public:
    /// `names`: the names of spans. `most`: spans per lane; further ones are counted as dropped.
    explicit Recorder(std::vector<std::string> names, std::size_t most = std::size_t{1} << 20);

    /// When the trace begins, as returned by now_ns().
    [[nodiscard]] Nanoseconds start() const noexcept { return start_; }

    /// The index of a name of spans, which is added if it is not there.
    [[nodiscard]] std::uint16_t name(const std::string& text);

    /// A new lane. The reference stays valid. A lane of kind `wave` receives all waves of a device,
    /// each before what ran in it; they are later spread over separate lanes
    /// (profile/lane_assignment.h), and so are the spans of a lane of kind `beside`.
    LaneWriter& lane(std::string name, LaneKind kind);

    /// Reads both clocks, so that ticks can be converted to nanoseconds. Cheap; does nothing within
    /// 5 ms of the last call.
    void calibrate();

    /// (transaction, its first task) of a block, ascending: spans of a transaction get the task's
    /// number, and those of category message the transaction as their detail.
    void set_tasks(std::uint64_t height,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks);

    /// Begins a span whose end is unknown; so_far() includes it. `begin`: as returned by now_ns().
    void open(const LaneWriter& lane, Nanoseconds begin, const SpanLabel& label);
    /// Ends the span last opened with this begin and label, and adds it to its lane.
    void close(LaneWriter& lane, Nanoseconds begin, Nanoseconds end, const SpanLabel& label);

    /// Adds a point to the counter `name`, now.
    void count(std::string_view name, std::string_view unit, std::int64_t value);

    /// Everything so far, nested and sorted. Not while a lane is written to; recording can continue
    /// afterwards.
    [[nodiscard]] Trace finish();

    /// The newest `most` spans of each lane and points of each counter. Thread-safe: writers are
    /// only blocked while a bounded amount is copied.
    [[nodiscard]] SoFar so_far(std::size_t most) const;
    /// Adds the spans since the last call with the same `busy`. Thread-safe, like so_far().
    void add_busy(BusySoFar& busy) const;

private:
    struct Pair {
        Tick tick = 0;
        Nanoseconds at = 0;
    };
    struct BlockTasks {
        std::uint64_t height = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> first_tasks;
    };
    using Blocks = std::vector<std::shared_ptr<const BlockTasks>>;
    struct Open {
        const LaneWriter* lane = nullptr;
        LaneWriter::Raw span; ///< without its end
    };
    /// Two or more pairs, ascending.
    struct Clock {
        Nanoseconds origin = 0;
        std::vector<Pair> pairs;
        [[nodiscard]] Nanoseconds time_of(Tick tick) const; ///< since `origin`
        [[nodiscard]] Span span_of(const LaneWriter::Raw& raw) const;
    };
    /// The range of a lane's spans that is returned.
    struct Stretch {
        const LaneWriter* lane = nullptr;
        std::size_t first = 0, last = 0;
    };
    [[nodiscard]] static Pair pair_now();
    [[nodiscard]] Trace trace_of(const std::vector<Stretch>& lanes, const Clock& clock,
                                 const std::vector<Open>& open, const Blocks& blocks) const;
    [[nodiscard]] Blocks blocks_of(const std::vector<Stretch>& lanes) const;
    [[nodiscard]] Clock newest_clock() const; ///< needs the lock

    std::size_t most_;
    Nanoseconds start_ = 0;
    /// Guards everything below, which the recording thread changes, against so_far().
    mutable std::mutex guard_;
    std::vector<std::string> names_;
    std::vector<Pair> pairs_;
    std::deque<LaneWriter> lanes_;
    Blocks blocks_;
    std::vector<Open> open_; ///< in the order in which they began
    std::vector<Counter> counters_;
};

} // namespace blockloom::profile
