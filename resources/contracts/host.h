// The host functions, module "env". A pointer is to bytes that are preceded by their length, u32.
#pragma once

#include <stdint.h>

#define HOST(name) __attribute__((import_module("env"), import_name(name)))

// Marks the call as failed; it continues until __execute returns.
HOST("abort") void host_abort(int32_t message, int32_t file, int32_t line, int32_t column);
HOST("__request_storage") int32_t host_request_storage(const void* key);
HOST("__load_storage") int32_t host_load_storage(const void* key, void* value);
HOST("__balance") void host_balance(const void* who, const void* what, void* amount);
HOST("__request_context") int32_t host_request_context(void);
HOST("__load_context") int32_t host_load_context(void* to);
HOST("__fuel") void host_fuel(void* to);
HOST("__height") void host_height(void* to);
HOST("__returndatacopy") void host_returndatacopy(void* to);
HOST("__request_transaction") int32_t host_request_transaction(void);
HOST("__load_transaction") void host_load_transaction(void* to);
HOST("__call")
int32_t host_call(const void* cellpack, const void* incoming, const void* checkpoint,
                  uint64_t fuel);
HOST("__delegatecall")
int32_t host_delegatecall(const void* cellpack, const void* incoming, const void* checkpoint,
                          uint64_t fuel);
HOST("__staticcall")
int32_t host_staticcall(const void* cellpack, const void* incoming, const void* checkpoint,
                        uint64_t fuel);
