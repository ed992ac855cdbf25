// Rounds on predicted values: the strategy predict (docs/execution.md#predicted-values). The tasks
// of a chain run at once, each on the values that those before it will probably leave.
#pragma once

#include "execute/accepted_fuel.h"
#include "execute/predict/predicted_values.h"
#include "execute/predict/window_kinds.h"
#include "execute/round_strategy.h"
#include "execute/strategy_memory.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace blockloom::execute {

/// For one block window.
class PredictRounds final : public RoundStrategy {
public:
    /// `memory` must outlive this object.
    explicit PredictRounds(StrategyMemory& memory) : memory_(memory) {}
    /// The same where the window's kinds are known already.
    PredictRounds(StrategyMemory& memory, WindowKinds window)
        : memory_(memory), window_(std::move(window)) {}

    [[nodiscard]] bool next(const WindowNow& now, Round& round) override;

private:
    /// A key that tasks of the window change in a way that is known.
    struct Chain {
        const state::Key* key;
        std::uint32_t number = 0; ///< of the key, in TaskKinds
        bool known = false;       ///< `value` is what the next task will probably find
        state::Value value;
    };
    /// What a kind does to a chain.
    struct Step {
        std::uint32_t chain = 0;
        bool reads = false;
        const ValueEffect* effect = nullptr; ///< of the model, until it learns
    };
    /// A kind in the whole window.
    struct KindInWindow {
        std::uint32_t tasks = 0;
        std::uint32_t round = 0; ///< the last one that `steps` were found for
        std::vector<Step> steps;
    };
    /// A kind in one block of the window.
    struct KindInBlock {
        std::uint32_t kind = 0;
        std::uint32_t tasks = 0;
        std::uint32_t pilots = 0;  ///< as many of them still run one by one, as examples
        std::uint32_t samples = 0; ///< accepted tasks that are still to be learned from
        bool began = false;        ///< a task was accepted
        std::uint32_t scouts = 0;  ///< found before that
        bool missed = false;       ///< a task was predicted wrongly
        bool waits = false;        ///< in the round being planned: one runs that is not accepted
    };
    struct Block {
        std::uint32_t begin = 0, end = 0; ///< tasks
        bool planned = false;             ///< some round reached it
        std::uint32_t counted = 0;        ///< tasks before it are in KindInBlock::scouts
        std::vector<KindInBlock> kinds;
    };
    static constexpr std::uint32_t no_chain = ~std::uint32_t{0};

    void begin_window(const WindowNow& now);
    void begin_block(Block& block);
    [[nodiscard]] bool is_shared(std::uint32_t kind) const noexcept;
    [[nodiscard]] KindInBlock& kind_of(const WindowNow& now, std::uint32_t task) noexcept;
    void learn(const WindowNow& now);
    [[nodiscard]] bool judge(const WindowNow& now);
    [[nodiscard]] std::uint32_t find_chains(const WindowNow& now);
    void add_chain(std::uint32_t key);
    void add_scouts(const WindowNow& now, std::uint32_t from, alkanes::FuelTank tank, Round& round);
    [[nodiscard]] std::size_t plan(const WindowNow& now, std::uint32_t end, Round& round);
    [[nodiscard]] std::size_t chain_of(const state::Key& key) const noexcept;
    [[nodiscard]] bool still_holds(const WindowNow& now, std::uint32_t task,
                                   std::uint64_t budget) const;
    [[nodiscard]] const alkanes::FuelUse& fuel_of(std::uint32_t task, std::uint64_t vfsize) const;
    void apply_writes(const ExecutionResult& execution);
    void apply_effects(std::span<const Step> steps);

    StrategyMemory& memory_;
    WindowKinds window_;
    std::vector<Block> blocks_;                ///< of the window; empty: it has not begun
    std::vector<KindInWindow> kinds_;          ///< by number
    std::vector<std::uint32_t> places_;        ///< by task: its kind's among those of its block
    std::uint32_t learned_ = 0;                ///< all tasks before it have been looked at
    std::vector<TaskKinds::Example> examples_; ///< of the tasks accepted last
    std::uint32_t rounds_ = 0;                 ///< planned so far
    std::vector<Chain> chains_;
    std::vector<std::uint32_t> chain_at_; ///< by number of the key: its chain, or `no_chain`
    struct Copied {
        std::uint32_t chain = 0;
        bool known = false;
        state::Value value;
    };
    std::vector<Copied> copies_;         ///< of the task whose effects are applied
    std::vector<std::uint32_t> ran_;     ///< tasks of the last round, without scouts
    std::vector<std::uint32_t> scouts_;  ///< of the last round
    std::vector<std::uint64_t> scouted_; ///< by task: the gas that it used as a scout, or 0
    AcceptedFuel accepted_fuel_;
    unsigned failures_ = 0; ///< rounds in a row that did not pay off
    PredictedValues& values_ = memory_.predicted;
};

} // namespace blockloom::execute
