// Several devices at one round: each takes parts by what it was measured to do, and what a lost one
// leaves the others take.
#pragma once

#include "base/clock.h"
#include "execute/executor.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace blockloom::execute {

/// How the transactions of a batch are cut for devices of different speed. Not for several threads.
class Shares {
public:
    explicit Shares(std::size_t devices) : devices_(devices) {}

    /// A batch of so many transactions begins.
    void begin(std::size_t transactions) noexcept;
    /// How many a device takes now; 0: none are left, or it is lost. First most of its share by
    /// throughput, then ever smaller parts of what is left, so that all end together.
    [[nodiscard]] std::size_t take(std::size_t device) noexcept;
    /// A device has run transactions, `done` of them itself, in so many nanoseconds.
    void measured(std::size_t device, std::size_t done, Nanoseconds time) noexcept;
    /// It gets no more.
    void lose(std::size_t device) noexcept { devices_[device].lost = true; }

    [[nodiscard]] bool is_lost(std::size_t device) const noexcept { return devices_[device].lost; }
    /// Transactions a second, smoothed; 0: not measured.
    [[nodiscard]] double throughput(std::size_t device) const noexcept {
        return devices_[device].throughput;
    }
    [[nodiscard]] std::size_t left() const noexcept { return left_; }

private:
    struct Device {
        double throughput = 0;
        bool lost = false, began = false; ///< began: took a part of this batch
    };
    /// Of what all devices do that are not lost. One that was never measured counts as the mean.
    [[nodiscard]] double share_of(std::size_t device) const noexcept;

    std::vector<Device> devices_;
    std::size_t all_ = 0, left_ = 0;
};

/// Runs a batch on several executors at once, each on a thread of its own. They may not have
/// workers, devices or anything else in common that is for one thread.
class SharedExecutor final : public Executor {
public:
    struct Device {
        std::string name;
        std::unique_ptr<Executor> executor;
    };
    /// `host` runs what is left when all devices are lost. It must outlive this. `notes`: what the
    /// first take_notes() tells besides.
    SharedExecutor(std::vector<Device> devices, Executor& host,
                   std::vector<std::string> notes = {});
    ~SharedExecutor() override;

    /// Parts of a batch that a device loses are run again by whatever it falls back on; what it has
    /// not begun goes to the other devices.
    Status run(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
               const AttemptDone& done) override;

    void follow(LiveRun* live) noexcept override;

    [[nodiscard]] unsigned workers() const noexcept override;
    [[nodiscard]] double width() const noexcept override;
    [[nodiscard]] std::size_t largest_batch() const noexcept override;
    [[nodiscard]] std::vector<std::string> take_notes() override;
    /// Of the device that spent the most: they work side by side.
    [[nodiscard]] Phases take_phases() override;

    [[nodiscard]] const Shares& shares() const noexcept { return shares_; }

private:
    struct Batch;
    void serve(std::size_t device, Batch& batch);
    Status run_part(std::size_t device, Batch& batch, std::size_t first, std::size_t count);

    std::vector<Device> devices_;
    Executor& host_;
    std::mutex guard_; ///< of what follows while a batch runs
    Shares shares_;
    std::vector<std::string> notes_;
};

} // namespace blockloom::execute
