// Transactions that wait for a device wherever a contract of their messages is to run.
#pragma once

#include "alkanes/transaction_run.h"
#include "execute/device/device_calls.h"
#include "execute/executor.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

class LiveRun;
class DevicePart;

/// One transaction, from its first call to its end.
class DeviceTransaction {
public:
    explicit DeviceTransaction(DevicePart& of) : part(of) { call.waiter = this; }

    /// Runs to the first call, or the end.
    void begin(std::size_t at, const Attempt& attempt, const alkanes::TransactionOptions& options,
               const DeviceCalls& device);
    /// It will be resumed as the `later`th from now: what it looked at last may be in no near cache
    /// any more. Each step finds where the next one's memory is in what the one before brought.
    void prefetch(std::size_t later) const noexcept;
    /// The second and third step of fetching what the call will read (DeviceCalls).
    void expect_values() const noexcept { device_->expect_values(call); }
    void fetch_values() { device_->fetch_values(call); }
    /// The device has answered.
    void resume();
    /// Runs to the end here instead, and adds what its calls read to `lessons`.
    void show(AccessPrediction::Lessons& lessons);
    /// Until the next `begin`.
    void end();

    DevicePart& part;
    std::size_t place = 0; ///< of its attempt
    DeviceCall call;
    bool waits = false;                ///< for `call`
    std::string ejection;              ///< why the transaction has no result
    const char* not_offered = nullptr; ///< as in Attempted
    std::optional<Result<alkanes::TransactionResult>> result;

private:
    template <typename Work> void step(Work work);
    Result<std::optional<alkanes::ContractEnd>> refusal();
    void ask();

    const Attempt* attempt_ = nullptr;
    const DeviceCalls* device_ = nullptr;
    std::optional<alkanes::TransactionRun> transaction_;
};

/// The transactions of one piece of a round; one thread at a time accesses them.
class DevicePart {
public:
    using Transactions = std::vector<std::unique_ptr<DeviceTransaction>>;
    /// A transaction that the device did not finish.
    struct Ejected {
        std::size_t place = 0; ///< of its attempt
        std::string why;
    };
    /// Waves that are prepared, run or continued at once.
    static constexpr unsigned most_waves = 2;

    /// `most`: transactions that may wait at once.
    DevicePart(const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine,
               std::size_t most);

    [[nodiscard]] std::unique_ptr<DeviceTransaction> take_transaction();
    /// After a transaction has run as far as it can: it waits, or is dropped.
    void look(std::unique_ptr<DeviceTransaction> run, unsigned worker, const AttemptDone& done,
              std::atomic<bool>& enough);
    /// After the last `look`: fetches what the calls of the last ones will read.
    void fetch_rest();
    /// Continues those whose calls have returned or ended.
    void resume(unsigned wave, unsigned worker, const AttemptDone& done, std::atomic<bool>& enough);
    void clear() noexcept;

    alkanes::Runtime runtime;
    LiveRun* live = nullptr;
    std::shared_ptr<const alkanes::Contract> runnable; ///< the last one that was not refused
    Transactions waiting;                              ///< for the device's next wave
    Transactions left; ///< could not be launched by a worker (WorkerFlights)
    std::array<Transactions, most_waves> asked; ///< in the device's waves
    std::vector<Ejected> ejected;
    bool has_unmet = false; ///< a call of a kind that was never met has waited

    // Of a part that has a wave of its own (worker_flights.h), in asked[0]:
    enum class State : std::uint8_t { idle, taken, flying };
    std::atomic<State> state{State::idle}; ///< whoever sets it to `taken` has the part
    std::unique_ptr<DeviceCalls::Flight> flight;

private:
    Transactions idle_; ///< for their memory
};

} // namespace blockloom::execute
