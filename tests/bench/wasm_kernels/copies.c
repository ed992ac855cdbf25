// memcpy as a function of the module (contracts built without bulk memory have it so).
#include "freestanding.h"

static uint8_t from[65536 + 64], to[65536 + 64];

static uint64_t copy_all(uint32_t rounds, uint32_t least, uint32_t spread, uint32_t align) {
    uint64_t random = 0x9e3779b97f4a7c15ull, sum = 0;
    for (uint32_t i = 0; i < sizeof from; i += 1024) from[i] = (uint8_t)i;
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint64_t draw = next_random(&random);
        const uint32_t bytes = least + ((uint32_t)(draw >> 32) & spread);
        memcpy(to + ((draw >> 8) & align), from + ((draw >> 16) & align), bytes);
        sum += to[bytes - 1];
    }
    return sum;
}

/// 4 to 35 bytes, any alignment: keys, small vectors.
KERNEL(copy_small) {
    return copy_all(rounds, 4, 31, 7);
}

/// 64 to 1,087 bytes, aligned words.
KERNEL(copy_medium) {
    return copy_all(rounds, 64, 1023, 60);
}

/// 32 KiB and a little.
KERNEL(copy_large) {
    return copy_all(rounds, 32768, 255, 60);
}
