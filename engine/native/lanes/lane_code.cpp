#include "native/lanes/lane_code.h"

#include "native/compiler_memory.h"
#include "native/lanes/lane_module.h"
#include "native/machine.h"
#include "wasm/instance_state.h"

#include <algorithm>
#include <cassert>
#include <csetjmp>
#include <cstring>
#include <fmt/format.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace blockloom::native {
namespace {

using LaneEntry = std::uint64_t (*)(Byte* frame, std::uint64_t fuel, wasm::Cell* cells);

/// Where a lane of this thread goes when it leaves. Nothing between has a destructor.
thread_local std::jmp_buf* way_out = nullptr;
thread_local Exit left_with = Exit::none;
thread_local LaneImports* answering = nullptr;
thread_local std::size_t frame_size = 0;

[[noreturn]] void leave_lane(Byte*, std::uint32_t exit) {
    left_with = static_cast<Exit>(exit);
    std::longjmp(*way_out, 1); // NOLINT(cert-err52-cpp): code without unwind tables
}

std::uint64_t answer_import(Byte* frame, std::uint64_t fuel, std::uint32_t function,
                            wasm::Cell* cells, std::uint32_t pc) {
    const Exit exit = answering == nullptr
                          ? Exit::host
                          : answering->answer({frame, frame_size}, fuel, function, cells, pc);
    if (exit != Exit::none) leave_lane(frame, static_cast<std::uint32_t>(exit));
    return fuel;
}

Error no_lane_code(const std::string& why) {
    return Error{ErrorCode::unavailable, "lane code: " + why};
}

/// Every access of memory may leave, which is a block: LLVM's time grows with their square.
constexpr std::uint32_t most_of_one_function = 12'000, most_instructions = 1'000'000;
/// Lanes run on the stack of whoever calls them.
constexpr std::uint64_t most_stack_bytes = std::uint64_t{2} << 20;

Status check_size(const wasm::Program& program) {
    if (program.code.size() > most_instructions)
        return no_lane_code(fmt::format("expected at most {} instructions, found {}",
                                        most_instructions, program.code.size()));
    for (std::size_t i = 0; i < program.functions.size(); ++i)
        if (const std::uint32_t own = program.functions[i].end - program.functions[i].entry;
            own > most_of_one_function)
            return no_lane_code(
                fmt::format("function {}: expected at most {} instructions, found {}", i,
                            most_of_one_function, own));
    return {};
}

} // namespace

struct LaneCode::Image {
    LanePlan plan;
    std::unique_ptr<Linker> linker;
    std::vector<LaneEntry> entries; ///< one a function; null: imported
};

LaneCode::LaneCode(std::unique_ptr<Image> image) : image_(std::move(image)) {}

LaneCode::~LaneCode() = default;

const LanePlan& LaneCode::plan() const noexcept {
    return image_->plan;
}

Result<std::shared_ptr<const LaneCode>> LaneCode::compile(LanePlan plan) {
    if (const Status small = check_size(*plan.program); !small) return small.error();
    const CompilerMemory memory;
    auto image = std::make_unique<Image>();
    image->plan = std::move(plan);
    auto target = make_target(Tier::optimised);
    if (!target) return target.error();
    llvm::LLVMContext context;
    LaneModule translation(image->plan, context, LaneTarget::host);
    translation.module().setTargetTriple((*target)->getTargetTriple().str());
    translation.module().setDataLayout((*target)->createDataLayout());
    std::vector<std::uint32_t> entries;
    for (std::uint32_t i = image->plan.program->module->imported_functions;
         i < image->plan.program->functions.size(); ++i)
        entries.push_back(i);
    if (const Status made = translation.translate(entries); !made) return made.error();
    const std::unique_ptr<llvm::Module> module = translation.take();
    assert(!llvm::verifyModule(*module, &llvm::errs()));
    optimise(*module, **target);
    auto object = emit(*module, **target);
    if (!object) return object.error();
    constexpr std::uint64_t call_bytes = 16;
    if (const std::uint64_t stack = image->plan.depth * (most_frame_bytes(**object) + call_bytes);
        stack > most_stack_bytes)
        return no_lane_code(
            fmt::format("expected at most {} bytes of stack, found {}", most_stack_bytes, stack));
    auto linker = make_linker(2 * (*object)->getBufferSize() + (std::size_t{64} << 10));
    if (!linker) return linker.error();
    image->linker = *std::move(linker);
    if (auto error = image->linker->jit->addObjectFile(*std::move(object)))
        return no_lane_code(llvm::toString(std::move(error)));
    const wasm::Program& program = *image->plan.program;
    image->entries.resize(program.functions.size(), nullptr);
    for (std::uint32_t i = program.module->imported_functions; i < program.functions.size(); ++i) {
        auto found = image->linker->jit->lookupLinkerMangled(LaneModule::entry_name(i));
        if (!found) {
            const std::string missing = llvm::toString(found.takeError());
            const std::string& why = image->linker->why;
            return no_lane_code(why.empty() ? missing : why);
        }
        image->entries[i] =
            reinterpret_cast<LaneEntry>(static_cast<std::uintptr_t>(found->getAddress()));
    }
    return std::shared_ptr<const LaneCode>(new LaneCode(std::move(image)));
}

LaneEnd LaneCode::run(std::uint32_t function, std::uint64_t fuel, std::span<Byte> frame,
                      std::span<wasm::Cell> cells, LaneImports* imports) const {
    constexpr std::uint64_t most_fuel = std::uint64_t{1} << 62;
    assert(frame.size() >= image_->plan.frame_bytes);
    if (image_->entries[function] == nullptr) return {Exit::host};
    if (fuel > most_fuel) return {Exit::fuel};
    LaneHeader header;
    std::memcpy(&header, frame.data(), sizeof header);
    header.memory_bytes = image_->plan.memory_bytes;
    header.fees = 0;
    header.leave = reinterpret_cast<std::uintptr_t>(&leave_lane);
    header.answer = reinterpret_cast<std::uintptr_t>(&answer_import);
    std::memcpy(frame.data(), &header, sizeof header);
    std::jmp_buf here;
    way_out = &here;
    answering = imports;
    frame_size = frame.size();
    if (setjmp(here) != 0) return {left_with}; // NOLINT(cert-err52-cpp)
    const std::uint64_t left = image_->entries[function](frame.data(), fuel, cells.data());
    std::memcpy(&header, frame.data(), sizeof header);
    return {Exit::none, left, fuel - left - header.fees, header.memory_bytes};
}

void fill_frame(const LanePlan& plan, wasm::Instance& instance, std::span<Byte> frame) {
    const wasm::InstanceState& state = instance.state();
    for (std::size_t g = 0; g < state.global_cells.size(); ++g)
        std::memcpy(frame.data() + plan.globals_at + g * sizeof(wasm::Cell), state.global_cells[g],
                    sizeof(wasm::Cell));
    for (const Window& window : plan.windows) {
        // What only growing brings is zero.
        const std::uint64_t size = std::max<std::uint64_t>(state.memory->size(), window.begin);
        const std::uint64_t there = std::min<std::uint64_t>(size - window.begin, window.bytes);
        std::memcpy(frame.data() + window.at, state.memory->data() + window.begin, there);
        std::memset(frame.data() + window.at + there, 0, window.bytes - there);
    }
}

} // namespace blockloom::native
