// Running a function of an instance as machine code: the same answers as wasm::Interpreter.
#pragma once

#include "native/code.h"
#include "wasm/run.h"

namespace blockloom::native {

/// One invocation at a time per instance; may be paused and resumed. Instances that it calls are
/// compiled when they are first called. Host functions run on a stack of 256 KiB.
class Runner {
public:
    /// `code` is of the instance's program. The instance must outlive the runner.
    Runner(wasm::Instance& instance, std::shared_ptr<const NativeCode> code);
    ~Runner();

    /// Starts a function (index in the module's space) with arguments that fit its type. An error:
    /// this machine could not run it (no memory, no stack, no code); the invocation has no result.
    [[nodiscard]] Result<wasm::RunResult> invoke(std::uint32_t function,
                                                 std::span<const wasm::Cell> arguments,
                                                 const wasm::RunLimits& limits = {});
    /// Goes on after `paused` or `yielded`; `limits.fuel` is ignored (it is that of the
    /// invocation).
    [[nodiscard]] Result<wasm::RunResult> resume(const wasm::RunLimits& limits);
    /// The same into a result that is reused: allocates nothing once its vectors have room.
    Status invoke(std::uint32_t function, std::span<const wasm::Cell> arguments,
                  const wasm::RunLimits& limits, wasm::RunResult& result);

private:
    Status go_on(wasm::RunResult& result);

    struct State;
    std::unique_ptr<State> state_;
};

/// One call on a runner of its own; compiles the instance's program where nothing has run it yet.
[[nodiscard]] Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                                          std::span<const wasm::Cell> arguments,
                                          const wasm::RunLimits& limits);

} // namespace blockloom::native
