// The networks whose blocks can be executed. rule_table.h has their rules by height.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::alkanes {

/// `regtest` also stands for testnet and signet. `blockloom` is the network of generated blocks:
/// regtest with the (8, 8) prefix (docs/alkanes.md#the-8-8-prefix) and rules of its own.
enum class Network : std::uint8_t { mainnet, regtest, blockloom };

[[nodiscard]] const char* name_of(Network network) noexcept;
[[nodiscard]] std::optional<Network> network_from_name(std::string_view name) noexcept;

} // namespace blockloom::alkanes
