#include "native/runner.h"

#include "native/services.h"

#include <algorithm>

namespace blockloom::native {

struct Runner::State {
    Attached* attached = nullptr;
    Run run;
    std::vector<Cell> cells; ///< arguments and results of the outermost call
};

Runner::Runner(wasm::Instance& instance, std::shared_ptr<const NativeCode> code)
    : state_(std::make_unique<State>()) {
    // With code at hand nothing is compiled, so nothing fails.
    state_->attached = *attach(instance, std::move(code));
    state_->cells.resize(state_->attached->results.size());
}

Runner::~Runner() = default;

wasm::RunResult Runner::invoke(std::uint32_t function, std::span<const Cell> arguments,
                               const wasm::RunLimits& limits) {
    wasm::RunResult result;
    invoke(function, arguments, limits, result);
    return result;
}

void Runner::invoke(std::uint32_t function, std::span<const Cell> arguments,
                    const wasm::RunLimits& limits, wasm::RunResult& result) {
    Attached& attached = *state_->attached;
    Run& run = state_->run;
    run.fuel_left = limits.fuel;
    run.slice_left = ~std::uint64_t{0};
    run.steps = 0;
    run.stop = limits.stop;
    run.trap.kind = wasm::TrapKind::none;
    run.trap.function = function;
    run.trap.offset = 0;
    run.trap.text.clear();
    Cell* const cells = state_->cells.data();
    std::copy(arguments.begin(), arguments.end(), cells);
    attached.context().run = &run;
    attached.refresh();

    const wasm::InstanceLimits& most = attached.instance.limits();
    const std::uint64_t room = (std::min<std::uint64_t>(most.call_depth, 0x7fff'ffff) << 32) |
                               std::min<std::uint64_t>(most.stack_cells, 0x7fff'ffff);
    const wasm::FunctionReference& target = attached.state.functions[function];
    const std::uint64_t left = call_target(attached, run, run.allot(), room, no_pc, target, cells);
    result.results.clear();
    if (left == stopped) {
        result.outcome = wasm::Outcome::trapped;
        result.trap = run.trap;
    } else {
        run.settle(left);
        result.outcome = wasm::Outcome::returned;
        result.trap = {};
        result.results.assign(cells,
                              cells + static_cast<std::ptrdiff_t>(target.type.results.size()));
    }
    result.fuel_used = limits.fuel - run.fuel_left;
    result.steps = run.steps;
}

Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                            std::span<const Cell> arguments, const wasm::RunLimits& limits) {
    const auto attached = attach(instance, nullptr);
    if (!attached) return attached.error();
    return Runner(instance, (*attached)->code).invoke(function, arguments, limits);
}

} // namespace blockloom::native
