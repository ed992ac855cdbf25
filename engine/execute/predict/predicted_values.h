// Values that tasks of a round are given for keys that earlier tasks of the round will write.
#pragma once

#include "state/view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::execute {

/// By place of a task in its round. Immutable while the round runs.
class PredictedValues {
public:
    struct Given {
        Given(const state::Key* of, const state::Value& given) : key(of), value(given) {}

        const state::Key* key; ///< outlives the round
        state::Value value;
    };

    void clear() {
        given_.clear();
        ends_.clear();
        budgets_.clear();
    }
    void reserve(std::size_t tasks) {
        ends_.reserve(tasks);
        budgets_.reserve(tasks);
    }
    /// Adds a value for the task that `end_task` will add.
    void give(const state::Key& key, const state::Value& value) {
        given_.emplace_back(&key, value);
    }
    /// The next task of the round is complete.
    void end_task(std::uint64_t budget) {
        ends_.push_back(static_cast<std::uint32_t>(given_.size()));
        budgets_.push_back(budget);
    }

    [[nodiscard]] std::span<const Given> of(std::size_t place) const noexcept {
        const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
        return std::span(given_).subspan(begin, ends_[place] - begin);
    }
    /// The predicted fuel budget.
    [[nodiscard]] std::uint64_t budget(std::size_t place) const noexcept { return budgets_[place]; }

private:
    std::vector<Given> given_;
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint64_t> budgets_;
};

/// A state in which some keys have predicted values. What an execution logs are these values, so
/// that a wrong one is noticed.
class PredictedView final : public state::StateView {
public:
    PredictedView(const state::StateView& below, std::span<const PredictedValues::Given> given)
        : below_(&below), given_(given) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        for (const PredictedValues::Given& one : given_)
            if (key == state::KeyView(*one.key)) return one.value;
        return below_->get(key);
    }
    [[nodiscard]] bool is_in_memory() const noexcept override { return below_->is_in_memory(); }
    void expect(const state::KeyView& key) const noexcept override { below_->expect(key); }
    void expect_value(const state::KeyView& key) const noexcept override {
        below_->expect_value(key);
    }

private:
    const state::StateView* below_;
    std::span<const PredictedValues::Given> given_;
};

} // namespace blockloom::execute
