// Each worker keeps a device busy on its own: nobody waits for the others.
#pragma once

#include "base/result.h"
#include "execute/device/device_part.h"
#include "execute/worker_pool.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

namespace blockloom::execute {

/// A worker begins some transactions, launches the calls that they wait for (a flight), begins the
/// next ones meanwhile, and continues those whose flight has landed. What a worker has begun is
/// still in its caches then, nothing is divided among threads, and a device that can run several
/// kernels at once has many small flights. A worker that is busy with a task of another block
/// leaves its flights to the others (docs/execution.md#on-a-device).
class WorkerFlights {
public:
    /// Of an executor, which outlives this object. Each worker has the parts whose number is its
    /// own modulo `pool.workers()`.
    WorkerFlights(DeviceCalls& device, std::span<const std::unique_ptr<DevicePart>> parts,
                  WorkerPool& pool, LiveRun* live)
        : device_(device), parts_(parts), pool_(pool), live_(live) {}

    /// Runs attempts, and what waits in the parts, until each has ended or waits in `waiting` of a
    /// part for a call that could not be launched: of a kind or program that is not known yet, or
    /// because the device is lost. Stops early once `settled` is set. Fails if the work is
    /// cancelled.
    [[nodiscard]] Status run(std::span<const Attempt> attempts,
                             const alkanes::TransactionOptions& options, const AttemptDone& done,
                             std::atomic<bool>& settled);

private:
    /// Attempts that a worker begins at once: enough for a launch to be worth its cost, few enough
    /// for its caches.
    static constexpr std::size_t fewest_together = 64, most_together = 128;

    struct Round;
    /// One step of a worker; true: nothing is left for it.
    [[nodiscard]] bool work(Round& round, unsigned worker);
    [[nodiscard]] DevicePart* take_landed(unsigned worker, bool of_others);
    /// One of the worker's own that is in the air: whoever finishes it waits.
    [[nodiscard]] DevicePart* take_flying(unsigned worker);
    // `held`: the part that the worker has meanwhile; null in the end.
    [[nodiscard]] bool launch_waiting(Round& round, unsigned worker, DevicePart*& held);
    [[nodiscard]] bool begin(Round& round, unsigned worker, DevicePart*& held);
    void proceed(Round& round, DevicePart*& held, unsigned worker);
    /// Launches what waits in the part.
    void launch(Round& round, DevicePart*& held, unsigned worker);

    DeviceCalls& device_;
    std::span<const std::unique_ptr<DevicePart>> parts_;
    WorkerPool& pool_;
    LiveRun* live_;
};

} // namespace blockloom::execute
