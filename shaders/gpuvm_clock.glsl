// When waves ran in a submission, by the device's own clock: for each lane when it stopped, then for the waves of each
// slice when they began and ended. Initially all 0, which means that it did not happen. `push.task` is the number of
// the slice.
#ifdef TIMED
layout(std430, set = 0, binding = 10) restrict buffer Clocks { uvec2 clocks[]; };

uint clock_of_wave() {
    return push.lanes + 2 * (push.task * gl_NumWorkGroups.x + gl_WorkGroupID.x);
}

void clock_begins() {
    if (lane == 0) clocks[clock_of_wave()] = clockRealtime2x32EXT();
}

void clock_ends() {
    if (lane == 0) clocks[clock_of_wave() + 1] = clockRealtime2x32EXT();
}

void clock_stops() {
    clocks[at] = clockRealtime2x32EXT();
}
#else
#define clock_begins()
#define clock_ends()
#define clock_stops()
#endif
