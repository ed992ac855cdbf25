// Threads that stay: what runs a round's attempts and checks what they offer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace blockloom::execute {

/// A part of a job: worker (below WorkerPool::workers()), first index, index behind the last. Only
/// refers to what it is made of, which must outlive it: handing out work allocates nothing.
class Work {
public:
    template <typename Call>
    requires(!std::is_same_v<std::remove_cvref_t<Call>, Work>) Work(Call&& call)
    noexcept
        : object_(const_cast<void*>(static_cast<const void*>(&call))),
          run_([](void* object, unsigned worker, std::size_t begin, std::size_t end) {
              (*static_cast<std::remove_reference_t<Call>*>(object))(worker, begin, end);
          }) {}

    void operator()(unsigned worker, std::size_t begin, std::size_t end) const {
        run_(object_, worker, begin, end);
    }

private:
    void* object_;
    void (*run_)(void*, unsigned, std::size_t, std::size_t);
};

/// A fixed number of workers; the caller is one of them. One call at a time. Each worker has its
/// own range of a stage's pieces, the same in stages of as many, so that it meets again what lies
/// in its caches; one that has done its own takes from the others.
class WorkerPool {
public:
    /// How many workers `wanted` means; 0: one a core.
    [[nodiscard]] static unsigned count(unsigned wanted) noexcept;

    /// A std::system_error says which thread the system did not start.
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] unsigned workers() const noexcept { return workers_; }

    /// [0, count), cut into pieces of `grain`.
    struct Stage {
        std::size_t count = 0, grain = 1;
        Work work;
    };
    static constexpr std::size_t most_stages = 4;

    /// Runs a stage and returns when all its pieces are done. One piece wakes nobody. What a piece
    /// throws is thrown here once nobody works any more; pieces that had not begun are left out.
    void each(std::size_t count, std::size_t grain, Work work);
    /// Runs at most `most_stages`, each when the one before is done. `beside` has one piece: the
    /// caller's, who runs it first while the others begin.
    void stages(std::span<const Stage> stages, const Work* beside = nullptr);

private:
    struct Board;

    void dismiss() noexcept;
    void serve(unsigned worker, const std::stop_token& stop);
    void take_part(unsigned worker);
    void take_pieces(unsigned worker, std::size_t stage);
    void run_piece(const Stage& stage, unsigned worker, std::size_t begin) noexcept;
    void keep_thrown() noexcept;
    [[nodiscard]] std::uint32_t wait_for_change(std::uint32_t seen) const;

    unsigned workers_;
    bool spin_; ///< there is a core for each worker: a short wait need not sleep
    std::span<const Stage> stages_;
    std::unique_ptr<Board> board_;
    std::vector<std::jthread> threads_;
};

} // namespace blockloom::execute
