#include "recipes/recipe_blocks.h"

#include "base/file.h"
#include "recipes/chained_blocks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::recipes {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_in_memory = 20'000'000; // tasks that make_blocks gives at once

/// Only the network `blockloom` has the (8, 8) prefix.
const char* needed_network(const Recipe& recipe) {
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(), [](const BlockShape& shape) {
            return shape.messages && shape.messages->prefixed > 0;
        });
    return prefixed ? "blockloom" : "mainnet";
}

} // namespace

Result<std::vector<Bytes>> make_blocks(const Recipe& recipe, const std::stop_token& stop) {
    if (const Status status = check(recipe); !status) return status.error();
    std::uint64_t tasks = 0;
    for (std::uint32_t i = 0; i < recipe.blocks; ++i)
        tasks += recipe.shapes[i % recipe.shapes.size()].tasks;
    if (tasks > most_in_memory)
        return Error{ErrorCode::bad_input,
                     fmt::format("recipe {}: expected at most {} tasks in all, found {}; write the "
                                 "blocks to a folder instead",
                                 recipe.name, most_in_memory, tasks)};
    ChainedBlocks generator(recipe);
    std::vector<Bytes> blocks;
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        if (stop.stop_requested()) return cancelled_error();
        blocks.push_back(generator.next().bytes);
    }
    return blocks;
}

Status write_blocks(const std::filesystem::path& folder, const Recipe& recipe,
                    ProgressSink& progress, const std::stop_token& stop) {
    if (Status status = check(recipe); !status) return status;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{ErrorCode::system, fmt::format("{}: cannot create the folder: {}",
                                                    folder.string(), failed.message())};
    const bool alkanes = recipe.has_messages();
    Json manifest{{"schema", "blockloom.synth/1"}, {"chain", alkanes ? "alkanes" : "bitcoin"}};
    if (alkanes) manifest["network"] = needed_network(recipe);
    manifest["recipe"] = Json::parse(to_json(recipe));
    manifest["blocks"] = Json::array();
    ChainedBlocks generator(recipe);
    for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
        progress.report({"making blocks", i, recipe.blocks});
        if (stop.stop_requested()) return cancelled_error();
        const std::uint64_t height = generator.height();
        const WrittenBlock block = generator.next();
        const std::string name = fmt::format("{}.bin", height);
        // The manifest that names them is written last, and all of it can be regenerated.
        if (Status status = write_file(folder / name, block.bytes, Durability::at_leisure); !status)
            return status;
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
