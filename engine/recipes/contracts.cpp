#include "recipes/contracts.h"

namespace blockloom::recipes {

namespace embedded { // sources made by the build
ByteView free_mint() noexcept;
ByteView reward_mint() noexcept;
ByteView amm_pool() noexcept;
ByteView auth_token() noexcept;
ByteView token() noexcept;
ByteView misbehaving() noexcept;
} // namespace embedded

std::string_view name_of(Contract contract) noexcept {
    constexpr std::string_view names[]{"free_mint",  "reward_mint", "amm_pool",
                                       "auth_token", "token",       "misbehaving"};
    return names[static_cast<std::size_t>(contract)];
}

ByteView code_of(Contract contract) noexcept {
    using namespace embedded;
    constexpr ByteView (*codes[])() noexcept {free_mint,  reward_mint, amm_pool,
                                              auth_token, token,       misbehaving};
    return codes[static_cast<std::size_t>(contract)]();
}

} // namespace blockloom::recipes
