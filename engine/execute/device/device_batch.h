// One batch of calls on a device, from its start until all have ended.
#pragma once

#include "execute/device/device_programs.h"
#include "execute/device/lane_buffers.h"
#include "execute/device/spread.h"

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace blockloom::execute {

class DeviceRecording;

class DeviceBatch {
public:
    /// What the batches of one device share; outlives them.
    struct Shared {
        DevicePrograms& programs;
        ReadHabits& habits;
        DeviceWork& work;
        const Spread& spread;
        DeviceRecording* recording; ///< null: nothing is recorded
    };
    DeviceBatch(const Shared& shared, std::span<DeviceCall* const> calls,
                const std::stop_token& stop, const CallsEnded& ended);

    /// Fails where the work is cancelled or the device did; all calls have ended then too.
    Status perform();
    /// Calls that had not ended when it failed: they were ejected.
    [[nodiscard]] std::size_t unfinished() const noexcept { return unfinished_; }

private:
    /// A host call that a lane waits in.
    struct Asked;

    Status run_all();
    Status start();
    /// The owner of values that `all` tells of, in the words of `known_text`.
    std::uint32_t owner_of(std::string&& all, const std::vector<DeviceCall::Known>& known);
    gpuvm::Piece put(ByteView bytes);

    /// The waves of the last submission.
    void record_waves();
    Status finish(std::span<const std::uint32_t> part);
    Status take_reads(std::uint32_t lane);
    /// Of several lanes, side by side.
    Status take_all_reads(std::span<const std::uint32_t> part);

    [[nodiscard]] const wasm::Import& import_of(std::uint32_t lane) const;
    Status answer(std::span<const std::uint32_t> part);
    /// Fetches what the host functions look at and will write.
    Status fetch_shaped(std::span<Asked> asked);
    /// Fetches all that the lanes have written.
    Status fetch_whole(std::span<Asked> asked);
    Status store_shaped(std::span<const Asked> asked);
    Status call_hosts(std::span<Asked> asked);
    void call_host(Asked& asked, const wasm::Imports& functions);

    /// In groups of one runtime each, several at a time.
    template <typename Item, typename Work>
    Status in_groups(std::span<Item> items, const Work& work);

    DeviceCall& over(std::uint32_t lane);
    void eject(std::uint32_t lane, const char* code);

    Shared shared_;
    gpuvm::Batch& batch_;
    std::span<DeviceCall* const> calls_; ///< one a lane
    const std::stop_token& stop_;
    const CallsEnded& ended_;
    std::vector<std::uint8_t> over_;
    std::size_t count_ = 0; ///< of those that are over
    std::size_t unfinished_ = 0;
    std::vector<std::uint32_t> imports_; ///< that a lane waits in
    std::vector<std::size_t> logged_;    ///< entries of a lane's read log that were taken
    std::vector<Byte> bytes_;
    std::vector<gpuvm::KnownValue> values_;
    std::unordered_map<std::string, std::uint32_t> owners_;
    std::map<const alkanes::Runtime*, wasm::Imports> functions_;
};

} // namespace blockloom::execute
