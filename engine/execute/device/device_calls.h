// Runs contracts of messages on a device: in batches that run until all their calls have ended;
// host functions that the device cannot answer are called here.
#pragma once

#include "execute/device/device_call.h"
#include "execute/device/device_programs.h"
#include "execute/device/spread.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::execute {

class DeviceBatch;
class DeviceRecording;

/// One thread at a time, but for launch_apart and what follows from it. Uses the calls' runtimes,
/// which nothing else may use during that time.
class DeviceCalls {
public:
    /// Fails with `unavailable` if the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DeviceCalls>> make(compute::ProviderPtr provider,
                                                                   const gpuvm::Options& options);
    ~DeviceCalls();

    /// Used to call host functions of calls with different runtimes, and to prepare lanes.
    Spread spread;

    /// Receives the waves of every submission and the calls in them, if the options request wave
    /// times; may be null.
    DeviceRecording* recording = nullptr;
    /// The host runs a call again from its beginning if only a few of its batch could continue
    /// after a host call.
    bool few_on_host = false;

    // Fetches what a call will probably read, before it is launched. Thread-safe while nothing
    // runs. In three steps: a thread that has several calls takes the first step of the next one
    // while memory brings what the second step of this one needs.

    void expect_keys(DeviceCall& call) const;
    void expect_values(const DeviceCall& call) const noexcept;
    void fetch_values(DeviceCall& call) const;
    void look_ahead(DeviceCall& call) const {
        expect_keys(call);
        expect_values(call);
        fetch_values(call);
    }

    /// Calls that were passed to launch() and not yet to finish(). Dropping one without finish()
    /// leaves its calls without an end.
    class Flight {
    public:
        ~Flight();
        Flight(const Flight&) = delete;
        Flight& operator=(const Flight&) = delete;

        /// The device has its calls. Otherwise finish() runs them, and may learn from them what
        /// calls that are begun later will read.
        [[nodiscard]] bool is_launched() const noexcept { return batch_ != nullptr; }
        /// finish() does not wait for what is launched.
        [[nodiscard]] bool has_landed() const;

    private:
        friend class DeviceCalls;
        explicit Flight(DeviceCalls& of);

        DeviceCalls& of_;
        unsigned number_ = 0; ///< of its batch
        std::vector<DeviceCall*> calls_;
        std::unique_ptr<DeviceBatch> batch_; ///< null: finish() runs the calls
        std::stop_token stop_;
        bool apart_ = false; ///< of a thread that does not share its work
        DeviceWork work_;
        AccessPrediction::Lessons lessons_;
    };
    /// How many flights there may be at once.
    [[nodiscard]] unsigned most_flights() const noexcept { return programs_->batches(); }

    /// Starts all calls and does not wait, if the device can run several batches at once and the
    /// kinds of the calls are known; finish() runs the others.
    [[nodiscard]] std::unique_ptr<Flight> launch(std::vector<DeviceCall*> calls,
                                                 const std::stop_token& stop);
    /// For several threads at once, each with calls and runtimes of its own, while nobody else
    /// launches: starts the calls of known kinds and programs; the others, all of them if the
    /// device is lost, are `unknown` and left to launch(). Null: there are no others. Nothing is
    /// divided among threads; finish() may be called by any one of them.
    [[nodiscard]] std::unique_ptr<Flight> launch_apart(std::vector<DeviceCall*> calls,
                                                       std::vector<DeviceCall*>& unknown,
                                                       const std::stop_token& stop);
    /// After such flights, when all are finished: learns what they have shown.
    void learn_apart() { prediction_.learn(lessons_); }

    // Between flights, for calls that could not be launched.

    /// Learns what calls have shown on the host.
    void learn(AccessPrediction::Lessons& lessons) { prediction_.learn(lessons); }
    /// Uploads the programs that are missing. False: the device is lost, or has refused one.
    [[nodiscard]] bool upload_programs(std::span<DeviceCall* const> calls);

    /// Runs the calls to their end. Only fails if the work is cancelled; even then all of them have
    /// ended. `launched` is called, at most once, while the device runs most of them.
    Status finish(std::unique_ptr<Flight> flight, const CallsEnded& ended,
                  const std::function<void()>& launched = {});
    /// Both.
    Status run(std::vector<DeviceCall*> calls, const std::stop_token& stop, const CallsEnded& ended,
               const std::function<void()>& launched = {}) {
        return finish(launch(std::move(calls), stop), ended, launched);
    }

    /// The most calls that may run at once.
    [[nodiscard]] std::size_t most_calls() const { return programs_->most_calls(); }
    /// Why the device can no longer be used, so that every call is ejected; empty: it can.
    [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
    /// The last failure of the device, even if it can still be used; empty: there was none.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Failures of the device since the last call, and what was compiled for it, in words.
    [[nodiscard]] std::vector<std::string> take_notes();
    /// What was run of each module so far, and compiled for it.
    [[nodiscard]] std::vector<ContractCode> contract_code() { return programs_->contract_code(); }
    [[nodiscard]] const DeviceWork& work() const noexcept { return work_; }
    /// For how long any flight kept the device busy at least, of those that were finished; 0: none.
    [[nodiscard]] Nanoseconds shortest_flight() const noexcept { return shortest_flight_; }

private:
    DeviceCalls() = default;
    /// Sorts the calls by their kinds; false, and nothing is sorted, if some were not seen twice
    /// yet.
    [[nodiscard]] bool sort_known(std::vector<DeviceCall*>& calls, const Spread& among) const;
    Status run_batches(Flight& flight, std::span<DeviceCall* const> calls, const CallsEnded& ended,
                       std::function<void()> launched);
    [[nodiscard]] std::unique_ptr<DeviceBatch> batch_of(Flight& flight,
                                                        std::span<DeviceCall* const> calls);
    Status perform(Flight& flight, DeviceBatch& batch, const CallsEnded& ended,
                   const std::function<void()>& launched);
    void fail(const Error& error, std::size_t calls);
    void note_failed();

    std::unique_ptr<DevicePrograms> programs_;
    AccessPrediction prediction_;
    std::mutex guard_; ///< of what follows, while flights are apart
    AccessPrediction::Lessons lessons_;
    std::vector<bool> flying_; ///< by the number of a flight
    std::string lost_, failure_;
    /// What failed last, and the calls that were lost with it: one note for all of its flights.
    std::optional<std::pair<std::string, std::size_t>> failed_;
    std::vector<std::string> notes_;
    DeviceWork work_;
    Nanoseconds shortest_flight_ = 0;
};

} // namespace blockloom::execute
