#include "rule_options.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {

void RuleOptions::add_line_to(CLI::App& command, const std::string& group) {
    command
        .add_option("--rules", rules,
                    fmt::format("Alkanes: rule set, released ({}) or develop ({}) [{}]",
                                followed_by(alkanes::RuleLine::released),
                                followed_by(alkanes::RuleLine::develop),
                                name_of(alkanes::RuleLine::released)))
        ->check(CLI::IsMember({"released", "develop"}))
        ->default_str("")
        ->group(group);
}

void RuleOptions::add_to(CLI::App& command, const std::string& group) {
    command
        .add_option("--network", network,
                    "Alkanes: network whose rules apply [that of a generated range, else mainnet]")
        ->check(CLI::IsMember({"mainnet", "regtest", "blockloom"}))
        ->default_str("")
        ->group(group);
    add_line_to(command, group);
    command
        .add_option("--fuel", fuel,
                    "Alkanes: exact fuel (derived from wasmi 0.37.2's metering, docs/fuel.md), or "
                    "counted (by number of instructions) [exact; network blockloom: counted]")
        ->check(CLI::IsMember({"counted", "exact"}))
        ->default_str("")
        ->group(group);
    command
        .add_option(
            "--built-in-code", built_in_code,
            "Alkanes: where the modules of [2,0], [32,0] and [32,1] come from: by height (state "
            "put-code --built-in) or the state; generated ranges use the state")
        ->check(CLI::IsMember({"height", "state"}))
        ->group(group);
}

alkanes::RuleLine RuleOptions::line() const {
    return alkanes::rule_line_from_name(rules).value_or(alkanes::RuleLine::released);
}

void RuleOptions::apply(range::RangeOptions& options,
                        const std::optional<range::Manifest>& manifest) const {
    options.network = alkanes::network_from_name(network);
    options.line = alkanes::rule_line_from_name(rules);
    options.fuel = wasm::fuel_rule_from_name(fuel);
    options.code_in_state = built_in_code == "state";
    const auto of = options.network ? options.network
                    : manifest      ? std::optional(manifest->network)
                                    : std::nullopt;
    if (!rules.empty() && of && !alkanes::has_lines(*of))
        spdlog::warn("--rules {}: the {} network has its own rules", rules, name_of(*of));
}

} // namespace blockloom::cli
