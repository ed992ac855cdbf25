// The demonstration contracts of resources/contracts, compiled by the build and kept in the
// program.
#pragma once

#include "base/bytes.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace blockloom::recipes {

enum class Contract : std::uint8_t {
    free_mint,   ///< anybody mints, one portion a transaction, until a cap
    reward_mint, ///< the block's reward, shared by the block's mints
    amm_pool,    ///< constant product; liquidity providers get shares
    auth_token,  ///< owns another contract
    token,       ///< its owner mints; numbered accounts hold deposits
    misbehaving, ///< loops, grows, recurses, traps, forks, …: on request
};

inline constexpr std::array all_contracts{Contract::free_mint, Contract::reward_mint,
                                          Contract::amm_pool,  Contract::auth_token,
                                          Contract::token,     Contract::misbehaving};

/// The file's stem in resources/contracts.
[[nodiscard]] std::string_view name_of(Contract contract) noexcept;

/// The WebAssembly module; lives as long as the program.
[[nodiscard]] ByteView code_of(Contract contract) noexcept;

} // namespace blockloom::recipes
