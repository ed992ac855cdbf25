#version 460
#extension GL_GOOGLE_include_directive : require
#define ONLY_FILL
#include "scene_box.glsl"
