// One of several devices that run at the same time, with everything that may be used by one thread
// only.
#pragma once

#include "execute/device/device_executor.h"

#include <memory>

namespace blockloom::execute {

/// A device with its own workers, and runtimes to execute what it could not.
class DeviceLane final : public Executor {
public:
    /// `workers` of the host serve the device. Fails as DeviceCalls::make. `fallback`: as for
    /// DeviceExecutor. `recording`: of the device; null: none.
    [[nodiscard]] static Result<std::unique_ptr<DeviceLane>>
    make(compute::ProviderPtr provider, const gpuvm::Options& options, unsigned workers,
         const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine,
         bool fallback, DeviceRecording* recording) {
        auto calls = DeviceCalls::make(std::move(provider), options);
        if (!calls) return calls.error();
        (*calls)->recording = recording;
        return std::unique_ptr<DeviceLane>(
            new DeviceLane(*std::move(calls), workers, contracts, engine, fallback));
    }

    Status run(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
               const AttemptDone& done) override {
        return device_.run(attempts, options, done);
    }
    /// Records what its workers run themselves as spans, on the lanes from `first_worker` on.
    void record_on(Recording* recording, unsigned first_worker) noexcept {
        host_.record_on(recording, first_worker);
    }
    void follow(LiveRun* live) noexcept override { device_.follow(live); }
    [[nodiscard]] unsigned workers() const noexcept override { return device_.workers(); }
    [[nodiscard]] double width() const noexcept override { return device_.width(); }
    [[nodiscard]] std::size_t largest_batch() const noexcept override {
        return device_.largest_batch();
    }
    [[nodiscard]] std::vector<std::string> take_notes() override { return device_.take_notes(); }
    [[nodiscard]] std::vector<ContractCode> contract_code() override {
        return device_.contract_code();
    }
    [[nodiscard]] Phases take_phases() override { return device_.take_phases(); }

private:
    DeviceLane(std::unique_ptr<DeviceCalls> calls, unsigned workers,
               const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine,
               bool fallback)
        : pool_(workers), host_(pool_, contracts, engine, false),
          device_(std::move(calls), host_, pool_, contracts, engine, fallback, false, false) {}

    WorkerPool pool_;
    CpuExecutor host_;
    DeviceExecutor device_;
};

} // namespace blockloom::execute
