// The options that say by whose rules and with whose code blocks are executed.
#pragma once

#include "command.h"
#include "range/chain_rules.h"

#include <string>

namespace blockloom::cli {

/// As the user wrote them; filled by the parser.
struct RuleOptions {
    std::string network, rules, fuel, built_in_code = "height";

    /// --network, --rules, --fuel and --built-in-code; `group` as CLI11 has it.
    void add_to(CLI::App& command, const std::string& group = "OPTIONS");
    /// --rules alone, where nothing is executed.
    void add_line_to(CLI::App& command, const std::string& group = "OPTIONS");

    [[nodiscard]] alkanes::RuleLine line() const;
    /// Takes them over; says on standard error where a network has rules of its own.
    void apply(range::RangeOptions& options, const std::optional<range::Manifest>& manifest) const;
};

} // namespace blockloom::cli
