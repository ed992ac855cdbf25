#include "runs/check_json.h"

#include "runs/document_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::runs {
namespace {

using Json = nlohmann::ordered_json;
using range::CheckDifference;
using range::CheckedBlock;
using range::NodeCheck;

constexpr std::size_t text_bytes = std::size_t{1} << 16, most_reasons = 1024;

template <typename T> Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json counts_json(const CheckedBlock& of) {
    return {{"messages", of.messages},
            {"events", of.events},
            {"keys", of.keys},
            {"values", of.values},
            {"differences", of.differences}};
}

std::optional<std::uint32_t> place_of(JsonValue json) {
    std::uint32_t place = 0;
    if (json.is_absent()) return std::nullopt;
    json.read(place);
    return place;
}

} // namespace

Json check_json(const std::optional<NodeCheck>& check) {
    if (!check) return {};
    Json json{{"node", check->place}, {"equal", check->equal()}};
    json.update(counts_json(check->total()));
    Json blocks = Json::array();
    for (const CheckedBlock& block : check->blocks) {
        Json at{{"height", block.height},
                {"hash", to_reversed_hex(block.hash)},
                {"digest", to_hex(block.digest)}};
        at.update(counts_json(block));
        blocks.push_back(std::move(at));
    }
    json["blocks"] = std::move(blocks);
    Json listed = Json::array();
    for (const CheckDifference& at : check->differences)
        listed.push_back({{"height", at.height},
                          {"transaction", optional_json(at.transaction)},
                          {"txid", at.txid.empty() ? Json() : Json(at.txid)},
                          {"protostone", optional_json(at.protostone)},
                          {"event", optional_json(at.event)},
                          {"field", at.field},
                          {"key", at.key.empty() ? Json() : Json(at.key)},
                          {"node", at.node},
                          {"replay", at.replay}});
    json["listed"] = std::move(listed);
    json["not_compared"] = Json::object();
    for (const auto& [what, count] : check->not_compared) json["not_compared"][what] = count;
    return json;
}

std::string check_text(const NodeCheck& check) {
    // Keys and values may contain any bytes.
    const std::string text = check_json(check).dump(2, ' ', false, Json::error_handler_t::replace);
    std::string indented;
    for (const char c : text) {
        indented += c;
        if (c == '\n') indented += "  "; // in strings there are none
    }
    return indented;
}

std::optional<NodeCheck> read_check(JsonValue json) {
    if (json.is_absent()) return std::nullopt;
    NodeCheck check;
    json["node"].read(check.place, text_bytes);
    for (const JsonValue each : json["blocks"].items()) {
        CheckedBlock block;
        each["height"].required().read(block.height);
        if (const auto hash = each["hash"].text(name_bytes)) {
            const auto read = hash_from_reversed_hex(*hash);
            if (read)
                block.hash = *read;
            else
                each["hash"].refuse("64 hexadecimal digits");
        }
        if (const auto digest = each["digest"].text(name_bytes)) {
            const auto bytes = from_hex(*digest);
            if (bytes && bytes->size() == block.digest.size())
                std::copy(bytes->begin(), bytes->end(), block.digest.begin());
            else
                each["digest"].refuse("64 hexadecimal digits");
        }
        for (const auto& [name, into] : {std::pair{"messages", &block.messages},
                                         {"events", &block.events},
                                         {"keys", &block.keys},
                                         {"values", &block.values},
                                         {"differences", &block.differences}})
            // Sums of them must fit.
            each[name].read(*into, std::uint64_t{0}, std::uint64_t{1} << 40);
        check.blocks.push_back(block);
    }
    for (const JsonValue each : json["listed"].items(NodeCheck::most_listed)) {
        CheckDifference at;
        each["height"].read(at.height);
        at.transaction = place_of(each["transaction"]);
        at.protostone = place_of(each["protostone"]);
        at.event = place_of(each["event"]);
        for (const auto& [name, into] : {std::pair{"txid", &at.txid},
                                         {"field", &at.field},
                                         {"key", &at.key},
                                         {"node", &at.node},
                                         {"replay", &at.replay}})
            each[name].read(*into, text_bytes);
        check.differences.push_back(std::move(at));
    }
    for (const auto& [what, count] : json["not_compared"].members(most_reasons))
        check.not_compared[std::string(what)] = count.whole().value_or(0);
    return check;
}

} // namespace blockloom::runs
