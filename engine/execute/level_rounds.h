// Rounds by levels of access sets, then of what was rejected: the strategy speculative, with a
// single level, and levels where there are no flows (candidates only, declared sets).
#pragma once

#include "execute/round_strategy.h"

#include <cstddef>
#include <optional>

namespace blockloom::execute {

class LevelRounds final : public RoundStrategy {
public:
    /// `levels`: by task, from 1; empty: all at once. `repeat`: what was rejected runs in further
    /// rounds, as long as they pay off and at least `batch_min` are left.
    LevelRounds(std::span<const std::uint32_t> levels, bool repeat, std::size_t batch_min)
        : levels_(levels), repeat_(repeat), batch_min_(batch_min) {}

    [[nodiscard]] bool next(const WindowNow& now, Round& round) override;

private:
    [[nodiscard]] bool pays(std::size_t ran, std::size_t left, double width) const noexcept;

    std::span<const std::uint32_t> levels_;
    bool repeat_;
    std::size_t batch_min_;
    std::optional<std::vector<std::vector<std::uint32_t>>> by_level_; ///< candidates
    std::size_t next_level_ = 0;
    std::size_t ran_ = 0; ///< tasks of the last round; 0: the levels are not through
};

} // namespace blockloom::execute
