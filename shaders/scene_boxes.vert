#version 460
#extension GL_GOOGLE_include_directive : require
// Boxes and marks as quads on whole pixels; the same rounding as engine/scene/camera_pixels.cpp.
#include "scene_frame.glsl"

struct BoxItem {
    vec4 rect; // x, y, width, height; marks: centre, and pixels
    uint fill, outline;
    float outline_width; // logical pixels
    uint flags;          // bits 0-1 shape, 2 mark, 3 dashed, 4 hatched
};
layout(std430, set = 0, binding = 1) readonly buffer Boxes { BoxItem boxes[]; };

layout(location = 0) flat out vec4 fill;
layout(location = 1) flat out vec4 outline;
layout(location = 2) flat out vec4 shape; // half width, half height, outline in pixels, ratio
layout(location = 3) flat out uint flags; // 0: nothing but the fill
layout(location = 4) noperspective out vec2 place; // pixels from the middle

void main() {
    const BoxItem box = boxes[gl_VertexIndex / 6];
    const int corner = corner_of[gl_VertexIndex % 6];
    vec2 low, high;
    if ((box.flags & 4u) != 0u) {
        const vec2 size = max(vec2(1.0), floor(box.rect.zw * frame.ratio + 0.5));
        low = floor(to_pixels(box.rect.xy) - size * 0.5 + 0.5);
        high = low + size;
    } else {
        const vec2 a = to_pixels(box.rect.xy), b = to_pixels(box.rect.xy + box.rect.zw);
        // Far outside is as good as just outside, and keeps the arithmetic exact.
        low = floor(clamp(min(a, b), vec2(-64.0), frame.viewport + 64.0) + 0.5);
        high = max(low + 1.0, floor(clamp(max(a, b), vec2(-64.0), frame.viewport + 64.0) + 0.5));
    }
    fill = unpack_colour(box.fill);
    outline = unpack_colour(box.outline);
    const vec2 size = high - low;
    float edge = 0.0;
    if (box.outline_width > 0.0 && outline.a > 0.0)
        edge = max(1.0, floor(box.outline_width * frame.ratio + 0.5));
    shape = vec4(size * 0.5, edge, frame.ratio);
    flags = box.flags & 0x1bu;
    if (min(size.x, size.y) < 6.0 * frame.ratio) flags &= ~8u;
    flags |= edge > 0.0 ? 32u : 0u;
    if ((flags & ~8u) == 0u) flags = 0u;
    place = vec2((corner & 1) == 0 ? -shape.x : shape.x, corner < 2 ? -shape.y : shape.y);
    gl_Position = to_clip((low + high) * 0.5 + place);
}
