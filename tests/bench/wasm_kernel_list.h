// The kernels of wasm_kernels/ and how many rounds make a measurement (some ten milliseconds
// interpreted).
#pragma once

#define BLOCKLOOM_WASM_KERNELS(X)                                                                  \
    X(sha256d, 100)                                                                                \
    X(wide_arithmetic, 1000)                                                                       \
    X(copy_small, 10000)                                                                           \
    X(copy_medium, 2000)                                                                           \
    X(copy_large, 50)                                                                              \
    X(allocator, 10000)                                                                            \
    X(leb128, 100)                                                                                 \
    X(transaction, 300)                                                                            \
    X(sorting, 50)
