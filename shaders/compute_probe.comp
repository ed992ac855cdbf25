// Measures the integer arithmetic of a device: probe_group() in engine/compute/throughput.cpp does the same.
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Output { uint to[1024]; };
layout(push_constant) uniform Push { uint seed; uint rounds; };

void main() {
    uint value = seed + gl_GlobalInvocationID.x;
    for (uint i = 0; i < rounds; ++i) {
        value = value * 1664525u + 1013904223u;
        value ^= value >> 15;
    }
    // Written so that the loop is not optimised away; nobody reads it.
    if (value == 1u) to[gl_WorkGroupID.x % 1024u] = value;
}
