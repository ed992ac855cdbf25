// Several devices in one round: each takes parts by its measured throughput, and the others take
// over what a lost device leaves.
#pragma once

#include "base/clock.h"
#include "execute/executor.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Splits the transactions of a batch among devices of different speed. Not thread-safe.
class Shares {
public:
    explicit Shares(std::size_t devices) : devices_(devices) {}

    /// Begins a batch of this many transactions.
    void begin(std::size_t transactions) noexcept;
    /// How many transactions a device takes now; 0: none are left, or it is lost. First most of its
    /// share by throughput, then smaller and smaller parts of the rest, so that all devices finish
    /// together.
    [[nodiscard]] std::size_t take(std::size_t device) noexcept;
    /// Records that a device ran transactions, `done` of them itself, in `time`.
    void measured(std::size_t device, std::size_t done, Nanoseconds time) noexcept;
    /// Marks a device as lost: it gets no more work.
    void lose(std::size_t device) noexcept { devices_[device].lost = true; }

    [[nodiscard]] bool is_lost(std::size_t device) const noexcept { return devices_[device].lost; }
    /// Transactions per second, smoothed; 0: not measured.
    [[nodiscard]] double throughput(std::size_t device) const noexcept {
        return devices_[device].throughput;
    }
    [[nodiscard]] std::size_t left() const noexcept { return left_; }

private:
    struct Device {
        double throughput = 0;
        bool lost = false, began = false; ///< began: took a part of this batch
    };
    /// Share of the throughput of all devices that are not lost. One that was never measured counts
    /// as the mean.
    [[nodiscard]] double share_of(std::size_t device) const noexcept;

    std::vector<Device> devices_;
    std::size_t all_ = 0, left_ = 0;
};

/// Runs a batch on several executors at once, each on its own thread. They may not share workers,
/// devices or anything else that is not thread-safe.
class SharedExecutor final : public Executor {
public:
    struct Device {
        std::string name;
        std::unique_ptr<Executor> executor;
    };
    /// `host` runs what is left when all devices are lost. It must outlive this object. `notes`:
    /// additional notes for the first take_notes().
    SharedExecutor(std::vector<Device> devices, Executor& host,
                   std::vector<std::string> notes = {});
    ~SharedExecutor() override;

    /// Parts of a batch that are lost with a device are re-executed by its fallback; what it has
    /// not begun goes to the other devices.
    Status run(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
               const AttemptDone& done) override;

    void follow(LiveRun* live) noexcept override;

    [[nodiscard]] unsigned workers() const noexcept override;
    [[nodiscard]] double width() const noexcept override;
    [[nodiscard]] std::size_t largest_batch() const noexcept override;
    [[nodiscard]] std::vector<std::string> take_notes() override;
    [[nodiscard]] std::vector<ContractCode> contract_code() override;
    /// The phases of the device that took the longest, since they work in parallel.
    [[nodiscard]] Phases take_phases() override;

    [[nodiscard]] const Shares& shares() const noexcept { return shares_; }

private:
    struct Batch;
    void serve(std::size_t device, Batch& batch);
    Status run_part(std::size_t device, Batch& batch, std::size_t first, std::size_t count);

    std::vector<Device> devices_;
    Executor& host_;
    std::mutex guard_; ///< guards the following members while a batch runs
    Shares shares_;
    std::vector<std::string> notes_;
};

} // namespace blockloom::execute
