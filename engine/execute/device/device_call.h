// A contract's run that waits for a device, and statistics of a device's work.
#pragma once

#include "alkanes/contract_machine.h"
#include "base/clock.h"
#include "execute/device/access_prediction.h"
#include "gpuvm/invocation.h"
#include "state/view.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::execute {

class DeviceBatch;

/// A contract's run that waits for a device, and how it ended.
struct DeviceCall {
    alkanes::Runtime* runtime = nullptr;
    alkanes::Frame* frame = nullptr;
    std::shared_ptr<const alkanes::Contract> contract;
    std::uint64_t fuel = 0;
    KeyReader reader;
    std::uint32_t transaction = 0; ///< in its block, for the recording
    CallKind kind;                 ///< set by DeviceCalls::look_ahead, like `known`
    /// Of its kind in AccessPrediction, set like it.
    std::uint32_t kind_number = AccessPrediction::unmet;
    void* waiter = nullptr; ///< whose call it is

    /// Values of the state that it may request: the device answers with them. Set by
    /// DeviceCalls::look_ahead.
    struct Known {
        ContractRead::Kind kind = ContractRead::Kind::storage;
        std::uint32_t key = 0; ///< its number in the overlay of the run
    };
    std::vector<Known> known;
    bool is_fetched = false;  ///< the values of `known` are in the overlay
    std::string context;      ///< of the contract; set likewise, and its memory is used again
    bool takes_block = false; ///< it may request the bytes of its block; set likewise

    /// In which it runs, until it has ended, and its lane there; null: in none.
    DeviceBatch* batch = nullptr;
    std::uint32_t lane = 0;

    bool has_run = false;    ///< `ran` is how
    alkanes::MachineRun ran; ///< its memory is used again
    /// What the device has answered with so far, in order: indices in `known`, or `known_call` and
    /// the number of a precompiled contract; and how many of them log_reads() has logged.
    std::vector<std::uint32_t> reads;
    std::size_t logged = 0;
    std::uint64_t has_logged = 0; ///< a bit for each of the first values of `known` that it has
    static constexpr std::uint32_t known_call = 1U << 16U;
    std::uint32_t submission = gpuvm::no_submission; ///< in which the device ended it
    std::string ejection;                            ///< code of why the device did not finish it

    [[nodiscard]] bool has_ended() const noexcept {
        return batch == nullptr && (has_run || !ejection.empty());
    }

    /// ContractRead::name of a known value: a part of its key.
    [[nodiscard]] std::string_view name_of(const Known& value) const noexcept;
    [[nodiscard]] const state::Value& value_of(const Known& value) const noexcept;

    /// The key of the state that a read of its contract means; not of `block`.
    [[nodiscard]] state::Key key_of(ContractRead::Kind of, std::string_view name) const;

    /// Whether the device may answer calls of precompiled contracts, which leave no other trace.
    [[nodiscard]] bool has_known_calls() const noexcept;

    /// Does what the host functions would have done: logs the reads that are new, and keeps what
    /// the last call returned.
    [[nodiscard]] Status log_reads();
};

/// While it exists, what the call's contract reads on the host is added to lessons; not what the
/// contracts read that it calls.
class CallReads final : public alkanes::ReadWatch {
public:
    CallReads(const DeviceCall& call, AccessPrediction::Lessons& to)
        : call_(call), to_(to), before_(std::exchange(call.runtime->reads, this)) {}
    ~CallReads() override { call_.runtime->reads = before_; }
    CallReads(const CallReads&) = delete;
    CallReads& operator=(const CallReads&) = delete;

private:
    void contract_reads(const alkanes::Frame& by, ContractRead::Kind kind,
                        std::string_view name) override;

    const DeviceCall& call_;
    AccessPrediction::Lessons& to_;
    alkanes::ReadWatch* before_;
};

/// Called when some have ended that had not before: those that have returned (DeviceBatch::Taker)
/// and those of DeviceCall::has_ended.
using CallsEnded = std::function<void()>;

/// The device's work so far.
struct DeviceWork {
    std::uint64_t batches = 0, calls = 0, host_calls = 0, instructions = 0;
    std::uint64_t known_reads = 0; ///< reads of the state answered on the device
    Nanoseconds pack = 0;          ///< wall time for packing uploads
    Nanoseconds pack_apart = 0;    ///< the same of all threads that run flights of their own
    gpuvm::Times times;            ///< by the device's clock

    DeviceWork& operator+=(const DeviceWork& more) noexcept {
        batches += more.batches, calls += more.calls, host_calls += more.host_calls;
        instructions += more.instructions, known_reads += more.known_reads;
        pack += more.pack, pack_apart += more.pack_apart;
        times += more.times;
        return *this;
    }
};

} // namespace blockloom::execute
