// The policy of lanes: memory is windows of the lane's frame, fuel is only looked at where it could
// be overdrawn without bound, and whatever is rare leaves.
#include "native/accesses.h"
#include "native/lanes/lane_module.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <llvm/IR/MDBuilder.h>

namespace blockloom::native {

using wasm::Format;
using wasm::TrapKind;

namespace {

std::vector<bool> loop_heads_of(const wasm::Program& program, std::uint32_t function) {
    const wasm::ProgramFunction& about = program.functions[function];
    std::vector<bool> heads(about.end - about.entry + 1, false);
    for (std::uint32_t pc = about.entry; pc < about.end; ++pc) {
        const wasm::Instruction& i = program.code[pc];
        const auto note = [&](std::uint32_t to) {
            if (to <= pc) heads[to - about.entry] = true;
        };
        switch (format_of(static_cast<wasm::Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
        case Format::branch:
            note(i.x);
            break;
        case Format::branch_table:
            for (std::uint32_t way = 0; way <= i.y; ++way)
                note(program.branch_targets[i.x + way].pc);
            break;
        default:
            break;
        }
    }
    return heads;
}

} // namespace

LaneTranslation::LaneTranslation(LaneModule& module, std::uint32_t function, ControlGraph graph)
    : FunctionTranslation(module, function, std::move(graph)), lanes_(module), function_(function),
      loop_heads_(loop_heads_of(program_, function)), checks_(module.plan(), function, graph_),
      likely_(llvm::MDBuilder(build_.getContext()).createBranchWeights(1 << 20, 1)) {}

void LaneTranslation::enter() {
    build_.CreateStore(build_.CreateLoad(module_.i64, size_in_frame()), use(memory_size_).home);
}

llvm::Value* LaneTranslation::size_in_frame() {
    return lanes_.in_frame(build_, context_, offsetof(LaneHeader, memory_bytes), module_.i64);
}

void LaneTranslation::look_at_memory_again() {
    set_wide(memory_size_, build_.CreateLoad(module_.i64, size_in_frame()));
}

/// A block for each exit: what leads there need not say why, in code that hardly ever runs.
llvm::BasicBlock* LaneTranslation::way_out(Exit exit) {
    Block*& there = left_[static_cast<std::size_t>(exit)];
    if (there == nullptr) {
        there = new_block();
        llvm::IRBuilder<> build(there);
        lanes_.leave(build, context_, number32(static_cast<std::uint32_t>(exit)));
    }
    return there;
}

void LaneTranslation::leave_if(Value* condition, Exit exit) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition))
        if (known->isZero()) return;
    Block* go_on = new_block();
    build_.CreateCondBr(condition, way_out(exit), go_on, module_.unlikely());
    build_.SetInsertPoint(go_on);
}

void LaneTranslation::leave_here(Exit exit) {
    build_.CreateBr(way_out(exit));
    reachable_ = false;
}

void LaneTranslation::check_fuel() {
    leave_if(build_.CreateICmpSLT(wide(fuel_), number(0)), Exit::fuel);
}

/// Between two checks a lane runs each block at most once, and calls functions that are not checked
/// only if they call nothing: what it overdraws is bounded. Nobody sees fuel that is overdrawn.
void LaneTranslation::charge(std::uint32_t cost, std::uint32_t pc) {
    if (graph_.begins(pc)) pointers_.clear();
    if (!lanes_.plan().is_live(pc)) return leave_here(Exit::cold);
    if (const auto& records = lanes_.plan().records)
        build_.CreateStore(llvm::ConstantInt::get(module_.i8, 1),
                           recorded(records->blocks(), pc, module_.i8));
    if (cost != 0) set_wide(fuel_, build_.CreateSub(wide(fuel_), number(cost)));
    const bool entry = pc == about_.entry;
    if (loop_heads_[pc - about_.entry] || (entry && lanes_.plan().calls[function_])) check_fuel();
}

void LaneTranslation::trap_if(Value* condition, TrapKind) {
    leave_if(condition, Exit::trap);
}

bool LaneTranslation::floating(const Instruction&, Opcode op) {
    const auto code = static_cast<std::uint32_t>(op);
    const bool is_float = code >= static_cast<std::uint32_t>(Opcode::f32_abs) &&
                          code != static_cast<std::uint32_t>(Opcode::ref_is_null) &&
                          (code <= static_cast<std::uint32_t>(Opcode::f64_promote_f32) ||
                           (code >= static_cast<std::uint32_t>(Opcode::f32_add) &&
                            code <= static_cast<std::uint32_t>(Opcode::f64_ge)));
    if (!is_float) return false;
    leave_if(build_.getTrue(), Exit::floats);
    set_wide(program_.code[pc_].a, number(0));
    return true;
}

llvm::Align LaneTranslation::alignment_of(const Instruction&) const {
    return llvm::Align(claimed_alignment(program_, pc_));
}

llvm::Value* LaneTranslation::recorded(const void* of, std::uint32_t item, llvm::Type* type) {
    const std::uint64_t at =
        reinterpret_cast<std::uintptr_t>(of) + item * (type->getPrimitiveSizeInBits() / 8);
    return build_.CreateIntToPtr(number(at), type->getPointerTo());
}

/// Sets the bit of that number modulo 64.
void LaneTranslation::record(Value* at, Value* bit) {
    Value* mask = build_.CreateShl(number(1), build_.CreateAnd(bit, number(63)));
    build_.CreateStore(build_.CreateOr(build_.CreateLoad(module_.i64, at), mask), at);
}

llvm::Value* LaneTranslation::page_bit(Value* address) {
    Value* page = build_.CreateLShr(address, number(RanCode::page_bits));
    Value* far = build_.CreateMul(build_.CreateLShr(address, number(RanCode::far_bits)),
                                  number(RanCode::far_step));
    return build_.CreateAdd(page, far);
}

llvm::Value* LaneTranslation::address_of(const Instruction& i) {
    const Access made = *access_of(i);
    AccessCheck check = checks_.of(pc_);
    if (check.kind == AccessCheck::Kind::alone) {
        const std::uint32_t claimed = claimed_alignment(program_, pc_);
        check.bytes = {lanes_.plan().windows_at(pc_), made.offset, made.offset + made.bytes,
                       claimed, static_cast<std::uint32_t>(made.offset) % claimed};
    }
    Pointer alone;
    const bool joins = check.kind != AccessCheck::Kind::alone;
    Pointer& pointer = joins ? pointers_[check.place.symbol] : alone;
    if (check.kind != AccessCheck::Kind::known)
        pointer = test(i.b, check.bytes);
    else if (pointer.value == nullptr)
        pointer = pointer_to_known(i.b, check.bytes);
    else
        pointer.offset -= check.place.offset;
    const std::int64_t distance = // they are near each other
        static_cast<std::int32_t>(static_cast<std::uint32_t>(made.offset) - pointer.offset);
    Value* in_frame =
        build_.CreateGEP(module_.i8, pointer.value, number(static_cast<std::uint64_t>(distance)));
    pointer.offset += check.place.offset;
    if (const auto& records = lanes_.plan().records) {
        Value* address = build_.CreateAdd(wide(i.b), number(i.x));
        record(recorded(records->pages(), pc_, module_.i64), page_bit(address));
    }
    return in_frame;
}

bool LaneTranslation::may_be_in(const Window& window, std::size_t number, const NearBytes& bytes) {
    return window.bytes >= bytes.high - bytes.low &&
           (bytes.windows == 0 || (bytes.windows >> number & 1) != 0);
}

/// Leaves unless the bytes are in one of their windows, and aligned. One comparison tests both:
/// what is not aligned is turned so that it is too large.
LaneTranslation::Pointer LaneTranslation::test(std::uint32_t index, const NearBytes& bytes) {
    const LanePlan& plan = lanes_.plan();
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(bytes.alignment));
    // Down to a multiple of the alignment: windows begin at one.
    const std::int64_t low = bytes.low - ((bytes.low - bytes.phase) & (bytes.alignment - 1));
    const auto size = static_cast<std::uint32_t>(bytes.high - low);
    Value *inside = nullptr, *near = nullptr, *chosen = nullptr;
    for (std::size_t w = 0; w < plan.windows.size(); ++w) {
        const Window& window = plan.windows[w];
        if (!may_be_in(window, w, bytes) || window.bytes < size) continue;
        const std::uint32_t last = window.bytes - size;
        const std::int64_t from = low - std::int64_t{window.begin};
        const std::uint64_t end = std::uint64_t{window.begin} + window.bytes;
        constexpr std::uint64_t near_end = std::uint64_t{0xffff} << 16;
        Value *place, *fits, *there = nullptr;
        if (from <= 0 && end < near_end) {
            // Modulo 2^32: an address below the window is too far above it then, and one beyond
            // 4 GiB would need a base beyond 4 GiB to fall into it.
            place = build_.CreateAdd(narrow(index), number32(static_cast<std::uint32_t>(from)));
        } else {
            Value* exact = build_.CreateAdd(wide(index), number(static_cast<std::uint64_t>(from)));
            there = build_.CreateICmpULE(exact, number(last));
            place = build_.CreateTrunc(exact, module_.i32);
        }
        Value* turned = place;
        if (bits > 0)
            turned = build_.CreateIntrinsic(llvm::Intrinsic::fshr, {module_.i32},
                                            {place, place, number32(bits)});
        fits = build_.CreateICmpULE(turned, number32(last >> bits));
        Value* unaligned = build_.CreateICmpULE(place, number32(last));
        // What only growing brings may be there in part, unless it lies in one page: then this is
        // the same for all addresses.
        if (end > plan.memory_bytes) {
            const bool one_page = window.begin >> 16 == (end - 1) >> 16;
            Value* after = number(end);
            if (!one_page)
                after =
                    build_.CreateAdd(wide(index), number(static_cast<std::uint64_t>(bytes.high)));
            Value* grown = build_.CreateICmpULE(after, wide(memory_size_));
            there = there == nullptr ? grown : build_.CreateAnd(there, grown);
        }
        if (there != nullptr) {
            fits = build_.CreateAnd(fits, there);
            unaligned = build_.CreateAnd(unaligned, there);
        }
        Value* in_frame = build_.CreateAdd(place, number32(window.at));
        chosen = chosen == nullptr ? in_frame : build_.CreateSelect(fits, in_frame, chosen);
        inside = inside == nullptr ? fits : build_.CreateOr(inside, fits);
        near = near == nullptr ? unaligned : build_.CreateOr(near, unaligned);
    }
    const auto pointer = [&] {
        if (chosen == nullptr) chosen = number32(0); // it has left
        return Pointer{static_cast<std::uint32_t>(low), in_frame_at(chosen)};
    };
    if (inside == nullptr) leave_if(build_.getTrue(), Exit::window);
    const auto* known = inside == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(inside);
    if (inside == nullptr || (known != nullptr && known->isOne())) return pointer();
    // On a GPU both leave as `window`: this processor finds which it is.
    const bool tells = bits > 0 && lanes_.target() == LaneTarget::host;
    Block *go_on = new_block(), *out = tells ? new_block() : way_out(Exit::window);
    build_.CreateCondBr(inside, go_on, out, likely_);
    if (tells) {
        build_.SetInsertPoint(out);
        build_.CreateCondBr(near, way_out(Exit::misaligned), way_out(Exit::window));
    }
    build_.SetInsertPoint(go_on);
    return pointer();
}

llvm::Value* LaneTranslation::in_frame_at(Value* place) {
    return build_.CreateGEP(module_.i8, context_, build_.CreateZExt(place, module_.i64));
}

/// Where these bytes are, which are known to be in a window.
LaneTranslation::Pointer LaneTranslation::pointer_to_known(std::uint32_t index,
                                                           const NearBytes& bytes) {
    Value* first = build_.CreateAdd(narrow(index), number32(static_cast<std::uint32_t>(bytes.low)));
    Value* chosen = nullptr;
    for (std::size_t w = 0; w < lanes_.plan().windows.size(); ++w) {
        const Window& window = lanes_.plan().windows[w];
        if (!may_be_in(window, w, bytes)) continue;
        Value* here = build_.CreateAdd(first, number32(window.at - window.begin));
        // Windows ascend: it is the last one that does not begin behind the bytes.
        chosen = chosen == nullptr
                     ? here
                     : build_.CreateSelect(build_.CreateICmpUGE(first, number32(window.begin)),
                                           here, chosen);
    }
    if (chosen == nullptr) chosen = number32(0); // it has left
    return {static_cast<std::uint32_t>(bytes.low), in_frame_at(chosen)};
}

void LaneTranslation::charge_fee(Value* fee) {
    set_wide(fuel_, build_.CreateSub(wide(fuel_), fee));
    check_fuel();
    Value* fees = lanes_.in_frame(build_, context_, offsetof(LaneHeader, fees), module_.i64);
    build_.CreateStore(build_.CreateAdd(build_.CreateLoad(module_.i64, fees), fee), fees);
}

llvm::Value* LaneTranslation::place_of(Value* address, Value* bytes) {
    // Without a byte it does not matter where.
    Value *chosen = number(0), *inside = build_.CreateICmpEQ(bytes, number(0));
    for (const Window& window : lanes_.plan().windows) {
        // An address below the window is too far above it, modulo 2^64.
        Value* from_begin = build_.CreateSub(address, number(window.begin));
        Value* fits = build_.CreateAnd(
            build_.CreateICmpULE(from_begin, number(window.bytes)),
            build_.CreateICmpULE(bytes, build_.CreateSub(number(window.bytes), from_begin)));
        chosen = build_.CreateSelect(fits, build_.CreateAdd(from_begin, number(window.at)), chosen);
        inside = build_.CreateOr(inside, fits);
    }
    leave_if(build_.CreateNot(inside), Exit::window);
    return build_.CreateInBoundsGEP(module_.i8, context_, chosen);
}

void LaneTranslation::move_bytes(const Instruction& i, Opcode op) {
    Value *to = wide(i.a), *from = wide(i.b), *bytes = wide(i.c);
    const auto outside = [&](Value* address) {
        return build_.CreateICmpUGT(build_.CreateAdd(address, bytes), wide(memory_size_));
    };
    // Bounds first, then the fee, then the effect, as the interpreter does.
    leave_if(outside(to), Exit::trap);
    if (op == Opcode::memory_copy) leave_if(outside(from), Exit::trap);
    charge_fee(build_.CreateLShr(bytes, number(6)));
    assert(bulk_fee(program_.fuel, op, 64) == 1 && bulk_fee(program_.fuel, op, 63) == 0);
    Value* place = place_of(to, bytes);
    if (const auto& records = lanes_.plan().records; records && op == Opcode::memory_copy) {
        // Its first page and its last: few copies have more.
        Value* copied = recorded(records->pages_copied(), 0, module_.i64);
        record(copied, page_bit(from));
        record(copied, page_bit(build_.CreateAdd(from, bytes)));
    }
    if (op == Opcode::memory_copy)
        build_.CreateMemMove(place, llvm::MaybeAlign(1), place_of(from, bytes), llvm::MaybeAlign(1),
                             bytes);
    else
        build_.CreateMemSet(place, build_.CreateTrunc(from, module_.i8), bytes,
                            llvm::MaybeAlign(1));
}

/// Succeeds or leaves.
void LaneTranslation::grow(const Instruction& i) {
    Value* before = build_.CreateLShr(wide(memory_size_), number(16));
    Value* pages = build_.CreateAdd(before, wide(i.b));
    leave_if(build_.CreateICmpUGT(pages, number(lanes_.plan().most_bytes >> 16)), Exit::bulk);
    if (const std::uint64_t fee = bulk_fee(program_.fuel, Opcode::memory_grow, 1); fee != 0) {
        charge_fee(build_.CreateMul(wide(i.b), number(fee)));
    }
    Value* bytes = build_.CreateShl(pages, number(16));
    build_.CreateStore(bytes, size_in_frame());
    set_wide(memory_size_, bytes);
    set_wide(i.a, before);
}

void LaneTranslation::execute(const Instruction& i, bool answers) {
    const auto op = static_cast<Opcode>(i.op);
    if (op == Opcode::memory_grow) return grow(i);
    if (op == Opcode::memory_copy || op == Opcode::memory_fill) return move_bytes(i, op);
    const bool table = i.op >= static_cast<std::uint16_t>(Opcode::table_get) &&
                       i.op <= static_cast<std::uint16_t>(Opcode::elem_drop);
    leave_if(build_.getTrue(), table ? Exit::table : Exit::bulk);
    if (answers) set_wide(i.a, number(0));
}

llvm::Value* LaneTranslation::global_cell(std::uint32_t index) {
    return lanes_.in_frame(build_, context_, lanes_.plan().globals_at + index * sizeof(Cell),
                           module_.i64);
}

llvm::Value* LaneTranslation::reference(std::uint32_t) {
    leave_if(build_.getTrue(), Exit::table);
    return number(0);
}

llvm::Value* LaneTranslation::more_results() {
    return lanes_.in_frame(build_, context_, lanes_.plan().results_at, module_.i64);
}

void LaneTranslation::forget_results(const Instruction& i, const wasm::FunctionType& type) {
    for (std::uint32_t r = 0; r < type.results.size(); ++r) set_wide(i.b + r, number(0));
}

llvm::CallInst* LaneTranslation::call_own(const Instruction& i, std::uint32_t callee) {
    const wasm::FunctionType& type = type_of_function(callee);
    const LanePlan::Call kind = lanes_.plan().call_of(function_, callee);
    // Rounds left: on a GPU each number has code of its own, and the word is not looked at.
    const LanePlan& plan = lanes_.plan();
    std::uint32_t known = plan.rounds_of(callee);
    Value* rounds = number(known);
    if (kind != LanePlan::Call::onward) {
        known = lanes_.rounds_left();
        rounds = room_;
    }
    if (kind == LanePlan::Call::around) {
        const bool gpu = lanes_.target() == LaneTarget::nvptx;
        // Fewer than there may be at most: no more were seen.
        leave_if(gpu ? build_.getInt1(known == 0) : build_.CreateICmpEQ(rounds, number(0)),
                 plan.rounds_of(callee) < plan.most_rounds ? Exit::cold : Exit::recursion);
        if (gpu && known == 0) return nullptr;
        --known;
        rounds = build_.CreateSub(rounds, number(1));
        if (plan.records) {
            Value* most = recorded(plan.records->rounds(), callee, module_.i8);
            Value* now = build_.CreateTrunc(
                build_.CreateSub(number(plan.rounds_of(callee)), rounds), module_.i8);
            Value* seen = build_.CreateLoad(module_.i8, most);
            build_.CreateStore(build_.CreateSelect(build_.CreateICmpUGT(now, seen), now, seen),
                               most);
        }
    }
    std::vector<Value*> arguments{context_, wide(fuel_), rounds};
    for (std::uint32_t p = 0; p < type.parameters.size(); ++p) arguments.push_back(wide(i.b + p));
    return build_.CreateCall(lanes_.function(callee, known), arguments);
}

void LaneTranslation::call(const Instruction& i) {
    const wasm::FunctionType& type = type_of_function(i.x);
    if (!lanes_.plan().runs(i.x)) return leave_here(Exit::cold); // its lanes left before
    if (llvm::CallInst* made = call_own(i, i.x)) {
        set_wide(fuel_, build_.CreateExtractValue(made, 0));
        take_results(i, type, build_.CreateExtractValue(made, 1));
    } else {
        forget_results(i, type);
    }
    after_call(i);
}

void LaneTranslation::call_import(const Instruction& i) {
    const wasm::FunctionType& type = type_of_function(i.x);
    check_fuel();
    Value* cells = give_cells(i, type);
    set_wide(fuel_,
             build_.CreateCall(lanes_.import(build_, context_),
                               {context_, wide(fuel_), number32(i.x), cells, number32(pc_)}));
    take_cells(i, type, cells);
    after_call(i);
}

/// A branch over what the table had at the start, which no lane changes, and of this what ran.
void LaneTranslation::call_indirect(const Instruction& i) {
    const wasm::FunctionType& type = program_.module->types[i.x];
    Value* element = wide(i.c);
    if (const auto& records = lanes_.plan().records)
        record(recorded(records->pages(), pc_, module_.i64), element);
    // Known before the ways part, so that all of them use the same values.
    (void)wide(fuel_);
    for (std::uint32_t p = 0; p < type.parameters.size(); ++p) (void)wide(i.b + p);
    Block *missing = new_block(), *joined = new_block();
    llvm::SwitchInst* table = build_.CreateSwitch(element, missing);
    llvm::DenseMap<std::uint32_t, Block*> ways;
    std::vector<std::pair<llvm::CallInst*, Block*>> calls;
    const std::vector<std::uint32_t>& functions = lanes_.plan().tables[i.a];
    bool any_cold = false;
    for (std::size_t e = 0; e < functions.size(); ++e) {
        const std::uint32_t callee = functions[e];
        if (callee == LanePlan::no_function ||
            program_.canonical_type[program_.functions[callee].type] != i.x)
            continue;
        if (!lanes_.plan().runs(callee) || !lanes_.plan().may_call(pc_, e)) {
            any_cold = true;
            continue;
        }
        Block*& way = ways[callee];
        if (way == nullptr) {
            way = new_block();
            build_.SetInsertPoint(way);
            if (llvm::CallInst* made = call_own(i, callee)) {
                calls.emplace_back(made, build_.GetInsertBlock());
                build_.CreateBr(joined);
            } else {
                build_.CreateUnreachable();
            }
        }
        table->addCase(number(e), way);
    }
    build_.SetInsertPoint(missing);
    build_.CreateBr(way_out(any_cold ? Exit::cold : Exit::table));
    build_.SetInsertPoint(joined);
    if (calls.empty()) {
        forget_results(i, type);
    } else {
        llvm::PHINode* merged = build_.CreatePHI(module_.answer, 4);
        for (const auto& [made, way] : calls) merged->addIncoming(made, way);
        set_wide(fuel_, build_.CreateExtractValue(merged, 0));
        take_results(i, type, build_.CreateExtractValue(merged, 1));
    }
    after_call(i);
}

} // namespace blockloom::native
