// A constant-product pool of two tokens; its own token is the shares of those who fill it. Reserves
// are what the pool holds (__balance), so that a swap touches balances and nothing is stored twice.
#include "alkane.h"

static const u128 locked_shares = 1000; // nobody's, so that a share never gets too dear
enum { fee_per_mille = 3 };

typedef struct {
    alkane_id tokens[2];
    u128 reserves[2]; // before what came in with this call
    u128 incoming[2];
    u128 shares; // of the pool's token that came in
    bool others; // anything else came in
} pool;

static pool pool_load(const context* call) {
    pool made = {.tokens = {storage_id("/alkane/0"), storage_id("/alkane/1")}};
    for (uint32_t i = 0; i < call->incoming_count; ++i) {
        const transfer came = call->incoming[i];
        if (same_id(came.id, made.tokens[0])) {
            made.incoming[0] += came.value;
        } else if (same_id(came.id, made.tokens[1])) {
            made.incoming[1] += came.value;
        } else if (same_id(came.id, call->myself)) {
            made.shares += came.value;
        } else {
            made.others = true;
        }
    }
    for (int side = 0; side < 2; ++side)
        made.reserves[side] = balance_of(call->myself, made.tokens[side]) - made.incoming[side];
    return made;
}

static bool lock(void) {
    if (storage_number("/lock") != 0) return false;
    storage_set_number("/lock", 1);
    return true;
}

static void unlock(void) {
    storage_set_number("/lock", 0);
}

// Inputs: the two tokens.
static const char* initialize(const context* call, response* answer) {
    if (storage_number("/initialized") != 0) return "already initialized";
    const alkane_id a = context_input_id(call, 1), b = context_input_id(call, 3);
    if (same_id(a, b)) return "a pool needs two tokens";
    storage_set_number("/initialized", 1);
    const bool ordered = a.block < b.block || (a.block == b.block && a.tx < b.tx);
    storage_set_id("/alkane/0", ordered ? a : b);
    storage_set_id("/alkane/1", ordered ? b : a);
    response_forward(answer, call);
    return NULL;
}

// Shares for what came in: its geometric mean at first, then its smaller part of the reserves.
static const char* new_shares(const pool* of, u128 supply, u128* shares) {
    if (supply == 0) {
        const u128 mean = square_root_of_product(of->incoming[0], of->incoming[1]);
        if (mean <= locked_shares) return "insufficient liquidity";
        *shares = mean - locked_shares;
        return NULL;
    }
    u128 parts[2];
    for (int side = 0; side < 2; ++side)
        if (!multiply_divide(of->incoming[side], supply, of->reserves[side], &parts[side]))
            return "shares overflow";
    *shares = parts[0] < parts[1] ? parts[0] : parts[1];
    return *shares == 0 ? "insufficient liquidity" : NULL;
}

static const char* add(const context* call, response* answer) {
    if (!lock()) return "LOCKED";
    const pool of = pool_load(call);
    if (of.incoming[0] == 0 || of.incoming[1] == 0 || of.shares != 0 || of.others)
        return "expected both tokens of the pool and nothing else";
    const u128 supply = storage_number("/totalsupply");
    u128 shares, total;
    const char* error = new_shares(&of, supply, &shares);
    if (error != NULL) return error;
    if (!add_u128(supply == 0 ? locked_shares : supply, shares, &total)) return "shares overflow";
    storage_set_number("/totalsupply", total);
    response_transfer(answer, call->myself, shares);
    unlock();
    return NULL;
}

static const char* burn(const context* call, response* answer) {
    if (!lock()) return "LOCKED";
    const pool of = pool_load(call);
    if (of.shares == 0 || of.incoming[0] != 0 || of.incoming[1] != 0 || of.others)
        return "expected shares of the pool and nothing else";
    const u128 supply = storage_number("/totalsupply");
    for (int side = 0; side < 2; ++side) {
        u128 amount;
        if (!multiply_divide(of.reserves[side], of.shares, supply, &amount))
            return "more shares than there are";
        if (amount == 0) return "insufficient liquidity";
        response_transfer(answer, of.tokens[side], amount);
    }
    storage_set_number("/totalsupply", supply - of.shares);
    unlock();
    return NULL;
}

static const char* amount_out(const pool* of, int side, u128* out) {
    u128 kept, scaled, divisor;
    if (!multiply_divide(of->incoming[side], 1000 - fee_per_mille, 1, &kept))
        return "amount overflows";
    if (!multiply_divide(of->reserves[side], 1000, 1, &scaled) || !add_u128(scaled, kept, &divisor))
        return "reserves overflow";
    return multiply_divide(kept, of->reserves[!side], divisor, out) ? NULL : "amount overflows";
}

// Input: the least that must come out. One of the two tokens comes in, the other goes out.
static const char* swap(const context* call, response* answer) {
    if (!lock()) return "LOCKED";
    const pool of = pool_load(call);
    if ((of.incoming[0] == 0) == (of.incoming[1] == 0) || of.shares != 0 || of.others)
        return "expected one token of the pool and nothing else";
    if (of.reserves[0] == 0 || of.reserves[1] == 0) return "the pool is empty";
    const int side = of.incoming[0] != 0 ? 0 : 1;
    u128 out;
    const char* error = amount_out(&of, side, &out);
    if (error != NULL) return error;
    if (out == 0 || out < context_input(call, 1)) return "predicate failed: insufficient output";
    response_transfer(answer, of.tokens[!side], out);
    unlock();
    return NULL;
}

static const char* reserves(const context* call, response* answer) {
    const pool of = pool_load(call);
    response_forward(answer, call);
    response_number(answer, of.reserves[0]);
    response_number(answer, of.reserves[1]);
    return NULL;
}

static const char* name(const context* call, response* answer) {
    const alkane_id tokens[2] = {storage_id("/alkane/0"), storage_id("/alkane/1")};
    response_forward(answer, call);
    for (int side = 0; side < 2; ++side) {
        bytes_decimal(&answer->data, tokens[side].block);
        bytes_u8(&answer->data, ':');
        bytes_decimal(&answer->data, tokens[side].tx);
        bytes_text(&answer->data, side == 0 ? " / " : " LP");
    }
    return NULL;
}

static const char* supply(const context* call, response* answer) {
    response_forward(answer, call);
    response_number(answer, storage_number("/totalsupply"));
    return NULL;
}

static const method methods[] = {{0, initialize}, {1, add},   {2, burn},    {3, swap},
                                 {97, reserves},  {99, name}, {101, supply}};

// clang-format off
static const char description[] = DESCRIPTION("AmmPool",
    METHOD("initialize", 0, PARAM("alkane_a", "AlkaneId") "," PARAM("alkane_b", "AlkaneId"), "void")
    "," METHOD("add_liquidity", 1, "", "void")
    "," METHOD("burn", 2, "", "void")
    "," METHOD("swap", 3, PARAM("amount_out", "u128"), "void")
    "," METHOD("get_reserves", 97, "", "(u128, u128)")
    "," METHOD("get_name", 99, "", "String")
    "," METHOD("get_total_supply", 101, "", "u128"));
// clang-format on

ALKANE_CONTRACT(methods, description)
