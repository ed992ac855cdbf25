// Runs a function of an instance as machine code, with the same results as wasm::Interpreter.
#pragma once

#include "native/code.h"
#include "wasm/run.h"

namespace blockloom::native {

/// One invocation at a time per instance; may be paused and resumed. Instances that it calls are
/// compiled when they are first called. Host functions run on a stack of 256 KiB.
class Runner {
public:
    /// `code` belongs to the instance's program. The instance must outlive the runner.
    Runner(wasm::Instance& instance, std::shared_ptr<const NativeCode> code);
    ~Runner();

    /// Starts a function (index in the module's space) with arguments that fit its type. Fails if
    /// this machine could not run it (no memory, no stack, no code); then the invocation has no
    /// result.
    [[nodiscard]] Result<wasm::RunResult> invoke(std::uint32_t function,
                                                 std::span<const wasm::Cell> arguments,
                                                 const wasm::RunLimits& limits = {});
    /// Continues after `paused` or `yielded`; `limits.fuel` is ignored (the invocation's fuel
    /// applies).
    [[nodiscard]] Result<wasm::RunResult> resume(const wasm::RunLimits& limits);
    /// The same, into a reused result: allocates nothing once its vectors are large enough.
    Status invoke(std::uint32_t function, std::span<const wasm::Cell> arguments,
                  const wasm::RunLimits& limits, wasm::RunResult& result);

private:
    Status go_on(wasm::RunResult& result);

    struct State;
    std::unique_ptr<State> state_;
};

/// One call on a temporary runner; compiles the instance's program if it has not run natively yet.
[[nodiscard]] Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                                          std::span<const wasm::Cell> arguments,
                                          const wasm::RunLimits& limits);

} // namespace blockloom::native
