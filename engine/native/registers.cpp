// Registers of the program as values: known within a block, in stack slots between blocks.
#include "native/function_translation.h"

namespace blockloom::native {

FunctionTranslation::Register& FunctionTranslation::use(std::uint32_t index) {
    Register& found = registers_[index];
    if (found.home != nullptr) return found;
    // Made at the entry, where LLVM looks for them.
    llvm::IRBuilder<> at_entry(entry_, entry_->getFirstInsertionPt());
    found.home = at_entry.CreateAlloca(module_.i64);
    at_entry.SetInsertPoint(entry_->getTerminator());
    if (index < about_.parameters)
        at_entry.CreateStore(made_->getArg(3 + index), found.home);
    else if (index < about_.parameters + about_.locals)
        at_entry.CreateStore(number(0), found.home);
    return found;
}

/// Call before what is known of the register changes.
void FunctionTranslation::remember(std::uint32_t index) {
    if (exactly_) undo_.emplace_back(index, registers_[index]);
}

llvm::Value* FunctionTranslation::wide(std::uint32_t index) {
    Register& from = use(index);
    if (from.wide != nullptr) return from.wide;
    remember(index);
    if (from.narrow == nullptr && from.bit == nullptr) known_.push_back(index);
    if (from.narrow != nullptr)
        from.wide = build_.CreateZExt(from.narrow, module_.i64);
    else if (from.bit != nullptr)
        from.wide = build_.CreateZExt(from.bit, module_.i64);
    else
        from.wide = build_.CreateLoad(module_.i64, from.home);
    return from.wide;
}

llvm::Value* FunctionTranslation::narrow(std::uint32_t index) {
    Register& from = use(index);
    if (from.narrow != nullptr) return from.narrow;
    remember(index);
    if (from.wide == nullptr && from.bit != nullptr)
        return from.narrow = build_.CreateZExt(from.bit, module_.i32);
    Value* cell = wide(index);
    return from.narrow = build_.CreateTrunc(cell, module_.i32);
}

llvm::Value* FunctionTranslation::truth(std::uint32_t index) {
    Register& from = use(index);
    if (from.bit != nullptr) return from.bit;
    // A cell that is known by its low half has no other half.
    if (from.narrow != nullptr && from.wide == nullptr)
        return build_.CreateICmpNE(from.narrow, number32(0));
    return build_.CreateICmpNE(wide(index), number(0));
}

FunctionTranslation::Register& FunctionTranslation::change(std::uint32_t index) {
    Register& to = use(index);
    remember(index);
    if (to.wide == nullptr && to.narrow == nullptr && to.bit == nullptr) known_.push_back(index);
    to.wide = to.narrow = to.bit = nullptr;
    to.changed = true;
    return to;
}

void FunctionTranslation::set_wide(std::uint32_t index, Value* value) {
    change(index).wide = value;
}

void FunctionTranslation::set_narrow(std::uint32_t index, Value* value) {
    change(index).narrow = value;
}

void FunctionTranslation::set_bit(std::uint32_t index, Value* value) {
    change(index).bit = value;
}

void FunctionTranslation::copy(std::uint32_t to, std::uint32_t from) {
    if (to == from) return;
    Register known = use(from);
    if (known.wide == nullptr && known.narrow == nullptr && known.bit == nullptr)
        known.wide = wide(from);
    Register& changed = change(to);
    changed.wide = known.wide, changed.narrow = known.narrow, changed.bit = known.bit;
}

void FunctionTranslation::write_home() {
    for (const std::uint32_t index : known_) {
        Register& known = registers_[index];
        if (!known.changed) continue;
        build_.CreateStore(wide(index), known.home);
        known.changed = false;
    }
}

void FunctionTranslation::forget() {
    for (const std::uint32_t index : known_) {
        Register& known = registers_[index];
        known.wide = known.narrow = known.bit = nullptr;
        known.changed = false;
    }
    known_.clear();
}

void FunctionTranslation::select(const Instruction& i) {
    Value* condition = truth(i.x);
    const Register &yes = use(i.b), &no = use(i.c);
    // A low half beside a whole cell may be a part of it only.
    const auto is_narrow = [](const Register& of) {
        return of.narrow != nullptr && of.wide == nullptr;
    };
    if (is_narrow(yes) && is_narrow(no))
        return set_narrow(i.a, build_.CreateSelect(condition, yes.narrow, no.narrow));
    Value *first = wide(i.b), *second = wide(i.c);
    set_wide(i.a, build_.CreateSelect(condition, first, second));
}

} // namespace blockloom::native
