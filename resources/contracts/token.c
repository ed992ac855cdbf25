// A token with an owner, who mints, and with numbered accounts that hold deposits. Accounts are
// not protected: generated blocks move units between them, one key each.
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

// Inputs: how many accounts from number 0 on, what is made for each. For the owner only.
static const char* endow(const context* call, response* answer) {
    const char* error = require_owner(call);
    if (error != NULL) return error;
    const u128 accounts = context_input(call, 1), amount = context_input(call, 2);
    u128 made, supply;
    if (!multiply_divide(accounts, amount, 1, &made) ||
        !add_u128(storage_number("/totalsupply"), made, &supply))
        return "total supply overflows";
    storage_set_number("/totalsupply", supply);
    for (u128 number = 0; number < accounts; ++number)
        set_account(number, account(number) + amount);
    response_forward(answer, call);
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

static const method methods[] = {{1, initialize}, {10, deposit}, {11, move},   {12, withdraw},
                                 {13, held},      {14, endow},   {77, mint},   {88, burn},
                                 {99, name},      {100, symbol}, {101, supply}};

// clang-format off
static const char description[] = DESCRIPTION("Token",
    METHOD("initialize", 1, PARAM("auth_units", "u128") "," PARAM("token_units", "u128") "," PARAM("name", "String") "," PARAM("symbol", "String"), "void")
    "," METHOD("deposit", 10, PARAM("account", "u128"), "void")
    "," METHOD("move", 11, PARAM("from", "u128") "," PARAM("to", "u128") "," PARAM("amount", "u128"), "void")
    "," METHOD("withdraw", 12, PARAM("account", "u128") "," PARAM("amount", "u128"), "void")
    "," METHOD("get_account", 13, PARAM("account", "u128"), "u128")
    "," METHOD("endow", 14, PARAM("accounts", "u128") "," PARAM("amount", "u128"), "void")
    "," METHOD("mint", 77, PARAM("token_units", "u128"), "void")
    "," METHOD("burn", 88, "", "void")
    "," METHOD("get_name", 99, "", "String")
    "," METHOD("get_symbol", 100, "", "String")
    "," METHOD("get_total_supply", 101, "", "u128"));
// clang-format on

ALKANE_CONTRACT(methods, description)
