/* One round of the probe of throughput, and its sizes: C for CUDA (cuda/throughput.cl), C++ for the
   host. compute_probe.comp is the same for Vulkan. */
#pragma once

enum {
    THROUGHPUT_OPERATIONS = 4, /* of a round: multiply, add, shift, xor */
    THROUGHPUT_LANES = 64,     /* of a group */
    THROUGHPUT_WORDS = 1024    /* of the buffer that a kernel may write */
};

static inline unsigned throughput_step(unsigned value) {
    value = value * 1664525U + 1013904223U;
    return value ^ (value >> 15U);
}
