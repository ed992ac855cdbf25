#include "alkane.h"
#include "host.h"

void response_transfer(response* to, alkane_id id, u128 value) {
    if (to->count == to->capacity) {
        to->capacity = to->capacity == 0 ? 2 : 2 * to->capacity;
        to->transfers = realloc(to->transfers, to->capacity * sizeof *to->transfers);
    }
    to->transfers[to->count++] = (transfer){id, value};
}

void response_forward(response* to, const context* from) {
    for (uint32_t i = 0; i < from->incoming_count; ++i)
        response_transfer(to, from->incoming[i].id, from->incoming[i].value);
}

void response_number(response* to, u128 value) {
    bytes_u128(&to->data, value);
}

void bytes_parcel(bytes* to, const transfer* transfers, uint32_t count) {
    bytes_u128(to, count);
    for (uint32_t i = 0; i < count; ++i) {
        bytes_id(to, transfers[i].id);
        bytes_u128(to, transfers[i].value);
    }
}

void* alkane_revert(const char* text) {
    static const uint8_t selector[4] = {0x08, 0xc3, 0x79, 0xa0};
    bytes raw = {0};
    bytes_parcel(&raw, NULL, 0);
    bytes_u32(&raw, 0); // nothing to store
    bytes_append(&raw, selector, sizeof selector);
    bytes_text(&raw, "Error: ");
    bytes_text(&raw, text);
    host_abort(0, 0, 0, 0);
    return arraybuffer_make(raw.data, raw.size);
}

static void* finish(const response* answer) {
    bytes raw = {0};
    bytes_parcel(&raw, answer->transfers, answer->count);
    storage_write_map(&raw);
    bytes_append(&raw, answer->data.data, answer->data.size);
    void* buffer = arraybuffer_make(raw.data, raw.size);
    bytes_free(&raw);
    return buffer;
}

void* alkane_run(const method* methods, uint32_t count) {
    context* call = context_load();
    const u128 opcode = context_input(call, 0);
    const bool named = call->input_count != 0;
    for (uint32_t i = 0; named && i < count; ++i) {
        if (methods[i].opcode != opcode) continue;
        response answer = {0};
        const char* error = methods[i].run(call, &answer);
        context_free(call);
        return error != NULL ? alkane_revert(error) : finish(&answer);
    }
    return alkane_revert("Unrecognized opcode");
}
