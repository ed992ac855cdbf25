#include "native/code.h"

#include "base/contain.h"
#include "native/code_image.h"
#include "native/compiler_memory.h"
#include "native/function_translation.h"
#include "native/machine.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <fmt/format.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <thread>

namespace blockloom::native {
namespace {

/// Beyond this LLVM may take minutes: such a module stays with the interpreter.
constexpr std::size_t most_instructions = 4'000'000, most_of_one_function = 400'000,
                      most_blocks = 20'000;

/// LLVM's optimising code generator takes time that grows with the square of a function's blocks,
/// however they are nested; the quick one takes 80 µs a block.
constexpr std::size_t most_blocks_optimised = 4'000;

Error failed(const std::string& why) {
    return Error{ErrorCode::unavailable, "native compiler: " + why};
}

/// Machine code that the compiler made is always right to link: this machine lacked something.
Error not_linked(const std::string& why) {
    return Error{ErrorCode::system, "native compiler: linking: " + why};
}

Error cancelled() {
    return Error{ErrorCode::cancelled, "native compiler: cancelled"};
}

/// Basic blocks of a function, but for those that nobody branches to and that pay nothing.
std::size_t blocks_of(const wasm::Program& program, std::uint32_t function) {
    const wasm::ProgramFunction& about = program.functions[function];
    std::size_t blocks = 1;
    for (std::uint32_t pc = about.entry; pc < about.end; ++pc) {
        switch (format_of(static_cast<wasm::Opcode>(program.code[pc].op))) {
        case wasm::Format::compare_rr:
        case wasm::Format::compare_ri:
        case wasm::Format::branch_if:
        case wasm::Format::branch:
        case wasm::Format::branch_table:
        case wasm::Format::call:
        case wasm::Format::call_indirect:
        case wasm::Format::charge:
            ++blocks;
            break;
        default:
            break;
        }
    }
    return blocks;
}

Status check(const wasm::Program& program) {
    if (program.code.size() > most_instructions)
        return failed(fmt::format("expected at most {} instructions, found {}", most_instructions,
                                  program.code.size()));
    for (std::uint32_t i = program.module->imported_functions; i < program.functions.size(); ++i) {
        const std::uint32_t instructions = program.functions[i].end - program.functions[i].entry;
        if (instructions > most_of_one_function)
            return failed(fmt::format("function {}: expected at most {} instructions, found {}", i,
                                      most_of_one_function, instructions));
        // A block has an instruction of its own.
        if (instructions <= most_blocks) continue;
        if (const std::size_t blocks = blocks_of(program, i); blocks > most_blocks)
            return failed(fmt::format("function {}: expected at most {} blocks with a fuel cost, "
                                      "found {}; the interpreter has no such limit",
                                      i, most_blocks, blocks));
    }
    return {};
}

/// Functions that become one object: enough of them that a start costs little, few enough that
/// several threads share a module and that a stop does not wait long.
struct Chunk {
    std::uint32_t begin = 0, end = 0;
    bool enters = false; ///< with "Enter" of all types
    bool large = false;  ///< one function of so many blocks that it is compiled quickly
};

std::vector<Chunk> split(const wasm::Program& program) {
    constexpr std::uint32_t enough = 6'000; // instructions
    std::vector<Chunk> chunks;
    const auto all = static_cast<std::uint32_t>(program.functions.size());
    Chunk chunk{program.module->imported_functions, program.module->imported_functions, true};
    std::uint32_t instructions = 0;
    const auto close = [&](std::uint32_t end) {
        chunk.end = end;
        instructions = 0;
        if (chunk.end == chunk.begin) return;
        chunks.push_back(chunk);
        chunk = {end, end, false, false};
    };
    for (std::uint32_t i = chunk.begin; i < all; ++i) {
        const std::uint32_t own = program.functions[i].end - program.functions[i].entry;
        if (own > most_blocks_optimised && blocks_of(program, i) > most_blocks_optimised) {
            close(i);
            chunk.large = true;
            close(i + 1);
            continue;
        }
        instructions += own;
        if (instructions >= enough) close(i + 1);
    }
    close(all);
    return chunks;
}

using Object = std::unique_ptr<llvm::MemoryBuffer>;

Result<Object> compile_chunk(const wasm::Program& program, const Chunk& chunk, Tier tier,
                             MemoryChecks checks, const std::stop_token& stop) {
    if (chunk.large) tier = Tier::quick;
    auto target = make_target(tier);
    if (!target) return target.error();
    llvm::LLVMContext context;
    ModuleTranslation translation(program, context, tier, checks);
    translation.module().setTargetTriple((*target)->getTargetTriple().str());
    translation.module().setDataLayout((*target)->createDataLayout());
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
        if (stop.stop_requested()) return cancelled();
        auto graph = ControlGraph::of(program, i);
        if (!graph) return graph.error();
        FunctionTranslation(translation, i, *std::move(graph)).run();
    }
    if (chunk.enters)
        for (std::size_t i = program.module->imported_functions; i < program.functions.size(); ++i)
            translation.enter(program.canonical_type[program.functions[i].type]);
    const std::unique_ptr<llvm::Module> module = translation.take();
    assert(!llvm::verifyModule(*module, &llvm::errs()));
    optimise(*module, **target);
    if (stop.stop_requested()) return cancelled();
    return emit(*module, **target);
}

/// All chunks, by as many threads as there are cores, this one included.
Result<std::vector<Object>> compile_chunks(const wasm::Program& program, Tier tier,
                                           MemoryChecks checks, const std::stop_token& stop) {
    const std::vector<Chunk> chunks = split(program);
    std::vector<Object> objects(chunks.size());
    std::atomic<std::size_t> next = 0;
    const auto compile_some = [&]() -> Status {
        const CompilerMemory memory;
        for (std::size_t i = next++; i < chunks.size(); i = next++) {
            auto object = compile_chunk(program, chunks[i], tier, checks, stop);
            if (!object) return object.error();
            objects[i] = *std::move(object);
        }
        return {};
    };
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
    const std::size_t most_threads = std::max<std::size_t>(std::min(cores, chunks.size()), 1);
    std::vector<Status> ended(most_threads); // one a thread
    const auto work = [&](std::size_t thread) {
        ended[thread] = contain("native compiler", compile_some);
        if (!ended[thread]) next = chunks.size();
    };
    {
        std::vector<std::jthread> threads;
        // Threads that the system does not start are not missed: those that there are do it all.
        (void)contain("native compiler", [&]() -> Status {
            for (std::size_t thread = 1; thread < most_threads; ++thread)
                threads.push_back(start_thread([&work, thread] { work(thread); }));
            return {};
        });
        work(0);
    }
    for (const Status& each : ended)
        if (!each) return each.error();
    return objects;
}

/// The code goes before the memory that it lies in.
struct Linked {
    std::unique_ptr<CodeRegion> region;
    std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Links the objects and looks up what they define.
Status link(std::vector<Object> objects, CodeImage& image) {
    // Three groups of sections an object begin pages of their own; stubs and tables of addresses
    // are there besides what the object has.
    auto region = CodeRegion::make(2 * image.bytes + objects.size() * (std::size_t{64} << 10));
    if (!region) return region.error();
    const auto linked = std::make_shared<Linked>();
    linked->region = *std::move(region);
    auto linker = make_linker(*linked->region);
    if (!linker) return linker.error();
    linked->jit = *std::move(linker);
    llvm::orc::LLJIT* const jit = linked->jit.get();
    for (Object& object : objects)
        if (auto error = jit->addObjectFile(std::move(object)))
            return not_linked(llvm::toString(std::move(error)));
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
    if (!why.empty()) return not_linked(why);
    image.owner = linked;
    return {};
}

} // namespace

NativeCode::NativeCode(std::unique_ptr<const CodeImage> image) : image_(std::move(image)) {}

NativeCode::~NativeCode() = default;

const wasm::Program& NativeCode::program() const noexcept {
    return *image_->program;
}

Tier NativeCode::tier() const noexcept {
    return image_->tier;
}

std::uint64_t NativeCode::bytes() const noexcept {
    return image_->bytes;
}

Result<std::shared_ptr<const NativeCode>> compile(std::shared_ptr<const wasm::Program> program,
                                                  const std::stop_token& stop, Tier tier,
                                                  MemoryChecks checks) {
    if (const Status fits = check(*program); !fits) return fits.error();
    auto objects = compile_chunks(*program, tier, checks, stop);
    if (!objects) return objects.error();
    if (stop.stop_requested()) return cancelled();
    const CompilerMemory memory;
    auto image = std::make_unique<CodeImage>();
    image->program = std::move(program);
    image->tier = tier;
    ControlGraph::write_costs(*image->program, image->costs);
    image->enter.resize(image->program->module->types.size());
    for (const Object& object : *objects) {
        image->bytes += object->getBufferSize();
        image->most_frame_bytes = std::max(image->most_frame_bytes, most_frame_bytes(*object));
    }
    if (const Status linked = link(*std::move(objects), *image); !linked) return linked.error();
    return std::make_shared<const NativeCode>(std::move(image));
}

} // namespace blockloom::native
