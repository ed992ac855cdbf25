// A token with an owner, who mints, and with numbered accounts that hold deposits. Accounts ask for
// no permission: they are there to be moved between, one key each, by generated blocks.
#include "alkane.h"

static bytes account_key(u128 account) {
    bytes key = {0};
    bytes_text(&key, "/accounts/");
    bytes_decimal(&key, account);
    return key;
}

static u128 account(u128 number) {
    bytes key = account_key(number), value = storage_get(&key);
    u128 amount = 0;
    memcpy(&amount, value.data, value.size < sizeof amount ? value.size : sizeof amount);
    bytes_free(&value);
    bytes_free(&key);
    return amount;
}

static void set_account(u128 number, u128 amount) {
    bytes key = account_key(number);
    storage_set(&key, &amount, sizeof amount);
    bytes_free(&key);
}

// What came in of this token; the rest goes back.
static u128 take_own(const context* call, response* answer) {
    u128 own = 0;
    for (uint32_t i = 0; i < call->incoming_count; ++i) {
        if (same_id(call->incoming[i].id, call->myself)) {
            own += call->incoming[i].value;
        } else {
            response_transfer(answer, call->incoming[i].id, call->incoming[i].value);
        }
    }
    return own;
}

// Inputs: units of the auth token, units of this one, name and symbol (texts of one word each).
static const char* initialize(const context* call, response* answer) {
    if (storage_number("/initialized") != 0) return "already initialized";
    storage_set_number("/initialized", 1);
    uint32_t place = 3;
    bytes name = context_input_text(call, &place);
    bytes symbol = context_input_text(call, &place);
    storage_set_bytes("/name", &name);
    storage_set_bytes("/symbol", &symbol);
    storage_set_number("/totalsupply", context_input(call, 2));
    response_forward(answer, call);
    response_transfer(answer, call->myself, context_input(call, 2));
    return own_by_new_token(answer, context_input(call, 1));
}

static const char* mint(const context* call, response* answer) {
    const char* error = require_owner(call);
    if (error != NULL) return error;
    u128 supply;
    if (!add_u128(storage_number("/totalsupply"), context_input(call, 1), &supply))
        return "total supply overflows";
    storage_set_number("/totalsupply", supply);
    response_forward(answer, call);
    response_transfer(answer, call->myself, context_input(call, 1));
    return NULL;
}

static const char* burn(const context* call, response* answer) {
    const u128 own = take_own(call, answer);
    if (own == 0) return "nothing to burn";
    const u128 supply = storage_number("/totalsupply");
    if (own > supply) return "more than there is";
    storage_set_number("/totalsupply", supply - own);
    return NULL;
}

// Input: the account.
static const char* deposit(const context* call, response* answer) {
    const u128 own = take_own(call, answer), to = context_input(call, 1);
    if (own == 0) return "nothing to deposit";
    u128 held;
    if (!add_u128(account(to), own, &held)) return "account overflows";
    set_account(to, held);
    return NULL;
}

// Inputs: from, to, amount.
static const char* move(const context* call, response* answer) {
    const u128 from = context_input(call, 1), to = context_input(call, 2),
               amount = context_input(call, 3);
    const u128 had = account(from);
    if (had < amount) return "account holds less";
    set_account(from, had - amount);
    u128 held;
    if (!add_u128(account(to), amount, &held)) return "account overflows";
    set_account(to, held);
    response_forward(answer, call);
    return NULL;
}

// Inputs: account, amount.
static const char* withdraw(const context* call, response* answer) {
    const u128 from = context_input(call, 1), amount = context_input(call, 2), had = account(from);
    if (had < amount) return "account holds less";
    set_account(from, had - amount);
    response_forward(answer, call);
    response_transfer(answer, call->myself, amount);
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

static const char* supply(const context* call, response* answer) {
    response_forward(answer, call);
    response_number(answer, storage_number("/totalsupply"));
    return NULL;
}

static const char* held(const context* call, response* answer) {
    response_forward(answer, call);
    response_number(answer, account(context_input(call, 1)));
    return NULL;
}

static const method methods[] = {{1, initialize}, {10, deposit}, {11, move}, {12, withdraw},
                                 {13, held},      {77, mint},    {88, burn}, {99, name},
                                 {100, symbol},   {101, supply}};

#define U128(name) "{\"name\":\"" name "\",\"type\":\"u128\"}"
ALKANE_CONTRACT(methods,
                "{\"contract\":\"Token\",\"methods\":["
                "{\"name\":\"initialize\",\"opcode\":1,\"params\":[" U128("auth_units") "," U128(
                    "token_units") ","
                                   "{\"name\":\"name\",\"type\":\"String\"},{\"name\":\"symbol\","
                                   "\"type\":\"String\"}],\"returns\":\"void\"},"
                                   "{\"name\":\"deposit\",\"opcode\":10,\"params\":[" U128(
                                       "account") "],\"returns\":\"void\"},"
                                                  "{\"name\":\"move\",\"opcode\":11,\"params\":"
                                                  "[" U128("from") "," U128("to") "," U128(
                                                      "amount") "],"
                                                                "\"returns\":\"void\"},"
                                                                "{\"name\":\"withdraw\",\"opcode\":"
                                                                "12,\"params\":[" U128("account") "," U128(
                                                                    "amount") "],"
                                                                              "\"returns\":"
                                                                              "\"void\"},"
                                                                              "{\"name\":\"get_"
                                                                              "account\","
                                                                              "\"opcode\":13,"
                                                                              "\"params\":[" U128(
                                                                                  "account") "],"
                                                                                             "\"ret"
                                                                                             "urns"
                                                                                             "\":"
                                                                                             "\"u12"
                                                                                             "8\"},"
                                                                                             "{\"na"
                                                                                             "me\":"
                                                                                             "\"min"
                                                                                             "t\","
                                                                                             "\"opc"
                                                                                             "ode\""
                                                                                             ":77,"
                                                                                             "\"par"
                                                                                             "ams\""
                                                                                             ":"
                                                                                             "[" U128(
                                                                                                 "t"
                                                                                                 "o"
                                                                                                 "k"
                                                                                                 "e"
                                                                                                 "n"
                                                                                                 "_"
                                                                                                 "u"
                                                                                                 "n"
                                                                                                 "i"
                                                                                                 "t"
                                                                                                 "s") "],\"returns\":\"void\"},"
                                                                                                      "{\"name\":\"burn\",\"opcode\":88,\"params\":[],\"returns\":\"void\"},"
                                                                                                      "{\"name\":\"get_name\",\"opcode\":99,\"params\":[],\"returns\":\"String\"},"
                                                                                                      "{\"name\":\"get_symbol\",\"opcode\":100,\"params\":[],\"returns\":\"String\"},"
                                                                                                      "{\"name\":\"get_total_supply\",\"opcode\":101,\"params\":[],\"returns\":\"u128\"}]}")
