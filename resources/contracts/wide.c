// 128-bit arithmetic: what the compiler calls on wasm32, and products of 256 bits.
#include "alkane.h"

typedef union {
    u128 whole;
    struct {
        uint64_t low, high;
    };
} halves;

static u128 multiply_64(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)cross;
    const halves product = {.low = other << 32 | (uint32_t)low,
                            .high = a1 * b1 + (cross >> 32) + (other >> 32)};
    return product.whole;
}

u128 __multi3(u128 a, u128 b) {
    const halves x = {a}, y = {b};
    halves product = {multiply_64(x.low, y.low)};
    product.high += x.low * y.high + x.high * y.low;
    return product.whole;
}

u128 __ashlti3(u128 value, int by) {
    halves x = {value};
    if (by >= 64) {
        x.high = x.low << (by - 64);
        x.low = 0;
    } else if (by > 0) {
        x.high = x.high << by | x.low >> (64 - by);
        x.low <<= by;
    }
    return x.whole;
}

u128 __lshrti3(u128 value, int by) {
    halves x = {value};
    if (by >= 64) {
        x.low = x.high >> (by - 64);
        x.high = 0;
    } else if (by > 0) {
        x.low = x.low >> by | x.high << (64 - by);
        x.high >>= by;
    }
    return x.whole;
}

// One bit at a time, from the highest that is set; by machine division where both fit.
__attribute__((noinline)) static u128 divide(u128 value, u128 divisor, u128* rest) {
    const halves x = {value}, y = {divisor};
    if (divisor == 0) __builtin_trap();
    if (x.high == 0 && y.high == 0) {
        *rest = x.low % y.low;
        return x.low / y.low;
    }
    u128 quotient = 0, left = 0;
    for (int bit = x.high != 0 ? 127 - __builtin_clzll(x.high) : 63; bit >= 0; --bit) {
        left = left << 1 | (uint64_t)(bit >= 64 ? x.high >> (bit - 64) & 1 : x.low >> bit & 1);
        quotient <<= 1;
        if (left >= divisor) {
            left -= divisor;
            quotient |= 1;
        }
    }
    *rest = left;
    return quotient;
}

u128 __udivti3(u128 value, u128 divisor) {
    u128 rest;
    return divide(value, divisor, &rest);
}

u128 __umodti3(u128 value, u128 divisor) {
    u128 rest;
    divide(value, divisor, &rest);
    return rest;
}

bool add_u128(u128 a, u128 b, u128* sum) {
    *sum = a + b;
    return *sum >= a;
}

typedef struct {
    u128 high, low;
} u256;

static u256 multiply_wide(u128 a, u128 b) {
    const halves x = {a}, y = {b};
    const u128 low = multiply_64(x.low, y.low), high = multiply_64(x.high, y.high);
    const u128 cross = multiply_64(x.high, y.low), other = multiply_64(x.low, y.high);
    const u128 middle = (low >> 64) + (uint64_t)cross + (uint64_t)other;
    return (u256){high + (cross >> 64) + (other >> 64) + (middle >> 64),
                  middle << 64 | (uint64_t)low};
}

bool multiply_divide(u128 a, u128 b, u128 divisor, u128* result) {
    const u256 product = multiply_wide(a, b);
    if (product.high >= divisor) return false; // also where the divisor is 0
    if (product.high == 0) {
        *result = product.low / divisor;
        return true;
    }
    u128 left = product.high, quotient = 0;
    for (int bit = 127; bit >= 0; --bit) {
        const bool carry = left >> 127 != 0;
        left = left << 1 | (product.low >> bit & 1);
        quotient <<= 1;
        if (carry || left >= divisor) {
            left -= divisor;
            quotient |= 1;
        }
    }
    *result = quotient;
    return true;
}

static bool square_fits(u128 root, u256 value) {
    const u256 square = multiply_wide(root, root);
    return square.high < value.high || (square.high == value.high && square.low <= value.low);
}

static u128 root_of(u256 value) {
    u128 root = 0;
    const int top = value.high == 0 ? 63 : 127;
    for (int bit = top; bit >= 0; --bit) {
        const u128 tried = root | (u128)1 << bit;
        if (square_fits(tried, value)) root = tried;
    }
    return root;
}

u128 square_root(u128 value) {
    return root_of((u256){0, value});
}
u128 square_root_of_product(u128 a, u128 b) {
    return root_of(multiply_wide(a, b));
}
