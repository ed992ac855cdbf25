// When waves ran in a submission, by the device's own clock. Four words a wave, its first begin and its last end; then
// two a lane: when it stopped. All 0 before, which stands for "not".
#ifdef TIMED
layout(std430, set = 0, binding = 10) restrict buffer Clocks { uvec2 clocks[]; };

void clock_begins() {
    const uint first = 2 * gl_WorkGroupID.x;
    if (lane == 0 && clocks[first] == uvec2(0)) clocks[first] = clockRealtime2x32EXT();
}

void clock_ends() {
    if (lane == 0) clocks[2 * gl_WorkGroupID.x + 1] = clockRealtime2x32EXT();
}

void clock_stops() {
    clocks[2 * (push.lanes / WAVE) + at] = clockRealtime2x32EXT();
}
#else
#define clock_begins()
#define clock_ends()
#define clock_stops()
#endif
