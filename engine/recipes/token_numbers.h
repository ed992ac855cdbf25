// The contracts of a generated range: how many of each kind, their ids, and the numbers by which
// the generator tracks which token is on which output.
#pragma once

#include "alkanes/ids.h"
#include "recipes/recipe.h"

#include <cstdint>
#include <vector>

namespace blockloom::recipes {

/// Templates are at [4, n], deployed by [3, n]; [6, n] clones them.
namespace template_at {
inline constexpr std::uint32_t free_mint = 797, token = 1010, pool = 1020, misbehaving = 6666,
                               auth_token = 0xffed;
}

/// The first contract that a range creates: [1, 0] on an empty state.
inline constexpr alkanes::AlkaneId reward_contract{2, 0};

/// Accounts of each token contract that hold something.
inline constexpr std::uint32_t endowed_accounts = 64;

/// How many contracts a recipe calls.
struct ContractCounts {
    std::uint32_t free_mints = 0; ///< the first pools + 1 are the pools' tokens
    std::uint32_t pools = 0;      ///< pool p trades free mint 0 against free mint p + 1
    std::uint32_t tokens = 0, misbehaving = 0;
    std::uint32_t coins = 0; ///< initial outputs of each pool token
};
[[nodiscard]] ContractCounts contract_counts(const Recipe& recipe);

/// Ids in the order in which the deployment creates them from an empty state.
class ContractIds {
public:
    explicit ContractIds(const ContractCounts& counts) noexcept : counts_(counts) {}

    [[nodiscard]] alkanes::AlkaneId free_mint(std::uint32_t place) const { return at(place); }
    [[nodiscard]] alkanes::AlkaneId pool(std::uint32_t place) const {
        return at(counts_.free_mints + place);
    }
    [[nodiscard]] alkanes::AlkaneId token(std::uint32_t place) const { // its auth token follows it
        return at(counts_.free_mints + counts_.pools + 2 * place);
    }
    [[nodiscard]] alkanes::AlkaneId misbehaving(std::uint32_t place) const {
        return at(counts_.free_mints + counts_.pools + 2 * counts_.tokens + place);
    }

    /// Numbers of tokens: 1 … free mints, then shares of pools, then the reward.
    [[nodiscard]] std::uint32_t shares_number(std::uint32_t pool) const {
        return 1 + counts_.free_mints + pool;
    }
    [[nodiscard]] std::uint32_t reward_number() const {
        return 1 + counts_.free_mints + counts_.pools;
    }
    [[nodiscard]] std::uint32_t numbers() const { return reward_number() + 1; }
    /// The token of a number above 0.
    [[nodiscard]] alkanes::AlkaneId token_of(std::uint32_t number) const {
        return number == reward_number()     ? reward_contract
               : number > counts_.free_mints ? pool(number - 1 - counts_.free_mints)
                                             : free_mint(number - 1);
    }
    [[nodiscard]] bool is_pool_token(std::uint32_t number) const {
        return counts_.pools != 0 && number != 0 && number <= counts_.pools + 1;
    }
    [[nodiscard]] bool is_share(std::uint32_t number) const {
        return number > counts_.free_mints && number < reward_number();
    }

private:
    /// The reward contract is [2, 0] and its auth token [2, 1].
    static alkanes::AlkaneId at(std::uint32_t place) { return {2, u128{2} + place}; }

    ContractCounts counts_;
};

} // namespace blockloom::recipes
