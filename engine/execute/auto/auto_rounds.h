// The strategy auto: for each block window the one that promises most.
#pragma once

#include "execute/auto/strategy_choice.h"
#include "execute/flow/expected_tasks.h"
#include "execute/hints.h"
#include "execute/strategy_memory.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::execute {

class FlowRounds;

/// For one block window.
class AutoRounds final : public RoundStrategy {
public:
    /// `hints` and `memory` must outlive this object.
    AutoRounds(const StrategyOptions& options, const Hints& hints, StrategyMemory& memory)
        : options_(options), hints_(hints), memory_(memory) {}

    [[nodiscard]] bool next(const WindowNow& now, Round& round) override;

    void finished(const Outcome& outcome) override;
    [[nodiscard]] std::string choice(std::uint32_t block) const override;

private:
    [[nodiscard]] bool take_examples(const WindowNow& now, Round& round);
    [[nodiscard]] const TaskGraph& graph_of_all(const WindowNow& now);
    [[nodiscard]] bool is_like_the_last(const WindowNow& now);
    void look_at(const WindowNow& now);
    void choose(const WindowNow& now, bool like_the_last);
    [[nodiscard]] bool choose_again(const WindowNow& now);
    void run_flows(std::unique_ptr<FlowRounds> flows);
    [[nodiscard]] Strategy next_part(const WindowNow& now, const TaskGraph& graph,
                                     const ExpectedTasks& expected);
    void note(const Outcome& until, std::size_t accepted);
    void record(std::uint32_t block, const StrategyChoice::Chosen& chosen);
    void run_at_once(const WindowNow& now, const char* why);

    /// Of the blocks from this one on.
    struct Choice {
        std::uint32_t block;
        std::string text;
    };

    StrategyOptions options_;
    const Hints& hints_;
    StrategyMemory& memory_;
    WindowOutlook outlook_;
    std::optional<StrategyChoice::Chosen> chosen_;
    std::vector<Choice> choices_; ///< ascending
    std::optional<ExpectedTasks> expected_;
    TaskGraph graph_;                     ///< of all tasks
    bool graph_is_there_ = false;         ///< nothing was learned since it was made
    std::vector<std::uint32_t> examples_; ///< of the last round
    bool more_were_asked_for_ = false;    ///< than one of each unknown kind
    bool informed_ = false;               ///< the outlook rests on something
    bool unknown_ = false;                ///< most transactions are
    bool looked_ = true;                  ///< whether they are was looked at
    Strategy running_ = Strategy::serial; ///< what was chosen last
    Outcome noted_;                       ///< of the window, up to the last change
    std::size_t noted_tasks_ = 0;         ///< accepted until then
    std::size_t tasks_ = 0;
    std::unique_ptr<RoundStrategy> rounds_; ///< null: block order
    FlowRounds* flows_ = nullptr;           ///< `rounds_`, if it is that
};

} // namespace blockloom::execute
