#include "alkane.h"

enum { initialize = 0, authenticate = 1 };
static const alkane_id auth_token_clone = {6, 0xffed}; // a clone of [4, 0xffed]

const char* own_by_new_token(response* answer, u128 units) {
    static const char name[] = "Auth", symbol[] = "AUTH";
    u128 inputs[4] = {initialize, 0, 0, units};
    memcpy(&inputs[1], name, sizeof name);
    memcpy(&inputs[2], symbol, sizeof symbol);
    const call_result made =
        call_contract(CALL, auth_token_clone, inputs, COUNT_OF(inputs), NULL, 0);
    if (!made.ok || made.count != 1) return "auth token was not made";
    storage_set_id("/auth", made.transfers[0].id);
    response_transfer(answer, made.transfers[0].id, made.transfers[0].value);
    return NULL;
}

const char* require_owner(const context* call) {
    const alkane_id auth = storage_id("/auth");
    bool came = false;
    for (uint32_t i = 0; i < call->incoming_count; ++i)
        came |= same_id(call->incoming[i].id, auth) && call->incoming[i].value >= 1;
    if (!came) return "Auth token is not in incoming alkanes";
    const u128 inputs[1] = {authenticate};
    const transfer unit = {auth, 1};
    const call_result answer = call_contract(CALL, auth, inputs, 1, &unit, 1);
    if (!answer.ok || answer.data.size == 0 || answer.data.data[0] != 1)
        return "Authentication failed";
    return NULL;
}
