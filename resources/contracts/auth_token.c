// A token whose possession proves ownership of another contract, which calls `authenticate` with
// one unit.
#include "alkane.h"

// Inputs: name, symbol (texts of one word each), units.
static const char* initialize(const context* call, response* answer) {
    if (storage_number("/initialized") != 0) return "already initialized";
    storage_set_number("/initialized", 1);
    uint32_t place = 1;
    bytes name = context_input_text(call, &place);
    bytes symbol = context_input_text(call, &place);
    storage_set_bytes("/name", &name);
    storage_set_bytes("/symbol", &symbol);
    response_forward(answer, call);
    response_transfer(answer, call->myself, context_input(call, place));
    return NULL;
}

static const char* authenticate(const context* call, response* answer) {
    if (call->incoming_count != 1 || !same_id(call->incoming[0].id, call->myself))
        return "did not authenticate with only the authentication token";
    if (call->incoming[0].value < 1)
        return "less than 1 unit of authentication token supplied to authenticate";
    response_forward(answer, call);
    bytes_u8(&answer->data, 1);
    return NULL;
}

static const char* name(const context* call, response* answer) {
    response_forward(answer, call);
    answer->data = storage_text("/name");
    return NULL;
}

static const char* symbol(const context* call, response* answer) {
    response_forward(answer, call);
    answer->data = storage_text("/symbol");
    return NULL;
}

static const method methods[] = {{0, initialize}, {1, authenticate}, {99, name}, {100, symbol}};

// clang-format off
static const char description[] = DESCRIPTION("AuthToken",
    METHOD("initialize", 0, PARAM("name", "String") "," PARAM("symbol", "String") "," PARAM("amount", "u128"), "void")
    "," METHOD("authenticate", 1, "", "void")
    "," METHOD("get_name", 99, "", "String")
    "," METHOD("get_symbol", 100, "", "String"));
// clang-format on

ALKANE_CONTRACT(methods, description)
