// Needs a feature that no provider enables: must be refused, not run.
#version 450
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Output { double to[]; };

void main() {
    to[gl_WorkGroupID.x] = to[gl_WorkGroupID.x] * 2.0lf;
}
