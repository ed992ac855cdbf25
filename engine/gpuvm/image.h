// An instance between two invocations, in a form for the device.
#pragma once

#include "wasm/instance.h"

#include <array>
#include <memory>
#include <vector>

namespace blockloom::gpuvm {

/// The page size of the device: smaller than WebAssembly's, because contracts access few bytes in
/// many places.
inline constexpr std::uint32_t small_page = 1024;

struct InstanceImage {
    std::shared_ptr<const wasm::Program> program;
    std::uint32_t pages = 0,
                  most_pages = 0; ///< of 64 KiB: the current number, and the limit of memory.grow
    std::vector<std::uint32_t>
        page_numbers;                ///< of the small pages that are not all zero, ascending
    std::vector<Byte> page_bytes;    ///< their bytes, one after the other
    std::vector<wasm::Cell> globals; ///< references: function + 1 of the instance, 0: null
    struct Table {
        std::vector<std::uint32_t> cells; ///< 0: null, function + 1, or foreign
    };
    static constexpr std::uint32_t foreign = 0xffff'ffff;
    std::vector<Table> tables;
    std::vector<bool> dropped_data;
    std::uint32_t call_depth = 0, stack_cells = 0; ///< InstanceLimits
    bool foreign_globals = false; ///< a global refers to another instance's function: the program
                                  ///< cannot run on the device
};

/// The current image of `instance`, between two invocations. Reads all of its memory.
[[nodiscard]] InstanceImage image_of(wasm::Instance& instance);

} // namespace blockloom::gpuvm
