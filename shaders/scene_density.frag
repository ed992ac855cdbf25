#version 460
// Optical depths of many thin lines (engine/scene/line_density.h) become colour.
layout(std430, set = 0, binding = 0) readonly buffer Depths { uint depths[]; };
layout(push_constant) uniform Density {
    vec4 colour;
    int stride, first; // cells of a row, and the cell of the first pixel
} density;
layout(location = 0) out vec4 result;

void main() {
    const ivec2 at = ivec2(gl_FragCoord.xy);
    const float depth = float(depths[density.first + at.y * density.stride + at.x]);
    result = vec4(density.colour.rgb, 1.0 - exp(depth * (-1.0 / 65536.0)));
}
