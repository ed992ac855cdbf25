// The numbers that shaders and host share.
#pragma once

#include <gpuvm_codes.glsl>
