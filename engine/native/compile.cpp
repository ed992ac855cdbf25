#include "native/code.h"

#include "base/contain.h"
#include "native/code_image.h"
#include "native/compiler_memory.h"
#include "native/function_translation.h"
#include "native/keeping.h"
#include "native/kept_code.h"
#include "native/linking.h"
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
    constexpr std::uint32_t enough = 800; // instructions
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

std::atomic<unsigned> compilations = 0; ///< in progress

/// Counts one while it lives.
class Compilation {
public:
    Compilation() noexcept { ++compilations; }
    ~Compilation() { --compilations; }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;
};

/// All chunks, by as many threads as there are cores, this one included.
Result<std::vector<Object>> compile_chunks(const wasm::Program& program, Tier tier,
                                           MemoryChecks checks, const std::stop_token& stop) {
    const Compilation compilation;
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
        // If the system does not start all threads, those that exist do all the work.
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

} // namespace

bool is_compiling() noexcept {
    return compilations != 0;
}

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
    const bool may_keep = checks == MemoryChecks::all; // the only code that instances run
    if (may_keep)
        if (auto kept = load_kept_code(program, tier)) return kept;
    auto objects = compile_chunks(*program, tier, checks, stop);
    if (!objects) return objects.error();
    if (stop.stop_requested()) return cancelled();
    count_compiled();
    if (may_keep) keep_code(*program, tier, *objects);
    const CompilerMemory memory;
    return link_objects(std::move(program), tier, *std::move(objects));
}

} // namespace blockloom::native
