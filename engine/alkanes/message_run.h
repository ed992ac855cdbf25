// The execution of one message: contracts run, call each other and access the state
// (docs/alkanes-protocol.md#messages).
#pragma once

#include "alkanes/built_in_code.h"
#include "alkanes/call_event.h"
#include "alkanes/frame.h"
#include "alkanes/rule_table.h"
#include "alkanes/runtime.h"
#include "state/overlay.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stop_token>

namespace blockloom::alkanes {

/// How a message or a call ended.
enum class CallStatus : std::uint8_t { success, revert, trap, out_of_fuel, error, ejected };
[[nodiscard]] const char* name_of(CallStatus status) noexcept;

/// A result that depends only on the block's bytes and the state before it, so it is the same on
/// every machine. What this machine lacks (memory, threads, files, devices, time) is an Error and
/// never one of these. `revert`: the contract reverted, or a host function failed. `error`: nothing
/// ran, or the response was invalid.
struct Verdict {
    CallStatus status = CallStatus::success;
    std::string text;
    /// The origin of `text`, which decides what a caller reads from a failed nested call: the host,
    /// the contract (its revert data), or none.
    enum class Words : std::uint8_t { host, contract, none } words = Words::host;

    [[nodiscard]] bool ok() const noexcept { return status == CallStatus::success; }
};

/// A recorded call of a host function.
struct HostCallRecord {
    std::string name;
    std::vector<std::string> arguments; ///< as text
    std::optional<std::int32_t> result; ///< absent: it has none
    std::uint64_t fee = 0;              ///< including what a nested call used
    std::uint32_t level = 0;            ///< nesting level of the calling contract
};

/// What a message can see of its transaction and block, and how it is run. Must outlive the run.
struct Surroundings {
    std::uint64_t height = 0;
    Rules rules;
    ByteView block, header, coinbase, transaction; ///< consensus bytes, with witnesses
    std::uint64_t mint_transactions = 0;           ///< precompile 2
    u128 coinbase_total = 0;                       ///< precompile 3
    const Bytes* deployed = nullptr; ///< the payload of the first envelope; null: none
    u128 window_sequence =
        0; ///< the counter at the start of the block window: ids below it certainly exist
    bool dry_run = false;       ///< the result of `__is_dry_run`; results must then be discarded
    bool record = false;        ///< record host calls
    bool events = false;        ///< note the calls' events
    bool keep_response = false; ///< keep the response's bytes
    const BuiltInCode* built_ins = nullptr; ///< code by height; null: all code is in the state
    const std::map<AlkaneId, std::string>* answers =
        nullptr;                           ///< CallResponses to use instead of calls
    const std::stop_token* stop = nullptr; ///< null: nobody stops it

    [[nodiscard]] const std::stop_token& stop_token() const noexcept {
        static const std::stop_token never;
        return stop == nullptr ? never : *stop;
    }
};

/// The result of a call.
struct CallOutcome {
    Verdict verdict;
    Response response;     ///< also set for a revert whose response could be parsed
    std::string bytes;     ///< of the response, if `keep_response` is set
    std::uint64_t gas = 0; ///< fuel used and, for a success, the storage fee of the returned map
    Engine engine = Engine::interpreter; ///< the engine that ran it
    std::size_t touched_pages = 0;       ///< of 4 KiB; a device does not count them: 0
    std::uint32_t final_pages = 0;       ///< of 64 KiB
};

struct MachineRun;

/// How the run of a contract ended, wherever it ran.
struct ContractEnd {
    wasm::Outcome outcome = wasm::Outcome::returned;
    wasm::Trap trap; ///< if it trapped
    std::uint64_t fuel_used = 0, steps = 0;
    /// What it returned, in the memory of the run's overlay (Overlay::scratch); nothing: its
    /// pointer lies outside the contract's memory, or it trapped.
    std::optional<std::string_view> response;
    Engine engine = Engine::interpreter;
    std::size_t touched_pages = 0;
    std::uint32_t final_pages = 0;
    std::optional<Runtime::Refusal> refusal; ///< it did not run
};

/// One message. A failed Result means that reading the state failed, that this machine lacks what
/// the run needs, or that the work was cancelled: then nothing of the message may be used.
class MessageRun {
public:
    MessageRun(Runtime& runtime, const Surroundings& surroundings, state::Overlay& overlay,
               std::uint32_t vout)
        : runtime_(&runtime), surroundings_(&surroundings), overlay_(&overlay), vout_(vout) {}

    struct Target {
        AlkaneId myself;
        std::shared_ptr<const Contract> contract;
        bool created = false;
    };
    /// Finds or creates the target of a cellpack. If the verdict is not ok, the message fails and
    /// uses no fuel.
    [[nodiscard]] Result<Verdict> resolve(const AlkaneId& target, Target& found);

    /// Runs a contract with all of `fuel`, inside a checkpoint. Does not store the returned map or
    /// move its transfers.
    [[nodiscard]] Result<CallOutcome>
    execute(Frame& frame, const std::shared_ptr<const Contract>& contract, std::uint64_t fuel);

    // The same in its three parts, for a run that happens elsewhere and later.

    /// Opens the checkpoint. An outcome: the contract cannot run, and there is no checkpoint.
    [[nodiscard]] std::optional<CallOutcome>
    begin_call(const Frame& frame, const Contract& contract, std::uint64_t fuel);
    /// Runs the contract on this thread's engine, or on the runtime's machine.
    [[nodiscard]] Result<ContractEnd>
    run_call(Frame& frame, const std::shared_ptr<const Contract>& contract, std::uint64_t fuel);
    /// The end of a run on another machine, whose response is copied.
    [[nodiscard]] ContractEnd end_of(const MachineRun& ran);
    /// Closes the checkpoint.
    [[nodiscard]] Result<CallOutcome> end_call(const Frame& frame, std::uint64_t fuel,
                                               ContractEnd end);

    // The events of calls, where they are to be noted; otherwise these do nothing.
    void note_created(const Target& target);
    void note_enter(NestedKind call, const Frame& frame, std::uint64_t fuel);
    void note_success(const Parcel& transfers, const StorageMap& storage, std::string_view data);
    void note_failure(std::string_view text);

    /// Writes a map to a contract's storage.
    void store(const AlkaneId& contract, const StorageMap& map);

    [[nodiscard]] Runtime& runtime() const noexcept { return *runtime_; }
    [[nodiscard]] const Surroundings& surroundings() const noexcept { return *surroundings_; }
    [[nodiscard]] state::Overlay& overlay() const noexcept { return *overlay_; }
    [[nodiscard]] std::uint32_t vout() const noexcept { return vout_; }

    /// A failure of the state or of this machine, kept until all contracts have been left.
    std::optional<Error> broken;
    bool fuel_read = false; ///< `__fuel` was called
    std::string ejection;   ///< a nested call reached code that this engine cannot run
    bool ran_out = false;   ///< there was not enough fuel for a charge, here or in a nested call
    /// The least fuel that was ever left, also after fees that were only checked: with that much
    /// less fuel the message would have gone the same way.
    std::uint64_t least_left = ~std::uint64_t{0};
    void note_left(std::uint64_t fuel) noexcept { least_left = std::min(least_left, fuel); }
    std::uint64_t steps = 0; ///< instructions, nested calls included
    /// Why the fuel is uncertain (wasm::Program::fuel_doubt), for the first such contract that ran;
    /// empty: it is certain.
    std::string fuel_doubt;
    std::uint32_t failed_calls = 0;         ///< nested ones
    std::uint64_t lost_fuel = 0;            ///< fuel that those used and that nobody paid for
    std::uint64_t message_fuel = 0;         ///< of the message's own call
    std::vector<HostCallRecord> host_calls; ///< in the order in which they began
    std::vector<std::string> log;           ///< texts of `__log`, if host calls are recorded
    std::vector<CallEvent> events;          ///< if they are noted

private:
    [[nodiscard]] Result<Verdict> find_code(AlkaneId id, std::shared_ptr<const Contract>& found);
    /// Whether the code that was found may be run as a target.
    [[nodiscard]] Verdict usable(const Contract& contract) const;
    [[nodiscard]] Result<Verdict> create(const AlkaneId& target, Target& found);
    [[nodiscard]] Result<std::shared_ptr<const Contract>> load(const Hash256& hash, CodeForm form);
    [[nodiscard]] Result<ContractEnd> run_here(Runtime::Machine& machine, Frame& frame,
                                               const std::shared_ptr<const Contract>& contract,
                                               std::uint64_t fuel);

    Runtime* runtime_;
    const Surroundings* surroundings_;
    state::Overlay* overlay_;
    std::uint32_t vout_;
};

} // namespace blockloom::alkanes
