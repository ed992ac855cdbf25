// The runtime of Blockloom's demonstration contracts: what an Alkanes contract needs from its host
// and from a library, in C for wasm32. Nothing is freed at the end of a call: an instance lives for
// one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 u128;
#define U128_MAX (~(u128)0)

typedef struct {
    u128 block, tx;
} alkane_id;

typedef struct {
    alkane_id id;
    u128 value;
} transfer;

// ---- heap.c, memory.c: boundary tags over memory.grow; what the compiler calls for copies ----
void* malloc(size_t size); // traps when the host gives no more memory
void* realloc(void* block, size_t size);
void free(void* block);
void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int byte, size_t size);
int memcmp(const void* a, const void* b, size_t size);
size_t strlen(const char* text);

// ---- bytes.c: a growing byte string, and a reader over one ----
typedef struct {
    uint8_t* data;
    uint32_t size, capacity;
} bytes;

void bytes_reserve(bytes* to, uint32_t more);
void bytes_append(bytes* to, const void* from, uint32_t size);
void bytes_text(bytes* to, const char* text);
void bytes_u8(bytes* to, uint8_t value);
void bytes_u32(bytes* to, uint32_t value);
void bytes_u64(bytes* to, uint64_t value);
void bytes_u128(bytes* to, u128 value);
void bytes_id(bytes* to, alkane_id id);
void bytes_decimal(bytes* to, u128 value);
int bytes_compare(const bytes* a, const bytes* b); // as memcmp, then by length
void bytes_free(bytes* of);

typedef struct {
    const uint8_t* data;
    uint32_t size, at;
    bool failed; // something was read past the end; what was read is zero
} reader;

reader reader_of(const bytes* from);
bytes read_take(reader* from,
                uint32_t size); // bytes of their own, for each number too: as the Rust library does
void read_bytes(reader* from, void* to, uint32_t size);
uint8_t read_u8(reader* from);
uint32_t read_u32(reader* from);
uint64_t read_u64(reader* from);
u128 read_u128(reader* from);
alkane_id read_id(reader* from);
uint64_t read_compact_size(reader* from); // Bitcoin's

// ---- arraybuffer.c: bytes with their length, u32, before them: how the host sees byte strings
// ----
void* arraybuffer_make(const void* from, uint32_t size); // from: null for zeros
uint32_t arraybuffer_size(const void* buffer);
void arraybuffer_free(void* buffer);
bytes arraybuffer_take(void* buffer); // its bytes; frees it

// ---- context.c ----
typedef struct {
    alkane_id myself, caller;
    uint32_t vout;
    uint32_t incoming_count, input_count;
    transfer* incoming;
    u128* inputs; // inputs[0] is the opcode; padding zeros at the end are inputs
} context;

context* context_load(void); // asks the host each time, as the Rust library does
void context_free(context* of);
u128 context_input(const context* of, uint32_t place); // 0 where there is none
alkane_id context_input_id(const context* of, uint32_t place);
// A text in words of 16 bytes that ends with the first zero byte; moves `place` past it.
bytes context_input_text(const context* of, uint32_t* place);

uint64_t block_height(void);
uint64_t fuel_left(void);
u128 balance_of(alkane_id who, alkane_id what);
bytes load_transaction(void);

static inline bool same_id(alkane_id a, alkane_id b) {
    return a.block == b.block && a.tx == b.tx;
}

// ---- storage.c: a cache in front of the host, flushed by calls and by the answer ----
bytes storage_get(const bytes* key); // a copy; empty where absent
void storage_set(const bytes* key, const void* value, uint32_t size);
void storage_write_map(bytes* to); // count, then key and value of each, sorted by key
u128 storage_number(const char* key);
void storage_set_number(const char* key, u128 value);
bytes storage_text(const char* key);
void storage_set_bytes(const char* key, const bytes* value);
alkane_id storage_id(const char* key);
void storage_set_id(const char* key, alkane_id id);

// ---- response.c ----
typedef struct {
    transfer* transfers;
    uint32_t count, capacity;
    bytes data;
} response;

void response_transfer(response* to, alkane_id id, u128 value);
void response_forward(response* to, const context* from); // gives back what came in
void response_number(response* to, u128 value);
void bytes_parcel(bytes* to, const transfer* transfers, uint32_t count);

// An opcode's function. It returns null, or why the message reverts.
typedef const char* (*handler)(const context* call, response* answer);
typedef struct {
    uint32_t opcode;
    handler run;
} method;

// Dispatches the opcode, answers the host. What __execute returns.
void* alkane_run(const method* methods, uint32_t count);
// What __execute returns for a revert: selector 08c379a0 and "Error: " with the text; tells the
// host.
void* alkane_revert(const char* text);

// ---- call.c ----
typedef enum { CALL, DELEGATECALL, STATICCALL } call_kind;
typedef struct {
    bool ok;
    transfer* transfers;
    uint32_t count;
    bytes data;
} call_result;

call_result call_contract(call_kind kind, alkane_id target, const u128* inputs,
                          uint32_t input_count, const transfer* transfers, uint32_t count);

// ---- authority.c: a token that owns this contract ----
const char* own_by_new_token(response* answer, u128 units); // clones the auth token, sets /auth
const char* require_owner(const context* call);             // null if it came in

// ---- wide.c ----
bool add_u128(u128 a, u128 b, u128* sum); // false: it overflowed
bool multiply_divide(u128 a, u128 b, u128 divisor,
                     u128* result); // a * b / divisor through 256 bits
u128 square_root(u128 value);
u128 square_root_of_product(u128 a, u128 b);

// ---- sha256.c ----
typedef struct {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t size;
} sha256;

void sha256_start(sha256* hash);
void sha256_add(sha256* hash, const void* from, uint32_t size);
void sha256_finish(sha256* hash, uint8_t digest[32]);

// ---- transaction.c: Bitcoin's, decoded and hashed as contracts do it ----
typedef struct {
    uint8_t txid[32];
    uint32_t vout;
    bytes script;
    uint32_t sequence;
    bytes* witness;
    uint32_t witness_count;
} tx_input;

typedef struct {
    uint64_t value;
    bytes script;
} tx_output;

typedef struct {
    uint32_t version, locktime;
    tx_input* inputs;
    tx_output* outputs;
    uint32_t input_count, output_count;
} transaction;

bool transaction_read(const bytes* from, transaction* to);
void transaction_id(const transaction* of, uint8_t txid[32]);
void transaction_free(transaction* of);
// The payload of the first envelope in an input's tapscript; empty: none
// (docs/alkanes-protocol.md#envelopes).
bytes transaction_envelope(const transaction* of);

// ---- what every contract has ----
#define ALKANE_EXPORT(name) __attribute__((export_name(name)))
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
// The description that __meta answers, as JSON. Methods and parameters are put together with commas
// between them.
#define DESCRIPTION(contract, methods) "{\"contract\":\"" contract "\",\"methods\":[" methods "]}"
#define METHOD(name, opcode, parameters, returns)                                                  \
    "{\"name\":\"" name "\",\"opcode\":" #opcode ",\"params\":[" parameters                        \
    "],\"returns\":\"" returns "\"}"
#define PARAM(name, type) "{\"name\":\"" name "\",\"type\":\"" type "\"}"

// __execute and __meta of an array of methods and one of text.
#define ALKANE_CONTRACT(methods, text)                                                             \
    ALKANE_EXPORT("__execute") void* contract_execute(void) {                                      \
        return alkane_run(methods, COUNT_OF(methods));                                             \
    }                                                                                              \
    ALKANE_EXPORT("__meta") void* contract_meta(void) {                                            \
        return arraybuffer_make(text, sizeof(text) - 1);                                           \
    }
