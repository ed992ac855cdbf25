// What the kernels have instead of a C library: they are compiled as contracts are.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 u128;

/// Exported to the host; every kernel takes how often to repeat and returns a sum of what it did.
#define KERNEL(name) __attribute__((export_name(#name))) uint64_t name(uint32_t rounds)

void* memcpy(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);

/// The same numbers everywhere (xorshift64*).
static inline uint64_t next_random(uint64_t* state) {
    uint64_t x = *state;
    x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1dull;
}
