// Calls, returns and what goes through the services.
#include "native/function_translation.h"

#include <algorithm>

namespace blockloom::native {

using wasm::TrapKind;

llvm::Value* FunctionTranslation::field(std::size_t offset, llvm::Type* type, bool fixed) {
    return module_.load_field(build_, context_, offset, type, fixed);
}

llvm::CallInst* FunctionTranslation::call_service(std::size_t service,
                                                  std::vector<Value*> arguments) {
    std::vector<llvm::Type*> parameters;
    for (const Value* argument : arguments) parameters.push_back(argument->getType());
    auto* type = llvm::FunctionType::get(module_.i64, parameters, false);
    return build_.CreateCall(type, field(service, type->getPointerTo(), true), arguments);
}

llvm::Value* FunctionTranslation::more_results() {
    return field(offsetof(Context, results), module_.i64->getPointerTo(), true);
}

void FunctionTranslation::return_results(Value* first) {
    Value* answer = llvm::UndefValue::get(module_.answer);
    // Those after the first go through memory.
    if (type_.results.size() > 1) {
        Value* at = more_results();
        for (std::uint32_t r = 1; r < type_.results.size(); ++r)
            module_.tag(
                build_.CreateStore(wide(r), build_.CreateConstInBoundsGEP1_64(module_.i64, at, r)),
                Region::context);
    }
    answer = build_.CreateInsertValue(answer, wide(fuel_), 0);
    if (first != nullptr) answer = build_.CreateInsertValue(answer, first, 1);
    build_.CreateRet(answer);
    reachable_ = false;
}

void FunctionTranslation::take_results(const Instruction& i, const wasm::FunctionType& type,
                                       Value* first) {
    if (type.results.empty()) return;
    set_wide(i.b, first);
    if (type.results.size() == 1) return;
    Value* at = more_results();
    for (std::uint32_t r = 1; r < type.results.size(); ++r) {
        llvm::LoadInst* loaded =
            build_.CreateLoad(module_.i64, build_.CreateConstInBoundsGEP1_64(module_.i64, at, r));
        module_.tag(loaded, Region::context);
        set_wide(i.b + r, loaded);
    }
}

void FunctionTranslation::after_call(const Instruction& i) {
    look_at_memory_again();
    if (!graph_.begins(pc_ + 1)) charge(i.y, pc_ + 1);
}

void FunctionTranslation::call(const Instruction& i) {
    const wasm::FunctionType& type = type_of_function(i.x);
    // A callee of this module whose frame does not fit anywhere is never called.
    Value* room = build_.CreateSub(room_, number(one_frame + i.b));
    Value* needed = build_.CreateSub(room, number(program_.functions[i.x].cells));
    trap_if(build_.CreateICmpNE(build_.CreateAnd(needed, number(room_overdrawn)), number(0)),
            TrapKind::call_stack_exhausted);
    std::vector<Value*> arguments{context_, wide(fuel_), room};
    for (std::uint32_t p = 0; p < type.parameters.size(); ++p) arguments.push_back(wide(i.b + p));
    llvm::Function* callee = module_.function(i.x);
    llvm::CallInst* made = build_.CreateCall(callee, arguments);
    made->setCallingConv(llvm::CallingConv::Swift);
    made->addParamAttr(0, llvm::Attribute::SwiftSelf);
    set_wide(fuel_, build_.CreateExtractValue(made, 0));
    take_results(i, type, build_.CreateExtractValue(made, 1));
    after_call(i);
}

llvm::Value* FunctionTranslation::give_cells(const Instruction& i, const wasm::FunctionType& type) {
    most_cells_ = std::max<std::uint64_t>(
        most_cells_, std::max({type.parameters.size(), type.results.size(), std::size_t{1}}));
    if (cells_ == nullptr) {
        // Stands for the array until its size is known.
        llvm::IRBuilder<> at_entry(entry_, entry_->getFirstInsertionPt());
        cells_ = at_entry.CreateAlloca(module_.i64);
    }
    for (std::uint32_t p = 0; p < type.parameters.size(); ++p)
        build_.CreateStore(wide(i.b + p),
                           build_.CreateConstInBoundsGEP1_64(module_.i64, cells_, p));
    return cells_;
}

void FunctionTranslation::take_cells(const Instruction& i, const wasm::FunctionType& type,
                                     Value* cells) {
    for (std::uint32_t r = 0; r < type.results.size(); ++r)
        set_wide(i.b + r, build_.CreateLoad(module_.i64, build_.CreateConstInBoundsGEP1_64(
                                                             module_.i64, cells, r)));
}

void FunctionTranslation::call_import(const Instruction& i) {
    const wasm::FunctionType& type = type_of_function(i.x);
    Value* cells = give_cells(i, type);
    set_wide(fuel_, call_service(offsetof(Context, call_import),
                                 {context_, wide(fuel_), room_, number32(pc_), cells}));
    take_cells(i, type, cells);
    after_call(i);
}

void FunctionTranslation::call_indirect(const Instruction& i) {
    const wasm::FunctionType& type = program_.module->types[i.x];
    // Here only functions of this very instance and type; all else is the service's.
    llvm::Type* pointer = module_.i64->getPointerTo();
    Value* tables = field(offsetof(Context, tables), module_.pointer, true);
    const auto in_table = [&](std::size_t offset) {
        llvm::LoadInst* loaded = build_.CreateLoad(
            module_.i64,
            build_.CreateBitCast(build_.CreateConstInBoundsGEP1_64(
                                     module_.i8, tables, i.a * sizeof(TableView) + offset),
                                 pointer));
        module_.tag(loaded, Region::context);
        return loaded;
    };
    const auto at = [&](Value* address, std::uint64_t offset, llvm::Type* loaded, bool table) {
        llvm::LoadInst* made = build_.CreateLoad(
            loaded, build_.CreateIntToPtr(build_.CreateAdd(address, number(offset)),
                                          loaded->getPointerTo()));
        module_.tag(made, table ? Region::table : Region::context);
        return made;
    };
    Value* element = wide(i.c);
    std::vector<Value*> given;
    for (std::uint32_t p = 0; p < type.parameters.size(); ++p) given.push_back(wide(i.b + p));
    Value* fuel = wide(fuel_);

    Block *inside = new_block(), *there = new_block(), *own = new_block(), *direct = new_block(),
          *other = new_block(), *joined = new_block();
    build_.CreateCondBr(build_.CreateICmpULT(element, in_table(offsetof(TableView, size))), inside,
                        other);
    build_.SetInsertPoint(inside);
    Value* cells_at = in_table(offsetof(TableView, cells));
    Value* reference =
        at(build_.CreateAdd(cells_at, build_.CreateShl(element, number(3))), 0, module_.i64, true);
    build_.CreateCondBr(build_.CreateICmpNE(reference, number(0)), there, other);

    build_.SetInsertPoint(there);
    Value* instance =
        at(reference, offsetof(wasm::FunctionReference, instance), module_.i64, false);
    Value* same_instance =
        build_.CreateICmpEQ(instance, field(offsetof(Context, instance), module_.i64, true));
    Value* canonical =
        at(reference, offsetof(wasm::FunctionReference, canonical_type), module_.i32, false);
    build_.CreateCondBr(
        build_.CreateAnd(same_instance, build_.CreateICmpEQ(canonical, number32(i.x))), own, other);

    build_.SetInsertPoint(own);
    Value* index = build_.CreateZExt(
        at(reference, offsetof(wasm::FunctionReference, function), module_.i32, false),
        module_.i64);
    static_assert(sizeof(FunctionEntry) == 16);
    Value* entry = build_.CreateAdd(field(offsetof(Context, functions), module_.i64, true),
                                    build_.CreateShl(index, number(4)));
    Value* callee_cells = at(entry, offsetof(FunctionEntry, cells), module_.i64, false);
    Value* room = build_.CreateSub(room_, number(one_frame + i.b));
    Value* needed = build_.CreateSub(room, callee_cells);
    build_.CreateCondBr(
        build_.CreateICmpEQ(build_.CreateAnd(needed, number(room_overdrawn)), number(0)), direct,
        other);

    build_.SetInsertPoint(direct);
    llvm::FunctionType* made_type = module_.type_of(type);
    Value* callee = at(entry, offsetof(FunctionEntry, code), made_type->getPointerTo(), false);
    std::vector<Value*> arguments{context_, fuel, room};
    arguments.insert(arguments.end(), given.begin(), given.end());
    llvm::CallInst* made = build_.CreateCall(made_type, callee, arguments);
    made->setCallingConv(llvm::CallingConv::Swift);
    made->addParamAttr(0, llvm::Attribute::SwiftSelf);
    std::vector<Value*> found;
    if (!type.results.empty()) found.push_back(build_.CreateExtractValue(made, 1));
    if (type.results.size() > 1) {
        Value* results = field(offsetof(Context, results), pointer, true);
        for (std::uint32_t r = 1; r < type.results.size(); ++r) {
            llvm::LoadInst* loaded = build_.CreateLoad(
                module_.i64, build_.CreateConstInBoundsGEP1_64(module_.i64, results, r));
            module_.tag(loaded, Region::context);
            found.push_back(loaded);
        }
    }
    Value* fuel_direct = build_.CreateExtractValue(made, 0);
    Block* from_direct = build_.GetInsertBlock();
    build_.CreateBr(joined);

    build_.SetInsertPoint(other);
    Value* cells = give_cells(i, type);
    Value* fuel_other = call_service(offsetof(Context, call_indirect),
                                     {context_, fuel, room_, number32(pc_), cells, element});
    std::vector<Value*> others;
    for (std::uint32_t r = 0; r < type.results.size(); ++r)
        others.push_back(build_.CreateLoad(
            module_.i64, build_.CreateConstInBoundsGEP1_64(module_.i64, cells, r)));
    build_.CreateBr(joined);

    build_.SetInsertPoint(joined);
    const auto merge = [&](Value* first, Value* second) {
        llvm::PHINode* merged = build_.CreatePHI(module_.i64, 2);
        merged->addIncoming(first, from_direct);
        merged->addIncoming(second, other);
        return merged;
    };
    Value* left = merge(fuel_direct, fuel_other);
    std::vector<Value*> results;
    for (std::size_t r = 0; r < found.size(); ++r) results.push_back(merge(found[r], others[r]));
    set_wide(fuel_, left);
    for (std::uint32_t r = 0; r < results.size(); ++r) set_wide(i.b + r, results[r]);
    after_call(i);
}

} // namespace blockloom::native
