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
    FieldReader(const Json& object, const std::string& place) : object_(object), place_(place) {}

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
    const std::string& place_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

void read_shape(FieldReader& fields, BlockShape& shape) {
    fields.whole("tasks", shape.tasks);
    fields.real("chained", shape.chained);
    fields.real("skew", shape.skew);
    fields.whole("lanes", shape.lanes);
    fields.real("fan_out", shape.fan_out);
    fields.real("joins", shape.joins);
}

Json shape_json(const BlockShape& shape) {
    return {{"tasks", shape.tasks}, {"chained", shape.chained}, {"skew", shape.skew},
            {"lanes", shape.lanes}, {"fan_out", shape.fan_out}, {"joins", shape.joins}};
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
        read_shape(fields, shape);
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
    for (BlockShape& shape : recipe.shapes) read_shape(fields, shape);
    const Json* shapes = fields.find("shapes");
    if (const Status status = fields.finish(); !status) return status.error();
    if (shapes != nullptr) {
        const BlockShape start = recipe.shapes.front();
        if (const Status status = read_shapes(*shapes, start, place, recipe.shapes); !status)
            return status.error();
        if (root.find("blocks") == root.end())
            recipe.blocks = static_cast<std::uint32_t>(recipe.shapes.size());
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
    Json manifest{{"schema", "blockloom.synth/1"},
                  {"chain", "bitcoin"},
                  {"recipe", recipe_json(recipe)},
                  {"blocks", Json::array()}};
    ChainedBlocks generator(recipe);
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        progress.report({"making blocks", i, recipe.blocks});
        if (stop.stop_requested()) return cancelled_error();
        const std::uint64_t height = generator.height();
        const std::uint32_t tasks = generator.shape().tasks;
        const WrittenBlock block = generator.next();
        const std::string name = fmt::format("{}.bin", height);
        if (Status status = write_file(folder / name, block.bytes); !status) return status;
        manifest["blocks"].push_back({{"height", height},
                                      {"file", name},
                                      {"hash", to_reversed_hex(block.hash)},
                                      {"tasks", tasks}});
    }
    progress.report({"making blocks", recipe.blocks, recipe.blocks});
    const std::string text = manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return write_file(folder / "synth.json", as_bytes(text));
}

} // namespace blockloom::recipes
