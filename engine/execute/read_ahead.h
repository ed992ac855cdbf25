// Blocks of a range that are read and decoded before their turn, on the workers of a pool.
#pragma once

#include "execute/replayer.h"
#include "execute/worker_pool.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>

namespace blockloom::execute {

/// For one thread. What it refers to must outlive it.
class ReadAhead {
public:
    /// `most`: blocks that are read ahead. `pool` null: each block is read when it is taken.
    ReadAhead(std::span<const ReplaySource> blocks, const Replayer& replayer, WorkerPool* pool,
              std::size_t most, const std::stop_token& stop);
    /// Waits for blocks that are being decoded.
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// The block at `place`. Places are taken in ascending order; skipped ones are dropped. Its
    /// phases are the time that the caller waited.
    [[nodiscard]] Result<OpenedBlock> take(std::size_t place);

private:
    struct Entry {
        WorkerPool::Task task;
        std::optional<Result<OpenedBlock>> block;
    };

    void read_on();

    std::span<const ReplaySource> blocks_;
    const Replayer& replayer_;
    WorkerPool* pool_;
    std::size_t most_;
    const std::stop_token& stop_;
    std::size_t first_ = 0;                    ///< the place of the first entry
    std::deque<std::unique_ptr<Entry>> ahead_; ///< of consecutive places
};

} // namespace blockloom::execute
