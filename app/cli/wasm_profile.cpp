#include "wasm_profile.h"

#include "base/number_text.h"
#include "base/sha256.h"
#include "terminal.h"
#include "wasm.h"
#include "wasm/function_name.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <tuple>

namespace blockloom::cli {

std::string trap_text(const wasm::Module& module, const wasm::Trap& trap) {
    return fmt::format("{}{} in {} at offset {}", name_of(trap.kind),
                       trap.text.empty() ? "" : " (" + trap.text + ")",
                       function_name(module, trap.function), trap.offset);
}

report::Profile make_profile(const Profiled& profiled, const std::string& file) {
    const wasm::Module& module = *profiled.program.module;
    report::Profile profile;
    profile.file = std::filesystem::path(file).filename().string();
    const Hash256 hash = Sha256().once({ByteView(*module.bytes)});
    for (const Byte byte : hash) profile.sha256 += fmt::format("{:02x}", byte);
    profile.invoked = function_name(module, profiled.invoked);
    profile.outcome = profiled.result.outcome == wasm::Outcome::trapped
                          ? "trapped: " + trap_text(module, profiled.result.trap)
                          : "returned";
    profile.fuel = profiled.result.fuel_used;
    profile.steps = profiled.result.steps;
    profile.merged_calls = profiled.tree.merged_calls;
    for (std::uint32_t i = 0; i < profiled.functions.size(); ++i) {
        const wasm::FunctionProfile& of = profiled.functions[i];
        if (of.calls > 0)
            profile.functions.push_back(
                {i, function_name(module, i), of.calls, of.self_fuel, of.total_fuel});
    }
    std::sort(profile.functions.begin(), profile.functions.end(), [](const auto& a, const auto& b) {
        return std::tuple(b.self, a.index) < std::tuple(a.self, b.index);
    });
    std::vector<std::uint32_t> place(profiled.functions.size(), 0);
    for (std::uint32_t i = 0; i < profile.functions.size(); ++i)
        place[profile.functions[i].index] = i;
    for (const wasm::CallNode& node : profiled.tree.nodes)
        profile.stacks.push_back(
            {node.parent == wasm::CallNode::no_parent ? std::nullopt : std::optional(node.parent),
             place[node.function], node.calls, node.self_fuel});
    return profile;
}

std::string profile_table(const report::Profile& profile) {
    const auto share = [&](std::uint64_t fuel) {
        return percent_text(profile.fuel == 0
                                ? 0.0
                                : static_cast<double>(fuel) / static_cast<double>(profile.fuel));
    };
    Table table({"<Function", "Calls", "Own fuel", "Own", "Total fuel", "Total"});
    for (const report::ProfileFunction& function : profile.functions)
        table.add({shortened(printable(function.name), 48, 12), count_text(function.calls),
                   count_text(function.self), share(function.self), count_text(function.total),
                   share(function.total)});
    std::string text = table.text();
    if (profile.merged_calls > 0)
        text +=
            fmt::format("too many different stacks: the fuel of {} is counted for their callers\n",
                        counted(profile.merged_calls, "call"));
    return text;
}

} // namespace blockloom::cli
