// Persistent threads: the one scheduler of a replay. They run the stages of the block window that
// is being executed and, whenever a stage has no piece left for them, tasks of other blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace blockloom::execute {

/// A part of a job: worker (below WorkerPool::workers()), first index, index past the last. Only
/// refers to the callable, which must outlive it: handing out work allocates nothing.
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
/// own range of a stage's pieces, which is the same in stages with equally many pieces, so it
/// reuses its caches; one that has finished its own takes from the others. Stages go before tasks.
class WorkerPool {
    struct TaskState;

public:
    /// Work outside the stages, such as decoding a later block. Shared by its owner and the pool.
    class Task {
    public:
        Task() = default;
        [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
        /// It has run, or was withdrawn; what it wrote can be read.
        [[nodiscard]] bool is_done() const noexcept;

    private:
        friend class WorkerPool;
        std::shared_ptr<TaskState> state_;
    };

    /// The number of workers for `wanted`; 0: one per core.
    [[nodiscard]] static unsigned count(unsigned wanted) noexcept;

    /// Throws a std::system_error that says which thread the system could not start.
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] unsigned workers() const noexcept { return workers_; }

    /// [0, count), split into pieces of `grain`.
    struct Stage {
        std::size_t count = 0, grain = 1;
        Work work;
    };
    static constexpr std::size_t most_stages = 4;

    /// Runs a stage and returns when all its pieces are done. A single piece wakes no other thread.
    /// An exception from a piece is rethrown here once no thread works any more; pieces that had
    /// not begun are skipped.
    void each(std::size_t count, std::size_t grain, Work work);
    /// Runs at most `most_stages` stages, each when the previous one is done. `beside` is a single
    /// piece that the caller runs first while the other workers start.
    void stages(std::span<const Stage> stages, const Work* beside = nullptr);

    /// A part of an open job; true: the job is over.
    using Part = std::function<bool(unsigned worker)>;
    /// A job that workers join and leave: each calls `part` until the job is over. If a part
    /// returns false, its worker runs a task that is ready, and comes back. The caller takes part
    /// all the time; nobody waits for a worker that left for a task. An exception is rethrown like
    /// that of a piece; the other workers' parts must end by themselves.
    void open(const Part& part);

    /// Adds a task, which must not throw. Any worker runs it once the tasks `after` are done (empty
    /// ones do not count), those that became ready earlier first; without other workers it runs
    /// when it is waited for.
    [[nodiscard]] Task post(std::function<void(unsigned worker)> work,
                            std::span<const Task> after = {});
    /// Returns when the task is done. Meanwhile the caller runs tasks, too: this one if it is ready
    /// and nobody has begun it, otherwise others, also those that become ready while it waits.
    void wait_for(const Task& task);
    /// Takes back a task that nobody has begun, with what its function holds; waits for one that is
    /// running. Tasks that were to follow it need not wait any more: withdraw them first.
    void withdraw(const Task& task);
    /// Some task is ready and not begun.
    [[nodiscard]] bool has_ready_task() const noexcept;
    /// There is a core for each worker, so short waits may spin.
    [[nodiscard]] bool may_spin() const noexcept { return spin_; }

private:
    struct Board;

    void dismiss() noexcept;
    void serve(unsigned worker, const std::stop_token& stop);
    void run_task(TaskState& task, unsigned worker);
    bool run_ready_task(unsigned worker);
    [[nodiscard]] bool run_part(unsigned worker) noexcept;
    void close();
    bool take_back(const TaskState& task);
    void finish(TaskState& task);
    void take_part(unsigned worker);
    void take_pieces(unsigned worker, std::size_t stage);
    void run_piece(const Stage& stage, unsigned worker, std::size_t begin) noexcept;
    void keep_thrown() noexcept;
    void wait_for_news(std::uint32_t seen) const;

    unsigned workers_;
    bool spin_;
    std::span<const Stage> stages_;
    const Part* part_ = nullptr; ///< of the open job; null: the job has stages
    std::unique_ptr<Board> board_;
    std::vector<std::jthread> threads_;
};

} // namespace blockloom::execute
