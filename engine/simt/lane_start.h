// What lanes of an image start with, for native::plan_lanes.
#pragma once

#include "gpuvm/image.h"
#include "native/lanes/plan.h"

namespace blockloom::simt {

[[nodiscard]] native::LaneStart lane_start_of(const gpuvm::InstanceImage& image);

} // namespace blockloom::simt
