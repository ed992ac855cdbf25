#include "compute/cuda/core.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace blockloom::compute::cuda {
namespace {

/// Freed blocks that are kept for the next allocation.
constexpr std::uint64_t most_unused = std::uint64_t{8} << 30;
/// The driver gives times as milliseconds in a float: a microsecond is lost after ten seconds.
constexpr Nanoseconds origin_age = 1'000'000'000;

/// Eighths of a power of two: few sizes, so that freed blocks are found again.
std::uint64_t rounded(std::uint64_t bytes) {
    const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(bytes) / 8, 256);
    return (bytes + step - 1) / step * step;
}

} // namespace

Core::~Core() {
    if (context == nullptr || is_exiting()) return;
    {
        const Current current(*this);
        for (LaneState& lane : lanes) {
            for (const Pending& pending : lane.pending) driver->event_destroy(pending.event);
            if (lane.stream != nullptr) driver->stream_destroy(lane.stream);
        }
        for (const auto& kept : events)
            for (const Event event : kept) driver->event_destroy(event);
        last_origin.reset();
        if (clock_stream != nullptr) driver->stream_destroy(clock_stream);
        std::vector<Block> blocks;
        collect_unused(blocks);
        free(blocks);
    }
    driver->context_destroy(context);
}

Error Core::failed(Code code, const char* what) {
    const std::string text = fmt::format("CUDA: {}: {}", what, driver->text_of(code));
    if (code == out_of_memory_ || code == out_of_resources) return {out_of_memory, text};
    if (code == invalid_value) return {misused, text};
    const std::lock_guard lock(mutex);
    poison_with(Error{device_lost, text});
    return *poison;
}

void Core::poison_with(Error error) {
    if (!poison) poison = std::move(error);
    is_poisoned.store(true, std::memory_order_release);
}

Status Core::open_lane(Lane which) {
    const std::lock_guard lock(mutex);
    LaneState& opened = lane(which);
    if (opened.stream != nullptr) return {};
    const Code code = driver->stream_create(&opened.stream, stream_non_blocking);
    if (code == success) return {};
    const std::string text = fmt::format("CUDA: a stream: {}", driver->text_of(code));
    if (code == out_of_memory_ || code == out_of_resources) return Error{out_of_memory, text};
    poison_with(Error{device_lost, text});
    return *poison;
}

Status Core::alive() const {
    if (!is_poisoned.load(std::memory_order_acquire)) return {};
    const std::lock_guard lock(mutex);
    return poison ? Status(*poison) : Status();
}

void Core::collect_unused(std::vector<Block>& blocks) noexcept {
    for (auto* const unused : {&unused_device, &unused_host}) {
        for (const auto& [bytes, block] : *unused) blocks.push_back(block);
        unused->clear();
    }
    unused_bytes = 0;
    blocks.insert(blocks.end(), surplus.begin(), surplus.end());
    surplus.clear();
}

void Core::free(const std::vector<Block>& blocks) noexcept {
    std::uint64_t freed = 0;
    for (const Block& block : blocks) {
        if (block.host != nullptr)
            driver->host_free(block.host);
        else
            driver->free(block.address);
        freed += block.bytes;
    }
    const std::lock_guard lock(mutex);
    use.reserved -= freed;
}

bool Core::free_unused() {
    {
        const std::lock_guard lock(mutex);
        if (unused_bytes == 0 && surplus.empty()) return true;
    }
    if (!await_idle()) return false;
    std::vector<Block> blocks;
    {
        const std::lock_guard lock(mutex);
        collect_unused(blocks);
    }
    const Current current(*this);
    free(blocks);
    return true;
}

Code Core::new_block(Block& block, std::uint64_t bytes, bool on_host) {
    const Current current(*this);
    block.bytes = bytes;
    if (!on_host) return driver->allocate(&block.address, bytes);
    if (const Code code = driver->host_allocate(&block.host, bytes, host_portable | host_mapped);
        code != success)
        return code;
    const Code code = driver->host_pointer(&block.address, block.host, 0);
    const std::lock_guard lock(mutex);
    if (code != success) {
        use.reserved += bytes;
        surplus.push_back(block);
    }
    return code;
}

Result<Core::Block> Core::take_block(std::uint64_t asked, bool on_host) {
    const std::uint64_t bytes = rounded(asked);
    const auto too_much = [&](const std::string& why) {
        return Error{out_of_memory, fmt::format("CUDA: {} bytes of memory: {}", asked, why)};
    };
    Block block;
    bool is_new = false;
    {
        const std::lock_guard lock(mutex);
        if (poison) return *poison;
        if (memory_limit != 0 && (asked > memory_limit || use.in_use > memory_limit - asked))
            return too_much("above the configured limit");
        auto& unused = on_host ? unused_host : unused_device;
        if (const auto found = unused.find(bytes); found != unused.end()) {
            block = found->second;
            unused.erase(found);
            unused_bytes -= bytes;
        } else {
            is_new = true;
        }
        use.in_use += asked;
    }
    if (is_new) {
        const auto turn = take_turn();
        Code code = turn ? new_block(block, bytes, on_host) : success;
        if (code == out_of_memory_ && free_unused()) code = new_block(block, bytes, on_host);
        const std::lock_guard lock(mutex);
        if (!turn || code != success) use.in_use -= asked;
        if (!turn) return turn.error();
        if (code != success) {
            if (code == out_of_memory_) return too_much("the device has none left");
            poison_with(Error{device_lost, fmt::format("CUDA: memory: {}", driver->text_of(code))});
            return *poison;
        }
        use.reserved += bytes;
    }
    const std::lock_guard lock(mutex);
    block.asked = asked;
    use.peak = std::max(use.peak, use.in_use);
    return block;
}

void Core::give_block(const Block& block) noexcept {
    if (is_exiting()) return;
    {
        const std::lock_guard lock(mutex);
        use.in_use -= block.asked;
        if (unused_bytes + block.bytes <= most_unused && !poison) {
            (block.host != nullptr ? unused_host : unused_device).emplace(block.bytes, block);
            unused_bytes += block.bytes;
            return;
        }
        surplus.push_back(block);
    }
    tidy_if_idle();
}

Result<Event> Core::take_event(bool timed) {
    {
        const std::lock_guard lock(mutex);
        auto& kept = events[timed ? 1 : 0];
        if (!kept.empty()) {
            const Event event = kept.back();
            kept.pop_back();
            return event;
        }
    }
    Event event = nullptr;
    if (const Code code = driver->event_create(&event, timed ? event_plain : event_without_time);
        code != success)
        return failed(code, "an event");
    return event;
}

void Core::give_event(Event event, bool timed) {
    const std::lock_guard lock(mutex);
    events[timed ? 1 : 0].push_back(event);
}

std::shared_ptr<const Origin> Core::origin() {
    {
        const std::lock_guard lock(mutex);
        if (last_origin && now_ns() - last_origin->at < origin_age) return last_origin;
    }
    // On a stream of its own, which is idle: the event is reached at once.
    Origin best;
    Nanoseconds shortest = 0;
    for (int i = 0; i < 3; ++i) {
        auto event = take_event(true);
        if (!event) break;
        const Nanoseconds begin = now_ns();
        Code code = driver->event_record(*event, clock_stream);
        while (code == success && (code = driver->event_query(*event)) == not_ready &&
               now_ns() - begin < 1'000'000)
            code = success;
        const Nanoseconds end = now_ns();
        if (code != success) {
            driver->event_destroy(*event);
            break;
        }
        if (best.event != nullptr && end - begin >= shortest) {
            give_event(*event, true);
            continue;
        }
        if (best.event != nullptr) give_event(best.event, true);
        shortest = end - begin;
        best = {*event, begin + (end - begin) / 2};
    }
    std::shared_ptr<const Origin> old; // released without the lock
    const std::lock_guard lock(mutex);
    if (best.event == nullptr) return last_origin;
    old = std::exchange(
        last_origin, std::shared_ptr<const Origin>(new Origin(best),
                                                   [core = weak_from_this()](const Origin* origin) {
                                                       if (const auto alive = core.lock())
                                                           alive->give_event(origin->event, true);
                                                       delete origin;
                                                   }));
    return last_origin;
}

std::vector<std::shared_ptr<CommandList>> Core::look(LaneState& lane) {
    std::vector<std::shared_ptr<CommandList>> ended;
    while (!lane.pending.empty()) {
        Pending& first = lane.pending.front();
        if (!first.is_on_stream) break; // an event that was never recorded counts as reached
        const Code code = driver->event_query(first.event);
        if (code == not_ready) break;
        if (code != success) {
            poison_with(Error{device_lost,
                              fmt::format("CUDA: a submission failed: {}", driver->text_of(code))});
            break;
        }
        lane.reached = first.value;
        events[0].push_back(first.event);
        ended.push_back(std::move(first.list));
        lane.pending.pop_front();
    }
    return ended;
}

bool Core::done(Ticket ticket) {
    if (lane(ticket.lane).reached >= ticket.value) return true;
    std::vector<std::shared_ptr<CommandList>> ended;
    const Current current(*this);
    const std::lock_guard lock(mutex);
    ended = look(lane(ticket.lane));
    return lane(ticket.lane).reached >= ticket.value;
}

void Core::drop_pending() {
    std::vector<std::shared_ptr<CommandList>> dropped; // released without the lock
    const std::lock_guard lock(mutex);
    for (LaneState& lane : lanes) {
        for (Pending& pending : lane.pending) {
            events[0].push_back(pending.event);
            dropped.push_back(std::move(pending.list));
        }
        lane.pending.clear();
    }
}

} // namespace blockloom::compute::cuda
