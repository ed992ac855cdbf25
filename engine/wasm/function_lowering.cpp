#include "wasm/function_lowering.h"

#include "wasm/opcode_map.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::wasm {
namespace {

constexpr std::uint32_t most_cells = 65'535;
constexpr std::uint32_t most_block_cost = 60'000; // both costs of a fused branch fit 16 bits each

} // namespace

FunctionLowering::FunctionLowering(const Module& module, std::uint32_t function, Program& program)
    : module_(module), program_(program), type_(module.types[module.functions[function]]),
      body_(module.bodies[function - module.imported_functions]), function_(function),
      in_(*module.bytes, body_.begin, body_.end) {
    locals_ = static_cast<std::uint32_t>(type_.parameters.size());
    for (const LocalRun& run : body_.locals) locals_ += run.count;
    references_.resize(locals_);
    most_cells_ = locals_;
}

std::uint32_t FunctionLowering::pc() const noexcept {
    return static_cast<std::uint32_t>(program_.code.size());
}

Instruction& FunctionLowering::emit(Opcode op) {
    Instruction instruction;
    instruction.op = static_cast<std::uint16_t>(op);
    program_.code.push_back(instruction);
    program_.offset.push_back(now_.offset);
    return program_.code.back();
}

FunctionLowering::BlockId FunctionLowering::new_block() {
    blocks_.emplace_back();
    return static_cast<BlockId>(blocks_.size() - 1);
}

void FunctionLowering::begin_block(BlockId block, bool falls_in) {
    // Branches carry the cost of the block they go to; only falling through pays by a separate
    // instruction.
    if (falls_in && must_charge(block)) emit(Opcode::charge).x = block;
    blocks_[block].pc = pc();
    current_ = block;
    result_pc_ = std::numeric_limits<std::uint32_t>::max();
}

/// Counted: always. Else where there is something to pay, and where the block before has a cost and
/// begins at the same place: branches that carry it must not go to both.
bool FunctionLowering::must_charge(BlockId block) const noexcept {
    if (fuel_ == nullptr || blocks_[block].cost != 0) return true;
    return blocks_[current_].cost != 0 && blocks_[current_].pc == pc();
}

void FunctionLowering::fall_into_new_block(std::uint64_t cost) {
    const BlockId block = new_block();
    blocks_[block].cost = static_cast<std::uint32_t>(cost);
    begin_block(block, true);
}

void FunctionLowering::begin_scope(BlockId block, bool falls_in) {
    if (fuel_ == nullptr) return begin_block(block, falls_in);
    const auto found = std::lower_bound(
        fuel_->scopes.begin(), fuel_->scopes.end(), now_.offset,
        [](const FuelScope& scope, std::uint32_t wanted) { return scope.offset < wanted; });
    const bool known = found != fuel_->scopes.end() && found->offset == now_.offset;
    const std::uint64_t cost = known ? found->cost : 0; // 0: it never runs
    if (cost <= most_block_cost) {
        blocks_[block].cost = static_cast<std::uint32_t>(cost);
        return begin_block(block, falls_in);
    }
    begin_block(block, falls_in); // more than a branch can carry
    fall_into_new_block(cost);
}

void FunctionLowering::step() {
    const CodeOpcode opcode = now_.opcode;
    if (!reachable_) {
        if (opcode >= 0x02 && opcode <= 0x04) {
            ++skipped_;
        } else if (opcode == 0x0b) {
            if (skipped_ == 0) return lower_end();
            --skipped_;
        } else if (opcode == 0x05 && skipped_ == 0) {
            lower_else();
        }
        return;
    }
    if (opcode == 0x0b) return lower_end();
    if (opcode == 0x05) return lower_else();
    if (fuel_ == nullptr) {
        if (blocks_[current_].cost >= most_block_cost) fall_into_new_block();
        ++blocks_[current_].cost;
    }
    switch (opcode) {
    case 0x00:
        emit(Opcode::trap).x = 1; // TrapKind::unreachable
        leave();
        break;
    case 0x01:
        break;
    case 0x02:
    case 0x03:
    case 0x04:
        open(opcode);
        break;
    case 0x0c:
        lower_branch(now_.index);
        break;
    case 0x0d:
        lower_branch_if(now_.index);
        break;
    case 0x0e:
        lower_branch_table();
        break;
    case 0x0f:
        lower_return();
        break;
    case 0x10:
        lower_call(now_.index);
        break;
    case 0x11:
        lower_call_indirect();
        break;
    case 0x1a:
        drop();
        break;
    case 0x1b:
    case 0x1c:
        lower_select();
        break;
    case 0x20:
        push({Operand::Kind::local, now_.index, 0});
        break;
    case 0x21:
        set_local(now_.index, false);
        break;
    case 0x22:
        set_local(now_.index, true);
        break;
    case 0x23: {
        const std::uint16_t to = push_result();
        Instruction& get = emit(Opcode::global_get);
        get.a = to, get.x = now_.index;
        result_pc_ = pc() - 1;
        break;
    }
    case 0x24: {
        const std::uint16_t from = pop_register();
        Instruction& set = emit(Opcode::global_set);
        set.b = from, set.x = now_.index;
        break;
    }
    case 0x41:
    case 0x42:
    case 0x43:
    case 0x44:
        push({Operand::Kind::constant, 0, now_.value});
        break;
    case 0xd0:
        push({Operand::Kind::constant, 0, 0});
        break;
    default:
        if (!lower_numeric()) lower_bulk();
    }
}

void FunctionLowering::finish() {
    const auto cost = [&](BlockId block) { return blocks_[block].cost; };
    for (std::uint32_t at = first_pc_; at < pc(); ++at) {
        Instruction& instruction = program_.code[at];
        switch (format_of(static_cast<Opcode>(instruction.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if: {
            const BlockId target = instruction.x, next = instruction.y;
            instruction.x = blocks_[target].pc;
            instruction.y = cost(target) | (cost(next) << 16);
            break;
        }
        case Format::branch:
            instruction.y = cost(instruction.x);
            instruction.x = blocks_[instruction.x].pc;
            break;
        case Format::call:
        case Format::call_indirect:
            instruction.y = cost(instruction.y);
            break;
        case Format::charge:
            instruction.x = cost(instruction.x);
            break;
        default:
            break;
        }
    }
    for (std::size_t at = first_target_; at < program_.branch_targets.size(); ++at) {
        BranchTarget& target = program_.branch_targets[at];
        target = {blocks_[target.pc].pc, blocks_[target.pc].cost};
    }
    ProgramFunction& entry = program_.functions[function_];
    entry.entry = first_pc_;
    entry.end = pc();
    entry.cost = blocks_.front().cost;
    entry.cells = most_cells_;
}

Status FunctionLowering::run(const FunctionFuel* fuel) {
    fuel_ = fuel;
    first_pc_ = pc();
    first_target_ = static_cast<std::uint32_t>(program_.branch_targets.size());
    // A body of moves can be much longer than its bytes (branches that carry many values): bounded
    // all the same.
    const std::size_t most_code = std::size_t{1} * 1024 * 1024 + 64 * module_.bytes->size();
    begin_block(new_block(), false);
    if (fuel_ != nullptr) blocks_.front().cost = static_cast<std::uint32_t>(fuel_->entry);
    const auto results = static_cast<std::uint32_t>(type_.results.size());
    labels_.push_back({0x02, 0, results, 0, new_block(), 0, false, true});
    while (!labels_.empty()) {
        if (!read_instruction(in_, now_))
            return Error{ErrorCode::bad_input, "function body: expected a valid module"};
        step();
        if (most_cells_ > most_cells)
            return Error{ErrorCode::bad_input,
                         fmt::format("function {}: expected at most {} registers, found {}",
                                     function_, most_cells, most_cells_)};
        if (program_.code.size() > most_code)
            return Error{
                ErrorCode::bad_input,
                fmt::format("function {}: expected at most {} instructions of the register "
                            "program for a module of {} bytes",
                            function_, most_code, module_.bytes->size())};
    }
    finish();
    return {};
}

} // namespace blockloom::wasm
