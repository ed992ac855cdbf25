// The interpreter without clocks.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "gpuvm_wave.glsl"
