#include "alkanes/network.h"

#include <array>

namespace blockloom::alkanes {
namespace {

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

} // namespace blockloom::alkanes
