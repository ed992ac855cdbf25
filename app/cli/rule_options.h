// The options for the rules and the code with which blocks are executed.
#pragma once

#include "command.h"
#include "range/chain_rules.h"

#include <string>

namespace blockloom::cli {

/// As given by the user; filled by the parser.
struct RuleOptions {
    std::string network, rules, fuel, built_in_code = "height";

    /// --network, --rules, --fuel and --built-in-code; `group` as CLI11 has it.
    void add_to(CLI::App& command, const std::string& group = "Options");
    /// --rules only, for commands that execute nothing.
    void add_line_to(CLI::App& command, const std::string& group = "Options");

    [[nodiscard]] alkanes::RuleLine line() const;
    /// Applies them; warns if a network has its own rules.
    void apply(range::RangeOptions& options, const std::optional<range::Manifest>& manifest) const;
};

} // namespace blockloom::cli
