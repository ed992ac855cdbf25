#include "report/profile.h"

#include "base/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace blockloom::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema_stem = "blockloom.profile/", schema = "blockloom.profile/1";

/// As many stacks as a call keeps (wasm::CallTree), and names as long as a module's.
constexpr std::size_t most_stacks = 1U << 16U, name_bytes = 1U << 16U;
constexpr JsonLimits profile_limits{
    .bytes = std::size_t{256} << 20, .values = std::size_t{4} << 20, .depth = 8};

std::uint64_t count_in(JsonValue object, const char* name, std::uint64_t most = UINT64_MAX) {
    return object[name].required().whole(0, most).value_or(0);
}

std::string text_in(JsonValue object, const char* name) {
    return std::string(object[name].required().text(name_bytes).value_or(""));
}

/// Adds; false if the sum exceeds 64 bits.
bool add(std::uint64_t& sum, std::uint64_t value) {
    sum += value;
    return sum >= value;
}

template <typename Rows> void check_sum(JsonValue list, const Rows& rows, std::uint64_t fuel) {
    std::uint64_t sum = 0;
    bool fits = true;
    for (const auto& row : rows) fits = fits && add(sum, row.self);
    if (!fits || sum != fuel)
        list.refuse(fmt::format("values of \"self\" that add up to \"fuel\", {}", fuel),
                    fits ? fmt::format("{}", sum) : "more than 64 bits");
}

void read_functions(JsonValue list, Profile& profile) {
    for (const JsonValue row : list.required().items(most_stacks))
        profile.functions.push_back(
            {static_cast<std::uint32_t>(count_in(row, "function", UINT32_MAX)),
             text_in(row, "name"), count_in(row, "calls"), count_in(row, "self"),
             count_in(row, "total", profile.fuel)});
}

void read_stacks(JsonValue root, Profile& profile) {
    std::map<std::uint64_t, std::uint32_t> place; // index in the module -> place in the list
    for (const ProfileFunction& function : profile.functions)
        place.emplace(function.index, static_cast<std::uint32_t>(place.size()));
    if (place.size() < profile.functions.size())
        root["functions"].refuse(fmt::format("{} distinct indices", profile.functions.size()),
                                 fmt::format("{}", place.size()));
    for (const JsonValue row : root["stacks"].required().items(most_stacks)) {
        const std::size_t at = profile.stacks.size();
        ProfileStack stack;
        if (const JsonValue parent = row["parent"]; !parent.is_absent()) {
            if (at == 0)
                parent.refuse("null: the first stack has no caller");
            else
                stack.parent = static_cast<std::uint32_t>(parent.whole(0, at - 1).value_or(0));
        }
        const auto found = place.find(count_in(row, "function", UINT32_MAX));
        if (found != place.end())
            stack.function = found->second;
        else
            row["function"].refuse("one of \"functions\"");
        stack.calls = count_in(row, "calls");
        stack.self = count_in(row, "self");
        profile.stacks.push_back(stack);
    }
}

} // namespace

std::string profile_json(const Profile& profile) {
    Json functions = Json::array(), stacks = Json::array();
    for (const ProfileFunction& function : profile.functions)
        functions.push_back({{"function", function.index},
                             {"name", function.name},
                             {"calls", function.calls},
                             {"self", function.self},
                             {"total", function.total}});
    for (const ProfileStack& stack : profile.stacks)
        stacks.push_back({{"parent", stack.parent ? Json(*stack.parent) : Json()},
                          {"function", profile.functions[stack.function].index},
                          {"calls", stack.calls},
                          {"self", stack.self}});
    const Json document{{"schema", schema},
                        {"unit", "fuel"},
                        {"file", profile.file},
                        {"sha256", profile.sha256},
                        {"invoked", profile.invoked},
                        {"outcome", profile.outcome},
                        {"fuel", profile.fuel},
                        {"steps", profile.steps},
                        {"merged_calls", profile.merged_calls},
                        {"functions", std::move(functions)},
                        {"stacks", std::move(stacks)}};
    return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool looks_like_profile(std::string_view text) {
    return text.substr(0, 4096).find(schema_stem) != std::string_view::npos;
}

Result<Profile> read_profile(std::string_view text, const std::string& place) {
    const auto document = JsonDocument::parse(text, place, profile_limits);
    if (!document) return document.error();
    const JsonValue root = document->root();
    if (const auto found = root["schema"].required().text(name_bytes); found && *found != schema)
        root["schema"].refuse(fmt::format("\"{}\"", schema));
    Profile profile;
    profile.file = text_in(root, "file");
    profile.sha256 = text_in(root, "sha256");
    profile.invoked = text_in(root, "invoked");
    profile.outcome = text_in(root, "outcome");
    profile.fuel = count_in(root, "fuel");
    profile.steps = count_in(root, "steps");
    profile.merged_calls = count_in(root, "merged_calls");
    read_functions(root["functions"], profile);
    if (const Status status = document->status(); !status) return status.error();
    read_stacks(root, profile);
    check_sum(root["functions"], profile.functions, profile.fuel);
    check_sum(root["stacks"], profile.stacks, profile.fuel);
    if (const Status status = document->status(); !status) return status.error();
    return profile;
}

std::string folded_stacks(const Profile& profile) {
    std::vector<std::string> names;
    for (const ProfileFunction& function : profile.functions) {
        names.push_back(function.name);
        std::replace(names.back().begin(), names.back().end(), ';', ':');
        std::replace(names.back().begin(), names.back().end(), '\n', ' ');
    }
    // Only the ends of a deep stack: otherwise a chain of n calls would take n² names.
    constexpr std::uint32_t end = 128;
    std::vector<std::uint32_t> depth, outer; // outer: the frame of that stack at depth `end` - 1
    std::string text;
    std::vector<std::string_view> path; // callee first
    for (std::uint32_t i = 0; i < profile.stacks.size(); ++i) {
        const ProfileStack& stack = profile.stacks[i];
        depth.push_back(stack.parent ? depth[*stack.parent] + 1 : 0);
        outer.push_back(depth[i] < end ? i : outer[*stack.parent]);
        if (stack.self == 0) continue;
        path.clear();
        const auto climb = [&](std::uint32_t at, std::uint32_t frames) {
            for (; frames > 0; --frames, at = *profile.stacks[at].parent) {
                path.emplace_back(names[profile.stacks[at].function]);
                if (!profile.stacks[at].parent) break;
            }
        };
        const bool whole = depth[i] < 2 * end;
        climb(i, whole ? 2 * end : end);
        if (!whole) {
            path.emplace_back("…");
            climb(outer[i], end);
        }
        for (std::size_t at = path.size(); at-- > 0;) {
            text += path[at];
            if (at > 0) text += ';';
        }
        text += fmt::format(" {}\n", stack.self);
    }
    return text;
}

} // namespace blockloom::report
