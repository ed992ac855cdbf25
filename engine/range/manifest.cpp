#include "range/manifest.h"

#include "base/file.h"
#include "recipes/recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::range {

Result<Manifest> read_manifest(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return mapped.error();
    const ByteView bytes = mapped->bytes();
    const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    const auto wrong = [&](const std::string& expected) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected {}, found none", file.string(), expected)};
    };
    if (!json.is_object() || json.value("schema", "") != "blockloom.synth/1")
        return wrong("a document of schema blockloom.synth/1");
    Manifest manifest;
    const auto chain = json.find("chain");
    if (chain == json.end() || !chain->is_string()) return wrong("a field \"chain\"");
    manifest.chain = chain->get<std::string>();
    if (const auto network = json.find("network"); network != json.end()) {
        const auto named = network->is_string()
                               ? alkanes::network_from_name(network->get_ref<const std::string&>())
                               : std::nullopt;
        if (!named) return wrong("mainnet, regtest or blockloom as \"network\"");
        manifest.network = *named;
    }
    return manifest;
}

Manifest demo_manifest() {
    const recipes::Recipe recipe = recipes::demo_recipe();
    if (!recipe.has_messages()) return {"bitcoin", alkanes::Network::mainnet};
    const bool prefixed =
        std::any_of(recipe.shapes.begin(), recipe.shapes.end(),
                    [](const recipes::BlockShape& shape) { return shape.messages->prefixed > 0; });
    return {"alkanes", prefixed ? alkanes::Network::blockloom : alkanes::Network::mainnet};
}

} // namespace blockloom::range
