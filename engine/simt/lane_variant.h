// Code of a program's function for one place: what a launch of lanes needs.
#pragma once

#include "compute/provider.h"
#include "native/lanes/plan.h"

namespace blockloom::simt {

struct LaneVariant {
    compute::ProviderPtr provider;
    compute::KernelPtr kernel;
    compute::BufferPtr table; ///< program_table, on the provider
    native::LanePlan plan;
    std::uint32_t function = 0, lanes_per_group = 1;
    std::uint32_t cell_rows = 1; ///< most_cells
    std::uint32_t global_cells = 0;
    bool compiled = false; ///< for a device, with windows by profile
};

} // namespace blockloom::simt
