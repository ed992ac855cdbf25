#include "native/lanes/lane_ptx.h"

#include "base/bytes.h"
#include "base/sha256.h"
#include "native/compiler_memory.h"
#include "native/kept_code.h"
#include "native/lanes/lane_module.h"
#include "native/module_id.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <mutex>

namespace blockloom::native {
namespace {

Error no_ptx(const std::string& why) {
    return Error{ErrorCode::unavailable, "lane code for CUDA: " + why};
}

constexpr const char* triple = "nvptx64-nvidia-cuda";

/// The oldest architecture with independent threads; drivers compile its PTX for newer devices.
Result<std::unique_ptr<llvm::TargetMachine>> make_nvptx() {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
    std::string why;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
    if (target == nullptr) return no_ptx(why);
    std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
        triple, "sm_70", "+ptx64", {}, llvm::None, llvm::None, llvm::CodeGenOpt::Default));
    if (!machine) return no_ptx("no code generator");
    return machine;
}

void make_enter(llvm::Module& module, std::uint32_t function) {
    llvm::Function* enter = module.getFunction("lane_enter");
    llvm::Function* entry = module.getFunction(LaneModule::entry_name(function));
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.getContext(), "", enter));
    build.CreateRet(
        build.CreateCall(entry, {enter->getArg(0), enter->getArg(1), enter->getArg(2)}));
}

/// The entry: its parameters one after the other in memory, a frame and cells.
void make_kernel(llvm::Module& module, const LanePlan& plan, std::uint32_t function,
                 const LaneKernel& about) {
    llvm::LLVMContext& context = module.getContext();
    llvm::Type *word = llvm::Type::getInt32Ty(context), *wide = llvm::Type::getInt64Ty(context),
               *byte = llvm::Type::getInt8Ty(context);
    std::vector<llvm::Type*> parameters(about.buffers, wide);
    parameters.resize(about.buffers + about.words, word);
    auto* kernel = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false),
        llvm::Function::ExternalLinkage, lane_entry, module);
    kernel->addFnAttr(llvm::Attribute::NoUnwind);
    module.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            context, {llvm::ValueAsMetadata::get(kernel), llvm::MDString::get(context, "kernel"),
                      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, 1))}));
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(context, "", kernel));
    const auto room = [&](std::uint64_t bytes) {
        llvm::AllocaInst* made = build.CreateAlloca(llvm::ArrayType::get(byte, bytes));
        made->setAlignment(llvm::Align(16));
        return build.CreateBitCast(made, byte->getPointerTo());
    };
    const std::uint64_t launch_bytes =
        std::uint64_t{about.buffers} * 8 + (about.words + 3) / 2 * 8; // and a word of the host's
    llvm::Value* launch = room(launch_bytes);
    std::uint64_t at = 0;
    for (llvm::Argument& given : kernel->args()) {
        llvm::Value* place = build.CreateConstInBoundsGEP1_64(byte, launch, at);
        build.CreateStore(&given, build.CreateBitCast(place, given.getType()->getPointerTo()));
        at += given.getType() == wide ? 8 : 4;
    }
    const wasm::ProgramFunction& run = plan.program->functions[function];
    llvm::Value* frame = room(plan.frame_bytes);
    llvm::Value* cells = room(std::max({run.parameters, run.results, 1u}) * sizeof(wasm::Cell));
    llvm::Function* main = module.getFunction("lane_main");
    build.CreateCall(main, {build.CreateBitCast(launch, main->getArg(0)->getType()),
                            build.CreateAddrSpaceCast(frame, main->getArg(1)->getType()),
                            build.CreateBitCast(cells, main->getArg(2)->getType())});
    build.CreateRetVoid();
}

/// Threads of a warp part at a loop, and meet again where its function ends: inlined, they may meet
/// only where the caller ends, which runs once for each group of them until then.
void keep_loops_apart(llvm::Module& module) {
    for (llvm::Function& each : module) {
        if (each.isDeclaration()) continue;
        const llvm::DominatorTree tree(each);
        if (!llvm::LoopInfo(tree).empty()) each.addFnAttr(llvm::Attribute::NoInline);
    }
}

void optimise_all(llvm::Module& module, llvm::TargetMachine& target) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager groups;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder passes(&target);
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(groups);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, groups, modules);
    passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

/// LLVM 14 makes a rotation of 64 bits for NVPTX of two shifts whose amounts it does not take
/// modulo 64, and forms such rotations itself of shifts whose masks it then removes. So each amount
/// that is not known is masked after the optimiser, where nothing sees that it is.
void mask_shifts(llvm::Module& module) {
    llvm::Type* wide = llvm::Type::getInt64Ty(module.getContext());
    llvm::InlineAsm* mask =
        llvm::InlineAsm::get(llvm::FunctionType::get(wide, {wide}, false), "and.b64 $0, $1, 63;",
                             "=l,l", /*hasSideEffects*/ false);
    std::vector<llvm::Use*> amounts;
    for (llvm::Function& function : module)
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& each : block) {
                if (each.getType() != wide) continue;
                const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
                if (intrinsic != nullptr && (intrinsic->getIntrinsicID() == llvm::Intrinsic::fshl ||
                                             intrinsic->getIntrinsicID() == llvm::Intrinsic::fshr))
                    amounts.push_back(&each.getOperandUse(2));
                else if (each.getOpcode() == llvm::Instruction::Shl ||
                         each.getOpcode() == llvm::Instruction::LShr)
                    amounts.push_back(&each.getOperandUse(1));
            }
    for (llvm::Use* amount : amounts) {
        if (llvm::isa<llvm::ConstantInt>(amount->get())) continue;
        llvm::IRBuilder<> build(llvm::cast<llvm::Instruction>(amount->getUser()));
        amount->set(build.CreateCall(mask, {amount->get()}));
    }
}

} // namespace

Result<std::string> lane_ptx(const LanePlan& plan, std::uint32_t function,
                             const LaneKernel& kernel) {
    const wasm::Program& program = *plan.program;
    if (function >= program.functions.size() || function < program.module->imported_functions)
        return no_ptx(fmt::format("no own function {}", function));
    const CompilerMemory memory;
    auto target = make_nvptx();
    if (!target) return target.error();
    llvm::LLVMContext context;
    LaneModule translation(plan, context, LaneTarget::nvptx);
    translation.module().setTargetTriple(triple);
    translation.module().setDataLayout((*target)->createDataLayout());
    if (const Status made = translation.translate({&function, 1}); !made) return made.error();
    const std::unique_ptr<llvm::Module> module = translation.take();
    keep_loops_apart(*module);
    auto around = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef(llvm::StringRef(reinterpret_cast<const char*>(kernel.bitcode.data()),
                                              kernel.bitcode.size()),
                              "kernel"),
        context);
    if (!around) return no_ptx(llvm::toString(around.takeError()));
    (*around)->setDataLayout(module->getDataLayout());
    if (llvm::Linker::linkModules(*module, std::move(*around)))
        return no_ptx("the kernel cannot be linked");
    make_enter(*module, function);
    make_kernel(*module, plan, function, kernel);
    for (llvm::Function& each : *module)
        if (!each.isDeclaration() && each.getName() != lane_entry)
            each.setLinkage(llvm::GlobalValue::InternalLinkage);
    // It is called from many places, and is long.
    llvm::Function* import = module->getFunction("lane_import");
    import->addFnAttr(llvm::Attribute::NoInline);
    std::string text;
    llvm::raw_string_ostream to(text);
    if (llvm::verifyModule(*module, &to)) return no_ptx(to.str());
    optimise_all(*module, **target);
    mask_shifts(*module);
    llvm::SmallVector<char, 0> ptx;
    llvm::raw_svector_ostream out(ptx);
    llvm::legacy::PassManager passes;
    if ((*target)->addPassesToEmitFile(passes, out, nullptr, llvm::CGFT_AssemblyFile))
        return no_ptx("this target emits no text");
    passes.run(*module);
    return std::string(ptx.begin(), ptx.end());
}

std::string lane_ptx_key(const LanePlan& plan, std::uint32_t function, const LaneKernel& kernel) {
    Sha256Stream stream;
    const auto add = [&](std::uint64_t number) {
        stream.add({reinterpret_cast<const Byte*>(&number), sizeof number});
    };
    stream.add(module_id(*plan.program));
    stream.add(as_bytes(code_maker().generator));
    stream.add(as_bytes(code_maker().llvm));
    stream.add(kernel.bitcode);
    add(function);
    add(plan.memory_bytes);
    add(plan.most_bytes);
    for (const std::uint32_t rounds : plan.rounds) add(rounds);
    for (const std::uint64_t set : plan.used) add(set);
    for (const Window& window : plan.windows) add(window.begin), add(window.bytes), add(window.at);
    for (const auto& table : plan.tables) {
        add(table.size());
        for (const std::uint32_t element : table) add(element);
    }
    Bytes live(plan.live.begin(), plan.live.end());
    stream.add(live);
    return to_hex(stream.finish());
}

} // namespace blockloom::native
