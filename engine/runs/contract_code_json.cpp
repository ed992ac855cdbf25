#include "runs/contract_code_json.h"

#include "runs/document_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace blockloom::runs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_modules = 65'536, most_codes = 1024;
constexpr std::uint64_t most_count = std::uint64_t{1} << 53; ///< sums of them must fit

std::uint64_t count_of(JsonValue value) {
    return value.whole(0, most_count).value_or(0);
}

} // namespace

KeptCode kept_code(const execute::ContractCode& code) {
    KeptCode kept;
    kept.module = to_hex(code.module);
    for (const alkanes::AlkaneId& id : code.contracts) kept.contracts.push_back(id_text(id));
    kept.function = code.function;
    for (const gpuvm::CodeFacts& facts : code.code) {
        // Of several devices the one that has least: it holds the others up.
        if (kept.state.empty() || facts.state != gpuvm::CodeState::ready)
            kept.state = name_of(facts.state);
        if (kept.refusal.empty()) kept.refusal = facts.refusal;
        kept.compilations += facts.compilations.size();
        for (const gpuvm::Compilation& made : facts.compilations) {
            kept.from_earlier += made.kept;
            kept.compile_time += made.end - made.begin;
            kept.last_time = made.end - made.begin;
        }
        kept.lane_bytes = std::max<std::uint64_t>(kept.lane_bytes, facts.lane_bytes);
        kept.windows = std::max<std::uint64_t>(kept.windows, facts.windows);
    }
    kept.compiled = code.compiled;
    kept.interpreted = code.interpreted;
    kept.on_processor = code.on_processor;
    kept.ejected = code.ejected;
    return kept;
}

Json code_json(const std::vector<execute::ContractCode>& all) {
    Json list = Json::array();
    for (const execute::ContractCode& each : all) {
        const KeptCode code = kept_code(each);
        Json ejected = Json::object();
        for (const auto& [why, count] : code.ejected) ejected[why] = count;
        list.push_back({{"module", code.module},
                        {"contracts", code.contracts},
                        {"function", code.function},
                        {"state", code.state.empty() ? Json() : Json(code.state)},
                        {"refusal", code.refusal.empty() ? Json() : Json(code.refusal)},
                        {"compilations", code.compilations},
                        {"kept_before", code.from_earlier},
                        {"compile_ns", code.compile_time},
                        {"last_compile_ns", code.last_time},
                        {"lane_bytes", code.lane_bytes},
                        {"windows", code.windows},
                        {"lanes",
                         {{"compiled", code.compiled},
                          {"interpreted", code.interpreted},
                          {"on_processor", code.on_processor},
                          {"ejected", std::move(ejected)}}}});
    }
    return list;
}

std::vector<KeptCode> read_code(JsonValue json) {
    std::vector<KeptCode> all;
    for (const JsonValue each : json.items(most_modules)) {
        KeptCode code;
        each["module"].required().read(code.module, name_bytes);
        for (const JsonValue id : each["contracts"].items(execute::ContractCode::most_contracts))
            if (const auto text = id.required().text(name_bytes))
                code.contracts.emplace_back(*text);
        each["function"].read(code.function);
        each["state"].read(code.state, name_bytes);
        each["refusal"].read(code.refusal, std::size_t{1} << 16);
        code.compilations = count_of(each["compilations"]);
        code.from_earlier = count_of(each["kept_before"]);
        code.compile_time = each["compile_ns"].integer(0, most_time).value_or(0);
        code.last_time = each["last_compile_ns"].integer(0, most_time).value_or(0);
        code.lane_bytes = count_of(each["lane_bytes"]);
        code.windows = count_of(each["windows"]);
        const JsonValue lanes = each["lanes"];
        code.compiled = count_of(lanes["compiled"]);
        code.interpreted = count_of(lanes["interpreted"]);
        code.on_processor = count_of(lanes["on_processor"]);
        for (const auto& [why, count] : lanes["ejected"].members(most_codes)) {
            if (why.size() > name_bytes) count.refuse("a code of at most 4096 bytes");
            code.ejected[std::string(why.substr(0, name_bytes))] = count_of(count);
        }
        all.push_back(std::move(code));
    }
    return all;
}

} // namespace blockloom::runs
