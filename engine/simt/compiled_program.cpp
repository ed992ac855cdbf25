#include "simt/compiled_program.h"

#include "simt/lane_memory.h"

#include <algorithm>
#include <cstring>

namespace blockloom::simt {
namespace {

/// Beyond its first size a memory can grow by this many pages of 64 KiB before its lane leaves.
constexpr std::uint32_t grown_pages = 4, much_grown_pages = 16;
/// Of a window in the frame.
constexpr std::size_t alignment = 16;

std::size_t most_results(const gpuvm::InstanceImage& image) {
    std::size_t most = 1;
    for (const wasm::FunctionType& type : image.program->module->types)
        most = std::max(most, type.results.size());
    return most;
}

native::LaneStart start_of(const gpuvm::InstanceImage& image) {
    native::LaneStart start;
    start.program = image.program;
    start.memory_bytes = std::uint64_t{image.pages} << 16;
    start.most_bytes = std::uint64_t{image.most_pages} << 16;
    for (const gpuvm::InstanceImage::Table& table : image.tables) {
        std::vector<std::uint32_t>& functions = start.tables.emplace_back();
        for (const std::uint32_t cell : table.cells)
            functions.push_back(cell == 0 || cell == gpuvm::InstanceImage::foreign
                                    ? native::LanePlan::no_function
                                    : cell - 1);
    }
    start.call_depth = image.call_depth;
    start.stack_cells = image.stack_cells;
    return start;
}

/// Bytes of memory that the module declares, or that its data reach.
std::uint64_t declared_bytes(const gpuvm::InstanceImage& image) {
    const auto& memories = image.program->module->memories;
    std::uint64_t bytes = memories.empty() ? 0 : std::uint64_t{memories.front().min} << 16;
    if (!image.page_numbers.empty())
        bytes = std::max(bytes, (std::uint64_t{image.page_numbers.back()} + 1) * gpuvm::small_page);
    return std::min(bytes, std::uint64_t{image.pages} << 16);
}

/// What only growing brings, page by page: a window is there in whole or not at all.
void add_growth(std::vector<native::AddressRange>& ranges, const gpuvm::InstanceImage& image,
                std::uint32_t pages) {
    // A range begins below 4 GiB.
    const std::uint32_t most = std::min(image.most_pages, 0xffffu);
    for (std::uint32_t page = image.pages; page < std::min(image.pages + pages, most); ++page)
        ranges.push_back({page << 16, 1u << 16});
}

} // namespace

ProgramCode::ProgramCode(const gpuvm::InstanceImage& image) {
    image_.program = image.program;
    image_.pages = image.pages;
    image_.most_pages = image.most_pages;
    image_.tables = image.tables;
    image_.call_depth = image.call_depth;
    image_.stack_cells = image.stack_cells;
    const std::uint64_t all = std::uint64_t{image.pages} << 16, declared = declared_bytes(image);
    auto& [small, large] = ranges_;
    const auto range = [](std::uint64_t bytes) {
        return native::AddressRange{
            0, static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, 0xffff'0000))};
    };
    small.push_back(range(declared));
    add_growth(small, image, grown_pages);
    large.push_back(range(all));
    add_growth(large, image, much_grown_pages);
    further_ = declared < all || image.most_pages > image.pages + grown_pages;
    // Globals, results and the header are small beside a page.
    const std::size_t globals = image.globals.size();
    frame_bytes_ =
        sizeof(native::LaneHeader) + (globals + most_results(image)) * sizeof(wasm::Cell);
    for (const native::AddressRange& each : large) frame_bytes_ += each.bytes + alignment;
    frame_bytes_ += alignment;
}

const native::LaneCode* ProgramCode::of(Reach reach) {
    const std::lock_guard lock(mutex_);
    const auto which = static_cast<std::size_t>(reach);
    if (tried_[which]) return code_[which].get();
    tried_[which] = true;
    auto plan = native::plan_lanes(start_of(image_), ranges_[which]);
    auto made = plan ? native::LaneCode::compile(*std::move(plan))
                     : Result<std::shared_ptr<const native::LaneCode>>(plan.error());
    if (made)
        code_[which] = *std::move(made);
    else
        why_ = made.error().message;
    return code_[which].get();
}

std::string ProgramCode::why() {
    const std::lock_guard lock(mutex_);
    return why_;
}

bool ProgramCode::is_for(const gpuvm::InstanceImage& image) const {
    return image.program == image_.program && image.pages == image_.pages &&
           image.most_pages == image_.most_pages && image.call_depth == image_.call_depth &&
           image.stack_cells == image_.stack_cells &&
           std::equal(image.tables.begin(), image.tables.end(), image_.tables.begin(),
                      image_.tables.end(),
                      [](const auto& a, const auto& b) { return a.cells == b.cells; });
}

CompiledProgram::CompiledProgram(gpuvm::InstanceImage image, std::span<const gpuvm::HostRule> rules,
                                 std::shared_ptr<ProgramCode> code)
    : image_(std::move(image)), rules_(rules.begin(), rules.end()), code_(std::move(code)) {
    const wasm::Module& module = *image_.program->module;
    for (std::size_t i = 0; i < std::min<std::size_t>(rules_.size(), module.imported_functions);
         ++i)
        if (!gpuvm::suits(rules_[i], module.types[module.functions[i]])) rules_[i] = {};
}

const gpuvm::HostRule& CompiledProgram::rule(std::uint32_t import) const noexcept {
    static const gpuvm::HostRule yields;
    return import < rules_.size() ? rules_[import] : yields;
}

void CompiledProgram::fill(const native::LanePlan& plan, std::span<Byte> frame) const {
    if (!image_.globals.empty())
        std::memcpy(frame.data() + plan.globals_at, image_.globals.data(),
                    image_.globals.size() * sizeof(wasm::Cell));
    const LaneMemory memory(plan, frame);
    for (std::size_t i = 0; i < image_.page_numbers.size(); ++i)
        memory.put(std::uint64_t{image_.page_numbers[i]} * gpuvm::small_page,
                   ByteView(image_.page_bytes).subspan(i * gpuvm::small_page, gpuvm::small_page));
}

ByteView CompiledProgram::page(std::uint32_t number) const {
    const auto found =
        std::lower_bound(image_.page_numbers.begin(), image_.page_numbers.end(), number);
    if (found == image_.page_numbers.end() || *found != number) return {};
    return ByteView(image_.page_bytes)
        .subspan(static_cast<std::size_t>(found - image_.page_numbers.begin()) * gpuvm::small_page,
                 gpuvm::small_page);
}

} // namespace blockloom::simt
