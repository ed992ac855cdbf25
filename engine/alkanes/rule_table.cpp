#include "alkanes/rule_table.h"

#include <algorithm>
#include <array>

namespace blockloom::alkanes {
namespace {

struct LineName {
    const char *text, *follows;
};
constexpr std::array line_names{LineName{"released", "v2.2.1-rc.4"},
                                LineName{"develop", "b4e0ec36"}};

constexpr std::uint64_t always = 0, never = ~std::uint64_t{0};

/// The height of mainnet from which a rule holds, by line.
struct Since {
    std::uint64_t released, develop;

    [[nodiscard]] constexpr std::uint64_t on(RuleLine line) const noexcept {
        return line == RuleLine::released ? released : develop;
    }
    /// Networks other than mainnet begin with every rule that their line ever gets.
    [[nodiscard]] constexpr bool holds(Network network, RuleLine line,
                                       std::uint64_t height) const noexcept {
        const std::uint64_t from = on(line);
        return network == Network::mainnet ? height >= from : from != never;
    }
};

constexpr std::uint64_t both_genesis = 880'000, both_diesel_upgrade = 908'888, both_eoa = 917'888,
                        both_v220 = 950'000, both_frbtc_130 = 957'000, both_frbtc_131 = 960'000;

constexpr Since genesis{both_genesis, both_genesis};
constexpr Since fuel_change{899'087, 899'087};
constexpr Since v217{943'500, 943'500};
constexpr Since v220{both_v220, both_v220};
constexpr Since lenient_headers{never, 975'000};
constexpr Since gasless{never, always};
constexpr Since rune_pointer_anywhere{never, always};
constexpr Since overflow_refunds{never, always};
constexpr Since built_in_namespaces{never, always};
constexpr Since code_size_limit{never, always};
// Mainnet only: the contracts that they name exist nowhere else.
constexpr Since owner_fixed{913'301, 913'301};
constexpr Since owner_gone{950'564, 950'564};

constexpr AlkaneId diesel{2, 0}, frbtc{32, 0}, frsigil{32, 1};

/// Public sources carry the modules as binaries. Of one the beginning of its hash and its size are
/// public (docs/alkanes.md#code-by-height).
constexpr std::array mainnet_slots{
    BuiltInSlot{diesel, "diesel-base", both_genesis, "", 0},
    BuiltInSlot{diesel, "diesel-upgraded", both_diesel_upgrade, "", 0},
    BuiltInSlot{diesel, "diesel-eoa", both_eoa, "f780aacd1718a312", 262'445},
    BuiltInSlot{frbtc, "frbtc-1.0", both_genesis, "", 0},
    BuiltInSlot{frbtc, "frbtc-1.1.0", both_eoa, "", 0},
    BuiltInSlot{frbtc, "frbtc-1.2.0", both_v220, "", 0},
    BuiltInSlot{frbtc, "frbtc-1.3.0", both_frbtc_130, "", 0},
    BuiltInSlot{frbtc, "frbtc-1.3.1", both_frbtc_131, "", 0},
    BuiltInSlot{frsigil, "frsigil", both_genesis, "", 0},
};
constexpr std::array regtest_slots{
    BuiltInSlot{diesel, "diesel-eoa", always, "f780aacd1718a312", 262'445},
    BuiltInSlot{frbtc, "frbtc-1.3.1", always, "", 0},
    BuiltInSlot{frsigil, "frsigil", always, "", 0},
};

} // namespace

const char* name_of(RuleLine line) noexcept {
    return line_names[static_cast<std::size_t>(line)].text;
}

const char* followed_by(RuleLine line) noexcept {
    return line_names[static_cast<std::size_t>(line)].follows;
}

std::optional<RuleLine> rule_line_from_name(std::string_view name) noexcept {
    for (const RuleLine line : {RuleLine::released, RuleLine::develop})
        if (name == name_of(line)) return line;
    return std::nullopt;
}

const char* rules_name(Network network, RuleLine line) noexcept {
    return has_lines(network) ? name_of(line) : "own";
}

const char* rules_follow(Network network, RuleLine line) noexcept {
    return has_lines(network) ? followed_by(line) : "";
}

Rules rules_at(Network network, std::uint64_t height, RuleLine line) noexcept {
    Rules rules;
    rules.always_minimum_fuel = network != Network::mainnet;
    if (!has_lines(network)) {
        rules.candidate_prefix = rules.watched_imports = true;
        return rules;
    }
    const auto holds = [&](const Since& since) { return since.holds(network, line, height); };
    rules.active = holds(genesis);
    rules.genesis = height == (network == Network::mainnet ? genesis.on(line) : always);
    rules.host_fees_deducted = rules.spread_skips_silently = holds(v217);
    rules.contains_reverts = holds(v220);
    rules.lenient_headers = holds(lenient_headers);
    rules.gasless = holds(gasless);
    rules.rune_pointer_anywhere = holds(rune_pointer_anywhere);
    rules.overflow_refunds = holds(overflow_refunds);
    rules.built_in_namespaces = holds(built_in_namespaces);
    rules.code_size_limit = holds(code_size_limit);
    rules.owner_fixed = network == Network::mainnet && holds(owner_fixed);
    rules.owner_gone = network == Network::mainnet && holds(owner_gone);
    if (!holds(fuel_change)) {
        rules.block_fuel = 100'000'000;
        rules.minimum_fuel = 350'000;
        rules.stored_byte = 8;
        rules.nested_deploy = 10'000;
    }
    return rules;
}

wasm::FuelRule usual_fuel(Network network) noexcept {
    return has_lines(network) ? wasm::FuelRule::exact : wasm::FuelRule::counted;
}

std::uint64_t usual_call_height() noexcept {
    return v220.released;
}

std::span<const BuiltInSlot> built_in_slots(Network network) noexcept {
    switch (network) {
    case Network::mainnet:
        return mainnet_slots;
    case Network::regtest:
        return regtest_slots;
    case Network::blockloom:
        return {};
    }
    return {};
}

const BuiltInSlot* built_in_slot(Network network, const AlkaneId& id,
                                 std::uint64_t height) noexcept {
    const BuiltInSlot* found = nullptr;
    for (const BuiltInSlot& slot : built_in_slots(network))
        if (slot.id == id && slot.from <= height) found = &slot;
    return found;
}

const BuiltInSlot* built_in_slot(Network network, std::string_view name) noexcept {
    const auto slots = built_in_slots(network);
    const auto found = std::find_if(slots.begin(), slots.end(),
                                    [&](const BuiltInSlot& slot) { return name == slot.name; });
    return found == slots.end() ? nullptr : &*found;
}

} // namespace blockloom::alkanes
