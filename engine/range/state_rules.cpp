#include "range/state_rules.h"

#include <fmt/format.h>

namespace blockloom::range {
namespace {

constexpr std::string_view network_label = "network", rules_label = "rules", fuel_label = "fuel";

constexpr const char* elsewhere = "replay from the first block into another --workspace";

Error other_rules(const store::Workspace& workspace, std::string_view by, std::string_view found,
                  std::string_view option) {
    return {ErrorCode::bad_input,
            fmt::format("{}: its blocks were executed by {}: expected the same, found {}; continue "
                        "with {} (in the window: Range ▸ Rules), or {}",
                        workspace.folder().string(), by, found, option, elsewhere)};
}

Error two_lines(const store::Workspace& workspace) {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected a workspace that records the rules of its blocks, found one "
                        "from a version without --rules, which mixed released and develop; choose "
                        "one to continue with (--rules released or --rules develop), or {}",
                        workspace.folder().string(), elsewhere)};
}

Status continue_network(execute::ReplayOptions& how, bool chosen,
                        const store::Workspace& workspace) {
    const auto kept = workspace.label(network_label);
    if (!kept) return kept.error();
    if (!*kept || **kept == name_of(how.network)) return {};
    const auto network = alkanes::network_from_name(**kept);
    if (chosen || !network)
        return other_rules(workspace, fmt::format("the rules of network {}", **kept),
                           fmt::format("those of {}", name_of(how.network)),
                           fmt::format("--network {}", **kept));
    how.network = *network;
    how.fuel = alkanes::usual_fuel(*network);
    return {};
}

Status continue_line(execute::ReplayOptions& how, const std::optional<alkanes::RuleLine>& chosen,
                     const store::Workspace& workspace) {
    if (!alkanes::has_lines(how.network)) return {};
    const auto kept = workspace.label(rules_label);
    if (!kept) return kept.error();
    if (!*kept) return chosen ? Status() : two_lines(workspace);
    const auto line = alkanes::rule_line_from_name(**kept);
    if (!line || (chosen && *chosen != *line))
        return other_rules(workspace, fmt::format("{} rules", **kept),
                           fmt::format("{} rules", name_of(how.line)),
                           fmt::format("--rules {}", **kept));
    how.line = *line;
    return {};
}

Status continue_fuel(execute::ReplayOptions& how, const std::optional<wasm::FuelRule>& chosen,
                     const store::Workspace& workspace) {
    const auto kept = workspace.label(fuel_label);
    if (!kept) return kept.error();
    const std::string name = kept->value_or(name_of(wasm::FuelRule::counted));
    const auto fuel = wasm::fuel_rule_from_name(name);
    if (!fuel || (chosen && *chosen != *fuel))
        return other_rules(workspace, fmt::format("{} fuel", name),
                           fmt::format("{} fuel", name_of(how.fuel)),
                           fmt::format("--fuel {}", name));
    how.fuel = *fuel;
    return {};
}

} // namespace

Status continue_rules(execute::ReplayOptions& how, const RangeOptions& options,
                      const store::Workspace& workspace, bool of_network) {
    if (const Status network = continue_network(how, of_network, workspace); !network)
        return network;
    if (const Status line = continue_line(how, options.line, workspace); !line) return line;
    return continue_fuel(how, options.fuel, workspace);
}

Result<std::vector<std::string>> record_rules(store::Workspace& workspace,
                                              const execute::ReplayOptions& how) {
    std::vector<std::string> notes;
    const auto tip = workspace.tip();
    const auto record = [&](std::string_view label, const char* value,
                            const char* without) -> Status {
        const auto before = workspace.label(label);
        if (!before) return before.error();
        if (*before == value) return {};
        if (!*before && tip && without != nullptr)
            notes.push_back(fmt::format("{}: the blocks up to {} were executed by {}: from now on "
                                        "the workspace is labelled {} {}",
                                        workspace.folder().string(), tip->height, without, label,
                                        value));
        return workspace.set_label(label, value);
    };
    if (const Status set = record(network_label, name_of(how.network), nullptr); !set)
        return set.error();
    const bool lines = alkanes::has_lines(how.network);
    if (const Status set =
            record(rules_label, alkanes::rules_name(how.network, how.line),
                   lines ? "a version without --rules, which mixed both rule sets" : nullptr);
        !set)
        return set.error();
    if (const Status set = record(fuel_label, name_of(how.fuel),
                                  "a version without --fuel, which counted instructions");
        !set)
        return set.error();
    return notes;
}

} // namespace blockloom::range
