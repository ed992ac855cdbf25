// Threads that share the groups of one dispatch.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace blockloom::compute {

class Workers {
public:
    /// `threads` in all, including the one that calls run(); at least 1.
    explicit Workers(std::uint32_t threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Calls `task(i)` for every i below `count`, on all threads, and returns when all are done.
    /// One call at a time.
    void run(std::uint64_t count, const std::function<void(std::uint64_t)>& task);
    [[nodiscard]] std::uint32_t threads() const noexcept {
        return static_cast<std::uint32_t>(threads_.size()) + 1;
    }

private:
    void loop(const std::stop_token& stop);
    void share();

    std::mutex mutex_;
    std::condition_variable_any wake_, finished_;
    std::uint64_t round_ = 0; ///< counts calls of run(), so that sleeping threads notice new work
    std::size_t busy_ = 0;    ///< threads that have not finished this round
    const std::function<void(std::uint64_t)>* task_ = nullptr;
    std::uint64_t count_ = 0, grain_ = 1;
    std::atomic<std::uint64_t> next_ = 0;
    std::vector<std::jthread> threads_; // last: they use all of the above
};

} // namespace blockloom::compute
