// Double SHA-256 (FIPS 180-4) of a message of 300 bytes, as a contract takes a txid.
#include "freestanding.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

static uint32_t big_endian(const uint8_t* at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void compress(uint32_t state[8], const uint8_t* block) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; ++i) {
        const uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[i - 7] +
               (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
        const uint32_t t1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                            ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const uint32_t t2 =
            (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha256(const uint8_t* message, uint32_t bytes, uint8_t digest[32]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t at = 0;
    for (; bytes - at >= 64; at += 64) compress(state, message + at);
    uint8_t last[128];
    const uint32_t rest = bytes - at, blocks = rest < 56 ? 1 : 2;
    memset(last, 0, sizeof last);
    memcpy(last, message + at, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 4; ++i)
        last[64 * blocks - 1 - (uint32_t)i] = (uint8_t)(bytes * 8 >> (8 * i));
    for (uint32_t i = 0; i < blocks; ++i) compress(state, last + 64 * i);
    for (int i = 0; i < 32; ++i) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

KERNEL(sha256d) {
    uint8_t message[300], digest[32];
    for (uint32_t i = 0; i < sizeof message; ++i) message[i] = (uint8_t)(i * 7);
    uint64_t sum = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        message[round % sizeof message] ^= (uint8_t)round;
        sha256(message, sizeof message, digest);
        sha256(digest, sizeof digest, digest);
        sum = sum * 31 + (digest[0] | (uint32_t)digest[1] << 8);
    }
    return sum;
}
