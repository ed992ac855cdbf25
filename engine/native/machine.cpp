#include "native/machine.h"

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <mutex>

namespace blockloom::native {
namespace {

Error unavailable(const std::string& what, const std::string& why) {
    return Error{ErrorCode::unavailable, fmt::format("native compiler: {}: {}", what, why)};
}

void know_this_machine() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

} // namespace

Processor this_processor() {
    Processor processor{llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(), {}};
    llvm::StringMap<bool> has;
    // No vectors are made, and what LLVM does for the widest ones only costs time.
    if (llvm::sys::getHostCPUFeatures(has))
        for (const auto& feature : has) {
            const bool wanted = feature.second && !feature.first().startswith("avx512");
            processor.features += (wanted ? ",+" : ",-") + feature.first().str();
        }
    if (!processor.features.empty()) processor.features.erase(0, 1);
    return processor;
}

Result<std::unique_ptr<llvm::TargetMachine>> make_target(Tier tier) {
    know_this_machine();
    const Processor processor = this_processor();
    std::string why;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(processor.triple, why);
    if (target == nullptr) return unavailable(processor.triple, why);
    llvm::TargetOptions options;
    options.EmitStackSizeSection = true;
    std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
        processor.triple, processor.name, processor.features, options, llvm::Reloc::PIC_,
        llvm::CodeModel::Small,
        tier == Tier::quick ? llvm::CodeGenOpt::None : llvm::CodeGenOpt::Less, /*JIT*/ true));
    if (!machine) return unavailable(processor.triple, "no code generator");
    return machine;
}

void optimise(llvm::Module& module, llvm::TargetMachine& target) {
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

    llvm::FunctionPassManager order;
    order.addPass(llvm::PromotePass());
    order.addPass(llvm::InstCombinePass());
    order.addPass(llvm::SimplifyCFGPass());
    order.addPass(llvm::EarlyCSEPass());
    // No hoisting out of loops here: the code generator's own does as well (measured), for less.

    for (llvm::Function& function : module)
        if (!function.isDeclaration()) order.run(function, functions);
}

Result<std::unique_ptr<llvm::MemoryBuffer>> emit(llvm::Module& module,
                                                 llvm::TargetMachine& target) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream to(bytes);
    llvm::legacy::PassManager passes;
    llvm::MCContext* context = nullptr;
    if (target.addPassesToEmitMC(passes, context, to, /*DisableVerify*/ true))
        return unavailable("object file", "this target cannot emit one");
    passes.run(module);
    return std::unique_ptr<llvm::MemoryBuffer>(std::make_unique<llvm::SmallVectorMemoryBuffer>(
        std::move(bytes), "blockloom", /*RequiresNullTerminator*/ false));
}

std::uint64_t most_frame_bytes(const llvm::MemoryBuffer& object) {
    std::uint64_t most = 0;
    auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
    if (!file) {
        llvm::consumeError(file.takeError());
        return 0;
    }
    for (const llvm::object::SectionRef& section : (*file)->sections()) {
        auto name = section.getName();
        if (!name) {
            llvm::consumeError(name.takeError());
            continue;
        }
        if (*name != ".stack_sizes") continue;
        auto content = section.getContents();
        if (!content) {
            llvm::consumeError(content.takeError());
            continue;
        }
        // Entries: an address of 8 bytes, the size as an unsigned LEB128.
        const auto* at = content->bytes_begin();
        const auto* const end = content->bytes_end();
        while (end - at > 8) {
            unsigned length = 0;
            const char* error = nullptr;
            most = std::max(most, llvm::decodeULEB128(at + 8, &length, end, &error));
            if (error != nullptr) break;
            at += 8 + length;
        }
    }
    return most;
}

Result<std::unique_ptr<Linker>> make_linker(std::size_t bytes) {
    know_this_machine();
    auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!machine) return unavailable("this machine", llvm::toString(machine.takeError()));
    auto region = CodeRegion::make(bytes);
    if (!region) return region.error();
    auto linker = std::make_unique<Linker>();
    linker->region = *std::move(region);
    auto jit =
        llvm::orc::LLJITBuilder()
            .setJITTargetMachineBuilder(std::move(*machine))
            .setObjectLinkingLayerCreator(
                [region = linker->region.get()](
                    llvm::orc::ExecutionSession& session,
                    const llvm::Triple&) -> std::unique_ptr<llvm::orc::ObjectLayer> {
                    return std::make_unique<llvm::orc::RTDyldObjectLinkingLayer>(session, [region] {
                        return std::make_unique<llvm::SectionMemoryManager>(region);
                    });
                })
            .create();
    if (!jit)
        return Error{ErrorCode::system,
                     "native compiler: linker: " + llvm::toString(jit.takeError())};
    linker->jit = std::move(*jit);
    // LLVM would print to a stream that is destroyed when the process exits: a thread that still
    // links then (closing_threads.h) would abort it.
    linker->jit->getExecutionSession().setErrorReporter([&why = linker->why](llvm::Error error) {
        const std::string text = llvm::toString(std::move(error));
        if (why.empty()) why = text;
    });
    // What the code generator may call: memory and rounding functions of the C library.
    auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        linker->jit->getDataLayout().getGlobalPrefix());
    if (!process) return unavailable("symbols", llvm::toString(process.takeError()));
    linker->jit->getMainJITDylib().addGenerator(std::move(*process));
    return linker;
}

} // namespace blockloom::native
