// A first-fit allocator with sizes on both sides of a chunk and binned free lists, under the mix of
// sizes and lifetimes that contracts show: small strings, vectors that grow, a few big buffers.
#include "freestanding.h"

enum { bins = 24, heap_bytes = 1 << 20, live = 256, header = 8, least = 16 };

/// Before each chunk: its size with bit 0 "in use", and the size of the chunk before it.
typedef struct Chunk {
    uint32_t size, before;
    struct Chunk *next, *previous; // while free
} Chunk;

static _Alignas(16) uint8_t heap[heap_bytes];
static Chunk* free_list[bins];

static Chunk* chunk_after(Chunk* chunk) {
    return (Chunk*)((uint8_t*)chunk + (chunk->size & ~1u));
}

static uint32_t bin_of(uint32_t size) {
    const uint32_t bin = 31 - (uint32_t)__builtin_clz(size);
    return bin < bins ? bin : bins - 1;
}

static void put(Chunk* chunk) {
    Chunk** list = &free_list[bin_of(chunk->size)];
    chunk->next = *list;
    chunk->previous = NULL;
    if (*list) (*list)->previous = chunk;
    *list = chunk;
}

static void take(Chunk* chunk) {
    if (chunk->next) chunk->next->previous = chunk->previous;
    if (chunk->previous)
        chunk->previous->next = chunk->next;
    else
        free_list[bin_of(chunk->size)] = chunk->next;
}

static void begin(void) {
    for (int i = 0; i < bins; ++i) free_list[i] = NULL;
    Chunk* first = (Chunk*)heap;
    first->size = heap_bytes - header - least;
    first->before = 0;
    Chunk* guard = chunk_after(first);
    guard->size = least | 1;
    guard->before = first->size;
    put(first);
}

static void* allocate(uint32_t bytes) {
    uint32_t size = (bytes + header + 7) & ~7u;
    if (size < least + header) size = least + header;
    for (uint32_t bin = bin_of(size); bin < bins; ++bin) {
        for (Chunk* chunk = free_list[bin]; chunk; chunk = chunk->next) {
            if (chunk->size < size) continue;
            take(chunk);
            const uint32_t rest = chunk->size - size;
            if (rest >= least + header) {
                chunk->size = size;
                Chunk* second = chunk_after(chunk);
                second->size = rest;
                second->before = size;
                chunk_after(second)->before = rest;
                put(second);
            }
            chunk->size |= 1;
            return (uint8_t*)chunk + header;
        }
    }
    return NULL;
}

static void release(void* pointer) {
    Chunk* chunk = (Chunk*)((uint8_t*)pointer - header);
    chunk->size &= ~1u;
    Chunk* after = chunk_after(chunk);
    if ((after->size & 1) == 0) {
        take(after);
        chunk->size += after->size;
    }
    if (chunk->before != 0) {
        Chunk* before = (Chunk*)((uint8_t*)chunk - chunk->before);
        if ((before->size & 1) == 0) {
            take(before);
            before->size += chunk->size;
            chunk = before;
        }
    }
    chunk_after(chunk)->before = chunk->size;
    put(chunk);
}

KERNEL(allocator) {
    static uint8_t* pointers[live];
    static uint32_t sizes[live];
    uint64_t random = 0xdeadbeefcafef00dull, sum = 0;
    begin();
    for (int i = 0; i < live; ++i) pointers[i] = NULL;
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint64_t draw = next_random(&random);
        const uint32_t at = (uint32_t)draw % live;
        const uint32_t kind = (uint32_t)(draw >> 16) & 15;
        uint32_t bytes = 8 + ((uint32_t)(draw >> 32) & (kind == 0 ? 2047 : kind < 4 ? 255 : 63));
        if (pointers[at]) {
            sum += pointers[at][0] + pointers[at][sizes[at] - 1];
            if (kind == 5) { // grows, as a vector does
                bytes = sizes[at] * 2 < 4096 ? sizes[at] * 2 : 64;
                uint8_t* larger = allocate(bytes);
                if (larger) {
                    memcpy(larger, pointers[at], sizes[at] < bytes ? sizes[at] : bytes);
                    larger[bytes - 1] = (uint8_t)round;
                    release(pointers[at]);
                    pointers[at] = larger, sizes[at] = bytes;
                }
                continue;
            }
            release(pointers[at]);
            pointers[at] = NULL;
        }
        pointers[at] = allocate(bytes);
        if (!pointers[at]) continue;
        sizes[at] = bytes;
        pointers[at][0] = (uint8_t)draw;
        pointers[at][bytes - 1] = (uint8_t)round;
    }
    return sum;
}
