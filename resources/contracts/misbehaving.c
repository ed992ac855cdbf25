// A contract that does on request what an engine has to survive, and the pieces of the traps that a
// scheduler can fall into.
#include "alkane.h"
#include "host.h"

static volatile uint32_t sink; // keeps loops that the compiler would drop

static const char* nothing(const context* call, response* answer) {
    response_forward(answer, call);
    return NULL;
}

static const char* loop(const context* call, response* answer) {
    (void)call, (void)answer;
    for (;;) ++sink;
}

// Grows until the host says no, writes into each new page; answers the pages it got.
static const char* grow(const context* call, response* answer) {
    u128 pages = 0;
    for (size_t at; (at = __builtin_wasm_memory_grow(0, 1)) != (size_t)-1; ++pages)
        *(uint8_t*)(at * 65536) = 1;
    response_forward(answer, call);
    response_number(answer, pages);
    return NULL;
}

__attribute__((noinline)) static uint32_t descend(volatile uint32_t* depth) {
    const uint32_t here = ++*depth;
    if (here == UINT32_MAX) return 0; // never: the stack ends before
    return here + descend(depth) + *depth;
}

static const char* recurse(const context* call, response* answer) {
    (void)call, (void)answer;
    uint32_t depth = 0;
    sink = descend(&depth);
    return NULL;
}

static const char* call_self(const context* call, response* answer) {
    const call_result called = call_contract(CALL, call->myself, call->inputs, 1, NULL, 0);
    response_forward(answer, call);
    return called.ok ? NULL : "the call of itself failed";
}

static bytes numbered_key(const char* name, u128 number) {
    bytes key = {0};
    bytes_text(&key, name);
    bytes_decimal(&key, number);
    return key;
}

static u128 number_at(const bytes* key) {
    bytes value = storage_get(key);
    u128 number = 0;
    memcpy(&number, value.data, value.size < sizeof number ? value.size : sizeof number);
    return number;
}

// Follows a pointer in the state: what is read and written depends on a value, not on the inputs.
static const char* unannounced(const context* call, response* answer) {
    const u128 start = context_input(call, 1), place = storage_number("/where");
    const bytes key = numbered_key("/slot/", (place + start) % 64);
    const u128 value = number_at(&key) + 1;
    storage_set(&key, &value, sizeof value);
    if (value % 4 == 0) storage_set_number("/where", place + 1);
    response_forward(answer, call);
    return NULL;
}

static const char* revert(const context* call, response* answer) {
    (void)call, (void)answer;
    storage_set_number("/never", 1);
    return "as you wished";
}

static const char* trap(const context* call, response* answer) {
    (void)call, (void)answer;
    __builtin_trap();
}

static const char* read_outside(const context* call, response* answer) {
    (void)call, (void)answer;
    sink = *(volatile uint32_t*)0xfffffff0u;
    return NULL;
}

// The trap of stale reads: T1 writes a; T2 writes b if a is 1; T3 writes c = b + 1.
static const char* fork_first(const context* call, response* answer) {
    storage_set_number("/a", 1);
    return nothing(call, answer);
}
static const char* fork_second(const context* call, response* answer) {
    if (storage_number("/a") == 1) storage_set_number("/b", storage_number("/b") + 7);
    return nothing(call, answer);
}
static const char* fork_third(const context* call, response* answer) {
    storage_set_number("/c", storage_number("/b") + 1);
    return nothing(call, answer);
}
static const char* fork_reset(const context* call, response* answer) {
    storage_set_number("/a", 0);
    return nothing(call, answer);
}

// Input: a counter's number.
static const char* count(const context* call, response* answer) {
    const bytes key = numbered_key("/count/", context_input(call, 1));
    const u128 value = number_at(&key) + 1;
    storage_set(&key, &value, sizeof value);
    return nothing(call, answer);
}

// Inputs: how many keys, bytes of each.
static const char* write_many(const context* call, response* answer) {
    const u128 keys = context_input(call, 1);
    bytes value = {0};
    for (u128 i = 0; i < context_input(call, 2); ++i) bytes_u8(&value, (uint8_t)i);
    for (u128 i = 0; i < keys; ++i) {
        bytes key = numbered_key("/many/", i);
        storage_set(&key, value.data, value.size);
        bytes_free(&key);
    }
    return nothing(call, answer);
}

// Input: a token that this contract need not have.
static const char* overspend(const context* call, response* answer) {
    response_transfer(answer, context_input_id(call, 1), 1000000);
    return nothing(call, answer);
}

// Writes, lets a call of itself fail, and says whether it lived on.
static const char* failing_call(const context* call, response* answer) {
    storage_set_number("/before", storage_number("/before") + 1);
    const u128 inputs[1] = {7};
    const call_result called = call_contract(CALL, call->myself, inputs, 1, NULL, 0);
    storage_set_number("/after", called.ok ? 1 : 2);
    return nothing(call, answer);
}

// Input: a counter. A static call that writes must leave nothing; a delegate call writes here.
static const char* static_write(const context* call, response* answer) {
    const u128 inputs[2] = {14, context_input(call, 1)};
    const call_result called = call_contract(STATICCALL, call->myself, inputs, 2, NULL, 0);
    return called.ok ? nothing(call, answer) : "static call failed";
}
static const char* delegated_write(const context* call, response* answer) {
    const u128 inputs[2] = {14, context_input(call, 1)};
    const call_result called = call_contract(DELEGATECALL, call->myself, inputs, 2, NULL, 0);
    return called.ok ? nothing(call, answer) : "delegate call failed";
}

// Puts what is left of the fuel into the state: no run with another budget may be accepted.
static const char* keep_fuel(const context* call, response* answer) {
    storage_set_number("/fuel", fuel_left());
    return nothing(call, answer);
}

static const char* divide(const context* call, response* answer) {
    const uint32_t by = (uint32_t)context_input(call, 1);
    sink = (uint32_t)context_input(call, 2) / by;
    return nothing(call, answer);
}

static const char* wild_call(const context* call, response* answer) {
    const handler wild = (handler)(uintptr_t)(4096 + (uint32_t)context_input(call, 1));
    return wild(call, answer);
}

// Marks the call as failed and continues as if nothing had happened.
static const char* quiet_abort(const context* call, response* answer) {
    storage_set_number("/never", 2);
    host_abort(0, 0, 0, 0);
    return nothing(call, answer);
}

static const method methods[] = {{0, nothing},          {1, loop},          {2, grow},
                                 {3, recurse},          {4, call_self},     {5, unannounced},
                                 {7, revert},           {8, trap},          {9, read_outside},
                                 {10, fork_first},      {11, fork_second},  {12, fork_third},
                                 {13, fork_reset},      {14, count},        {15, write_many},
                                 {16, overspend},       {17, failing_call}, {18, static_write},
                                 {19, delegated_write}, {20, keep_fuel},    {21, divide},
                                 {22, wild_call},       {23, quiet_abort}};

// Some answers are no answers: these go around what builds a proper one.
ALKANE_EXPORT("__execute") void* contract_execute(void) {
    context* call = context_load();
    const u128 opcode = context_input(call, 0);
    context_free(call);
    if (opcode == 25) return (void*)0xfffffff0u;                      // points outside
    if (opcode == 26) return arraybuffer_make("\xff\xff\xff\xff", 4); // a cut-off response
    if (opcode == 6) { // a parcel of 2^128 - 1 transfers and noise
        static const uint8_t noise[96] = {255, 255, 255, 255, 255, 255, 255, 255, 255,
                                          255, 255, 255, 255, 255, 255, 255, 7};
        return arraybuffer_make(noise, sizeof noise);
    }
    return alkane_run(methods, COUNT_OF(methods));
}

// clang-format off
static const char description[] = DESCRIPTION("Misbehaving",
    METHOD("loop", 1, "", "void")
    "," METHOD("grow", 2, "", "void")
    "," METHOD("recurse", 3, "", "void")
    "," METHOD("call_self", 4, "", "void")
    "," METHOD("unannounced", 5, "", "void")
    "," METHOD("garbage", 6, "", "void")
    "," METHOD("revert", 7, "", "void")
    "," METHOD("trap", 8, "", "void")
    "," METHOD("read_outside", 9, "", "void")
    "," METHOD("fork_first", 10, "", "void")
    "," METHOD("fork_second", 11, "", "void")
    "," METHOD("fork_third", 12, "", "void")
    "," METHOD("fork_reset", 13, "", "void")
    "," METHOD("count", 14, "", "void")
    "," METHOD("write_many", 15, "", "void")
    "," METHOD("overspend", 16, "", "void")
    "," METHOD("failing_call", 17, "", "void")
    "," METHOD("static_write", 18, "", "void")
    "," METHOD("delegated_write", 19, "", "void")
    "," METHOD("keep_fuel", 20, "", "void")
    "," METHOD("divide", 21, "", "void")
    "," METHOD("wild_call", 22, "", "void")
    "," METHOD("quiet_abort", 23, "", "void")
    "," METHOD("answer_outside", 24, "", "void")
    "," METHOD("cut_off_answer", 25, "", "void"));
// clang-format on

ALKANE_EXPORT("__meta") void* contract_meta(void) {
    return arraybuffer_make(description, sizeof description - 1);
}
