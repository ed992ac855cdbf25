#include "execute/worker_pool.h"

#include <algorithm>

namespace blockloom::execute {

unsigned WorkerPool::count(unsigned wanted) noexcept {
    return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

WorkerPool::WorkerPool(unsigned workers) {
    workers = count(workers);
    threads_.reserve(workers - 1);
    for (unsigned worker = 1; worker < workers; ++worker)
        threads_.emplace_back([this, worker](const std::stop_token& stop) { serve(worker, stop); });
}

WorkerPool::~WorkerPool() {
    for (std::jthread& thread : threads_) thread.request_stop();
    generation_.fetch_add(1);
    generation_.notify_all();
}

void WorkerPool::serve(unsigned worker, const std::stop_token& stop) {
    std::uint32_t seen = 0;
    for (;;) {
        generation_.wait(seen);
        if (stop.stop_requested()) return;
        seen = generation_.load();
        take_pieces(worker);
        if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
}

void WorkerPool::take_pieces(unsigned worker) {
    for (;;) {
        const std::size_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
        if (begin >= count_) return;
        (*work_)(worker, begin, std::min(count_, begin + grain_));
    }
}

void WorkerPool::each(std::size_t count, std::size_t grain, const Work& work) {
    if (count == 0) return;
    if (threads_.empty() || count <= grain) {
        for (std::size_t begin = 0; begin < count; begin += grain)
            work(0, begin, std::min(count, begin + grain));
        return;
    }
    work_ = &work;
    count_ = count;
    grain_ = grain;
    next_.store(0);
    busy_.store(static_cast<std::uint32_t>(threads_.size()));
    generation_.fetch_add(1);
    generation_.notify_all();
    take_pieces(0);
    for (std::uint32_t left = busy_.load(); left != 0; left = busy_.load()) busy_.wait(left);
}

} // namespace blockloom::execute
