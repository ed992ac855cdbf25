#include "alkane.h"
#include "host.h"

call_result call_contract(call_kind kind, alkane_id target, const u128* inputs,
                          uint32_t input_count, const transfer* transfers, uint32_t count) {
    bytes cellpack = {0}, parcel = {0}, checkpoint = {0};
    bytes_id(&cellpack, target);
    for (uint32_t i = 0; i < input_count; ++i) bytes_u128(&cellpack, inputs[i]);
    bytes_parcel(&parcel, transfers, count);
    storage_write_map(&checkpoint); // the callee may call back: it must see what was written so far

    void* packed = arraybuffer_make(cellpack.data, cellpack.size);
    void* sent = arraybuffer_make(parcel.data, parcel.size);
    void* written = arraybuffer_make(checkpoint.data, checkpoint.size);
    const uint64_t fuel = fuel_left(); // the host gives all there is, whatever this says
    const int32_t size = kind == CALL           ? host_call(packed, sent, written, fuel)
                         : kind == DELEGATECALL ? host_delegatecall(packed, sent, written, fuel)
                                                : host_staticcall(packed, sent, written, fuel);
    arraybuffer_free(written);
    arraybuffer_free(sent);
    arraybuffer_free(packed);
    bytes_free(&checkpoint);
    bytes_free(&parcel);
    bytes_free(&cellpack);

    call_result result = {.ok = size >= 0};
    void* buffer = arraybuffer_make(NULL, (uint32_t)(size < 0 ? -size : size));
    host_returndatacopy(buffer);
    bytes raw = arraybuffer_take(buffer);
    reader from = reader_of(&raw);
    const u128 transfer_count = read_u128(&from);
    if (!result.ok || transfer_count > raw.size / sizeof(transfer)) {
        result.ok = false;
        return result;
    }
    result.count = (uint32_t)transfer_count;
    result.transfers = malloc(result.count * sizeof(transfer));
    for (uint32_t i = 0; i < result.count; ++i) {
        result.transfers[i].id = read_id(&from);
        result.transfers[i].value = read_u128(&from);
    }
    bytes_append(&result.data, raw.data + from.at, raw.size - from.at);
    bytes_free(&raw);
    return result;
}
