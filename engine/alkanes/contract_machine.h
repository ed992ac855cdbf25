// Runs a message's own contract elsewhere than on its thread's engine: on a device.
#pragma once

#include "alkanes/frame.h"
#include "alkanes/runtime.h"

#include <optional>
#include <string>

namespace blockloom::alkanes {

/// A run that ended as the interpreter would end it.
struct MachineRun {
    wasm::RunResult result;
    Engine engine = Engine::vulkan;
    /// The bytes that the result points to; nothing: they are outside the memory, or it trapped.
    std::optional<std::string> response;
    std::uint32_t pages = 0; ///< of 64 KiB
    bool fuel_read = false;  ///< `__fuel` was answered without calling the host function
    /// The least fuel left after fees that were not charged by a host function.
    std::uint64_t least_left = 0;
};

/// Host functions are called as usual, with Runtime::running set; nested calls run on the thread's
/// engine.
class ContractMachine {
public:
    virtual ~ContractMachine() = default;

    /// Runs `__execute` of a clean instance with all of `fuel`. On an error it did not finish, and
    /// nothing of the message may be used.
    [[nodiscard]] virtual Result<MachineRun> run(Runtime& runtime, Frame& frame,
                                                 const std::shared_ptr<const Contract>& contract,
                                                 std::uint64_t fuel) = 0;
};

} // namespace blockloom::alkanes
