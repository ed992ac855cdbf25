#include "gpuvm/image.h"

#include "wasm/instance_state.h"

#include <algorithm>
#include <cstring>

namespace blockloom::gpuvm {
namespace {

using wasm::Cell;
using wasm::Instance;

/// 0, function + 1, or foreign.
std::uint32_t number_of(const Instance& instance, Cell cell) {
    if (cell == 0) return 0;
    const wasm::FunctionReference* found = wasm::referenced(cell);
    return found->instance == &instance ? found->function + 1 : InstanceImage::foreign;
}

void take_memory(InstanceImage& image, const wasm::Memory& memory) {
    image.pages = memory.pages();
    for (std::uint64_t at = 0; at < memory.size(); at += small_page) {
        if (memory.is_untouched(at)) continue; // reading it would take memory of the system
        const Byte* const bytes = memory.data() + at;
        // Zero where the first byte is, and each byte equals the next.
        if (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, small_page - 1) == 0) continue;
        image.page_numbers.push_back(static_cast<std::uint32_t>(at / small_page));
        image.page_bytes.insert(image.page_bytes.end(), bytes, bytes + small_page);
    }
}

} // namespace

InstanceImage image_of(Instance& instance) {
    const Instance::State& state = instance.state();
    InstanceImage image;
    image.program = instance.shared_program();
    const wasm::Module& module = *image.program->module;
    if (state.memory) {
        take_memory(image, *state.memory);
        image.most_pages = std::min(state.memory->declared_max().value_or(wasm::most_pages),
                                    instance.limits().memory_pages);
    }
    for (std::size_t i = 0; i < state.globals.size(); ++i) {
        Cell value = state.globals[i]->value;
        if (state.globals[i]->type.type == wasm::ValueType::funcref) {
            value = number_of(instance, value);
            image.foreign_globals |= value == InstanceImage::foreign;
        }
        image.globals.push_back(value);
    }
    for (std::size_t i = 0; i < state.tables.size(); ++i) {
        InstanceImage::Table& table = image.tables.emplace_back();
        for (const Cell cell : state.tables[i]->cells)
            table.cells.push_back(module.tables[i].element == wasm::ValueType::funcref
                                      ? number_of(instance, cell)
                                  : cell == 0 ? 0
                                              : InstanceImage::foreign);
    }
    image.dropped_data = state.dropped_data;
    image.call_depth = instance.limits().call_depth;
    image.stack_cells = instance.limits().stack_cells;
    return image;
}

} // namespace blockloom::gpuvm
