#include "native/module_translation.h"

#include <fmt/format.h>
#include <llvm/IR/MDBuilder.h>

namespace blockloom::native {

using llvm::Function;
using llvm::Value;

ModuleTranslation::ModuleTranslation(const wasm::Program& program, llvm::LLVMContext& context,
                                     Tier tier, MemoryChecks checks)
    : i1(llvm::Type::getInt1Ty(context)), i8(llvm::Type::getInt8Ty(context)),
      i16(llvm::Type::getInt16Ty(context)), i32(llvm::Type::getInt32Ty(context)),
      i64(llvm::Type::getInt64Ty(context)), f32(llvm::Type::getFloatTy(context)),
      f64(llvm::Type::getDoubleTy(context)), pointer(llvm::Type::getInt8PtrTy(context)),
      nothing(llvm::Type::getVoidTy(context)), answer(llvm::StructType::get(context, {i64, i64})),
      program_(program), module_(std::make_unique<llvm::Module>("blockloom", context)),
      relates_(tier == Tier::optimised), checks_bounds_(checks == MemoryChecks::all) {
    llvm::MDBuilder metadata(context);
    llvm::MDNode* root = metadata.createTBAARoot("blockloom");
    const char* const names[] = {"context", "linear", "global", "table"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        llvm::MDNode* type = metadata.createTBAAScalarTypeNode(names[i], root);
        tags_[i] = metadata.createTBAAStructTagNode(type, type, 0);
    }
    unlikely_ = metadata.createBranchWeights(1, 1 << 20);
    const wasm::Module& about = *program.module;
    if (about.imported_memories == 0 && !about.memories.empty())
        least_memory_ = std::uint64_t{about.memories.front().min} * wasm::page_size;
    refuel_ = make_stub("refuel", offsetof(Context, refuel), {pointer, i64, i32});
    mark_ = make_stub("mark", offsetof(Context, mark), {pointer, i64});
}

std::string ModuleTranslation::name_of(std::uint32_t function) {
    return fmt::format("f{}", function);
}

std::string ModuleTranslation::enter_name(std::uint32_t canonical_type) {
    return fmt::format("enter{}", canonical_type);
}

void ModuleTranslation::tag(llvm::Instruction* access, Region region) const {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, tags_[static_cast<std::size_t>(region)]);
}

llvm::LoadInst* ModuleTranslation::load_field(llvm::IRBuilder<>& build, Value* context,
                                              std::size_t offset, llvm::Type* type,
                                              bool fixed) const {
    Value* at = build.CreateConstInBoundsGEP1_64(i8, context, offset);
    llvm::LoadInst* loaded = build.CreateLoad(type, build.CreateBitCast(at, type->getPointerTo()));
    tag(loaded, Region::context);
    if (fixed)
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load,
                            llvm::MDNode::get(build.getContext(), {}));
    return loaded;
}

/// A service behind a convention that keeps nearly all registers: the hot way through a check pays
/// nothing for a call that is hardly ever made. It must not return a value (LLVM 14 would lose it).
Function* ModuleTranslation::make_stub(const char* name, std::size_t service,
                                       std::vector<llvm::Type*> parameters) {
    auto* type = llvm::FunctionType::get(nothing, parameters, false);
    auto* stub = Function::Create(type, Function::InternalLinkage, name, *module_);
    stub->setCallingConv(llvm::CallingConv::PreserveMost);
    stub->addParamAttr(0, llvm::Attribute::SwiftSelf);
    stub->addFnAttr(llvm::Attribute::NoInline);
    stub->addFnAttr(llvm::Attribute::Cold);
    stub->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module_->getContext(), "", stub));
    std::vector<Value*> arguments;
    for (llvm::Argument& argument : stub->args()) arguments.push_back(&argument);
    Value* callee = load_field(build, stub->getArg(0), service, type->getPointerTo(), true);
    build.CreateCall(type, callee, arguments);
    build.CreateRetVoid();
    return stub;
}

llvm::FunctionType* ModuleTranslation::type_of(const wasm::FunctionType& type) {
    // Context, remaining fuel, room, cells.
    std::vector<llvm::Type*> parameters{pointer, i64, i64};
    parameters.resize(3 + type.parameters.size(), i64);
    return llvm::FunctionType::get(answer, parameters, false);
}

Function* ModuleTranslation::function(std::uint32_t index) {
    const std::string name = name_of(index);
    if (Function* there = module_->getFunction(name)) return there;
    const wasm::Module& about = *program_.module;
    auto* made = Function::Create(type_of(about.types[about.functions[index]]),
                                  Function::ExternalLinkage, name, *module_);
    made->setDSOLocal(true);
    // The context stays in one register that calls keep.
    made->setCallingConv(llvm::CallingConv::Swift);
    made->addParamAttr(0, llvm::Attribute::SwiftSelf);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    return made;
}

Function* ModuleTranslation::enter(std::uint32_t canonical_type) {
    const std::string name = enter_name(canonical_type);
    if (Function* there = module_->getFunction(name)) return there;
    const wasm::FunctionType& about = program_.module->types[canonical_type];
    llvm::Type* cells = i64->getPointerTo();
    auto* made =
        Function::Create(llvm::FunctionType::get(i64, {pointer, i64, i64, pointer, cells}, false),
                         Function::ExternalLinkage, name, *module_);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module_->getContext(), "", made));
    llvm::FunctionType* type = type_of(about);
    std::vector<Value*> arguments{made->getArg(0), made->getArg(1), made->getArg(2)};
    for (std::size_t i = 0; i < about.parameters.size(); ++i)
        arguments.push_back(
            build.CreateLoad(i64, build.CreateConstInBoundsGEP1_64(i64, made->getArg(4), i)));
    Value* code = build.CreateBitCast(made->getArg(3), type->getPointerTo());
    llvm::CallInst* call = build.CreateCall(type, code, arguments);
    call->setCallingConv(llvm::CallingConv::Swift);
    call->addParamAttr(0, llvm::Attribute::SwiftSelf);
    if (!about.results.empty())
        build.CreateStore(build.CreateExtractValue(call, 1), made->getArg(4));
    build.CreateRet(build.CreateExtractValue(call, 0));
    return made;
}

} // namespace blockloom::native
