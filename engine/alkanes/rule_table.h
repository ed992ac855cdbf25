// What holds at which height, by network and by line of rules: the one table that all code asks
// (docs/alkanes-protocol.md#constants-by-height).
// docs/alkanes.md#where-the-lines-differ-and-what-we-do lists the differences.
#pragma once

#include "alkanes/ids.h"
#include "alkanes/network.h"
#include "wasm/fuel_model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace blockloom::alkanes {

/// Which of the indexer's lines is followed: what was released, or the development branch.
enum class RuleLine : std::uint8_t { released, develop };

[[nodiscard]] const char* name_of(RuleLine line) noexcept;
[[nodiscard]] std::optional<RuleLine> rule_line_from_name(std::string_view name) noexcept;
/// The tag or commit of the indexer that a line follows.
[[nodiscard]] const char* followed_by(RuleLine line) noexcept;

/// Network `blockloom` is generated: it has rules of its own, whatever line is chosen.
[[nodiscard]] constexpr bool has_lines(Network network) noexcept {
    return network != Network::blockloom;
}
/// What a run's settings say: "released", "develop", or "own" on a network without lines.
[[nodiscard]] const char* rules_name(Network network, RuleLine line) noexcept;
/// The tag or commit, empty on a network without lines.
[[nodiscard]] const char* rules_follow(Network network, RuleLine line) noexcept;

/// The rules at one height of one network. Fuel in units of fuel. The initial values are those of
/// network `blockloom`, the (8, 8) prefix and the imports of its own apart.
struct Rules {
    bool active = true;                ///< below the genesis height every message fails
    bool host_fees_deducted = true;    ///< V217; before: checked against what is left, not taken
    bool spread_skips_silently = true; ///< V217; before: OP_RETURN outputs use up a spread amount
    bool contains_reverts = true;      ///< V220: a failed nested call does not doom its caller
    bool lenient_headers = true;      ///< bad pointers fail the message only; no cap of protostones
    bool always_minimum_fuel = false; ///< not mainnet: every transaction gets the minimum
    bool gasless = true;              ///< messages to [32, 0] run without a budget
    bool rune_pointer_anywhere = true; ///< tag 22 at or above the number of outputs is no flaw
    bool overflow_refunds = true;      ///< an overflow at the pointer refunds what came with it
    bool built_in_namespaces = true;   ///< [8, n], [42, n] without code fail before the tank
    bool code_size_limit = true;       ///< code of more than 16 MiB cannot be a target's
    bool watched_imports = false;      ///< `__is_dry_run` and its kind exist
    bool candidate_prefix = false;     ///< (8, 8) is taken off
    bool genesis = false;              ///< the indexer's first block: it sets up the built-ins
    bool owner_fixed = false;          ///< forced_writes.h: /auth of two contracts is a token
    bool owner_gone = false;           ///< forced_writes.h: and from here on nobody
    std::uint64_t block_fuel = 1'000'000'000;
    std::uint64_t minimum_fuel = 3'500'000;
    std::uint64_t stored_byte = 40; ///< a byte of a storage map, length prefixes and count included
    std::uint64_t nested_deploy = 100'000;         ///< a nested call that creates
    wasm::FuelRule fuel = wasm::FuelRule::counted; ///< as the run chooses, see usual_fuel
};

[[nodiscard]] Rules rules_at(Network network, std::uint64_t height,
                             RuleLine line = RuleLine::released) noexcept;

/// How a run that does not choose meters: as the chain does where a line of rules holds, else
/// (network `blockloom`) instructions are counted.
[[nodiscard]] wasm::FuelRule usual_fuel(Network network) noexcept;

/// The height of a single call that names none: V220, the last change of how calls run.
[[nodiscard]] std::uint64_t usual_call_height() noexcept;

/// A module that the indexer carries in itself and runs for a contract from a height on: a slot,
/// which the user fills with a file. Blockloom carries none.
struct BuiltInSlot {
    AlkaneId id;
    const char* name;   ///< "diesel-base": names it in options, labels and messages
    std::uint64_t from; ///< height
    /// The hexadecimal beginning of the module's SHA-256, as far as public sources tell it; empty:
    /// they do not, and only the user can say which file it is.
    const char* hash;
    std::uint64_t size; ///< of the module in bytes; 0: unknown
};

/// All slots of a network, those of a contract in the order of heights. Both lines have the same.
/// None on network `blockloom`: its code lies in the state.
[[nodiscard]] std::span<const BuiltInSlot> built_in_slots(Network network) noexcept;
/// The slot whose module a contract runs at a height; null: its code lies in the state.
[[nodiscard]] const BuiltInSlot* built_in_slot(Network network, const AlkaneId& id,
                                               std::uint64_t height) noexcept;
[[nodiscard]] const BuiltInSlot* built_in_slot(Network network, std::string_view name) noexcept;

/// Fees of host functions, the same at all heights.
namespace fee {
inline constexpr std::uint64_t requested_byte = 1, loaded_byte = 2, sequence = 5, fuel = 5,
                               nested_call = 500, height = 10, balance = 10, request_block = 100,
                               load_block = 1000, request_transaction = 50, load_transaction = 500;
}

/// What a message to [32, 0] runs with; it takes nothing from its transaction's budget.
inline constexpr std::uint64_t gasless_fuel = ~std::uint64_t{0} / 2;

} // namespace blockloom::alkanes
