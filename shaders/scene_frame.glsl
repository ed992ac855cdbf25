// What every scene shader knows of the frame: engine/scene/vulkan_pipelines.h, FrameConstants.
layout(push_constant) uniform Frame {
    vec2 centre_high; // the camera's centre as the sum of two floats, so that deep zooms stand still
    vec2 centre_low;
    vec2 scale;  // device pixels per unit
    vec2 offset; // device pixels of the centre
    vec2 viewport;
    float ratio; // device pixels per logical pixel
} frame;

const int corner_of[6] = int[6](0, 1, 2, 2, 1, 3);

vec2 to_pixels(vec2 place) {
    precise vec2 from_centre = (place - frame.centre_high) - frame.centre_low;
    precise vec2 pixels = from_centre * frame.scale + frame.offset;
    return pixels;
}

vec4 to_clip(vec2 pixels) {
    return vec4(pixels / frame.viewport * 2.0 - 1.0, 0.0, 1.0);
}

vec4 unpack_colour(uint colour) {
    return unpackUnorm4x8(colour);
}
