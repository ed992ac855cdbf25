// What is tried when, and with which values (docs/execution.md): nothing here can change a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace blockloom::execute {

enum class Strategy : std::uint8_t {
    serial,      ///< block order, one after the other: the reference
    levels,      ///< rounds by the levels of given access sets
    speculative, ///< all at once; re-executes what read values other than its predecessors left
    dag,         ///< each as soon as those that it depends on have run, by given or learned sets
    optimistic,  ///< Block-STM: executed and validated side by side, in block order
    predict,     ///< chains at once, on the values that earlier tasks will probably leave
    automatic,   ///< "auto": for each block window one of these
};
inline constexpr std::array all_strategies{
    Strategy::serial,     Strategy::levels,  Strategy::speculative, Strategy::dag,
    Strategy::optimistic, Strategy::predict, Strategy::automatic};
[[nodiscard]] const char* name_of(Strategy strategy) noexcept;
[[nodiscard]] std::optional<Strategy> strategy_named(std::string_view name) noexcept;

/// The source of the access sets of `levels`, of `dag` and of `--access declared`.
enum class SetsFrom : std::uint8_t {
    truth,    ///< a previous serial run: the bound that an oracle would reach
    estimate, ///< a dry run of each transaction alone on the state before the block window
    learned,  ///< what transactions with the same targets and opcodes accessed before
};
[[nodiscard]] const char* name_of(SetsFrom sets) noexcept;

/// `prefixed`: only transactions with the (8, 8) prefix run in parallel.
enum class Candidates : std::uint8_t { all, prefixed };

/// `declared`: a read or write outside a transaction's declared set aborts it, and it is
/// re-executed on the host.
enum class Access : std::uint8_t { open, declared };

struct StrategyOptions {
    Strategy strategy = Strategy::serial;
    std::optional<SetsFrom> sets{}; ///< absent: see `sets_used`
    bool multi_version = false;     ///< levels only by reads of earlier writes
    Candidates candidates = Candidates::all;
    Access access = Access::open;
    std::uint32_t window = 1;  ///< blocks that are tried together
    unsigned workers = 0;      ///< 0: one per core
    std::size_t batch_min = 4; ///< transactions; a smaller block window runs serially
    std::size_t batch_max = 0; ///< attempts at once; 0: chosen by the executor
    /// The workers share the rounds of a device: they run those that it would not run faster.
    bool hybrid = false;

    /// `dag` learns its sets, unless others are asked for, or they must be declared beforehand.
    [[nodiscard]] SetsFrom sets_used() const noexcept {
        const bool learns = strategy == Strategy::dag && access == Access::open;
        return sets.value_or(learns ? SetsFrom::learned : SetsFrom::truth);
    }
};

} // namespace blockloom::execute
