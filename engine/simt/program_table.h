// What the kernel of lanes knows about a program, as one piece of memory.
#pragma once

#include "base/bytes.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"
#include "native/lanes/plan.h"

#include <span>

namespace blockloom::simt {

/// Cells of a lane's rows: results of the function, or arguments of an import.
[[nodiscard]] std::uint32_t most_cells(const wasm::Program& program, std::uint32_t function);

/// A `LaneProgram` and what follows it (kernel/layout.h), for lanes that run `function`. A rule
/// that does not suit its import's type, and an import without one, yield.
[[nodiscard]] Bytes program_table(const gpuvm::InstanceImage& image, const native::LanePlan& plan,
                                  std::span<const gpuvm::HostRule> rules, std::uint32_t function);

} // namespace blockloom::simt
