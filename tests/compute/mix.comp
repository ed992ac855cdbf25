// The kernel of the provider tests: what mix() in kernels.cpp does, on a device.
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint rounds = 1;
layout(constant_id = 7) const uint salt = 0;
layout(std430, set = 0, binding = 0) readonly buffer Input { uint from[]; };
layout(std430, set = 0, binding = 1) buffer Output { uint to[]; };
layout(push_constant) uniform Push { uint count; uint add; };

void main() {
    uint at = gl_WorkGroupID.y * gl_NumWorkGroups.x * 64 + gl_GlobalInvocationID.x;
    if (at >= count) return;
    uint value = from[at];
    for (uint i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u + add;
    to[at] = value ^ salt;
}
