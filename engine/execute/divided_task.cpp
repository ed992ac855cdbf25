#include "execute/divided_task.h"

#include "execute/task_watch.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

/// Transactions of a piece: a tenth of a millisecond or more of any stage.
constexpr std::size_t items_a_piece = 512;

} // namespace

std::size_t DividedTask::pieces_for(std::size_t items, const WorkerPool* pool) noexcept {
    const std::size_t most = pool == nullptr ? 1 : pool->workers();
    return std::clamp<std::size_t>(items / items_a_piece, 1, std::max<std::size_t>(most, 1));
}

void DividedTask::post(WorkerPool& pool, std::size_t pieces, Piece piece, Last last, LiveRun* live,
                       const std::stop_token& stop, std::span<const WorkerPool::Task> after) {
    pool_ = &pool;
    piece_ = std::move(piece);
    last_ = std::move(last);
    done_.resize(pieces);
    if (pieces == 1) {
        last_task_ = pool.post(
            [this, live, &stop](unsigned worker) {
                const TaskWatch watch(live, worker, stop);
                done_.front().status = piece_(worker, 0, done_.front().work);
                end(worker);
            },
            after);
        return;
    }
    tasks_.reserve(pieces);
    for (std::size_t i = 0; i < pieces; ++i)
        tasks_.push_back(pool.post(
            [this, i, live, &stop](unsigned worker) {
                const TaskWatch watch(live, worker, stop);
                done_[i].status = piece_(worker, i, done_[i].work);
            },
            after));
    last_task_ = pool.post(
        [this, live, &stop](unsigned worker) {
            const TaskWatch watch(live, worker, stop);
            end(worker);
        },
        tasks_);
}

void DividedTask::end(unsigned worker) {
    Status status;
    Phases work;
    for (Done& piece : done_) {
        if (status) status = std::move(piece.status);
        work += piece.work;
    }
    last_(worker, std::move(status), work);
}

void DividedTask::withdraw() {
    // The last first: it does not become ready because the pieces were withdrawn.
    if (last_task_) pool_->withdraw(last_task_);
    for (const WorkerPool::Task& task : tasks_) pool_->withdraw(task);
}

} // namespace blockloom::execute
