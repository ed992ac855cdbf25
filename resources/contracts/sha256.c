// FIPS 180-4.
#include "alkane.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, int by) {
    return value >> by | value << (32 - by);
}

__attribute__((noinline)) static void expand(const uint8_t* block, uint32_t words[64]) {
    for (int i = 0; i < 16; ++i, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
                   block[3];
    for (int i = 16; i < 64; ++i) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

// One round; the names move instead of the values.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        const uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +                \
                               (g ^ (e & (f ^ g))) + constants[i] + words[i];                      \
        d += first;                                                                                \
        h = first + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));    \
    } while (0)

__attribute__((noinline)) static void compress(uint32_t state[8], const uint32_t words[64]) {
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void sha256_start(sha256* hash) {
    *hash = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                               0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

__attribute__((noinline)) void sha256_add(sha256* hash, const void* from, uint32_t size) {
    const uint8_t* in = from;
    while (size != 0) {
        const uint32_t at = (uint32_t)hash->size % sizeof hash->block,
                       room = sizeof hash->block - at;
        const uint32_t part = size < room ? size : room;
        memcpy(hash->block + at, in, part);
        hash->size += part;
        in += part;
        size -= part;
        if (part == room) {
            uint32_t words[64];
            expand(hash->block, words);
            compress(hash->state, words);
        }
    }
}

void sha256_finish(sha256* hash, uint8_t digest[32]) {
    const uint64_t bits = hash->size * 8;
    uint8_t padding[72] = {0x80};
    const uint32_t zeros = (119 - (uint32_t)(hash->size % 64)) %
                           64; // after the 0x80, up to 8 bytes before a block's end
    for (int i = 0; i < 8; ++i) padding[1 + zeros + (uint32_t)i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(hash, padding, 9 + zeros);
    for (int i = 0; i < 32; ++i) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
