// The few functions that compilers call by themselves.
#include "freestanding.h"

/// Aligns the target, then goes by words, as the C libraries that contracts are linked with do.
void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
    uint8_t* d = to;
    const uint8_t* s = from;
    for (; bytes != 0 && ((uintptr_t)d & 3) != 0; --bytes) *d++ = *s++;
    if (((uintptr_t)s & 3) == 0) {
        for (; bytes >= 16; bytes -= 16, d += 16, s += 16) {
            const uint32_t* words = (const uint32_t*)s;
            uint32_t* target = (uint32_t*)d;
            target[0] = words[0];
            target[1] = words[1];
            target[2] = words[2];
            target[3] = words[3];
        }
        for (; bytes >= 4; bytes -= 4, d += 4, s += 4) *(uint32_t*)d = *(const uint32_t*)s;
    }
    for (; bytes != 0; --bytes) *d++ = *s++;
    return to;
}

void* memset(void* to, int value, size_t bytes) {
    uint8_t* d = to;
    for (; bytes != 0 && ((uintptr_t)d & 3) != 0; --bytes) *d++ = (uint8_t)value;
    const uint32_t word = (uint8_t)value * 0x01010101u;
    for (; bytes >= 4; bytes -= 4, d += 4) *(uint32_t*)d = word;
    for (; bytes != 0; --bytes) *d++ = (uint8_t)value;
    return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
    const uint8_t *x = a, *y = b;
    for (; bytes != 0; --bytes, ++x, ++y)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

static u128 of_halves(uint64_t high, uint64_t low) {
    return (u128)high << 64 | low;
}

u128 __ashlti3(u128 value, int by) {
    const uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
    if (by == 0) return value;
    if (by >= 64) return of_halves(low << (by - 64), 0);
    return of_halves(high << by | low >> (64 - by), low << by);
}

u128 __lshrti3(u128 value, int by) {
    const uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
    if (by == 0) return value;
    if (by >= 64) return of_halves(0, high >> (by - 64));
    return of_halves(high >> by, low >> by | high << (64 - by));
}

static void wide_product(uint64_t a, uint64_t b, uint64_t* high, uint64_t* low) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
    *low = (uint32_t)p00 | middle << 32;
    *high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
}

u128 __multi3(u128 a, u128 b) {
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    const uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    uint64_t high, low;
    wide_product(a0, b0, &high, &low);
    return of_halves(high + a0 * b1 + a1 * b0, low);
}

/// (high, low) / by with high < by and the top bit of `by` set (Knuth, 4.3.1, algorithm D).
static uint64_t divide_normalised(uint64_t high, uint64_t low, uint64_t by, uint64_t* rest) {
    const uint64_t b1 = by >> 32, b0 = (uint32_t)by, base = (uint64_t)1 << 32;
    uint64_t digits[2], remainder = high;
    for (int i = 0; i < 2; ++i) {
        const uint64_t next = i == 0 ? low >> 32 : (uint32_t)low;
        uint64_t digit = remainder / b1, over = remainder % b1;
        while (digit >= base || digit * b0 > (over << 32 | next)) {
            --digit, over += b1;
            if (over >= base) break;
        }
        remainder = (remainder << 32 | next) - digit * by;
        digits[i] = digit;
    }
    *rest = remainder;
    return digits[0] << 32 | digits[1];
}

static u128 divide(u128 a, u128 b, u128* rest) {
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    const uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    if (a < b) {
        *rest = a;
        return 0;
    }
    if (b1 == 0) {
        if (a1 == 0) {
            *rest = a0 % b0;
            return a0 / b0;
        }
        const int shift = __builtin_clzll(b0);
        const uint64_t by = b0 << shift, first = a1 / b0;
        const u128 left = of_halves(a1 % b0, a0) << shift;
        uint64_t over;
        const uint64_t second =
            divide_normalised((uint64_t)(left >> 64), (uint64_t)left, by, &over);
        *rest = over >> shift;
        return of_halves(first, second);
    }
    const int shift = __builtin_clzll(b1) - __builtin_clzll(a1);
    u128 by = b << shift, left = a, quotient = 0;
    for (int i = 0; i <= shift; ++i, by >>= 1) {
        quotient <<= 1;
        if (left >= by) left -= by, quotient |= 1;
    }
    *rest = left;
    return quotient;
}

u128 __udivti3(u128 a, u128 b) {
    u128 rest;
    return divide(a, b, &rest);
}

u128 __umodti3(u128 a, u128 b) {
    u128 rest;
    divide(a, b, &rest);
    return rest;
}
