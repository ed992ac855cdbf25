#include "simt/lane_start.h"

namespace blockloom::simt {

native::LaneStart lane_start_of(const gpuvm::InstanceImage& image) {
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

} // namespace blockloom::simt
