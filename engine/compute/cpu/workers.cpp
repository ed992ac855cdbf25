#include "compute/cpu/workers.h"

#include <algorithm>

namespace blockloom::compute {

Workers::Workers(std::uint32_t threads) {
    for (std::uint32_t i = 1; i < threads; ++i)
        threads_.emplace_back([this](const std::stop_token& stop) { loop(stop); });
}

Workers::~Workers() {
    for (std::jthread& thread : threads_) thread.request_stop();
}

void Workers::run(std::uint64_t count, const std::function<void(std::uint64_t)>& task) {
    if (count == 0) return;
    if (threads_.empty() || count == 1) {
        for (std::uint64_t i = 0; i < count; ++i) task(i);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        task_ = &task;
        count_ = count;
        // Large enough that the shared counter is no bottleneck, small enough to balance the load.
        grain_ = std::max<std::uint64_t>(1, count / (std::uint64_t{threads()} * 8));
        next_ = 0;
        busy_ = threads_.size();
        ++round_;
    }
    wake_.notify_all();
    share();
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
}

void Workers::share() {
    for (;;) {
        const std::uint64_t first = next_.fetch_add(grain_);
        if (first >= count_) return;
        const std::uint64_t last = std::min(count_, first + grain_);
        for (std::uint64_t i = first; i < last; ++i) (*task_)(i);
    }
}

void Workers::loop(const std::stop_token& stop) {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            if (!wake_.wait(lock, stop, [&] { return round_ != seen; })) return;
            seen = round_;
        }
        share();
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) finished_.notify_all();
    }
}

} // namespace blockloom::compute
