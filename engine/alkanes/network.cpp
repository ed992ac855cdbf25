#include "alkanes/network.h"

#include <array>

namespace blockloom::alkanes {
namespace {

constexpr std::uint64_t genesis = 880'000, fuel_change = 899'087, v217 = 943'500, v220 = 950'000,
                        lenient_headers = 975'000;

struct Name {
    const char* text;
    Network network;
};
constexpr std::array names{Name{"mainnet", Network::mainnet}, Name{"regtest", Network::regtest},
                           Name{"blockloom", Network::blockloom}};

} // namespace

const char* name_of(Network network) noexcept {
    for (const Name& name : names)
        if (name.network == network) return name.text;
    return "?";
}

std::optional<Network> network_from_name(std::string_view name) noexcept {
    for (const Name& known : names)
        if (name == known.text) return known.network;
    return std::nullopt;
}

Rules rules_at(Network network, std::uint64_t height) noexcept {
    Rules rules;
    if (network != Network::mainnet) {
        rules.always_minimum_fuel = true;
        rules.candidate_prefix = network == Network::blockloom;
        return rules;
    }
    rules.active = height >= genesis;
    rules.host_fees_deducted = rules.spread_skips_silently = height >= v217;
    rules.contains_reverts = height >= v220;
    rules.lenient_headers = height >= lenient_headers;
    if (height < fuel_change) {
        rules.block_fuel = 100'000'000;
        rules.minimum_fuel = 350'000;
        rules.stored_byte = 8;
        rules.nested_deploy = 10'000;
    }
    return rules;
}

} // namespace blockloom::alkanes
