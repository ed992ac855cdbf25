// A contract in the shape of compiled ones (17 pages, data from 1 MiB on, a heap that begins where
// memory.grow says) that makes the host calls which its inputs name.
#pragma once

#include "alkanes/wat_contract.h"

#include "base/u128.h"

#include <vector>

namespace calls {

/// Inputs come in groups of four: function, and three arguments of which it takes the first ones. A
/// number left over at the end is the response's pointer; 0, or none: a response whose data are the
/// results, 256 bytes of `scratch` and the memory's size.
namespace player {

/// In this order in the first input of a group, modulo their number.
enum Function : std::uint32_t {
    abort_call,
    request_storage,
    load_storage,
    log_text,
    balance,
    request_context,
    load_context,
    sequence,
    fuel,
    height,
    returndatacopy,
    request_transaction,
    load_transaction,
    request_block,
    load_block,
    call,
    delegatecall,
    staticcall,
    grow_memory,
    trap,
    function_count
};

/// What the buffers in its data hold.
enum Buffer : std::uint32_t {
    key,
    missing_key,
    empty,
    own_id,
    other_id,
    short_id,
    long_id,
    text,
    broken_text,
    call_other,
    call_self,
    call_third,
    call_deep,
    call_trap,
    call_header,
    call_coinbase,
    call_mints,
    call_total,
    call_no_precompile,
    call_missing,
    create,
    clone_two,
    clone_four,
    no_kind,
    short_cellpack,
    odd_cellpack,
    no_tokens,
    own_tokens,
    held_tokens,
    too_many_tokens,
    endless_parcel,
    short_parcel,
    double_parcel,
    empty_map,
    map,
    unsorted_map,
    endless_map,
    long_value_map,
    response_own,
    response_held,
    response_revert,
    response_endless,
    response_longer,
    past_the_end, ///< its length reaches over the memory's end
    buffer_count
};

/// Where a buffer lies.
[[nodiscard]] constexpr std::uint32_t pointer(std::uint32_t buffer) noexcept {
    return 0x10'0000 + 4 + 1024 * buffer;
}
/// Room that the response shows.
inline constexpr std::uint32_t scratch = 0x200'c004;
/// The memory's end after the heap's first page.
inline constexpr std::uint32_t memory_end = 513 * 65'536;

/// The module's text; `self` and `other` are the ids that its buffers name, `third` is 4:1.
[[nodiscard]] std::string module_text();

} // namespace player
} // namespace calls
