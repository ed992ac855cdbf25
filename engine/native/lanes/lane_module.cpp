#include "native/lanes/lane_module.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>

namespace blockloom::native {

using llvm::Function;
using llvm::Value;

namespace {

constexpr unsigned local_space = 5; // of NVPTX: memory of a thread, interleaved by the hardware

} // namespace

LaneModule::LaneModule(const LanePlan& plan, llvm::LLVMContext& context, LaneTarget target)
    : ModuleTranslation(*plan.program, context, Tier::optimised, MemoryChecks::all),
      frame(llvm::PointerType::get(i8, target == LaneTarget::nvptx ? local_space : 0)), plan_(plan),
      target_(target) {
    // Services of machine code: lanes have none.
    refuel()->eraseFromParent();
    mark()->eraseFromParent();
}

std::string LaneModule::entry_name(std::uint32_t function) {
    return fmt::format("lane_{}", function);
}

Function* LaneModule::function(std::uint32_t index, std::uint32_t rounds) {
    const std::uint32_t own = target_ == LaneTarget::nvptx ? rounds : 0;
    const std::string name = fmt::format("{}.{}", name_of(index), own);
    if (Function* there = module().getFunction(name)) return there;
    wanted_.emplace_back(index, own);
    const wasm::Module& about = *program().module;
    std::vector<llvm::Type*> parameters{frame, i64, i64};
    parameters.resize(3 + about.types[about.functions[index]].parameters.size(), i64);
    auto* made = Function::Create(llvm::FunctionType::get(answer, parameters, false),
                                  Function::InternalLinkage, name, module());
    made->addFnAttr(llvm::Attribute::NoUnwind);
    return made;
}

Value* LaneModule::in_frame(llvm::IRBuilder<>& build, Value* of, std::uint64_t at,
                            llvm::Type* type) const {
    return build.CreateBitCast(build.CreateConstInBoundsGEP1_64(i8, of, at),
                               type->getPointerTo(frame->getAddressSpace()));
}

void LaneModule::leave(llvm::IRBuilder<>& build, Value* of, Value* exit) {
    Value* way = build.CreateLoad(i64, in_frame(build, of, offsetof(LaneHeader, leave), i64));
    if (target_ == LaneTarget::nvptx) {
        constexpr unsigned global_space = 1;
        build.CreateStore(exit, build.CreateIntToPtr(way, i32->getPointerTo(global_space)));
        auto* type = llvm::FunctionType::get(nothing, false);
        build.CreateCall(type, llvm::InlineAsm::get(type, "exit;", "", /*hasSideEffects*/ true));
    } else {
        auto* type = llvm::FunctionType::get(nothing, {frame, i32}, false);
        llvm::CallInst* call =
            build.CreateCall(type, build.CreateIntToPtr(way, type->getPointerTo()), {of, exit});
        call->setDoesNotReturn();
    }
    build.CreateUnreachable();
}

llvm::FunctionCallee LaneModule::import(llvm::IRBuilder<>& build, Value* of) {
    auto* type = llvm::FunctionType::get(i64, {frame, i64, i32, i64->getPointerTo(), i32}, false);
    if (target_ == LaneTarget::nvptx) return module().getOrInsertFunction("lane_import", type);
    Value* at = build.CreateLoad(i64, in_frame(build, of, offsetof(LaneHeader, answer), i64));
    return {type, build.CreateIntToPtr(at, type->getPointerTo())};
}

void LaneModule::make_entry(std::uint32_t index) {
    const wasm::FunctionType& about = program().module->types[program().module->functions[index]];
    auto* made =
        Function::Create(llvm::FunctionType::get(i64, {frame, i64, i64->getPointerTo()}, false),
                         Function::ExternalLinkage, entry_name(index), module());
    made->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module().getContext(), "", made));
    Value* cells = made->getArg(2);
    const auto cell = [&](std::size_t i) {
        return build.CreateConstInBoundsGEP1_64(i64, cells, i);
    };
    std::vector<Value*> arguments{made->getArg(0), made->getArg(1),
                                  build.getInt64(plan_.rounds_of(index))};
    for (std::size_t i = 0; i < about.parameters.size(); ++i)
        arguments.push_back(build.CreateLoad(i64, cell(i)));
    Value* result = build.CreateCall(function(index, plan_.rounds_of(index)), arguments);
    Value* fuel = build.CreateExtractValue(result, 0);
    // What is overdrawn since the last check shows here at the latest.
    auto* spent = llvm::BasicBlock::Create(module().getContext(), "", made);
    auto* enough = llvm::BasicBlock::Create(module().getContext(), "", made);
    build.CreateCondBr(build.CreateICmpSLT(fuel, build.getInt64(0)), spent, enough, unlikely());
    build.SetInsertPoint(spent);
    leave(build, made->getArg(0), build.getInt32(static_cast<std::uint32_t>(Exit::fuel)));
    build.SetInsertPoint(enough);
    if (!about.results.empty()) build.CreateStore(build.CreateExtractValue(result, 1), cell(0));
    for (std::size_t i = 1; i < about.results.size(); ++i)
        build.CreateStore(build.CreateLoad(i64, in_frame(build, made->getArg(0),
                                                         plan_.results_at + i * sizeof(Cell), i64)),
                          cell(i));
    build.CreateRet(fuel);
}

Status LaneModule::translate(std::span<const std::uint32_t> entries) {
    for (const std::uint32_t entry : entries) make_entry(entry);
    while (!wanted_.empty()) {
        const auto [index, rounds] = wanted_.back();
        wanted_.pop_back();
        rounds_ = rounds;
        auto graph = ControlGraph::of(program(), index);
        if (!graph) return graph.error();
        LaneTranslation(*this, index, *std::move(graph)).run();
    }
    return {};
}

} // namespace blockloom::native
