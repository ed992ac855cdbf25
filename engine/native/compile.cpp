#include "native/code.h"

#include "native/code_image.h"
#include "native/function_translation.h"
#include "native/machine.h"

#include <fmt/format.h>

namespace blockloom::native {
namespace {

/// Beyond this LLVM may take minutes: such a module stays with the interpreter.
constexpr std::size_t most_instructions = 4'000'000, most_of_one_function = 400'000;

Error failed(const std::string& why) {
    return Error{ErrorCode::unavailable, "native compiler: " + why};
}

Error cancelled() {
    return Error{ErrorCode::cancelled, "native compiler: cancelled"};
}

Status check(const wasm::Program& program) {
    if (program.code.size() > most_instructions)
        return failed(fmt::format("expected at most {} instructions, found {}", most_instructions,
                                  program.code.size()));
    for (std::size_t i = 0; i < program.functions.size(); ++i)
        if (program.functions[i].end - program.functions[i].entry > most_of_one_function)
            return failed(fmt::format("function {}: expected at most {} instructions, found {}", i,
                                      most_of_one_function,
                                      program.functions[i].end - program.functions[i].entry));
    return {};
}

Status translate(ModuleTranslation& module, const std::stop_token& stop) {
    const wasm::Program& program = module.program();
    for (std::uint32_t i = program.module->imported_functions; i < program.functions.size(); ++i) {
        if (stop.stop_requested()) return cancelled();
        auto graph = ControlGraph::of(program, i);
        if (!graph) return graph.error();
        FunctionTranslation(module, i, *std::move(graph)).run();
        module.enter(program.canonical_type[program.functions[i].type]);
    }
    return {};
}

/// Links the object and looks up what it defines.
Status link(std::unique_ptr<llvm::MemoryBuffer> object, CodeImage& image) {
    auto linker = make_linker();
    if (!linker) return linker.error();
    const std::shared_ptr<llvm::orc::LLJIT> jit = *std::move(linker);
    if (auto error = jit->addObjectFile(std::move(object)))
        return failed(llvm::toString(std::move(error)));
    std::string why;
    const auto find = [&](const std::string& name) -> const void* {
        auto found = jit->lookupLinkerMangled(name);
        if (found) return reinterpret_cast<const void*>(found->getAddress());
        why = llvm::toString(found.takeError());
        return nullptr;
    };
    const wasm::Program& program = *image.program;
    for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
        FunctionEntry entry;
        entry.cells = program.functions[i].cells;
        if (i >= program.module->imported_functions) {
            const std::uint32_t type = program.canonical_type[program.functions[i].type];
            entry.code = find(ModuleTranslation::name_of(i));
            if (image.enter[type] == nullptr)
                image.enter[type] = reinterpret_cast<Enter>(
                    reinterpret_cast<std::uintptr_t>(find(ModuleTranslation::enter_name(type))));
        }
        image.functions.push_back(entry);
    }
    if (!why.empty()) return failed(why);
    image.owner = jit;
    return {};
}

} // namespace

NativeCode::NativeCode(std::unique_ptr<const CodeImage> image) : image_(std::move(image)) {}

NativeCode::~NativeCode() = default;

const wasm::Program& NativeCode::program() const noexcept {
    return *image_->program;
}

std::uint64_t NativeCode::bytes() const noexcept {
    return image_->bytes;
}

Result<std::shared_ptr<const NativeCode>> compile(std::shared_ptr<const wasm::Program> program,
                                                  const std::stop_token& stop) {
    if (const Status fits = check(*program); !fits) return fits.error();
    auto target = make_target();
    if (!target) return target.error();
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module;
    {
        ModuleTranslation translation(*program, context);
        translation.module().setTargetTriple((*target)->getTargetTriple().str());
        translation.module().setDataLayout((*target)->createDataLayout());
        if (const Status done = translate(translation, stop); !done) return done.error();
        module = translation.take();
    }
    optimise(*module, **target);
    if (stop.stop_requested()) return cancelled();
    auto object = emit(*module, **target);
    if (!object) return object.error();
    if (stop.stop_requested()) return cancelled();
    auto image = std::make_unique<CodeImage>();
    image->program = std::move(program);
    image->enter.resize(image->program->module->types.size());
    image->bytes = (*object)->getBufferSize();
    image->most_frame_bytes = most_frame_bytes(**object);
    if (const Status linked = link(*std::move(object), *image); !linked) return linked.error();
    return std::make_shared<const NativeCode>(std::move(image));
}

} // namespace blockloom::native
