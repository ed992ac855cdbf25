#version 460
layout(set = 1, binding = 0) uniform sampler2D atlas;
layout(location = 0) flat in vec4 colour;
layout(location = 1) noperspective in vec2 texel;
layout(location = 0) out vec4 result;

void main() {
    const float covered = texelFetch(atlas, ivec2(floor(texel)), 0).r;
    result = vec4(colour.rgb, colour.a * covered);
}
