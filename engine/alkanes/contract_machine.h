// Where a message's own contract runs if not on its thread's engine: a device.
#pragma once

#include "alkanes/frame.h"
#include "alkanes/runtime.h"

#include <optional>
#include <string>

namespace blockloom::alkanes {

/// A run that ended as the interpreter would end it.
struct MachineRun {
    wasm::RunResult result;
    /// The bytes that the result points to; nothing: they lie outside the memory, or it trapped.
    std::optional<std::string> response;
    std::uint32_t pages = 0; ///< of 64 KiB
    bool fuel_read = false;  ///< `__fuel` was answered without the host function
    /// The least fuel that was left by fees which no host function took.
    std::uint64_t least_left = 0;
};

/// Host functions are called as ever, with Runtime::running set; nested calls run on the thread's
/// engine.
class ContractMachine {
public:
    virtual ~ContractMachine() = default;

    /// Runs `__execute` of an instance as new with all of `fuel`. An error: it did not come to an
    /// end, and nothing of the message may be used.
    [[nodiscard]] virtual Result<MachineRun> run(Runtime& runtime, Frame& frame,
                                                 const std::shared_ptr<const Contract>& contract,
                                                 std::uint64_t fuel) = 0;
};

} // namespace blockloom::alkanes
