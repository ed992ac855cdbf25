// 128-bit products, quotients and roots: shares of a pool, as an exchange contract counts them.
#include "freestanding.h"

static u128 square_root(u128 of) {
    if (of == 0) return 0;
    u128 guess = (u128)1 << 64 | 1;
    while (1) {
        const u128 next = (guess + of / guess) >> 1;
        if (next >= guess) return guess;
        guess = next;
    }
}

KERNEL(wide_arithmetic) {
    uint64_t random = 88172645463325252ull, sum = 0;
    u128 reserve_a = (u128)1000000007 << 40, reserve_b = (u128)998244353 << 37;
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint64_t amount = next_random(&random) >> 28;
        // Constant product with a fee of 5 in 1,000.
        const u128 paid = (u128)amount * 995;
        const u128 out = paid * (reserve_b >> 20) / ((reserve_a >> 20) * 1000 + (paid >> 20));
        reserve_a += amount;
        reserve_b = out < reserve_b ? reserve_b - out : (u128)998244353 << 37;
        if (round % 16 == 0) sum += (uint64_t)square_root((reserve_a >> 8) * (reserve_b >> 8));
        sum = sum * 31 + (uint64_t)(out ^ out >> 64) + (uint64_t)(reserve_a % (reserve_b | 1));
    }
    return sum;
}
