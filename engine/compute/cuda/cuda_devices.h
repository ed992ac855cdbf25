// What a machine has of CUDA.
#pragma once

#include "compute/description.h"

#include <string>
#include <vector>

namespace blockloom::compute {

/// Descriptions of the CUDA devices of this machine; if there are none, `why` states the reason.
struct CudaDevices {
    std::vector<Description> devices;
    std::string why;
};

} // namespace blockloom::compute
