// One batch of calls on a device, from its start until all have finished.
#pragma once

#include "execute/device/device_programs.h"
#include "execute/device/lane_buffers.h"
#include "execute/device/spread.h"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::execute {

class DeviceRecording;

class DeviceBatch {
public:
    /// What it uses, which outlives it. The programs are those of all batches of the device.
    struct Shared {
        DevicePrograms& programs;
        AccessPrediction::Lessons& lessons;
        DeviceWork& work;
        const Spread& spread;
        DeviceRecording* recording; ///< null: nothing is recorded
        bool few_on_host;           ///< the host runs calls of which only a few could continue
    };
    /// On `batch`, one of those of the programs, which it has for itself.
    DeviceBatch(const Shared& shared, gpuvm::Batch& batch, std::span<DeviceCall* const> calls,
                std::stop_token stop);

    /// Starts the calls and does not wait (gpuvm::Batch::launch). perform() reports what failed.
    void launch();
    /// What launch() started has ended: perform() does not wait for it.
    [[nodiscard]] bool has_landed() { return batch_.has_landed(); }
    /// Runs the calls, or those that were launched to their end. `ended`: some have, several times.
    /// Fails if the work is cancelled or the device failed; then all calls have ended too.
    /// `launched`: see gpuvm::Batch::advance.
    Status perform(const CallsEnded& ended, const std::function<void()>& launched);
    /// Calls that had not finished when it failed: they were ejected.
    [[nodiscard]] std::size_t unfinished() const noexcept { return unfinished_; }

    /// Takes the results of calls that have returned, on the thread that continues them, while
    /// perform() reports that some have ended. Several at once, each for calls of its own; what is
    /// left perform() takes itself.
    class Taker {
    public:
        explicit Taker(DeviceBatch& batch) : batch_(batch) {}

        /// If it is a call of this batch that has returned. It has ended then (has_ended), unless
        /// its response is still on the device or what arrived is damaged.
        void take(DeviceCall& call);
        /// Once, after the last one: reports them to the batch.
        void finish();

    private:
        DeviceBatch& batch_;
        DevicePrograms::Ends ends_;
        gpuvm::Ended end_;                   ///< of the call that is taken
        std::vector<std::uint32_t> fetched_; ///< lanes whose responses are still on the device
        std::size_t ended_ = 0;
        std::uint64_t reads_ = 0;
        Status status_;
    };

private:
    /// Fewer lanes take the host less time than the device, which needs a third of a millisecond
    /// for a single one, and the whole round waits for the last.
    static constexpr std::size_t fewest_continued = 8;

    enum class LaneState : std::uint8_t { running, returned, fetched, over };
    /// A host call in which a lane waits.
    struct Asked;
    /// The inputs of neighbouring calls, which one thread lays out.
    struct Part;

    Status run_all(const CallsEnded& ended, const std::function<void()>& launched);
    Status start();
    void lay_out(Part& part, std::span<gpuvm::Invocation> invocations);
    /// Puts all parts together. The offsets and owners of `invocations` become those of the whole.
    /// Fails if that is too much for a device.
    Status join_parts(std::span<Part> parts, std::span<gpuvm::Invocation> invocations);

    /// Records the waves of the last submission.
    void record_waves();
    /// Takes over the results of lanes that have returned or trapped, or lets `ended` do it.
    Status finish(std::span<const std::uint32_t> part, const CallsEnded& ended);
    Status fetch_responses(std::span<const std::uint32_t> lanes);
    Status fetch_reads(std::span<const std::uint32_t> part);
    Status take_reads(std::uint32_t lane);
    /// For several lanes, in parallel.
    Status take_all_reads(std::span<const std::uint32_t> part);

    [[nodiscard]] const wasm::Import& import_of(std::uint32_t lane) const;
    Status answer(std::span<const std::uint32_t> part);
    /// Fetches what the host functions read and will write.
    Status fetch_shaped(std::span<Asked> asked);
    /// Fetches all that the lanes have written.
    Status fetch_whole(std::span<Asked> asked);
    Status store_shaped(std::span<const Asked> asked);
    Status call_hosts(std::span<Asked> asked);
    void call_host(Asked& asked, const wasm::Imports& functions);

    /// In groups of one runtime each, several at a time.
    template <typename Item, typename Work>
    Status in_groups(std::span<Item> items, const Work& work);

    void eject(std::uint32_t lane, const char* code);

    Shared shared_;
    gpuvm::Batch& batch_;
    std::span<DeviceCall* const> calls_; ///< one per lane
    std::stop_token stop_;
    std::optional<Status> started_; ///< of launch()
    std::vector<LaneState> lanes_;
    std::size_t count_ = 0; ///< the number that have ended
    std::size_t unfinished_ = 0;
    std::vector<std::uint32_t> imports_; ///< the import that a lane waits in
    std::vector<Byte> bytes_;
    std::vector<gpuvm::KnownValue> values_;
    std::map<const alkanes::Runtime*, wasm::Imports> functions_;

    std::mutex guard_; ///< of what follows, which Takers leave
    std::vector<std::uint32_t> fetched_;
    Status taken_;
};

} // namespace blockloom::execute
