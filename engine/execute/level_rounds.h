// Rounds by levels of access sets, then of what was rejected: the strategy speculative, with a
// single level, and levels where there are no flows (candidates only, declared sets).
#pragma once

#include "execute/flow/flow.h"
#include "execute/round_strategy.h"
#include "execute/strategy_memory.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace blockloom::execute {

class LevelRounds final : public RoundStrategy {
public:
    /// `levels`: by task, from 1; empty: all at once, a few blocks after the others if that is what
    /// pays off. `repeat`: what was rejected runs in further rounds, as long as they pay off and at
    /// least `batch_min` are left. `memory` must outlive this object.
    LevelRounds(std::span<const std::uint32_t> levels, bool repeat, std::size_t batch_min,
                StrategyMemory& memory)
        : levels_(levels), repeat_(repeat), batch_min_(batch_min), memory_(memory) {}

    [[nodiscard]] bool next(const WindowNow& now, Round& round) override;

private:
    /// Blocks of the window that run at once, and what their last round ran.
    struct Wave {
        std::uint32_t first = 0, blocks = 0;  ///< block; how many
        std::uint32_t first_end = 0, end = 0; ///< tasks: past its first block, past its last
        std::size_t ran = 0;                  ///< in the last round; 0: none
        unsigned rounds = 0;
    };

    [[nodiscard]] bool pays(std::size_t ran, std::size_t left, double width) const noexcept;
    [[nodiscard]] bool next_in_wave(const WindowNow& now, Round& round);
    void judge_wave(const WindowNow& now);
    void begin_wave(const WindowNow& now);
    [[nodiscard]] bool run_in_order(const WindowNow& now, Round& round);

    std::span<const std::uint32_t> levels_;
    bool repeat_;
    std::size_t batch_min_;
    StrategyMemory& memory_;
    std::optional<std::vector<std::vector<std::uint32_t>>> by_level_; ///< candidates
    std::size_t next_level_ = 0;
    std::size_t ran_ = 0; ///< tasks of the last round; 0: the levels are not through
    Wave wave_;           ///< if there are no levels
    std::unique_ptr<Flow> flow_;
};

} // namespace blockloom::execute
