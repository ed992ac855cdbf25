// What the host sees and changes of single lanes between slices.
#include "gpuvm/batch_state.h"
#include "gpuvm/kernel_batch.h"

#include <algorithm>

namespace blockloom::gpuvm {

wasm::RunResult KernelBatch::so_far(std::uint32_t invocation) const {
    const BatchState& s = *state_;
    wasm::RunResult run;
    run.fuel_used = s.given[invocation] - s.wide(GPUVM_FUEL, invocation);
    run.steps = run.fuel_used - s.wide(GPUVM_FEES, invocation);
    return run;
}

void KernelBatch::read_end(std::uint32_t invocation, Ended& result) const {
    const BatchState& s = *state_;
    result = {};
    result.run = so_far(invocation);
    result.submission = s.submission;
    result.pages = s.word(GPUVM_PAGES, invocation);
    result.fuel_read = (s.word(GPUVM_FLAGS, invocation) & GPUVM_FLAG_FUEL_READ) != 0;
    result.least_left = std::min(s.wide(GPUVM_LEAST, invocation), s.wide(GPUVM_FUEL, invocation));
    if (s.word(GPUVM_STATUS, invocation) == GPUVM_RETURNED) {
        for (std::uint32_t i = 0; i < s.word(GPUVM_RESULTS, invocation); ++i)
            result.run.results.push_back(s.exchanged(2 * i, invocation) |
                                         std::uint64_t{s.exchanged(2 * i + 1, invocation)} << 32);
        return;
    }
    const PackedProgram& packed = s.program(invocation);
    const std::uint32_t pc = s.word(GPUVM_PC, invocation);
    result.run.outcome = wasm::Outcome::trapped;
    result.run.trap.kind = static_cast<wasm::TrapKind>(s.word(GPUVM_DETAIL, invocation));
    result.run.trap.function = packed.function_at(pc);
    result.run.trap.offset =
        packed.offset_at(pc, result.run.trap.kind == wasm::TrapKind::out_of_fuel);
    if (const auto text = s.host_texts.find(invocation); text != s.host_texts.end())
        result.run.trap.text = text->second;
}

std::vector<wasm::Cell> KernelBatch::arguments(std::uint32_t invocation) const {
    const BatchState& s = *state_;
    const wasm::Program& program = *s.program(invocation).image.program;
    const std::uint32_t count = program.functions[s.word(GPUVM_DETAIL, invocation)].parameters;
    std::vector<wasm::Cell> result;
    for (std::uint32_t i = 0; i < count; ++i)
        result.push_back(s.exchanged(2 * i, invocation) |
                         std::uint64_t{s.exchanged(2 * i + 1, invocation)} << 32);
    return result;
}

std::uint32_t KernelBatch::dropped_segments(std::uint32_t invocation) const {
    return state_->word(GPUVM_DROPPED, invocation);
}

std::uint64_t KernelBatch::fuel_left(std::uint32_t invocation) const {
    return state_->wide(GPUVM_FUEL, invocation);
}

std::uint32_t KernelBatch::memory_pages(std::uint32_t invocation) const {
    return state_->word(GPUVM_PAGES, invocation);
}

void KernelBatch::answer(std::uint32_t invocation, const HostReply& reply) {
    BatchState& s = *state_;
    s.changed = true;
    const auto trap = [&](wasm::TrapKind kind) {
        s.word(GPUVM_STATUS, invocation) = GPUVM_TRAPPED;
        s.word(GPUVM_DETAIL, invocation) = static_cast<std::uint32_t>(kind);
    };
    s.phases[invocation] =
        BatchState::Phase::running; // also if it traps: the next advance reports it
    if (!reply.values) s.word(GPUVM_FLAGS, invocation) &= ~GPUVM_FLAG_VALUES;
    if (!reply.calls) s.word(GPUVM_CALLS, invocation) = GPUVM_NO_OWNER;
    if (reply.bytes) s.word(GPUVM_GIVEN, invocation) = 0; // the host has them
    if (reply.pages != 0) s.word(GPUVM_PAGES, invocation) = reply.pages;
    if (!reply.error.empty()) {
        s.host_texts[invocation] = reply.error;
        return trap(wasm::TrapKind::host);
    }
    const std::uint64_t left = s.wide(GPUVM_FUEL, invocation);
    if (reply.fee > left) return trap(wasm::TrapKind::out_of_fuel);
    s.set_wide(GPUVM_FUEL, invocation, left - reply.fee);
    s.set_wide(GPUVM_FEES, invocation, s.wide(GPUVM_FEES, invocation) + reply.fee);
    s.word(GPUVM_STATUS, invocation) = GPUVM_ANSWERED;
    s.word(GPUVM_DETAIL, invocation) = static_cast<std::uint32_t>(reply.results.size());
    for (std::uint32_t i = 0; i < reply.results.size(); ++i) {
        s.exchanged(2 * i, invocation) = static_cast<std::uint32_t>(reply.results[i]);
        s.exchanged(2 * i + 1, invocation) = static_cast<std::uint32_t>(reply.results[i] >> 32);
    }
}

void KernelBatch::drop(std::uint32_t invocation) {
    BatchState& s = *state_;
    const bool running = s.phases[invocation] == BatchState::Phase::running;
    s.phases[invocation] = BatchState::Phase::over;
    if (!running) return;
    s.word(GPUVM_STATUS, invocation) = GPUVM_IDLE;
    s.changed = true;
}

} // namespace blockloom::gpuvm
