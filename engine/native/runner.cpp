#include "native/runner.h"

#include "native/code_image.h"
#include "native/services.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace blockloom::native {

struct Runner::State {
    Attached* attached = nullptr; ///< null: `refused` says why
    std::optional<Error> refused;
    std::shared_ptr<void> keeps;          ///< `attached`, though the instance may get other code
    std::unique_ptr<Coroutine> coroutine; ///< made at the first call
    std::vector<Cell> cells;              ///< arguments and results of the outermost call
    std::uint64_t room = 0;

    // The invocation.
    Run run;
    std::uint32_t function = 0;
    std::uint64_t fuel_given = 0, left = 0;
    bool running = false;

    void call();
    Status prepare();
    /// Ends what is paused: nobody will resume it.
    void abandon();
};

Runner::Runner(wasm::Instance& instance, std::shared_ptr<const NativeCode> code)
    : state_(std::make_unique<State>()) {
    auto attached = attach(instance, std::move(code), offer_services);
    if (!attached) {
        state_->refused = attached.error();
        return;
    }
    state_->attached = *attached;
    state_->keeps = instance.state().engine_data;
    state_->cells.resize(state_->attached->results.size());
    const wasm::InstanceLimits& limits = instance.limits();
    state_->room = (std::min<std::uint64_t>(limits.call_depth, 0x7fff'ffff) << 32) |
                   std::min<std::uint64_t>(limits.stack_cells, 0x7fff'ffff);
}

Runner::~Runner() = default;

Status Runner::State::prepare() {
    if (coroutine) return {};
    const std::uint64_t frames = std::max<std::uint64_t>(attached->instance.limits().call_depth, 1);
    // Twice what this program needs: instances that it calls may have larger frames.
    auto made = Coroutine::make(
        std::max<std::uint64_t>(2 * stack_bytes(attached->code->image(), frames), 8u << 20),
        [](void* subject) { static_cast<State*>(subject)->call(); }, this);
    if (!made) return made.error();
    coroutine = *std::move(made);
    run.coroutine = coroutine.get();
    return {};
}

void Runner::State::abandon() {
    if (!running) return;
    running = false;
    coroutine->restart();
}

void Runner::State::call() {
    do
        left = call_target(*attached, run, run.allot(), room, no_pc,
                           attached->state.functions[function], cells.data());
    while (left == again);
    run.stands = wasm::Outcome::returned;
}

Result<wasm::RunResult> Runner::invoke(std::uint32_t function, std::span<const Cell> arguments,
                                       const wasm::RunLimits& limits) {
    wasm::RunResult result;
    if (const Status ran = invoke(function, arguments, limits, result); !ran) return ran.error();
    return result;
}

Status Runner::invoke(std::uint32_t function, std::span<const Cell> arguments,
                      const wasm::RunLimits& limits, wasm::RunResult& result) {
    State& state = *state_;
    if (state.attached == nullptr) return *state.refused;
    state.abandon();
    Run& run = state.run;
    run.fuel_left = state.fuel_given = limits.fuel;
    run.slice_left = limits.steps;
    run.steps = 0;
    if (!(run.stop == limits.stop)) run.stop = limits.stop; // a copy shares a count with threads
    run.trap.kind = wasm::TrapKind::none;
    run.trap.function = state.function = function;
    run.trap.offset = 0;
    run.trap.text.clear();
    run.broken.reset();
    std::copy(arguments.begin(), arguments.end(), state.cells.begin());
    state.attached->context().run = &run;
    state.attached->refresh();
    if (const Status ready = state.prepare(); !ready) return ready;
    return go_on(result);
}

Result<wasm::RunResult> Runner::resume(const wasm::RunLimits& limits) {
    wasm::RunResult result;
    State& state = *state_;
    if (!state.running) {
        result.outcome = wasm::Outcome::trapped;
        result.trap = {wasm::TrapKind::host, 0, 0, "nothing to resume: the invocation has ended"};
        return result;
    }
    // A block larger than the slice runs nevertheless, so that a run always makes progress.
    state.run.slice_left = std::max(limits.steps, state.run.pending_cost);
    state.run.stop = limits.stop;
    state.attached->refresh();
    if (const Status ran = go_on(result); !ran) return ran.error();
    return result;
}

Status Runner::go_on(wasm::RunResult& result) {
    State& state = *state_;
    Run& run = state.run;
    state.running = true;
    state.coroutine->resume();
    const wasm::Outcome outcome = run.stands;
    state.running = outcome == wasm::Outcome::paused || outcome == wasm::Outcome::yielded;
    if (outcome == wasm::Outcome::returned) run.settle(state.left);
    if (outcome == wasm::Outcome::trapped) state.coroutine->restart();
    if (run.broken) return *std::exchange(run.broken, std::nullopt);
    result.outcome = outcome;
    result.results.clear();
    if (outcome == wasm::Outcome::returned) {
        const auto& type = state.attached->state.functions[state.function].type;
        result.results.assign(state.cells.begin(),
                              state.cells.begin() +
                                  static_cast<std::ptrdiff_t>(type.results.size()));
    }
    if (outcome == wasm::Outcome::trapped)
        result.trap = run.trap;
    else if (result.trap.kind != wasm::TrapKind::none)
        result.trap = {};
    result.fuel_used = state.fuel_given - run.fuel_left;
    result.steps = run.steps;
    return {};
}

Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                            std::span<const Cell> arguments, const wasm::RunLimits& limits) {
    const auto attached = attach(instance, nullptr, offer_services);
    if (!attached) return attached.error();
    return Runner(instance, (*attached)->code).invoke(function, arguments, limits);
}

} // namespace blockloom::native
