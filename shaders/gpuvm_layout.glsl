// Buffers and constants of the interpreter on the device (docs/gpuvm.md).
#extension GL_GOOGLE_include_directive : require
#include "gpuvm_codes.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WAVE = 32;      // lanes of a workgroup, which is one subgroup
layout(constant_id = 1) const uint REGISTERS = 512; // cells per lane
layout(constant_id = 2) const uint GLOBALS = 8;     // cells per lane
layout(constant_id = 3) const uint FRAMES = 64;     // per lane
layout(constant_id = 4) const uint VARIANT = 0;     // bits: see docs/gpuvm.md

layout(std430, set = 0, binding = 0) restrict readonly buffer Code { uvec4 code[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer Data { uint data[]; };
layout(std430, set = 0, binding = 2) restrict buffer State { uint state[]; };    // word k of lane i: k * lanes + i
layout(std430, set = 0, binding = 3) restrict buffer Exchange { uint exchange[]; }; // the same; behind it the read log
layout(std430, set = 0, binding = 4) restrict buffer Cells { uvec2 cells[]; };   // a wave's, interleaved over its lanes
layout(std430, set = 0, binding = 5) restrict buffer Frames { uvec2 frames[]; }; // the same: call, base << 16 | cost
layout(std430, set = 0, binding = 6) restrict buffer Pages { uint page_table[]; }; // a wave's: frame + 1, or 0
layout(std430, set = 0, binding = 7) restrict buffer Pool { uint pool[]; };      // frames: 256 words, interleaved
layout(std430, set = 0, binding = 8) restrict readonly buffer Inputs { uint inputs[]; };
layout(std430, set = 0, binding = 9) restrict buffer Books { uint books[]; };

layout(push_constant) uniform Push {
    uint lanes;       // of the batch, a multiple of WAVE
    uint budget;      // instructions that a wave may run now
    uint table_pages; // small pages that a wave's table reaches
    uint pool_frames;
    uint log_words;   // a lane's read log
    uint value_table; // word offset in the inputs
    uint value_mask;  // places − 1
    uint value_count; // 0: there is no table
    uint task;        // of the kernel for pages; of the interpreter: the slice's number
    uint jobs;        // pages, or words to sum
} push;
