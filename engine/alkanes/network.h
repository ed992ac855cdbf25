// The networks whose blocks can be executed. What holds on them at which height: rule_table.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::alkanes {

/// `regtest` stands for testnet and signet too. `blockloom` is that of generated blocks: regtest
/// and the (8, 8) prefix (docs/alkanes.md#the-8-8-prefix), with rules of its own.
enum class Network : std::uint8_t { mainnet, regtest, blockloom };

[[nodiscard]] const char* name_of(Network network) noexcept;
[[nodiscard]] std::optional<Network> network_from_name(std::string_view name) noexcept;

} // namespace blockloom::alkanes
