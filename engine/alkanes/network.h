// What holds at which height: the schedule of the networks and the constants of fuel
// (spec/alkanes.md F.1, M.1, M.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::alkanes {

/// `regtest` stands for testnet and signet too. `blockloom` is regtest and the (8, 8) prefix of
/// execution.md.
enum class Network : std::uint8_t { mainnet, regtest, blockloom };

[[nodiscard]] const char* name_of(Network network) noexcept;
[[nodiscard]] std::optional<Network> network_from_name(std::string_view name) noexcept;

/// The rules at one height of one network. Fuel in units of fuel.
struct Rules {
    bool active = true;                ///< below the genesis height every message fails
    bool host_fees_deducted = true;    ///< V217; before: checked against what is left, not taken
    bool spread_skips_silently = true; ///< V217; before: OP_RETURN outputs use up a spread amount
    bool contains_reverts = true;      ///< V220: a failed nested call does not doom its caller
    bool lenient_headers = true;       ///< from 975,000: bad pointers fail the message only, no cap
    bool always_minimum_fuel = false;  ///< not mainnet: every transaction gets the minimum
    bool gasless = true;               ///< messages to [32, 0] run without a budget (D.7)
    bool candidate_prefix = false;     ///< (8, 8) is taken off
    std::uint64_t block_fuel = 1'000'000'000;
    std::uint64_t minimum_fuel = 3'500'000;
    std::uint64_t stored_byte = 40; ///< a byte of a storage map, length prefixes and count included
    std::uint64_t nested_deploy = 100'000; ///< a nested call that creates
};

[[nodiscard]] Rules rules_at(Network network, std::uint64_t height) noexcept;

/// Fees of host functions, the same at all heights.
namespace fee {
inline constexpr std::uint64_t requested_byte = 1, loaded_byte = 2, sequence = 5, fuel = 5,
                               nested_call = 500, height = 10, balance = 10, request_block = 100,
                               load_block = 1000, request_transaction = 50, load_transaction = 500;
}

/// What a message to [32, 0] runs with; it takes nothing from its transaction's budget (D.7).
inline constexpr std::uint64_t gasless_fuel = ~std::uint64_t{0} / 2;

} // namespace blockloom::alkanes
