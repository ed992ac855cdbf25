// A block's reward, shared by all transactions of the block that mint: the chain's busiest contract
// in 2026 works so.
#include "alkane.h"

static const alkane_id mint_count = {800000000, 2}, coinbase_total = {800000000, 3};
static const u128 premine = 44000000000000, most_supply = 156250000000000;
enum { auth_units = 5, halving = 210000 };

static const char* initialize(const context* call, response* answer) {
    if (storage_number("/initialized") != 0) return "already initialized";
    storage_set_number("/initialized", 1);
    storage_set_number("/totalsupply", premine);
    response_forward(answer, call);
    response_transfer(answer, call->myself, premine);
    return NULL;
}

// Opens the minting and makes the token that may collect the fees.
static const char* upgrade(const context* call, response* answer) {
    if (storage_number("/upgrade_initialized") != 0) return "already upgraded";
    storage_set_number("/upgrade_initialized", 1);
    response_forward(answer, call);
    return own_by_new_token(answer, auth_units);
}

static const char* ask_block(alkane_id precompile, u128* number) {
    const call_result called = call_contract(STATICCALL, precompile, NULL, 0, NULL, 0);
    if (!called.ok || called.data.size != sizeof *number) return "the block was not told";
    memcpy(number, called.data.data, sizeof *number);
    return NULL;
}

static bytes height_key(const char* name) {
    bytes key = {0};
    bytes_text(&key, name);
    bytes_u64(&key, block_height());
    return key;
}

static bool is_set(const bytes* key) {
    bytes value = storage_get(key);
    const bool set = value.size != 0;
    bytes_free(&value);
    return set;
}

static const char* claim_transaction(void) {
    bytes raw = load_transaction();
    transaction tx;
    if (!transaction_read(&raw, &tx)) return "transaction is malformed";
    bytes_free(&raw);
    uint8_t txid[32];
    transaction_id(&tx, txid);
    transaction_free(&tx);
    bytes key = {0};
    bytes_text(&key, "/tx-hashes/");
    bytes_append(&key, txid, sizeof txid);
    if (is_set(&key)) return "already minted in this transaction";
    const uint8_t used = 1;
    storage_set(&key, &used, sizeof used);
    bytes_free(&key);
    return NULL;
}

// The part of the reward that goes to the fees, once a block.
static u128 fee_of(u128 reward, u128 coinbase) {
    const u128 above = coinbase > reward ? coinbase - reward : 0;
    return above < reward / 2 ? above : reward / 2;
}

static const char* mint(const context* unused, response* answer) {
    (void)unused;
    context* call = context_load();
    if (!same_id(call->caller, (alkane_id){0, 0})) return "only a transaction may mint";
    if (storage_number("/upgrade_initialized") == 0) return "not upgraded";
    const char* error = claim_transaction();
    if (error != NULL) return error;
    bytes old = height_key("/seen/");
    if (is_set(&old)) return "already minted for block";
    bytes_free(&old);

    u128 mints, coinbase;
    if ((error = ask_block(mint_count, &mints)) != NULL) return error;
    if ((error = ask_block(coinbase_total, &coinbase)) != NULL) return error;
    const uint64_t halvings = block_height() / halving;
    const u128 reward = halvings < 64 ? 5000000000ULL >> halvings : 0;
    const u128 fee = fee_of(reward, coinbase);
    if (mints == 0) return "the block has no mint";
    const u128 value = (reward - fee) / mints;

    bytes first = height_key("/upgraded_seen/");
    if (!is_set(&first)) {
        const uint32_t seen = 1;
        storage_set(&first, &seen, sizeof seen);
        storage_set_number("/fees", storage_number("/fees") + fee);
        storage_set_number("/totalsupply", storage_number("/totalsupply") + fee);
    }
    bytes_free(&first);
    if (storage_number("/totalsupply") >= most_supply) return "total supply has been reached";
    storage_set_number("/totalsupply", storage_number("/totalsupply") + value);

    context* again = context_load();
    response_forward(answer, again);
    response_transfer(answer, again->myself, value);
    context_free(again);
    context_free(call);
    return NULL;
}

static const char* collect_fees(const context* call, response* answer) {
    const char* error = require_owner(call);
    if (error != NULL) return error;
    const u128 fees = storage_number("/fees");
    storage_set_number("/fees", 0);
    response_forward(answer, call);
    response_transfer(answer, call->myself, fees);
    return NULL;
}

static const char* name(const context* call, response* answer) {
    response_forward(answer, call);
    bytes_text(&answer->data, "REWARD");
    return NULL;
}

static const char* supply(const context* call, response* answer) {
    response_forward(answer, call);
    response_number(answer, storage_number("/totalsupply"));
    return NULL;
}

static const method methods[] = {{0, initialize}, {1, upgrade}, {77, mint},   {78, collect_fees},
                                 {99, name},      {100, name},  {101, supply}};

// clang-format off
static const char description[] = DESCRIPTION("RewardMint",
    METHOD("initialize", 0, "", "void")
    "," METHOD("upgrade", 1, "", "void")
    "," METHOD("mint", 77, "", "void")
    "," METHOD("collect_fees", 78, "", "void")
    "," METHOD("get_name", 99, "", "String")
    "," METHOD("get_symbol", 100, "", "String")
    "," METHOD("get_total_supply", 101, "", "u128"));
// clang-format on

ALKANE_CONTRACT(methods, description)
