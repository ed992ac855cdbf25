#include "base/json.h"
#include "range/manifest.h"

namespace blockloom::range {

Result<Manifest> parse_manifest(ByteView json, const std::string& place) {
    // A block takes some hundred bytes; a recipe's field is its 6th level.
    constexpr JsonLimits limits{
        .bytes = std::size_t{1} << 30, .values = std::size_t{32} << 20, .depth = 8};
    constexpr std::size_t name_bytes = 64;
    const auto document = JsonDocument::parse(
        {reinterpret_cast<const char*>(json.data()), json.size()}, place, limits);
    if (!document) return document.error();
    const JsonValue root = document->root();
    if (root["schema"].required().text(name_bytes) != "blockloom.synth/1")
        root["schema"].refuse("\"blockloom.synth/1\"");
    Manifest manifest;
    root["chain"].required().read(manifest.chain, name_bytes);
    if (manifest.chain != "bitcoin" && manifest.chain != "alkanes")
        root["chain"].refuse("bitcoin or alkanes");
    if (const auto named = root["network"].text(name_bytes)) {
        const auto network = alkanes::network_from_name(std::string(*named));
        if (network)
            manifest.network = *network;
        else
            root["network"].refuse("mainnet, regtest or blockloom");
    }
    if (const JsonValue blocks = root["blocks"]; blocks.size() != 0) {
        const JsonValue first = (*blocks.items().begin())["hash"].required();
        if (const auto text = first.text(name_bytes)) {
            if (const auto hash = hash_from_reversed_hex(*text))
                manifest.first_blocks.push_back(*hash);
            else
                first.refuse("the hash of a block");
        }
    }
    if (const Status status = document->status(); !status) return status.error();
    return manifest;
}

} // namespace blockloom::range
