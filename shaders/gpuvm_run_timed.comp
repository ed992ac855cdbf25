// The interpreter that records when its waves ran: for runs whose spans are recorded.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_realtime_clock : require
#define TIMED
#include "gpuvm_wave.glsl"
