#version 460
layout(location = 0) flat in uvec4 colours;
layout(location = 1) flat in vec4 shape;
layout(location = 2) noperspective in vec2 place;
layout(location = 0) out vec4 result;

// Distance in pixels to the shape's edge, negative inside.
float distance_to_edge(vec2 p, vec2 h, uint kind) {
    const vec2 a = abs(p);
    if (kind == 0u) return max(a.x - h.x, a.y - h.y);
    if (kind == 1u) return length(p) - min(h.x, h.y);
    if (kind == 2u) return (a.x / h.x + a.y / h.y - 1.0) * h.x * h.y / length(h);
    const float side = (a.x * 2.0 * h.y - (p.y + h.y) * h.x) / length(vec2(2.0 * h.y, h.x));
    return max(p.y - h.y, side);
}

void main() {
    const vec4 fill = unpackUnorm4x8(colours.x), outline = unpackUnorm4x8(colours.y);
    const uint flags = colours.z;
    const vec2 h = shape.xy;
    const float edge = shape.z, ratio = shape.w;
    const uint kind = flags & 3u;
    const float d = distance_to_edge(place, h, kind);
    const float whole = clamp(0.5 - d, 0.0, 1.0);
    const float inner = edge > 0.0 ? clamp(0.5 - d - edge, 0.0, 1.0) : whole;
    float ring = whole - inner;
    if ((flags & 8u) != 0u) {
        // Three on, two off, from the upper left corner; circles count along the angle, slanted
        // sides along their height.
        const bool level = kind == 0u ? abs(place.y) > h.y - edge : place.y > h.y - edge;
        float along = place.x + h.x;
        if (kind == 1u) {
            along = (atan(place.y, place.x) + 3.14159265) * min(h.x, h.y);
        } else if (!level || kind == 2u) {
            const vec2 side = kind == 3u ? vec2(h.x, 2.0 * h.y) : h;
            along = (place.y + h.y) * (kind == 0u ? 1.0 : length(side) / side.y);
        }
        if (mod(along, 5.0 * ratio) > 3.0 * ratio) ring = 0.0;
    }
    vec4 inside = fill;
    if ((flags & 16u) != 0u && mod(place.x + h.x + place.y + h.y, 6.0 * ratio) < 2.0 * ratio)
        inside = outline.a > 0.0 ? outline : vec4(fill.rgb * 0.55, fill.a);
    const float inside_alpha = inside.a * inner, ring_alpha = outline.a * ring;
    const float alpha = inside_alpha + ring_alpha;
    result = vec4((inside.rgb * inside_alpha + outline.rgb * ring_alpha) / max(alpha, 1e-4), alpha);
}
