// Threads that stay: what runs a round's attempts and checks what they offer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace blockloom::execute {

/// A fixed number of workers; the caller is one of them. One call at a time.
class WorkerPool {
public:
    /// How many workers `wanted` means; 0: one a core.
    [[nodiscard]] static unsigned count(unsigned wanted) noexcept;

    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] unsigned workers() const noexcept {
        return static_cast<unsigned>(threads_.size()) + 1;
    }

    /// A part of the work: worker (below workers()), first index, index behind the last.
    using Work = std::function<void(unsigned, std::size_t, std::size_t)>;

    /// Cuts [0, count) into pieces of `grain` and returns when all are done. One piece wakes
    /// nobody.
    void each(std::size_t count, std::size_t grain, const Work& work);

private:
    void serve(unsigned worker, const std::stop_token& stop);
    void take_pieces(unsigned worker);

    // What is to be done; written while nobody works.
    const Work* work_ = nullptr;
    std::size_t count_ = 0, grain_ = 1;
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<std::uint32_t> generation_{0};
    alignas(64) std::atomic<std::uint32_t> busy_{0};
    std::vector<std::jthread> threads_;
};

} // namespace blockloom::execute
