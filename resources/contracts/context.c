#include "alkane.h"
#include "host.h"

context* context_load(void) {
    void* buffer = arraybuffer_make(NULL, (uint32_t)host_request_context());
    host_load_context(buffer);
    bytes raw = arraybuffer_take(buffer);
    reader from = reader_of(&raw);
    context* made = malloc(sizeof *made);
    made->myself = read_id(&from);
    made->caller = read_id(&from);
    made->vout = (uint32_t)read_u128(&from);
    made->incoming_count = (uint32_t)read_u128(&from);
    if (made->incoming_count > raw.size / sizeof(transfer)) __builtin_trap();
    made->incoming = malloc(made->incoming_count * sizeof(transfer));
    for (uint32_t i = 0; i < made->incoming_count; ++i) {
        made->incoming[i].id = read_id(&from);
        made->incoming[i].value = read_u128(&from);
    }
    made->input_count = (from.size - from.at) / sizeof(u128);
    made->inputs = malloc(made->input_count * sizeof(u128));
    for (uint32_t i = 0; i < made->input_count; ++i) made->inputs[i] = read_u128(&from);
    bytes_free(&raw);
    return made;
}

void context_free(context* of) {
    free(of->inputs);
    free(of->incoming);
    free(of);
}

u128 context_input(const context* of, uint32_t place) {
    return place < of->input_count ? of->inputs[place] : 0;
}

alkane_id context_input_id(const context* of, uint32_t place) {
    return (alkane_id){context_input(of, place), context_input(of, place + 1)};
}

bytes context_input_text(const context* of, uint32_t* place) {
    bytes text = {0};
    while (*place < of->input_count) {
        const u128 word = of->inputs[(*place)++];
        const uint8_t* letters = (const uint8_t*)&word;
        for (uint32_t i = 0; i < sizeof word; ++i) {
            if (letters[i] == 0) return text;
            bytes_u8(&text, letters[i]);
        }
    }
    return text;
}

static uint64_t number_from_host(void (*ask)(void*)) {
    void* buffer = arraybuffer_make(NULL, sizeof(uint64_t));
    ask(buffer);
    uint64_t value;
    memcpy(&value, buffer, sizeof value);
    arraybuffer_free(buffer);
    return value;
}

uint64_t block_height(void) {
    return number_from_host(host_height);
}
uint64_t fuel_left(void) {
    return number_from_host(host_fuel);
}

u128 balance_of(alkane_id who, alkane_id what) {
    void *holder = arraybuffer_make(&who, sizeof who),
         *token = arraybuffer_make(&what, sizeof what);
    void* amount = arraybuffer_make(NULL, sizeof(u128)); // stays zero where there is no entry
    host_balance(holder, token, amount);
    u128 value;
    memcpy(&value, amount, sizeof value);
    arraybuffer_free(amount);
    arraybuffer_free(token);
    arraybuffer_free(holder);
    return value;
}

bytes load_transaction(void) {
    void* buffer = arraybuffer_make(NULL, (uint32_t)host_request_transaction());
    host_load_transaction(buffer);
    return arraybuffer_take(buffer);
}
