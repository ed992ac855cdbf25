#include "range/ordered_work.h"

#include "base/contain.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace blockloom::range {

void work_in_order(std::size_t count, unsigned threads, const std::stop_token& stop,
                   const std::function<bool(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex guard;
    std::exception_ptr thrown; // the first
    const auto work_some = [&] {
        while (!failed.load(std::memory_order_relaxed) && !stop.stop_requested()) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) return;
            if (!work(index)) failed.store(true, std::memory_order_relaxed);
        }
    };
    const auto run = [&] {
        try {
            work_some();
        } catch (const std::exception&) {
            failed.store(true, std::memory_order_relaxed);
            const std::lock_guard lock(guard);
            if (!thrown) thrown = std::current_exception();
        }
    };
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t others = std::min<std::size_t>(threads, count) - (count == 0 ? 0 : 1);
    {
        std::vector<std::jthread> workers;
        workers.reserve(others);
        // If the system does not start all threads, those that exist do all the work.
        (void)contain("threads", [&]() -> Status {
            while (workers.size() < others) workers.push_back(start_thread(run));
            return {};
        });
        run(); // the calling thread works too; the others join on leaving
    }
    if (thrown) std::rethrow_exception(thrown);
}

} // namespace blockloom::range
