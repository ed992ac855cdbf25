// What is tried when, and with which values (docs/execution.md): nothing here can change an answer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blockloom::execute {

enum class Strategy : std::uint8_t {
    serial,      ///< block order, one after the other: the truth
    levels,      ///< rounds cut by the levels of given access sets
    speculative, ///< all at once, and again what read something else than its predecessors left
};
[[nodiscard]] const char* name_of(Strategy strategy) noexcept;

/// Where the sets of `levels` and of `--access declared` come from.
enum class SetsFrom : std::uint8_t {
    truth,    ///< a serial run before: the bound that an oracle would reach
    estimate, ///< each transaction alone on the state before the window, thrown away
};

/// `prefixed`: only bearers of the (8, 8) prefix run in parallel.
enum class Candidates : std::uint8_t { all, prefixed };

/// `declared`: a read or write outside a transaction's set ends it, and it runs again on the host.
enum class Access : std::uint8_t { open, declared };

struct StrategyOptions {
    Strategy strategy = Strategy::serial;
    SetsFrom sets = SetsFrom::truth;
    bool multi_version = false; ///< levels by reads of earlier writes only
    Candidates candidates = Candidates::all;
    Access access = Access::open;
    std::uint32_t window = 1;  ///< blocks that are tried together
    unsigned workers = 0;      ///< 0: one a core
    std::size_t batch_min = 4; ///< transactions; a smaller window runs as the serial strategy does
    std::size_t batch_max = 0; ///< attempts at once; 0: what the executor likes
};

} // namespace blockloom::execute
