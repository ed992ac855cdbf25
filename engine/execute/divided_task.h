// A task in pieces: what took one worker long is run by as many as have nothing else to do, and
// what follows it begins when all of them are done.
#pragma once

#include "base/result.h"
#include "execute/phases.h"
#include "execute/worker_pool.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace blockloom::execute {

class LiveRun;

/// Tasks of a pool: pieces that become ready together, and a last one after them. A piece must not
/// throw (base/contain.h). One thread posts and withdraws; what they refer to must outlive this
/// object.
class DividedTask {
public:
    /// Adds its time to `work`, which is its own.
    using Piece = std::function<Status(unsigned worker, std::size_t piece, Phases& work)>;
    /// What all pieces came to: the first error in their order, and the sum of their times.
    using Last = std::function<void(unsigned worker, Status pieces, const Phases& work)>;

    DividedTask() = default;
    /// Withdraws it. A task that follows it must have been withdrawn before.
    ~DividedTask() { withdraw(); }
    DividedTask(const DividedTask&) = delete;
    DividedTask& operator=(const DividedTask&) = delete;

    /// Once, with at least one piece, after the tasks `after`. A single piece and what follows it
    /// are one task. `live`, if not null, counts each as a task of a run, which waits while the run
    /// is paused.
    void post(WorkerPool& pool, std::size_t pieces, Piece piece, Last last, LiveRun* live,
              const std::stop_token& stop, std::span<const WorkerPool::Task> after = {});
    /// The task that ends it; empty if none was posted.
    [[nodiscard]] const WorkerPool::Task& last() const noexcept { return last_task_; }
    /// Takes back what nobody has begun, and waits for what is running.
    void withdraw();

    /// Into how many pieces work on `items` is divided among a pool's workers (null: 1), so that
    /// each is worth a task.
    [[nodiscard]] static std::size_t pieces_for(std::size_t items, const WorkerPool* pool) noexcept;

private:
    struct Done {
        Status status;
        Phases work;
    };

    void end(unsigned worker);

    WorkerPool* pool_ = nullptr;
    Piece piece_;
    Last last_;
    std::vector<Done> done_; ///< by piece
    std::vector<WorkerPool::Task> tasks_;
    WorkerPool::Task last_task_;
};

} // namespace blockloom::execute
