// Heap sort with a comparison behind a pointer: calls and indirect calls, as formatting and trait
// objects make them.
#include "freestanding.h"

enum { items = 200 };

typedef int (*Comparison)(const uint32_t* a, const uint32_t* b);

static int by_value(const uint32_t* a, const uint32_t* b) {
    return *a < *b ? -1 : *a > *b;
}

static int by_low_bits(const uint32_t* a, const uint32_t* b) {
    return by_value(&(uint32_t){*a << 16 | *a >> 16}, &(uint32_t){*b << 16 | *b >> 16});
}

static const Comparison comparisons[2] = {by_value, by_low_bits};

__attribute__((noinline)) static void sift(uint32_t* heap, uint32_t at, uint32_t count,
                                           Comparison compare) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare(&heap[child], &heap[child + 1]) < 0) ++child;
        if (compare(&heap[at], &heap[child]) >= 0) return;
        const uint32_t moved = heap[at];
        heap[at] = heap[child], heap[child] = moved;
        at = child;
    }
}

KERNEL(sorting) {
    uint32_t values[items];
    uint64_t random = 0xabcdef1234567ull, sum = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < items; ++i) values[i] = (uint32_t)(next_random(&random) >> 32);
        const Comparison compare = comparisons[round & 1];
        for (uint32_t i = items / 2; i-- > 0;) sift(values, i, items, compare);
        for (uint32_t count = items; count-- > 1;) {
            const uint32_t last = values[count];
            values[count] = values[0], values[0] = last;
            sift(values, 0, count, compare);
        }
        sum = sum * 31 + values[0] + values[items / 2];
    }
    return sum;
}
