// The work of one message: contracts that run, call each other and touch the state
// (docs/alkanes-protocol.md#messages).
#pragma once

#include "alkanes/built_in_code.h"
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

/// What every machine finds: a result of the block's bytes and the state before it. What this
/// machine cannot do (memory, threads, files, devices, time) is an Error and never one of these.
/// `revert`: the contract said no, or a host function failed. `error`: nothing ran, or what came
/// back was no response.
struct Verdict {
    CallStatus status = CallStatus::success;
    std::string text;
    /// Whose words `text` is, which decides what a caller reads of a failed nested call: the
    /// host's, the contract's (its revert data), or none that the contract gave.
    enum class Words : std::uint8_t { host, contract, none } words = Words::host;

    [[nodiscard]] bool ok() const noexcept { return status == CallStatus::success; }
};

/// A host function's call, for those who look.
struct HostCallRecord {
    std::string name;
    std::vector<std::string> arguments; ///< in words
    std::optional<std::int32_t> result; ///< absent: it gives none
    std::uint64_t fee = 0;              ///< with what a nested call used
    std::uint32_t level = 0;            ///< of the contract that called
};

/// What a message sees of its transaction and block, and how it is run. Must outlive the run.
struct Surroundings {
    std::uint64_t height = 0;
    Rules rules;
    ByteView block, header, coinbase, transaction; ///< consensus bytes, with witnesses
    std::uint64_t mint_transactions = 0;           ///< precompile 2
    u128 coinbase_total = 0;                       ///< precompile 3
    const Bytes* deployed = nullptr; ///< the payload of the first envelope; null: none
    u128 window_sequence = 0;   ///< the counter at the window's start: ids below it exist for sure
    bool dry_run = false;       ///< what `__is_dry_run` says; its results must be thrown away
    bool record = false;        ///< keep host calls
    bool keep_response = false; ///< keep the response's bytes
    const BuiltInCode* built_ins = nullptr; ///< code by height; null: all code lies in the state
    const std::map<AlkaneId, std::string>* answers = nullptr; ///< CallResponses instead of calls
    std::stop_token stop;
};

/// What a call gave.
struct CallOutcome {
    Verdict verdict;
    Response response;     ///< also of a revert whose response could be read
    std::string bytes;     ///< of the response, where `keep_response` asked for them
    std::uint64_t gas = 0; ///< fuel used and, of a success, storage fee of the returned map
    Engine engine = Engine::interpreter; ///< that ran it
    std::size_t touched_pages = 0;       ///< of 4 KiB; a device does not count them: 0
    std::uint32_t final_pages = 0;       ///< of 64 KiB
};

/// One message. A Result that fails means that the state behind the overlay failed, that this
/// machine lacks what the run needs, or that the work was cancelled: nothing of the message may be
/// used then.
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
    /// Finds or creates what a cellpack names. A verdict that is not ok: the message fails, its
    /// fuel is untouched.
    [[nodiscard]] Result<Verdict> resolve(const AlkaneId& target, Target& found);

    /// Runs a contract with all of `fuel`, inside a checkpoint. Neither stores its map nor moves
    /// its transfers.
    [[nodiscard]] Result<CallOutcome>
    execute(Frame& frame, const std::shared_ptr<const Contract>& contract, std::uint64_t fuel);

    /// Writes a map to a contract's storage.
    void store(const AlkaneId& contract, const StorageMap& map);

    [[nodiscard]] Runtime& runtime() const noexcept { return *runtime_; }
    [[nodiscard]] const Surroundings& surroundings() const noexcept { return *surroundings_; }
    [[nodiscard]] state::Overlay& overlay() const noexcept { return *overlay_; }
    [[nodiscard]] std::uint32_t vout() const noexcept { return vout_; }

    /// A failure of the state or of this machine, kept until the contracts have been left.
    std::optional<Error> broken;
    bool fuel_read = false; ///< `__fuel` was called
    std::string ejection;   ///< a nested call met code that this engine cannot run
    bool ran_out = false;   ///< a charge was not there, here or in a nested call
    /// The least fuel that was ever left, counting fees that were only asked for: with so much less
    /// the message would have gone the same way.
    std::uint64_t least_left = ~std::uint64_t{0};
    void note_left(std::uint64_t fuel) noexcept { least_left = std::min(least_left, fuel); }
    std::uint64_t steps = 0; ///< instructions, nested calls included
    /// Why the fuel is not certain (wasm::Program::fuel_doubt) of the first contract that ran of
    /// which it is not; empty: it is certain.
    std::string fuel_doubt;
    std::uint32_t failed_calls = 0;         ///< nested ones
    std::uint64_t lost_fuel = 0;            ///< that those used and nobody paid for
    std::uint64_t message_fuel = 0;         ///< of the message's own call
    std::vector<HostCallRecord> host_calls; ///< in the order in which they began
    std::vector<std::string> log;           ///< texts of `__log`, where host calls are kept

private:
    [[nodiscard]] Result<Verdict> find_code(AlkaneId id, std::shared_ptr<const Contract>& found);
    /// Whether code that was found may be a target's.
    [[nodiscard]] Verdict usable(const Contract& contract) const;
    [[nodiscard]] Result<Verdict> create(const AlkaneId& target, Target& found);
    [[nodiscard]] Result<std::shared_ptr<const Contract>> load(const Hash256& hash, CodeForm form);

    Runtime* runtime_;
    const Surroundings* surroundings_;
    state::Overlay* overlay_;
    std::uint32_t vout_;
};

} // namespace blockloom::alkanes
