#version 460
#extension GL_GOOGLE_include_directive : require
// Lines as quads of two triangles, six vertices each, without an instance loop: software drivers
// run one draw call over all of them.
#include "scene_frame.glsl"

struct LineItem {
    vec2 from, to;
    uint colour;
    float width; // logical pixels; negative: dashed
};
layout(std430, set = 0, binding = 0) readonly buffer Lines { LineItem lines[]; };

layout(location = 0) flat out vec4 colour;
layout(location = 1) flat out vec2 shape; // half the width; dash unit, 0: solid
layout(location = 2) noperspective out vec2 along_across;

void main() {
    const LineItem line = lines[gl_VertexIndex / 6];
    const int corner = corner_of[gl_VertexIndex % 6];
    vec2 a = to_pixels(line.from), b = to_pixels(line.to);
    float width = abs(line.width) * frame.ratio;
    colour = unpack_colour(line.colour);
    const bool upright = line.from.x == line.to.x, level = line.from.y == line.to.y;
    float reach; // how far the quad goes to each side
    if (upright || level) {
        // Whole pixels: crisp, and nothing half covered.
        width = max(1.0, floor(width + 0.5));
        if (upright) a.x = b.x = floor(a.x - width * 0.5 + 0.5) + width * 0.5;
        if (level) a.y = b.y = floor(a.y - width * 0.5 + 0.5) + width * 0.5;
        shape.x = width; // always fully covered
        reach = width * 0.5;
    } else {
        if (width < 1.0) {
            colour.a *= width;
            width = 1.0;
        }
        shape.x = width * 0.5;
        reach = width * 0.5 + 0.5;
    }
    const float length_ = max(distance(a, b), 1e-6);
    const vec2 direction = (b - a) / length_;
    const float side = (corner & 1) == 0 ? -reach : reach;
    const bool far = corner >= 2;
    shape.y = line.width < 0.0 ? frame.ratio : 0.0;
    along_across = vec2(far ? length_ : 0.0, side);
    gl_Position = to_clip((far ? b : a) + vec2(-direction.y, direction.x) * side);
}
