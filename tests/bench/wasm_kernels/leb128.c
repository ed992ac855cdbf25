// Numbers of up to 128 bits to LEB128 and back, as protostones carry them.
#include "freestanding.h"

enum { numbers = 64 };

static uint8_t* encode(uint8_t* to, u128 value) {
    do {
        const uint8_t byte = (uint8_t)value & 0x7f;
        value >>= 7;
        *to++ = value != 0 ? byte | 0x80 : byte;
    } while (value != 0);
    return to;
}

static const uint8_t* decode(const uint8_t* from, const uint8_t* end, u128* value) {
    u128 result = 0;
    for (uint32_t shift = 0; from != end && shift < 128; shift += 7) {
        const uint8_t byte = *from++;
        result |= (u128)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            *value = result;
            return from;
        }
    }
    return NULL;
}

KERNEL(leb128) {
    uint8_t buffer[numbers * 20];
    uint64_t random = 0x123456789abcdefull, sum = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        uint8_t* end = buffer;
        for (uint32_t i = 0; i < numbers; ++i) {
            const uint64_t draw = next_random(&random);
            const u128 wide = (u128)draw << (draw & 63) ^ draw;
            end = encode(end, (draw >> 60) == 0 ? wide : draw >> (draw >> 58));
        }
        const uint8_t* at = buffer;
        while (at != end && at != NULL) {
            u128 value = 0;
            at = decode(at, end, &value);
            sum = sum * 31 + (uint64_t)(value ^ value >> 64);
        }
    }
    return sum;
}
