// Blocks that were executed and are not finished yet: their analysis, their commit, and the release
// of their memory run as tasks while later blocks are executed.
#pragma once

#include "execute/divided_task.h"
#include "execute/replayer.h"
#include "execute/worker_pool.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace blockloom::execute {

/// For one thread. What it refers to must outlive it.
class BlocksInFlight {
public:
    /// Keeps a block in a workspace; called for one block after the other, in their order, on any
    /// thread. May be empty.
    using Keep = std::function<Status(ReplayedBlock&)>;
    /// Receives a block that was analysed and kept, in order, on the thread that reports; or the
    /// error that prevented it, once: no later block is kept or received.
    using Finished = std::function<Status(std::size_t place, std::shared_ptr<ReplayedBlock> block,
                                          const Status& status)>;

    /// `pool` null: everything is done when a block is added.
    BlocksInFlight(const Replayer& replayer, WorkerPool* pool, Keep keep, Finished finished,
                   const std::stop_token& stop);
    /// Abandons blocks that were not reported, except what is being done at the moment.
    ~BlocksInFlight();
    BlocksInFlight(const BlocksInFlight&) = delete;
    BlocksInFlight& operator=(const BlocksInFlight&) = delete;

    /// Starts to finish a block. The result is the task that keeps it.
    WorkerPool::Task add(std::size_t place, std::shared_ptr<ReplayedBlock> block);
    /// The same for a block that a task puts together, and whether that succeeded.
    WorkerPool::Task add(std::size_t place, std::shared_ptr<ReplayedBlock> block,
                         const WorkerPool::Task& joined, std::shared_ptr<const Status> status);
    /// Reports the blocks that are finished; waits until at most `most` are not, and until the
    /// memory of all but that many is released. The first error is returned once and ends the
    /// reports.
    Status report(std::size_t most);

private:
    struct Entry {
        /// It has been put together, without an error.
        [[nodiscard]] bool is_there() const { return joined == nullptr || *joined; }

        std::size_t place = 0;
        std::shared_ptr<ReplayedBlock> block;
        Phases work;                          ///< of its stages here
        std::shared_ptr<const Status> joined; ///< null: it is put together
        Status status;
        // Of a block that is analysed in pieces; otherwise one task makes the digest, too.
        std::optional<BlockAnalysis> analysis;
        Status digest_status;
        Phases digest_work;
        DividedTask digest, trace, index; ///< in one piece: of these only the last
        WorkerPool::Task keep;            ///< after all
    };

    void start_analysis(Entry& entry, std::span<const WorkerPool::Task> joined);
    void start_in_pieces(Entry& entry, std::size_t pieces,
                         std::span<const WorkerPool::Task> joined);
    void keep(Entry& entry, Replayer::Worker worker);
    Nanoseconds wait_for(const Entry& entry);
    Status report_first(Nanoseconds waited);
    void release(std::shared_ptr<const ReplayedBlock> block);

    const Replayer& replayer_;
    WorkerPool* pool_;
    Keep keep_;
    Finished finished_;
    const std::stop_token& stop_;
    std::atomic<bool> failed_{false};            ///< a block was not kept: none after it is
    bool ended_ = false;                         ///< by an error: no block is reported after it
    std::deque<std::unique_ptr<Entry>> entries_; ///< in block order
    std::deque<WorkerPool::Task> releases_;
    WorkerPool::Task last_keep_;
};

} // namespace blockloom::execute
