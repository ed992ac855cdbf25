// The Alkanes side of generated transactions: turns an action into protostones, and notes what they
// leave on which output.
#pragma once

#include "alkanes/cellpack.h"
#include "recipes/random.h"
#include "recipes/stones.h"
#include "recipes/token_numbers.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace blockloom::recipes {

enum class Action : std::uint8_t {
    free_mint,
    reward_mint,
    swap,
    liquidity,
    transfer,
    move,
    create,
    misbehave
};
inline constexpr std::size_t action_count = 8;

/// Draws at random what messages do. One for a range; call `begin_block` for each block.
class Messages {
public:
    Messages(const ContractCounts& counts, Random& random);

    void begin_block(const BlockShape& shape);

    /// Draws an action by the weights of the block's mix.
    [[nodiscard]] Action draw_action();
    /// The token that an action needs among the inputs; 0: none. For a swap it draws the pool.
    [[nodiscard]] std::uint32_t wanted_token(Action action);
    /// What can be done with inputs that carry this token instead of the wanted one.
    [[nodiscard]] Action fitting(Action action, std::uint32_t carried) const;

    /// The stones of an action on inputs that carry `carried`. `wanted` is the result of
    /// `wanted_token`: a mint makes that token if it can.
    [[nodiscard]] Stones speak(Action action, std::uint32_t carried, std::uint32_t wanted,
                               const Outputs& outputs);
    /// Both tokens of a pool, from inputs that carry them, become shares.
    [[nodiscard]] Stones fill_pool(std::uint32_t pool, const Outputs& outputs);
    /// The other token of the pool that `wanted_token` drew for a fill.
    [[nodiscard]] std::uint32_t pool_of(std::uint32_t number) const { return number - 2; }

    [[nodiscard]] const ContractIds& ids() const noexcept { return ids_; }

    /// A message with pointer and refund pointing at the carrier, possibly with the prefix.
    [[nodiscard]] alkanes::Protostone call(const alkanes::AlkaneId& target,
                                           std::vector<u128> inputs, const Outputs& outputs);
    /// An index below `count`: by Zipf, or in turn.
    [[nodiscard]] std::uint32_t pick(std::uint32_t count);

private:
    [[nodiscard]] Stones transfer(std::uint32_t carried, const Outputs& outputs);
    [[nodiscard]] Stones swap(std::uint32_t carried, const Outputs& outputs);
    [[nodiscard]] Stones empty_pool(std::uint32_t shares, const Outputs& outputs);
    [[nodiscard]] Stones move(std::uint32_t carried, const Outputs& outputs);
    [[nodiscard]] Stones create(std::uint32_t carried, const Outputs& outputs);

    ContractCounts counts_;
    ContractIds ids_;
    Random& random_;
    double skew_ = 0, prefixed_ = 0;
    std::array<double, action_count> until_{}; ///< cumulative shares of the actions
    std::uint64_t cap_ = 0;
    std::uint32_t turn_ = 0, fork_ = 0;
    std::map<std::uint32_t, Zipf> zipfs_; ///< by count, of the block's skew
};

/// Calldata as protostones carry it: padded with zeros to a multiple of 15 bytes.
[[nodiscard]] Bytes padded_message(const alkanes::Cellpack& cellpack);

/// Up to 16 letters as a contract's input.
[[nodiscard]] u128 text_word(std::string_view text);

} // namespace blockloom::recipes
