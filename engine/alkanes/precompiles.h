// Contracts that the host answers from the block (docs/alkanes-protocol.md#nested-calls): a call of
// one writes nothing and charges nothing.
#pragma once

#include "alkanes/message_run.h"
#include "base/u128.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace blockloom::alkanes {

/// Their ids: [precompile_block, number], number below precompile_count.
inline constexpr u128 precompile_block = 800'000'000;
inline constexpr std::uint32_t precompile_count = 4;

/// What one returns: the header, the coinbase transaction, the number of transactions with a
/// rewarded mint, or the coinbase's total in satoshi (both u128). A number is put in `room`, which
/// must outlive the answer.
[[nodiscard]] std::string_view precompile_data(const Surroundings& around, std::uint32_t number,
                                               u128& room);

/// The same as a CallResponse: what the caller copies with `__returndatacopy`.
[[nodiscard]] std::string precompile_response(const Surroundings& around, std::uint32_t number);

/// The cellpack of a call of it without inputs, as passed to `__staticcall`.
[[nodiscard]] std::string precompile_cellpack(std::uint32_t number);

} // namespace blockloom::alkanes
