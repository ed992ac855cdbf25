// Boxes and marks as quads on whole pixels; the same rounding as engine/scene/camera_pixels.cpp.
// With ONLY_FILL nothing but the fill reaches the fragment shader.
#include "scene_frame.glsl"

struct BoxItem {
    vec4 rect; // x, y, width, height; marks: centre, and pixels
    uint fill, outline;
    float outline_width; // logical pixels
    uint flags;          // bits 0-1 shape, 2 mark, 3 dashed, 4 hatched
};
layout(std430, set = 0, binding = 1) readonly buffer Boxes { BoxItem boxes[]; };

// Few and packed: setting up each input of a triangle is what small boxes cost.
layout(location = 0) flat out uvec4 colours; // fill, outline, flags, not used
#ifndef ONLY_FILL
layout(location = 1) flat out vec4 shape;    // half width, half height, outline in pixels, ratio
layout(location = 2) noperspective out vec2 place; // pixels from the middle
#endif

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
    const vec2 size = high - low;
    const vec2 from_middle =
        vec2((corner & 1) == 0 ? -0.5 : 0.5, corner < 2 ? -0.5 : 0.5) * size;
    gl_Position = to_clip((low + high) * 0.5 + from_middle);
#ifdef ONLY_FILL
    colours = uvec4(box.fill, 0u, 0u, 0u);
#else
    place = from_middle;
    float edge = 0.0;
    if (box.outline_width > 0.0 && box.outline >> 24 != 0u)
        edge = max(1.0, floor(box.outline_width * frame.ratio + 0.5));
    shape = vec4(size * 0.5, edge, frame.ratio);
    uint flags = box.flags & 0x1bu;
    if (min(size.x, size.y) < 6.0 * frame.ratio) flags &= ~8u;
    colours = uvec4(box.fill, box.outline, flags, 0u);
#endif
}
