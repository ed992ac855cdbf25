#version 460
layout(location = 0) flat in vec4 colour;
layout(location = 1) flat in vec2 shape;
layout(location = 2) noperspective in vec2 along_across;
layout(location = 0) out vec4 result;

void main() {
    float covered = clamp(shape.x + 0.5 - abs(along_across.y), 0.0, 1.0);
    // Four on, three off, in logical pixels.
    if (shape.y > 0.0 && mod(along_across.x, 7.0 * shape.y) > 4.0 * shape.y) covered = 0.0;
    result = vec4(colour.rgb, colour.a * covered);
}
