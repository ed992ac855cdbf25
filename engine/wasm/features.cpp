#include "wasm/features.h"

#include "wasm/code_reader.h"

#include <algorithm>
#include <array>

namespace blockloom::wasm {
namespace {

enum Feature : std::size_t {
    mutable_globals,
    sign_extension,
    saturating_conversions,
    multi_value,
    bulk_memory,
    reference_types,
    feature_count
};
using Used = std::array<bool, feature_count>;

void note_instruction(const CodeInstruction& in, Used& used) {
    const CodeOpcode op = in.opcode;
    if (op >= 0xc0 && op <= 0xc4) used[sign_extension] = true;
    if (op >= 0xfc00 && op <= 0xfc07) used[saturating_conversions] = true;
    if (op >= 0xfc08 && op <= 0xfc0e) used[bulk_memory] = true;
    if (op >= 0xfc0f && op <= 0xfc11) used[reference_types] = true;
    // table.get and set, references, select with a type
    if (op == 0x25 || op == 0x26 || (op >= 0xd0 && op <= 0xd2) || op == 0x1c)
        used[reference_types] = true;
    if ((op == 0x02 || op == 0x03 || op == 0x04) && in.block.kind == BlockType::Kind::index)
        used[multi_value] = true;
}

void note_globals(const Module& module, Used& used) {
    for (const Import& import : module.imports)
        if (import.kind == ExternalKind::global && import.global.is_mutable)
            used[mutable_globals] = true;
    for (const Export& item : module.exports)
        if (item.kind == ExternalKind::global && module.global_types[item.index].is_mutable)
            used[mutable_globals] = true;
}

void note_sections(const Module& module, Used& used) {
    for (const FunctionType& type : module.types)
        if (type.results.size() > 1) used[multi_value] = true;
    if (module.data_count) used[bulk_memory] = true;
    for (const DataSegment& segment : module.data)
        if (!segment.active) used[bulk_memory] = true;
    for (const ElementSegment& segment : module.elements)
        if (segment.mode != ElementSegment::Mode::active) used[bulk_memory] = true;
    if (module.tables.size() > 1) used[reference_types] = true;
    for (const TableType& table : module.tables)
        if (table.element != ValueType::funcref) used[reference_types] = true;
}

} // namespace

const std::vector<std::string>& claimed_features() {
    static const std::vector<std::string> names{
        "mutable-globals", "sign-extension", "nontrapping-float-to-int-conversions",
        "multi-value",     "bulk-memory",    "reference-types"};
    return names;
}

std::vector<std::string> used_features(const Module& module) {
    Used used{};
    note_globals(module, used);
    note_sections(module, used);
    CodeInstruction instruction;
    for (const Body& body : module.bodies) {
        BinaryReader in(*module.bytes, body.begin, body.end);
        while (!in.done() && read_instruction(in, instruction)) note_instruction(instruction, used);
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < feature_count; ++i)
        if (used[i]) names.push_back(claimed_features()[i]);
    return names;
}

} // namespace blockloom::wasm
