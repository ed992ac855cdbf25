// The options that name a state outside any workspace.
#pragma once

#include "command.h"
#include "range/state_source.h"

#include <string>

namespace blockloom::cli {

/// As given by the user; filled by the parser.
class StateOptions {
public:
    /// --state, --state-height, --state-fork, --state-label, --state-access, --state-credentials,
    /// --state-ca; `group` as CLI11 has it.
    void add_to(CLI::App& command, const std::string& group = "State before the range");

    /// What they name. Fails if they contradict each other.
    [[nodiscard]] Result<range::StateSource> chosen() const;

private:
    std::string place_, fork_, label_, access_ = "auto", credentials_, ca_;
    std::uint64_t height_ = 0;
    CLI::Option* height_given_ = nullptr;
};

} // namespace blockloom::cli
