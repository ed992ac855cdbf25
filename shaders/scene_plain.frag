#version 460
// Boxes that are nothing but a fill.
layout(location = 0) flat in uvec4 colours;
layout(location = 0) out vec4 result;

void main() {
    result = unpackUnorm4x8(colours.x);
}
