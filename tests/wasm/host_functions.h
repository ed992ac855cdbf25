// The module "host" of generated modules: pure functions, so that every engine gives the same.
#pragma once

#include "wasm/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace blockloom::tests {

struct HostSignature {
    std::string name;
    wasm::FunctionType type;
};
[[nodiscard]] const std::vector<HostSignature>& host_signatures();

struct HostReply {
    bool refused = false; ///< the call traps
    std::vector<wasm::Cell> results;
    std::uint64_t fee = 0;
};
[[nodiscard]] HostReply host_reply(const HostSignature& function,
                                   std::span<const wasm::Cell> arguments);

} // namespace blockloom::tests
