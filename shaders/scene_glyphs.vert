#version 460
#extension GL_GOOGLE_include_directive : require
// Glyphs of the atlas on whole pixels: texel for texel what Cairo has drawn.
#include "scene_frame.glsl"

struct GlyphItem {
    vec2 at;     // the text's anchor
    vec2 offset; // device pixels from the rounded anchor to the glyph's upper left corner
    uint size;   // width, height in the lower and upper half
    uint texel;  // left, top in the atlas
    uint colour;
    uint unused;
};
layout(std430, set = 0, binding = 2) readonly buffer Glyphs { GlyphItem glyphs[]; };

layout(location = 0) flat out vec4 colour;
layout(location = 1) noperspective out vec2 texel;

void main() {
    const GlyphItem glyph = glyphs[gl_VertexIndex / 6];
    const int corner = corner_of[gl_VertexIndex % 6];
    const vec2 size = vec2(glyph.size & 0xffffu, glyph.size >> 16);
    const vec2 part = vec2((corner & 1) == 0 ? 0.0 : 1.0, corner < 2 ? 0.0 : 1.0) * size;
    colour = unpack_colour(glyph.colour);
    texel = vec2(glyph.texel & 0xffffu, glyph.texel >> 16) + part;
    gl_Position = to_clip(floor(to_pixels(glyph.at) + 0.5) + glyph.offset + part);
}
