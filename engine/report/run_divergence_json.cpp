#include "report/run_divergence_json.h"

#include "alkanes/state_keys.h"
#include "range/stored_value.h"
#include "report/json_text.h"

namespace blockloom::report {
namespace {

Json place_json(const std::optional<runs::CodePlace>& place) {
    if (!place) return {};
    return {{"code", to_hex(place->code)},
            {"function", place->function},
            {"name", place->name},
            {"offset", place->offset}};
}

Json call_json(const std::optional<runs::DivergentCall>& call) {
    if (!call) return {};
    return {{"index", call->index},
            {"a", call->a.empty() ? Json() : Json(call->a)},
            {"b", call->b.empty() ? Json() : Json(call->b)}};
}

Json key_json(const std::optional<runs::DivergentKey>& key) {
    if (!key) return {};
    return {{"key", alkanes::key_text(key->key)},
            {"read", key->read},
            {"a", range::stored_text(key->key, key->a)},
            {"b", range::stored_text(key->key, key->b)}};
}

} // namespace

std::string divergence_json(const runs::RunDivergence& found, const runs::KeptRun& a,
                            const runs::KeptRun& b) {
    Json parting;
    if (found.in_block) {
        const runs::BlockDivergence& at = *found.in_block;
        parting = {{"transaction", at.transaction},
                   {"protostone", optional_json(at.protostone)},
                   {"task", optional_json(at.task)},
                   {"what", at.what},
                   {"host_call", call_json(at.call)},
                   {"key", key_json(at.key)},
                   {"instruction", place_json(at.first_different)},
                   {"last_call_alike", place_json(at.last_same)},
                   {"no_instruction", at.no_place.empty() ? Json() : Json(at.no_place)},
                   {"a_as_interpreter", optional_json(at.a_as_interpreter)},
                   {"b_as_interpreter", optional_json(at.b_as_interpreter)}};
    }
    const Json document = {{"schema", "blockloom.divergence/1"},
                           {"a", a.id},
                           {"b", b.id},
                           {"block", found.height},
                           {"hash", found.hash},
                           {"digests",
                            {{"a", {{"kept", found.kept_a}, {"again", found.again_a}}},
                             {"b", {{"kept", found.kept_b}, {"again", found.again_b}}}}},
                           {"parting", std::move(parting)},
                           {"words", found.lines}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace blockloom::report
