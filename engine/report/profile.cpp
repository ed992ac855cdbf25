#include "report/profile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace blockloom::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema_stem = "blockloom.profile/", schema = "blockloom.profile/1";

/// Reads fields of one object and keeps the first thing that is wrong.
class Reader {
public:
    explicit Reader(const std::string& place) : place_(place) {}

    std::uint64_t number(const Json& object, const char* key, const std::string& of,
                         std::uint64_t most = UINT64_MAX) {
        const auto found = object.find(key);
        if (found != object.end() && found->is_number_unsigned() &&
            found->get<std::uint64_t>() <= most)
            return found->get<std::uint64_t>();
        fail(of, key, most == UINT64_MAX ? "a count" : fmt::format("a count of at most {}", most),
             found == object.end() ? nullptr : &*found);
        return 0;
    }

    std::string text(const Json& object, const char* key, const std::string& of) {
        const auto found = object.find(key);
        if (found != object.end() && found->is_string()) return found->get<std::string>();
        fail(of, key, "a text", found == object.end() ? nullptr : &*found);
        return {};
    }

    /// A list of objects; empty where it is none, or not all are.
    const Json& list(const Json& object, const char* key) {
        static const Json nothing = Json::array();
        const auto found = object.find(key);
        if (found != object.end() && found->is_array() &&
            std::all_of(found->begin(), found->end(), [](const Json& i) { return i.is_object(); }))
            return *found;
        fail("profile", key, "a list of objects", found == object.end() ? nullptr : &*found);
        return nothing;
    }

    void fail(const std::string& of, const char* key, const std::string& expected,
              const Json* found) {
        if (error_) return;
        std::string shown =
            found == nullptr ? "none" : found->dump(-1, ' ', false, Json::error_handler_t::replace);
        if (shown.size() > 60) shown.resize(60);
        error_ = Error{ErrorCode::bad_input, fmt::format("{}: {}: \"{}\": expected {}, found {}",
                                                         place_, of, key, expected, shown)};
    }

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

private:
    const std::string& place_;
    std::optional<Error> error_;
};

/// Adds; false where the sum leaves 64 bits.
bool add(std::uint64_t& sum, std::uint64_t value) {
    sum += value;
    return sum >= value;
}

template <typename Rows>
void check_sum(Reader& reader, const Rows& rows, const char* list, std::uint64_t fuel) {
    std::uint64_t sum = 0;
    bool fits = true;
    for (const auto& row : rows) fits = fits && add(sum, row.self);
    const Json found(sum);
    if (!fits || sum != fuel)
        reader.fail(list, "self", fmt::format("values that add up to \"fuel\", {}", fuel), &found);
}

void read_functions(Reader& reader, const Json& document, Profile& profile) {
    for (const Json& row : reader.list(document, "functions")) {
        const std::string of = fmt::format("functions[{}]", profile.functions.size());
        profile.functions.push_back(
            {static_cast<std::uint32_t>(reader.number(row, "function", of, UINT32_MAX)),
             reader.text(row, "name", of), reader.number(row, "calls", of),
             reader.number(row, "self", of), reader.number(row, "total", of, profile.fuel)});
    }
}

void read_stacks(Reader& reader, const Json& document, Profile& profile) {
    std::map<std::uint64_t, std::uint32_t> place; // index in the module -> place in the list
    for (const ProfileFunction& function : profile.functions)
        place.emplace(function.index, static_cast<std::uint32_t>(place.size()));
    const Json distinct(place.size());
    if (place.size() < profile.functions.size())
        reader.fail("functions", "function",
                    fmt::format("{} distinct indices", profile.functions.size()), &distinct);
    for (const Json& row : reader.list(document, "stacks")) {
        const std::size_t at = profile.stacks.size();
        const std::string of = fmt::format("stacks[{}]", at);
        ProfileStack stack;
        if (const auto parent = row.find("parent"); parent != row.end() && !parent->is_null()) {
            if (at == 0)
                reader.fail(of, "parent", "null: the first stack has no caller", &*parent);
            else
                stack.parent = static_cast<std::uint32_t>(reader.number(row, "parent", of, at - 1));
        }
        const auto index = reader.number(row, "function", of, UINT32_MAX);
        const Json shown(index);
        if (const auto found = place.find(index); found != place.end())
            stack.function = found->second;
        else
            reader.fail(of, "function", "one of \"functions\"", &shown);
        stack.calls = reader.number(row, "calls", of);
        stack.self = reader.number(row, "self", of);
        profile.stacks.push_back(stack);
        if (reader.error()) return;
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
    // Deep nesting would overflow the stack of a recursive reader; the schema knows three levels.
    int depth = 0;
    const auto shallow = [&depth](int at, Json::parse_event_t, Json&) {
        depth = std::max(depth, at);
        return at <= 8;
    };
    const Json document = Json::parse(text.begin(), text.end(), shallow, false);
    if (!document.is_object() || depth > 8)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected one JSON object, found {}", place,
                                 document.is_discarded() ? "no JSON" : "something else")};
    Reader reader(place);
    if (const auto found = document.find("schema");
        found == document.end() || *found != Json(schema))
        reader.fail("profile", "schema", fmt::format("\"{}\"", schema),
                    found == document.end() ? nullptr : &*found);
    Profile profile;
    profile.file = reader.text(document, "file", "profile");
    profile.sha256 = reader.text(document, "sha256", "profile");
    profile.invoked = reader.text(document, "invoked", "profile");
    profile.outcome = reader.text(document, "outcome", "profile");
    profile.fuel = reader.number(document, "fuel", "profile");
    profile.steps = reader.number(document, "steps", "profile");
    profile.merged_calls = reader.number(document, "merged_calls", "profile");
    read_functions(reader, document, profile);
    read_stacks(reader, document, profile);
    check_sum(reader, profile.functions, "functions", profile.fuel);
    check_sum(reader, profile.stacks, "stacks", profile.fuel);
    if (reader.error()) return *reader.error();
    return profile;
}

std::string folded_stacks(const Profile& profile) {
    std::vector<std::string> names;
    for (const ProfileFunction& function : profile.functions) {
        names.push_back(function.name);
        std::replace(names.back().begin(), names.back().end(), ';', ':');
        std::replace(names.back().begin(), names.back().end(), '\n', ' ');
    }
    std::string text;
    std::vector<std::uint32_t> path;
    for (const ProfileStack& stack : profile.stacks) {
        if (stack.self == 0) continue;
        path.clear();
        for (const ProfileStack* at = &stack;; at = &profile.stacks[*at->parent]) {
            path.push_back(at->function);
            if (!at->parent) break;
        }
        for (std::size_t i = path.size(); i-- > 0;) text += names[path[i]] + (i > 0 ? ";" : "");
        text += fmt::format(" {}\n", stack.self);
    }
    return text;
}

} // namespace blockloom::report
