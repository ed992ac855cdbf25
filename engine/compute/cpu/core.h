// Shared by the parts of the processor's provider; buffers and lists keep it alive.
#pragma once

#include "compute/cpu/workers.h"
#include "compute/provider.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace blockloom::compute {

class CpuCommandList;

/// Lists that wait for the lane's thread, and its progress.
struct CpuLane {
    struct Job {
        std::shared_ptr<CpuCommandList> list;
        std::uint64_t value = 0;
        std::uint64_t awaited = 0; ///< value of the other lane that must be reached first
    };
    std::deque<Job> jobs;
    std::uint64_t submitted = 0, reached = 0;
};

struct CpuCore {
    explicit CpuCore(std::uint32_t threads) : workers(threads) {}

    [[nodiscard]] CpuLane& lane(Lane which) noexcept {
        return lanes[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] bool done(Ticket ticket) {
        const std::lock_guard lock(mutex);
        return lane(ticket.lane).reached >= ticket.value;
    }

    Description description;
    std::uint64_t memory_limit = 0;
    Workers workers;
    std::mutex mutex; ///< guards everything below
    std::condition_variable_any changed;
    std::array<CpuLane, 2> lanes;
    MemoryUse memory;
};

} // namespace blockloom::compute
