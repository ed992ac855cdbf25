#include "recipes/recipe.h"

#include "base/file.h"
#include "recipes/chained_blocks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace blockloom::recipes {

namespace {

using Json = nlohmann::ordered_json;

/// Reads fields of one object, takes note of the first that is wrong.
class FieldReader {
public:
    FieldReader(const Json& object, std::string place)
        : object_(object), place_(std::move(place)) {}

    template <typename Integer> void whole(const char* name, Integer& value) {
        const Json* field = find(name);
        if (field == nullptr) return;
        if (!field->is_number_unsigned() ||
            field->get<std::uint64_t>() > std::numeric_limits<Integer>::max())
            return fail(name,
                        fmt::format("a whole number up to {}", std::numeric_limits<Integer>::max()),
                        *field);
        value = field->get<Integer>();
    }

    void real(const char* name, double& value) {
        const Json* field = find(name);
        if (field == nullptr) return;
        if (!field->is_number()) return fail(name, "a number", *field);
        value = field->get<double>();
    }

    void text(const char* name, std::string& value) {
        const Json* field = find(name);
        if (field == nullptr) return;
        if (!field->is_string()) return fail(name, "a text", *field);
        value = field->get<std::string>();
    }

    /// A field, noted as known.
    [[nodiscard]] const Json* find(const char* name) {
        known_.emplace_back(name);
        const auto at = object_.find(name);
        return at == object_.end() ? nullptr : &*at;
    }

    void fail(const char* name, const std::string& expected, const Json& found) {
        if (!error_)
            error_ = {ErrorCode::bad_input, fmt::format("{}: {}: expected {}, found {}", place_,
                                                        name, expected, shortened(found))};
    }

    void fail(const Error& error) {
        if (!error_) error_ = error;
    }

    /// The first error; an unknown field is one.
    [[nodiscard]] Status finish() const {
        if (error_) return *error_;
        for (const auto& [name, value] : object_.items())
            if (std::find(known_.begin(), known_.end(), name) == known_.end())
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: expected one of {}, found \"{}\"", place_,
                                         fmt::join(known_, ", "), name)};
        return {};
    }

private:
    static std::string shortened(const Json& found) {
        std::string text = found.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > 60) text = text.substr(0, 60) + "…";
        return text;
    }

    const Json& object_;
    std::string place_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

void read_messages(FieldReader& fields, MessageShape& messages) {
    fields.whole("contracts", messages.contracts);
    fields.whole("cap", messages.cap);
    fields.real("prefixed", messages.prefixed);
    fields.real("plain", messages.plain);
    MessageMix& mix = messages.mix;
    fields.real("free_mint", mix.free_mint);
    fields.real("reward_mint", mix.reward_mint);
    fields.real("swap", mix.swap);
    fields.real("liquidity", mix.liquidity);
    fields.real("transfer", mix.transfer);
    fields.real("move", mix.move);
    fields.real("create", mix.create);
    fields.real("misbehave", mix.misbehave);
}

Json messages_json(const MessageShape& messages) {
    const MessageMix& mix = messages.mix;
    return {{"contracts", messages.contracts},
            {"cap", messages.cap},
            {"prefixed", messages.prefixed},
            {"plain", messages.plain},
            {"free_mint", mix.free_mint},
            {"reward_mint", mix.reward_mint},
            {"swap", mix.swap},
            {"liquidity", mix.liquidity},
            {"transfer", mix.transfer},
            {"move", mix.move},
            {"create", mix.create},
            {"misbehave", mix.misbehave}};
}

void read_shape(FieldReader& fields, const std::string& place, BlockShape& shape) {
    fields.whole("tasks", shape.tasks);
    fields.real("chained", shape.chained);
    fields.real("skew", shape.skew);
    fields.whole("lanes", shape.lanes);
    fields.real("fan_out", shape.fan_out);
    fields.real("joins", shape.joins);
    const Json* messages = fields.find("messages");
    if (messages == nullptr) return;
    if (!messages->is_object()) return fields.fail("messages", "an object", *messages);
    MessageShape changed = shape.messages.value_or(MessageShape{});
    FieldReader inner(*messages, place + ": messages");
    read_messages(inner, changed);
    if (const Status status = inner.finish(); !status) fields.fail(status.error());
    shape.messages = changed;
}

Json shape_json(const BlockShape& shape) {
    Json json{{"tasks", shape.tasks}, {"chained", shape.chained}, {"skew", shape.skew},
              {"lanes", shape.lanes}, {"fan_out", shape.fan_out}, {"joins", shape.joins}};
    if (shape.messages) json["messages"] = messages_json(*shape.messages);
    return json;
}

Json recipe_json(const Recipe& recipe) {
    Json json{{"name", recipe.name},
              {"description", recipe.description},
              {"blocks", recipe.blocks},
              {"seed", recipe.seed},
              {"first_height", recipe.first_height}};
    for (const BlockShape& shape : recipe.shapes) json["shapes"].push_back(shape_json(shape));
    return json;
}

/// Only the network `blockloom` knows the (8, 8) prefix.
const char* needed_network(const Recipe& recipe) {
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(), [](const BlockShape& shape) {
            return shape.messages && shape.messages->prefixed > 0;
        });
    return prefixed ? "blockloom" : "mainnet";
}

Status read_shapes(const Json& list, const BlockShape& start, const std::string& place,
                   std::vector<BlockShape>& shapes) {
    if (!list.is_array() || list.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: shapes: expected a list with at least one object", place)};
    shapes.clear();
    for (const Json& item : list) {
        const std::string item_place = fmt::format("{}: shapes[{}]", place, shapes.size());
        if (!item.is_object())
            return Error{ErrorCode::bad_input, fmt::format("{}: expected an object, found {}",
                                                           item_place, item.type_name())};
        FieldReader fields(item, item_place);
        BlockShape shape = start;
        read_shape(fields, item_place, shape);
        if (Status status = fields.finish(); !status) return status;
        shapes.push_back(shape);
    }
    return {};
}

} // namespace

Result<Recipe> parse_recipe(ByteView json, const std::string& place) {
    constexpr int deepest = 8;
    bool too_deep = false;
    const Json root = Json::parse(
        json.begin(), json.end(),
        [&](int depth, Json::parse_event_t, Json&) {
            too_deep |= depth > deepest;
            return true;
        },
        false);
    if (root.is_discarded() || too_deep)
        return Error{ErrorCode::bad_input, fmt::format("{}: expected JSON, found {}", place,
                                                       too_deep ? "too deep nesting" : "none")};
    if (!root.is_object())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected an object, found {}", place, root.type_name())};
    FieldReader fields(root, place);
    Recipe recipe;
    std::string base;
    fields.text("recipe", base);
    if (!base.empty()) {
        const auto& known = named_recipes();
        const auto named = std::find_if(known.begin(), known.end(),
                                        [&](const Recipe& each) { return each.name == base; });
        if (named == known.end()) {
            fields.fail("recipe", "the name of a recipe", Json(base));
        } else {
            recipe = *named;
        }
    }
    fields.text("name", recipe.name);
    fields.text("description", recipe.description);
    fields.whole("blocks", recipe.blocks);
    fields.whole("seed", recipe.seed);
    fields.whole("first_height", recipe.first_height);
    for (BlockShape& shape : recipe.shapes) read_shape(fields, place, shape);
    const Json* shapes = fields.find("shapes");
    if (const Status status = fields.finish(); !status) return status.error();
    if (shapes != nullptr) {
        const BlockShape start = recipe.shapes.front();
        if (const Status status = read_shapes(*shapes, start, place, recipe.shapes); !status)
            return status.error();
        if (root.find("blocks") == root.end())
            recipe.blocks =
                static_cast<std::uint32_t>(recipe.shapes.size()) + (recipe.has_messages() ? 1 : 0);
    }
    if (const Status status = check(recipe); !status)
        return Error{status.error().code, place + ": " + status.error().message};
    return recipe;
}

std::string to_json(const Recipe& recipe) {
    return recipe_json(recipe).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status write_blocks(const std::filesystem::path& folder, const Recipe& recipe,
                    ProgressSink& progress, const std::stop_token& stop) {
    if (Status status = check(recipe); !status) return status;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{ErrorCode::system, fmt::format("{}: cannot make the folder: {}",
                                                    folder.string(), failed.message())};
    const bool alkanes = recipe.has_messages();
    Json manifest{{"schema", "blockloom.synth/1"}, {"chain", alkanes ? "alkanes" : "bitcoin"}};
    if (alkanes) manifest["network"] = needed_network(recipe);
    manifest["recipe"] = recipe_json(recipe);
    manifest["blocks"] = Json::array();
    ChainedBlocks generator(recipe);
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        progress.report({"making blocks", i, recipe.blocks});
        if (stop.stop_requested()) return cancelled_error();
        const std::uint64_t height = generator.height();
        const WrittenBlock block = generator.next();
        const std::string name = fmt::format("{}.bin", height);
        if (Status status = write_file(folder / name, block.bytes); !status) return status;
        manifest["blocks"].push_back({{"height", height},
                                      {"file", name},
                                      {"hash", to_reversed_hex(block.hash)},
                                      {"transactions", generator.transactions()},
                                      {"tasks", generator.tasks()}});
    }
    progress.report({"making blocks", recipe.blocks, recipe.blocks});
    const std::string text = manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return write_file(folder / "synth.json", as_bytes(text));
}

} // namespace blockloom::recipes
