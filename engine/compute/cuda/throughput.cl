// The probe of throughput for CUDA, compiled to PTX by the build: as compute_probe.comp does for Vulkan.
#include "../throughput_step.h"

kernel void throughput_probe(global unsigned* to, unsigned seed, unsigned rounds) {
    const unsigned group = __nvvm_read_ptx_sreg_ctaid_x();
    unsigned value = seed + group * THROUGHPUT_LANES + __nvvm_read_ptx_sreg_tid_x();
    for (unsigned i = 0; i < rounds; ++i) value = throughput_step(value);
    // Written so that the loop is not optimised away; nobody reads it.
    if (value == 1U) to[group % THROUGHPUT_WORDS] = value;
}
