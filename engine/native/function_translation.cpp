#include "native/function_translation.h"

#include "wasm/opcode_map.h"

namespace blockloom::native {

using wasm::Format;
using wasm::Opcode;
using wasm::TrapKind;

FunctionTranslation::FunctionTranslation(ModuleTranslation& module, std::uint32_t function,
                                         ControlGraph graph)
    : module_(module), program_(module.program()), about_(program_.functions[function]),
      type_(type_of_function(function)), graph_(std::move(graph)),
      build_(module.module().getContext()), made_(module.function(function)),
      context_(made_->getArg(0)), room_(made_->getArg(2)), fuel_(about_.cells),
      memory_size_(about_.cells + 1),
      facts_(about_.cells, static_cast<std::int64_t>(module.least_memory()), module.relates()),
      flow_(program_, function, graph_, static_cast<std::int64_t>(module.least_memory()),
            module.relates()) {
    registers_.resize(about_.cells + 2);
    entry_ = new_block();
}

const wasm::FunctionType& FunctionTranslation::type_of_function(std::uint32_t index) const {
    return program_.module->types[program_.module->functions[index]];
}

llvm::BasicBlock* FunctionTranslation::new_block() {
    return Block::Create(build_.getContext(), "", made_);
}

llvm::BasicBlock* FunctionTranslation::block_at(std::uint32_t pc) {
    Block*& there = blocks_[pc];
    if (there == nullptr) there = new_block();
    return there;
}

void FunctionTranslation::run() {
    // The entry block ends here, so that slots can be made in it later.
    Block* body = new_block();
    build_.SetInsertPoint(entry_);
    llvm::BranchInst* into = build_.CreateBr(body);
    build_.SetInsertPoint(into);
    build_.CreateStore(made_->getArg(1), use(fuel_).home);
    enter();

    build_.SetInsertPoint(body);
    reachable_ = true;
    if (graph_.begins(about_.entry))
        go_to(about_.entry);
    else
        charge(about_.cost, about_.entry);
    for (pc_ = about_.entry; pc_ < about_.end; ++pc_) {
        if (graph_.begins(pc_)) begin(pc_);
        if (!reachable_) continue;
        step(program_.code[pc_]);
        facts_.step(program_.code[pc_], program_);
    }
    if (most_cells_ > 0) {
        llvm::IRBuilder<> at_entry(entry_, entry_->getFirstInsertionPt());
        auto* cells = at_entry.CreateAlloca(module_.i64, number(most_cells_));
        cells_->replaceAllUsesWith(cells);
        cells_->eraseFromParent();
    }
}

void FunctionTranslation::enter() {
    memory_ = field(offsetof(Context, memory), module_.pointer, true);
    dirty_ = field(offsetof(Context, dirty), module_.pointer, true);
    build_.CreateStore(field(offsetof(Context, memory_size), module_.i64, false),
                       use(memory_size_).home);
}

void FunctionTranslation::begin(std::uint32_t pc) {
    if (reachable_) go_to(pc);
    build_.SetInsertPoint(block_at(pc));
    forget();
    facts_.begin(flow_.at(pc));
    anchors_.clear();
    reachable_ = true;
    charge(graph_.cost(pc), pc);
}

void FunctionTranslation::go_to(std::uint32_t pc) {
    write_home();
    build_.CreateBr(block_at(pc));
    reachable_ = false;
}

void FunctionTranslation::charge(std::uint32_t cost, std::uint32_t pc) {
    if (cost == 0) return;
    Value* before = wide(fuel_);
    Value* taken =
        build_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_with_overflow, before, number(cost));
    Value* left = build_.CreateExtractValue(taken, 0);
    Block *here = build_.GetInsertBlock(), *refuel = new_block(), *go_on = new_block();
    build_.CreateCondBr(build_.CreateExtractValue(taken, 1), refuel, go_on, module_.unlikely());
    build_.SetInsertPoint(refuel);
    call_stub(module_.refuel(), {context_, before, number32(pc)});
    Value* given = field(offsetof(Context, fuel), module_.i64, false);
    build_.CreateBr(go_on);
    build_.SetInsertPoint(go_on);
    llvm::PHINode* merged = build_.CreatePHI(module_.i64, 2);
    merged->addIncoming(left, here);
    merged->addIncoming(given, refuel);
    set_wide(fuel_, merged);
}

void FunctionTranslation::trap_if(Value* condition, TrapKind kind) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition))
        if (known->isZero()) return;
    if (trapped_ == nullptr) {
        trapped_ = new_block();
        llvm::IRBuilder<> build(trapped_);
        trap_fuel_ = build.CreatePHI(module_.i64, 4);
        trap_site_ = build.CreatePHI(module_.i32, 4);
        auto* type = llvm::FunctionType::get(module_.nothing,
                                             {module_.pointer, module_.i64, module_.i32}, false);
        Value* callee = module_.load_field(build, context_, offsetof(Context, trap),
                                           type->getPointerTo(), true);
        build.CreateCall(type, callee, {context_, trap_fuel_, trap_site_});
        build.CreateUnreachable();
    }
    Value* fuel = wide(fuel_);
    Block *here = build_.GetInsertBlock(), *go_on = new_block();
    trap_fuel_->addIncoming(fuel, here);
    trap_site_->addIncoming(number32(trap_site(pc_, kind)), here);
    build_.CreateCondBr(condition, trapped_, go_on, module_.unlikely());
    build_.SetInsertPoint(go_on);
}

void FunctionTranslation::trap(TrapKind kind) {
    trap_if(build_.getTrue(), kind);
    build_.CreateUnreachable();
    reachable_ = false;
}

void FunctionTranslation::call_stub(llvm::Function* stub, std::vector<Value*> arguments) {
    llvm::CallInst* call = build_.CreateCall(stub, arguments);
    call->setCallingConv(llvm::CallingConv::PreserveMost);
    call->addParamAttr(0, llvm::Attribute::SwiftSelf);
}

void FunctionTranslation::branch_if(Value* condition, const Instruction& i) {
    write_home();
    const std::uint32_t next = pc_ + 1;
    if (graph_.begins(next)) {
        build_.CreateCondBr(condition, block_at(i.x), block_at(next));
        reachable_ = false;
        return;
    }
    // Only this way leads there: what is known stays known.
    Block* go_on = new_block();
    build_.CreateCondBr(condition, block_at(i.x), go_on);
    build_.SetInsertPoint(go_on);
    charge(i.y >> 16, next);
}

void FunctionTranslation::branch_table(const Instruction& i) {
    Value* index = wide(i.b);
    write_home();
    const wasm::BranchTarget* ways = &program_.branch_targets[i.x];
    llvm::SwitchInst* table = build_.CreateSwitch(index, block_at(ways[i.y].pc), i.y);
    for (std::uint32_t way = 0; way < i.y; ++way)
        table->addCase(number(way), block_at(ways[way].pc));
    reachable_ = false;
}

bool FunctionTranslation::compare_and_branch(const Instruction& i, Opcode op) {
    const auto code = static_cast<std::uint32_t>(op);
    const auto first = static_cast<std::uint32_t>(Opcode::br_i32_eq_rr);
    const auto second = static_cast<std::uint32_t>(Opcode::br_i64_eq_rr);
    if (code < first || code >= static_cast<std::uint32_t>(Opcode::br_if_zero)) return false;
    const bool is_wide = code >= second;
    const std::uint32_t which = code - (is_wide ? second : first);
    const bool immediate = (which & 1) != 0;
    Value *x, *y;
    if (is_wide) {
        x = wide(i.b);
        y = immediate ? number(static_cast<std::uint64_t>(std::int64_t{i.ac})) : wide(i.c);
    } else {
        x = narrow(i.b);
        y = immediate ? number32(static_cast<std::uint32_t>(i.ac)) : narrow(i.c);
    }
    branch_if(build_.CreateICmp(predicate(which / 2), x, y), i);
    return true;
}

void FunctionTranslation::control(const Instruction& i, Opcode op) {
    switch (op) {
    case Opcode::charge:
        // A block that others branch to charges where it begins.
        if (!graph_.begins(pc_ + 1)) charge(i.x, pc_ + 1);
        return;
    case Opcode::mov:
        return copy(i.a, i.b);
    case Opcode::constant:
        return set_wide(i.a, number(i.imm64()));
    case Opcode::select:
        return select(i);
    case Opcode::br_if_zero:
        return branch_if(build_.CreateNot(truth(i.b)), i);
    case Opcode::br_if_nonzero:
        return branch_if(truth(i.b), i);
    case Opcode::br:
        return go_to(i.x);
    case Opcode::br_table:
        return branch_table(i);
    case Opcode::call:
        return call(i);
    case Opcode::call_import:
        return call_import(i);
    case Opcode::call_indirect:
        return call_indirect(i);
    case Opcode::ret:
        return return_results(type_.results.empty() ? nullptr : wide(0));
    case Opcode::ret_reg:
        return return_results(wide(i.b));
    case Opcode::ret_imm:
        return return_results(number(i.imm64()));
    default:
        return trap(static_cast<TrapKind>(i.x));
    }
}

void FunctionTranslation::step(const Instruction& i) {
    const auto op = static_cast<Opcode>(i.op);
    if (compare_and_branch(i, op) || integer(i, op) || memory(i, op) || unary(i, op) ||
        floating(i, op))
        return;
    control(i, op);
}

} // namespace blockloom::native
