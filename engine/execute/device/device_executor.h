// Runs the messages of transactions on a device: each transaction stops where a contract would run
// (alkanes/transaction_run.h), so that many contracts run together; the rest of a transaction is
// executed as usual.
#pragma once

#include "execute/cpu_executor.h"
#include "execute/device/device_calls.h"
#include "execute/device/device_part.h"
#include "execute/device/round_placement.h"
#include "execute/device/whole_rounds.h"

#include <atomic>
#include <memory>
#include <vector>

namespace blockloom::execute {

/// The workers run the transactions up to their contracts and continue after them, each its own
/// part; transactions that the device ejected or could not finish are re-executed by the workers
/// from the beginning. Rounds that the device would not run faster, and most of those for which it
/// has no code yet, are the workers' (docs/execution.md#on-a-device).
class DeviceExecutor final : public Executor {
public:
    /// `fallback` false: a device failure fails the run (`unavailable`). `hybrid`: the workers have
    /// a share of the rounds; `flows`: they run flows, as a whole. `host` and `pool` must outlive
    /// this object.
    DeviceExecutor(std::unique_ptr<DeviceCalls> device, CpuExecutor& host, WorkerPool& pool,
                   const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine,
                   bool fallback, bool hybrid, bool flows);
    ~DeviceExecutor() override;

    Status run(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
               const AttemptDone& done) override;

    [[nodiscard]] bool runs_sources() const noexcept override { return flows_; }
    void run_source(AttemptSource& source, const alkanes::TransactionOptions& options) override {
        host_.run_source(source, options);
    }

    void follow(LiveRun* live) noexcept override;

    [[nodiscard]] unsigned workers() const noexcept override { return host_.workers(); }
    [[nodiscard]] double width() const noexcept override {
        return flows_ ? host_.width() : device_width;
    }
    [[nodiscard]] std::size_t largest_batch() const noexcept override { return most_waiting; }
    [[nodiscard]] std::vector<std::string> take_notes() override { return device_->take_notes(); }
    [[nodiscard]] std::vector<ContractCode> contract_code() override {
        return device_->contract_code();
    }
    [[nodiscard]] Phases take_phases() override;

    [[nodiscard]] const DeviceWork& work() const noexcept { return device_->work(); }

private:
    /// A device runs thousands at once, each slower than a core: how many transactions a round must
    /// settle to pay off.
    static constexpr double device_width = 32;
    /// A wave of fewer attempts for each worker takes the device longer than the workers.
    static constexpr std::size_t attempts_a_worker = 64, smallest_wave = 256;
    /// Rounds of fewer are the workers', whatever was chosen: a device takes almost a millisecond
    /// for a single message, too.
    static constexpr std::size_t fewest_offered = 4;
    /// Of a round: each settled attempt is kept until all are.
    static constexpr std::size_t most_waiting = 16'384;
    static constexpr std::size_t begun_together = 8;
    /// Calls of a kind never met that run on the workers.
    static constexpr std::size_t first_of_a_kind = 4;
    /// More parts than workers: where some are busy elsewhere, the others share their parts.
    static constexpr unsigned parts_a_worker = 4;
    /// Offered to a device that has no code yet, so that it is noticed when it has.
    static constexpr std::size_t offered_meanwhile = 128;

    class Rest;
    /// Workers have flights of their own: enough may be on the device at once.
    [[nodiscard]] bool flies_apart() const noexcept {
        return device_->most_flights() >= parts_.size();
    }
    /// How many attempts of a round go to the device.
    [[nodiscard]] std::size_t share_of(std::size_t attempts) noexcept;
    /// How many waves run so many attempts.
    [[nodiscard]] std::size_t waves_of(std::size_t attempts) const noexcept;
    /// Calls work(worker, part) for the first parts, on the workers.
    template <typename Work>
    void each_part(std::size_t parts, const std::stop_token& stop, const Work& work);
    /// Of the waiting calls of kinds that were never met, the first ones run here to their end, and
    /// show what the others will probably read.
    void meet_unknown(const std::stop_token& stop, const AttemptDone& done,
                      std::atomic<bool>& settled);
    /// Runs attempts in flights of the workers; what could not be launched waits in the parts.
    Status run_flights(std::span<const Attempt> attempts,
                       const alkanes::TransactionOptions& options, const AttemptDone& done,
                       std::atomic<bool>& settled);
    /// Runs the first attempts of a round in waves: while the device runs one, the workers continue
    /// the transactions of the one before, begin those of the next, and run `rest`. Fewer are
    /// `offered` in the end if there is no code for them.
    Status run_waves(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
                     const AttemptDone& done, std::atomic<bool>& settled, Rest& rest,
                     std::size_t& offered, Nanoseconds& waited);
    Status run_on_host(std::span<const Attempt> attempts, std::size_t first,
                       const alkanes::TransactionOptions& options, const AttemptDone& done,
                       const char* why);
    Status redo(std::span<const Attempt> attempts, std::vector<DevicePart::Ejected> ejected,
                const alkanes::TransactionOptions& options, const AttemptDone& done);

    std::unique_ptr<DeviceCalls> device_;
    CpuExecutor& host_;
    WorkerPool& pool_;
    bool fallback_;
    bool hybrid_, flows_;
    RoundPlacement placement_;        ///< of rounds in waves
    WholeRounds whole_;               ///< of rounds in flights of workers
    std::atomic<bool> apart_ = false; ///< workers have flights of their own
    bool lacks_code_ = false;         ///< most of what it was offered last had none
    LiveRun* live_ = nullptr;
    std::vector<std::unique_ptr<DevicePart>> parts_; ///< of a round
    DeviceWork reported_;                            ///< what take_phases has already reported
};

} // namespace blockloom::execute
