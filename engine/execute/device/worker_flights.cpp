#include "execute/device/worker_flights.h"

#include "base/contain.h"
#include "execute/live_run.h"
#include "execute/recording.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace blockloom::execute {

namespace {

constexpr std::chrono::microseconds look_again{20};

} // namespace

struct WorkerFlights::Round {
    Round(std::span<const Attempt> all, const alkanes::TransactionOptions& how,
          const AttemptDone& each_done, std::atomic<bool>& stop_here)
        : attempts(all), options(how), done(each_done), settled(stop_here) {}

    std::span<const Attempt> attempts;
    const alkanes::TransactionOptions& options;
    const AttemptDone& done;
    std::atomic<bool>& settled;
    alignas(64) std::atomic<std::size_t> next{0}; ///< the first attempt that nobody has begun
    alignas(64) std::atomic<std::size_t> open{0}; ///< parts that somebody has or that fly
    std::vector<DevicePart*> waiting;             ///< parts that are taken, for anybody to launch
    std::atomic<std::size_t> next_waiting{0};
    std::mutex guard; ///< of what follows
    Status status;

    void fail(const Status& ran) {
        const std::lock_guard lock(guard);
        if (status) status = ran;
        settled.store(true, std::memory_order_relaxed);
    }
};

Status WorkerFlights::run(std::span<const Attempt> attempts,
                          const alkanes::TransactionOptions& options, const AttemptDone& done,
                          std::atomic<bool>& settled) {
    Round round(attempts, options, done, settled);
    for (const auto& part : parts_) {
        if (part->waiting.empty()) continue;
        part->state = DevicePart::State::taken;
        round.waiting.push_back(part.get());
    }
    round.open = round.waiting.size();
    pool_.open([&](unsigned worker) { return work(round, worker); });
    device_.learn_apart();
    for (const auto& part : parts_) part->waiting.swap(part->left);
    return std::move(round.status);
}

DevicePart* WorkerFlights::take_landed(unsigned worker, bool of_others) {
    const unsigned workers = pool_.workers();
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        if ((p % workers == worker) == of_others) continue;
        DevicePart& part = *parts_[p];
        auto state = DevicePart::State::flying;
        if (part.state.load(std::memory_order_relaxed) != state ||
            !part.state.compare_exchange_strong(state, DevicePart::State::taken))
            continue;
        if (part.flight->has_landed()) return &part;
        part.state = DevicePart::State::flying;
    }
    return nullptr;
}

DevicePart* WorkerFlights::take_flying(unsigned worker) {
    for (std::size_t p = worker; p < parts_.size(); p += pool_.workers()) {
        auto state = DevicePart::State::flying;
        if (parts_[p]->state.compare_exchange_strong(state, DevicePart::State::taken))
            return parts_[p].get();
    }
    return nullptr;
}

bool WorkerFlights::work(Round& round, unsigned worker) {
    const auto step = [&](DevicePart*& held) {
        // A round ends when its last flight has landed, so what can fly is launched first.
        if (launch_waiting(round, worker, held)) return true;
        if (begin(round, worker, held)) return true;
        held = take_landed(worker, false);
        if (held == nullptr && (worker == 0 || !pool_.has_ready_task())) {
            held = take_flying(worker);
            if (held == nullptr) held = take_landed(worker, true);
        }
        if (held == nullptr) return false;
        proceed(round, held, worker);
        return true;
    };
    for (;;) {
        const Nanoseconds began = live_ == nullptr ? 0 : now_ns();
        DevicePart* held = nullptr;
        const auto stepped = contain("a flight", [&]() -> Result<bool> { return step(held); });
        if (!stepped) { // what is in the air is still waited for
            round.fail(stepped.error());
            if (held != nullptr) round.open.fetch_sub(1);
            continue;
        }
        const bool worked = *stepped;
        if (live_ != nullptr && worked) live_->worked(worker, now_ns() - began);
        if (worked) continue;
        if (worker != 0 && pool_.has_ready_task()) return false;
        // What is left is in the air, or others have it: their next flights may need help.
        if (round.open.load() == 0) return true;
        std::this_thread::sleep_for(look_again);
    }
}

bool WorkerFlights::launch_waiting(Round& round, unsigned worker, DevicePart*& held) {
    if (round.next_waiting.load(std::memory_order_relaxed) >= round.waiting.size()) return false;
    const std::size_t next = round.next_waiting.fetch_add(1);
    if (next >= round.waiting.size()) return false;
    held = round.waiting[next];
    launch(round, held, worker);
    return true;
}

bool WorkerFlights::begin(Round& round, unsigned worker, DevicePart*& held) {
    const std::size_t count = round.attempts.size();
    if (round.next.load(std::memory_order_relaxed) >= count || round.settled) return false;
    DevicePart* free = nullptr; // the one with the fewest that are left: they become a flight
    for (std::size_t p = worker; p < parts_.size(); p += pool_.workers())
        if (parts_[p]->state.load() == DevicePart::State::idle &&
            (free == nullptr || parts_[p]->left.size() < free->left.size()))
            free = parts_[p].get();
    if (free == nullptr) return false;
    round.open.fetch_add(1);
    // Fewer and fewer, so that all workers end together.
    std::size_t first = round.next.load(), together = 0;
    do {
        if (first >= count) {
            round.open.fetch_sub(1);
            return false;
        }
        together = std::min(count - first, std::clamp((count - first) / (2 * pool_.workers()),
                                                      fewest_together, most_together));
    } while (!round.next.compare_exchange_weak(first, first + together));
    const std::size_t end = first + together;
    held = free;
    DevicePart& part = *free;
    part.state = DevicePart::State::taken;
    {
        const WorkerSpan span(device_.recording, worker, SpanName::begins, end - first);
        for (std::size_t i = first; i < end; ++i) {
            if (round.settled.load(std::memory_order_relaxed)) break;
            if (live_ != nullptr) live_->gate().pass(round.options.stop);
            if (i + 1 < end) expect(round.attempts[i + 1]);
            auto run = part.take_transaction();
            run->begin(i, round.attempts[i], round.options, device_);
            part.look(std::move(run), worker, round.done, round.settled);
        }
        part.fetch_rest();
    }
    launch(round, held, worker);
    return true;
}

void WorkerFlights::launch(Round& round, DevicePart*& held, unsigned worker) {
    DevicePart& part = *held;
    DevicePart::Transactions& asked = part.asked[0];
    asked.swap(part.waiting);
    if (!asked.empty()) {
        const WorkerSpan span(device_.recording, worker, SpanName::lays_out, asked.size());
        std::vector<DeviceCall*> calls, unknown;
        for (const auto& run : asked) calls.push_back(&run->call);
        part.flight = device_.launch_apart(calls, unknown, round.options.stop);
        if (!unknown.empty()) {
            std::ranges::sort(unknown);
            std::erase_if(asked, [&](std::unique_ptr<DeviceTransaction>& run) {
                if (!std::ranges::binary_search(unknown, &run->call)) return false;
                part.left.push_back(std::move(run));
                return true;
            });
        }
    }
    held = nullptr;
    if (part.flight) {
        part.state = DevicePart::State::flying;
        return;
    }
    part.state = DevicePart::State::idle;
    round.open.fetch_sub(1);
}

void WorkerFlights::proceed(Round& round, DevicePart*& held, unsigned worker) {
    DevicePart& part = *held;
    const Status ran = device_.finish(std::move(part.flight), [&] {
        const auto& asked = part.asked[0];
        WorkerSpan span(device_.recording, worker, SpanName::accepts, asked.size());
        part.resume(0, worker, round.done, round.settled);
        span.without(asked.size());
    });
    if (!ran) round.fail(ran);
    launch(round, held, worker);
}

} // namespace blockloom::execute
