// What a batch of messages starts with, laid out as the executor would.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/host_rule.h"
#include "gpuvm_mint.h"

namespace blockloom::bench {

/// As the executor makes them of the imports, but for what no message here calls.
[[nodiscard]] std::vector<gpuvm::HostRule> rules_of(const Mint& mint);

/// Everything that a batch of so many lanes needs.
struct Prepared {
    Bytes bytes;
    std::vector<gpuvm::Invocation> invocations;
    std::vector<gpuvm::KnownValue> values;

    gpuvm::Piece add(const std::string& piece) {
        const gpuvm::Piece at{static_cast<std::uint32_t>(bytes.size()),
                              static_cast<std::uint32_t>(piece.size())};
        bytes.insert(bytes.end(), piece.begin(), piece.end());
        return at;
    }
};

/// The message of a lane: in turns, or all even ones before all odd ones.
struct Order {
    std::size_t messages = 0;
    std::uint32_t lanes = 0;
    bool sorted = false;
    std::size_t operator()(std::uint32_t lane) const {
        if (!sorted) return lane % messages;
        return (std::size_t{2} * lane + (lane < lanes / 2 ? 0 : 1)) % messages;
    }
};

[[nodiscard]] Prepared prepare(const Mint& mint, std::uint32_t lanes, const Order& order);

} // namespace blockloom::bench
