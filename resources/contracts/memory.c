// What the compiler expects of a C library. Builds with bulk memory get memory.copy and
// memory.fill.
#include "alkane.h"

#ifdef __wasm_bulk_memory__

void* memcpy(void* to, const void* from, size_t size) {
    return __builtin_memcpy(to, from, size);
}
void* memmove(void* to, const void* from, size_t size) {
    return __builtin_memmove(to, from, size);
}
void* memset(void* to, int byte, size_t size) {
    return __builtin_memset(to, byte, size);
}

#else

typedef uint32_t __attribute__((aligned(1), may_alias)) word;
typedef uint64_t __attribute__((aligned(1), may_alias)) two_words;

void* memcpy(void* to, const void* from, size_t size) {
    uint8_t* out = to;
    const uint8_t* in = from;
    for (; size >= 8; size -= 8, out += 8, in += 8) *(two_words*)out = *(const two_words*)in;
    if (size >= 4) {
        *(word*)out = *(const word*)in;
        size -= 4, out += 4, in += 4;
    }
    for (; size != 0; --size) *out++ = *in++;
    return to;
}

void* memmove(void* to, const void* from, size_t size) {
    uint8_t* out = to;
    const uint8_t* in = from;
    if (out <= in || out >= in + size) return memcpy(to, from, size);
    while (size-- != 0) out[size] = in[size];
    return to;
}

void* memset(void* to, int byte, size_t size) {
    uint8_t* out = to;
    const uint32_t four = 0x01010101u * (uint8_t)byte;
    for (; size >= 4; size -= 4, out += 4) *(word*)out = four;
    for (; size != 0; --size) *out++ = (uint8_t)byte;
    return to;
}

#endif

int memcmp(const void* a, const void* b, size_t size) {
    const uint8_t *left = a, *right = b;
    for (; size != 0; --size, ++left, ++right)
        if (*left != *right) return *left < *right ? -1 : 1;
    return 0;
}

size_t strlen(const char* text) {
    size_t size = 0;
    while (text[size] != 0) ++size;
    return size;
}
