// 64-bit arithmetic and rare operations.

uvec2 arithmetic64(uint operation, uvec2 left, uvec2 right) {
    const uint64_t x = packUint2x32(left), y = packUint2x32(right);
    const uint count = right.x & 63;
    uint64_t r = 0;
    switch (operation) {
    case GPUVM_ADD: r = x + y; break;
    case GPUVM_SUB: r = x - y; break;
    case GPUVM_MUL: r = x * y; break;
    case GPUVM_AND: r = x & y; break;
    case GPUVM_OR: r = x | y; break;
    case GPUVM_XOR: r = x ^ y; break;
    case GPUVM_SHL: r = x << count; break;
    case GPUVM_SHRS: r = uint64_t(int64_t(x) >> count); break;
    case GPUVM_SHRU: r = x >> count; break;
    case GPUVM_ROTL: r = (x << count) | (x >> ((64 - count) & 63)); break;
    case GPUVM_ROTR: r = (x >> count) | (x << ((64 - count) & 63)); break;
    }
    return unpackUint2x32(r);
}

// Unsigned division by non-zero divisors; uses the device's 32-bit division if that is enough.
uvec2 divide_unsigned(uvec2 left, uvec2 right, bool remainder) {
    if ((left.y | right.y) == 0) return uvec2(remainder ? left.x % right.x : left.x / right.x, 0);
    const uint64_t x = packUint2x32(left), y = packUint2x32(right);
    return unpackUint2x32(remainder ? x % y : x / y);
}

uvec2 negated(uvec2 value, bool really) {
    return really ? unpackUint2x32(uint64_t(0) - packUint2x32(value)) : value;
}

// Divisors are not zero and quotients fit.
uvec2 divide(uint variant, uvec2 left, uvec2 right) {
    const bool is_signed = (variant & 1) != 0, remainder = (variant & 2) != 0, wide = (variant & 4) != 0;
    if (!wide) {
        left.y = is_signed ? uint(int(left.x) >> 31) : 0;
        right.y = is_signed ? uint(int(right.x) >> 31) : 0;
    }
    const bool left_minus = is_signed && int(left.y) < 0, right_minus = is_signed && int(right.y) < 0;
    const uvec2 size = divide_unsigned(negated(left, left_minus), negated(right, right_minus), remainder);
    const uvec2 result = negated(size, remainder ? left_minus : left_minus != right_minus);
    return wide ? result : uvec2(result.x, 0);
}

uvec2 unary(uint operation, uvec2 v) {
    switch (operation) {
    case GPUVM_CLZ32: return uvec2(31 - findMSB(v.x), 0); // findMSB(0) is −1
    case GPUVM_CTZ32: return uvec2(v.x == 0 ? 32 : findLSB(v.x), 0);
    case GPUVM_POPCNT32: return uvec2(bitCount(v.x), 0);
    case GPUVM_EQZ: return uvec2((v.x | v.y) == 0 ? 1 : 0, 0);
    case GPUVM_EXTEND8_32: return uvec2(uint(int(v.x << 24) >> 24), 0);
    case GPUVM_EXTEND16_32: return uvec2(uint(int(v.x << 16) >> 16), 0);
    case GPUVM_CLZ64: return uvec2(v.y != 0 ? 31 - findMSB(v.y) : 63 - findMSB(v.x), 0);
    case GPUVM_CTZ64: return uvec2(v.x != 0 ? findLSB(v.x) : v.y != 0 ? 32 + findLSB(v.y) : 64, 0);
    case GPUVM_POPCNT64: return uvec2(bitCount(v.x) + bitCount(v.y), 0);
    case GPUVM_EXTEND8_64: v.x = uint(int(v.x << 24) >> 24); return uvec2(v.x, uint(int(v.x) >> 31));
    case GPUVM_EXTEND16_64: v.x = uint(int(v.x << 16) >> 16); return uvec2(v.x, uint(int(v.x) >> 31));
    case GPUVM_EXTEND32_64: return uvec2(v.x, uint(int(v.x) >> 31));
    }
    return uvec2(v.x, 0); // wrap
}

// Whether a comparison holds; `how` has GPUVM_LESS … and GPUVM_SIGNED.
bool compare32(uint how, uint x, uint y) {
    const uint flip = (how & GPUVM_SIGNED) << 19; // bit 12 to bit 31
    x ^= flip, y ^= flip;
    const uint found = x < y ? GPUVM_LESS : x == y ? GPUVM_EQUAL : GPUVM_GREATER;
    return (how & found) != 0;
}

bool compare64(uint how, uvec2 x, uvec2 y) {
    const uint flip = (how & GPUVM_SIGNED) << 19;
    x.y ^= flip, y.y ^= flip;
    const bool less = x.y != y.y ? x.y < y.y : x.x < y.x;
    const uint found = less ? GPUVM_LESS : x == y ? GPUVM_EQUAL : GPUVM_GREATER;
    return (how & found) != 0;
}
