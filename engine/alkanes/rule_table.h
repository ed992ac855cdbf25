// The rules by height, network and rule set: the only table, which all code consults
// (docs/alkanes-protocol.md#constants-by-height).
// docs/alkanes.md#where-the-rule-sets-differ-and-what-we-do lists the differences.
#pragma once

#include "alkanes/ids.h"
#include "alkanes/network.h"
#include "wasm/fuel_model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace blockloom::alkanes {

/// Which line of the indexer is followed: its releases, or the development branch.
enum class RuleLine : std::uint8_t { released, develop };

[[nodiscard]] const char* name_of(RuleLine line) noexcept;
[[nodiscard]] std::optional<RuleLine> rule_line_from_name(std::string_view name) noexcept;
/// The tag or commit of the indexer that a line follows.
[[nodiscard]] const char* followed_by(RuleLine line) noexcept;

/// Network `blockloom` has rules of its own, whatever line is chosen.
[[nodiscard]] constexpr bool has_lines(Network network) noexcept {
    return network != Network::blockloom;
}
/// The name in a run's settings: "released", "develop", or "own" on a network without lines.
[[nodiscard]] const char* rules_name(Network network, RuleLine line) noexcept;
/// The tag or commit, empty on a network without lines.
[[nodiscard]] const char* rules_follow(Network network, RuleLine line) noexcept;

/// The rules at one height of one network. The initial values are those of network `blockloom`,
/// except for the (8, 8) prefix and its own imports.
struct Rules {
    bool active = true;             ///< below the genesis height every message fails
    bool host_fees_deducted = true; ///< V217; before: compared with the fuel left, but not charged
    bool spread_skips_silently = true; ///< V217; before: OP_RETURN outputs use up a spread amount
    bool contains_reverts = true;      ///< V220: a failed nested call does not make its caller fail
    bool lenient_headers = true; ///< bad pointers only fail the message; no limit on protostones
    bool always_minimum_fuel = false;  ///< not mainnet: every transaction gets the minimum
    bool gasless = true;               ///< messages to [32, 0] run without a budget
    bool rune_pointer_anywhere = true; ///< tag 22 at or above the number of outputs is not a flaw
    bool overflow_refunds = true;      ///< an overflow at the pointer refunds the incoming tokens
    bool built_in_namespaces = true;   ///< [8, n], [42, n] without code fail before the tank
    bool code_size_limit = true;       ///< code of more than 16 MiB cannot be a target
    bool watched_imports = false;      ///< `__is_dry_run` and its kind exist
    bool candidate_prefix = false;     ///< the prefix (8, 8) is removed
    bool genesis = false;              ///< the indexer's first block, which sets up the built-ins
    bool owner_fixed = false;          ///< forced_writes.h: /auth of two contracts is a token
    bool owner_gone = false;           ///< forced_writes.h: from here on it is nobody
    std::uint64_t block_fuel = 1'000'000'000;
    std::uint64_t minimum_fuel = 3'500'000;
    std::uint64_t stored_byte =
        40; ///< per byte of a storage map, including length prefixes and count
    std::uint64_t nested_deploy = 100'000;         ///< for a nested call that creates a contract
    wasm::FuelRule fuel = wasm::FuelRule::counted; ///< chosen by the run, see usual_fuel
};

[[nodiscard]] Rules rules_at(Network network, std::uint64_t height,
                             RuleLine line = RuleLine::released) noexcept;

/// The default fuel rule: as on the chain if the network has rule sets, else (network
/// `blockloom`) instructions are counted.
[[nodiscard]] wasm::FuelRule usual_fuel(Network network) noexcept;

/// The default height of a single call: V220, the last change to how calls run.
[[nodiscard]] std::uint64_t usual_call_height() noexcept;

/// A slot for a module that is built into the indexer and runs for a contract from a height on. The
/// user fills it with a file; Blockloom contains none.
struct BuiltInSlot {
    AlkaneId id;
    const char* name;   ///< "diesel-base": names it in options, labels and messages
    std::uint64_t from; ///< height
    /// The hexadecimal beginning of the module's SHA-256, as far as it is public; empty: it is not,
    /// and only the user can tell which file it is.
    const char* hash;
    std::uint64_t size; ///< of the module in bytes; 0: unknown
};

/// All slots of a network, those of a contract ordered by height. They are the same for both rule
/// sets. None on network `blockloom`, whose code is in the state.
[[nodiscard]] std::span<const BuiltInSlot> built_in_slots(Network network) noexcept;
/// The slot whose module a contract runs at a height; null: its code is in the state.
[[nodiscard]] const BuiltInSlot* built_in_slot(Network network, const AlkaneId& id,
                                               std::uint64_t height) noexcept;
[[nodiscard]] const BuiltInSlot* built_in_slot(Network network, std::string_view name) noexcept;

/// Fees of host functions, the same at all heights.
namespace fee {
inline constexpr std::uint64_t requested_byte = 1, loaded_byte = 2, sequence = 5, fuel = 5,
                               nested_call = 500, height = 10, balance = 10, request_block = 100,
                               load_block = 1000, request_transaction = 50, load_transaction = 500;
}

/// The fuel of a message to [32, 0]; nothing is taken from its transaction's budget.
inline constexpr std::uint64_t gasless_fuel = ~std::uint64_t{0} / 2;

} // namespace blockloom::alkanes
