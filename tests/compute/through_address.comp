// Follows addresses in a buffer: doubles 64-bit numbers that lie anywhere.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Number { uint64_t value; };
layout(push_constant) uniform Push { uint64_t address; };

void main() {
    Number number = Number(address + 8 * uint64_t(gl_WorkGroupID.x));
    number.value *= uint64_t(2);
}
