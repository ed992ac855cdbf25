// Calls that cost nothing but the instance.
#include "freestanding.h"

enum { page = 4096 };

/// Returns at once. No result: the host has nothing to carry.
__attribute__((export_name("nothing"))) void nothing(uint32_t rounds) {
    (void)rounds;
}

/// Writes to eight pages, about as many as a contract's call does.
__attribute__((export_name("pages_8"))) void pages_8(uint32_t rounds) {
    static volatile uint8_t bytes[8 * page];
    for (uint32_t at = 0; at < sizeof bytes; at += page) bytes[at] = (uint8_t)(rounds + at + 1);
}
