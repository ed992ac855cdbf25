#include "range/ordered_work.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace blockloom::range {

void work_in_order(std::size_t count, unsigned threads, const std::stop_token& stop,
                   const std::function<bool(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    const auto run = [&] {
        while (!failed.load(std::memory_order_relaxed) && !stop.stop_requested()) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) return;
            if (!work(index)) failed.store(true, std::memory_order_relaxed);
        }
    };
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t others = std::min<std::size_t>(threads, count) - (count == 0 ? 0 : 1);
    std::vector<std::jthread> workers;
    workers.reserve(others);
    for (std::size_t i = 0; i < others; ++i) workers.emplace_back(run);
    run(); // the calling thread works too; the others join on leaving
}

} // namespace blockloom::range
