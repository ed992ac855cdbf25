// A token that anyone can mint, one portion per transaction, up to a cap.
#include "alkane.h"

static void tx_key(bytes* key, const transaction* tx) {
    uint8_t txid[32];
    transaction_id(tx, txid);
    bytes_text(key, "/tx-hashes/");
    bytes_append(key, txid, sizeof txid);
}

static const char* read_own_transaction(transaction* to) {
    bytes raw = load_transaction();
    const bool read = transaction_read(&raw, to);
    bytes_free(&raw);
    return read ? NULL : "transaction is malformed";
}

// Inputs: units to the caller, value of a mint, cap (0: none), name in two words, symbol.
static const char* initialize(const context* call, response* answer) {
    if (storage_number("/initialized") != 0) return "already initialized";
    storage_set_number("/initialized", 1);
    const u128 units = context_input(call, 1), cap = context_input(call, 3);
    storage_set_number("/value-per-mint", context_input(call, 2));
    storage_set_number("/cap", cap == 0 ? U128_MAX : cap);
    const u128 words[2] = {context_input(call, 4), context_input(call, 5)};
    const u128 symbol = context_input(call, 6);
    bytes text = {0};
    for (uint32_t i = 0; i < sizeof words && ((const char*)words)[i] != 0; ++i)
        bytes_u8(&text, ((const uint8_t*)words)[i]);
    storage_set_bytes("/name", &text);
    text.size = 0;
    for (uint32_t i = 0; i < sizeof symbol && ((const char*)&symbol)[i] != 0; ++i)
        bytes_u8(&text, ((const uint8_t*)&symbol)[i]);
    storage_set_bytes("/symbol", &text);

    transaction tx;
    const char* error = read_own_transaction(&tx);
    if (error != NULL) return error;
    const bytes data = transaction_envelope(&tx);
    if (data.size != 0) storage_set_bytes("/data", &data);
    transaction_free(&tx);

    storage_set_number("/totalsupply", units);
    response_forward(answer, call);
    if (units != 0) response_transfer(answer, call->myself, units);
    return NULL;
}

static const char* mint(const context* unused, response* answer) {
    (void)unused;
    context* call = context_load();
    transaction tx;
    const char* error = read_own_transaction(&tx);
    if (error != NULL) return error;
    bytes key = {0};
    tx_key(&key, &tx);
    transaction_free(&tx);
    bytes seen = storage_get(&key);
    if (seen.size != 0) return "Transaction already used for mint";
    bytes_free(&seen);

    const u128 minted = storage_number("/minted"), cap = storage_number("/cap");
    if (minted >= cap) {
        bytes text = {0};
        bytes_text(&text, "Supply has reached cap: ");
        bytes_decimal(&text, minted);
        bytes_text(&text, " of ");
        bytes_decimal(&text, cap);
        bytes_u8(&text, 0);
        return (const char*)text.data;
    }
    const uint8_t used = 1;
    storage_set(&key, &used, sizeof used);
    bytes_free(&key);

    const u128 value = storage_number("/value-per-mint");
    u128 supply;
    if (!add_u128(storage_number("/totalsupply"), value, &supply)) return "total supply overflows";
    storage_set_number("/totalsupply", supply);
    storage_set_number("/minted", storage_number("/minted") + 1);

    context* again = context_load(); // as the Rust library does for its answer
    response_forward(answer, again);
    response_transfer(answer, again->myself, value);
    context_free(again);
    context_free(call);
    return NULL;
}

static const char* answer_bytes(const context* call, response* answer, const char* key) {
    response_forward(answer, call);
    answer->data = storage_text(key);
    return NULL;
}

static const char* answer_number(const context* call, response* answer, const char* key) {
    response_forward(answer, call);
    response_number(answer, storage_number(key));
    return NULL;
}

static const char* name(const context* call, response* answer) {
    return answer_bytes(call, answer, "/name");
}
static const char* symbol(const context* call, response* answer) {
    return answer_bytes(call, answer, "/symbol");
}
static const char* supply(const context* call, response* answer) {
    return answer_number(call, answer, "/totalsupply");
}
static const char* cap(const context* call, response* answer) {
    return answer_number(call, answer, "/cap");
}
static const char* minted(const context* call, response* answer) {
    return answer_number(call, answer, "/minted");
}
static const char* value(const context* call, response* answer) {
    return answer_number(call, answer, "/value-per-mint");
}
static const char* data(const context* call, response* answer) {
    return answer_bytes(call, answer, "/data");
}

static const method methods[] = {{0, initialize}, {77, mint},    {99, name},
                                 {100, symbol},   {101, supply}, {102, cap},
                                 {103, minted},   {104, value},  {1000, data}};

// clang-format off
static const char description[] = DESCRIPTION("FreeMint",
    METHOD("initialize", 0, PARAM("token_units", "u128") "," PARAM("value_per_mint", "u128") "," PARAM("cap", "u128") "," PARAM("name_part1", "u128") "," PARAM("name_part2", "u128") "," PARAM("symbol", "u128"), "void")
    "," METHOD("mint_tokens", 77, "", "void")
    "," METHOD("get_name", 99, "", "String")
    "," METHOD("get_symbol", 100, "", "String")
    "," METHOD("get_total_supply", 101, "", "u128")
    "," METHOD("get_cap", 102, "", "u128")
    "," METHOD("get_minted", 103, "", "u128")
    "," METHOD("get_value_per_mint", 104, "", "u128")
    "," METHOD("get_data", 1000, "", "Vec<u8>"));
// clang-format on

ALKANE_CONTRACT(methods, description)
