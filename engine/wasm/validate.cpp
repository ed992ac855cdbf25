// Rules of a module outside its bodies (WebAssembly core specification, 3.2 and 3.4).
#include "wasm/code_reader.h"
#include "wasm/validate_body.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

namespace blockloom::wasm {
namespace {

using Found = std::optional<ModuleError>;

Found invalid(std::uint32_t offset, std::string rule) {
    return ModuleError{Refusal::invalid, offset, std::move(rule)};
}

/// What other engines may accept.
Found unclaimed(std::uint32_t offset, std::string rule) {
    return ModuleError{Refusal::invalid, offset, std::move(rule), true};
}

constexpr std::size_t most_values =
    1000; // parameters or results of a type, as other engines limit them

constexpr std::size_t most_tables = 100;

Found check_types(const Module& module) {
    for (const FunctionType& type : module.types)
        if (type.parameters.size() > most_values || type.results.size() > most_values)
            return unclaimed(0, "more than 1,000 parameters or results (limit of this engine)");
    for (const std::uint32_t type : module.functions)
        if (type >= module.types.size()) return invalid(0, "unknown type");
    return std::nullopt;
}

Found check_limits(const Module& module) {
    if (module.tables.size() > most_tables)
        return unclaimed(0, "more than 100 tables (limit of this engine)");
    for (const TableType& table : module.tables)
        if (table.limits.has_max && table.limits.min > table.limits.max)
            return invalid(0, "size minimum must not be greater than maximum");
    for (const Limits& memory : module.memories) {
        if (memory.min > most_pages || (memory.has_max && memory.max > most_pages))
            return invalid(0, "memory size must be at most 65536 pages (4GiB)");
        if (memory.has_max && memory.min > memory.max)
            return invalid(0, "size minimum must not be greater than maximum");
    }
    if (module.memories.size() > 1) return unclaimed(0, "multiple memories");
    return std::nullopt;
}

/// A constant expression of type `wanted`; it may read imported immutable globals only.
Found check_constant(const Module& module, const ConstantExpression& expression, ValueType wanted) {
    using Kind = ConstantExpression::Kind;
    ValueType found = expression.type;
    switch (expression.kind) {
    case Kind::empty:
        return invalid(expression.offset, "type mismatch: empty constant expression");
    case Kind::not_constant:
        return ModuleError{Refusal::invalid, expression.offset, "constant expression required",
                           expression.arithmetic};
    case Kind::global_get:
        if (expression.index >= module.imported_globals)
            return invalid(expression.offset, fmt::format("unknown global {}", expression.index));
        if (module.global_types[expression.index].is_mutable)
            return invalid(expression.offset, "constant expression required");
        found = module.global_types[expression.index].type;
        break;
    case Kind::ref_func:
        if (expression.index >= module.functions.size())
            return invalid(expression.offset, fmt::format("unknown function {}", expression.index));
        found = ValueType::funcref;
        break;
    case Kind::value:
    case Kind::ref_null:
        break;
    }
    if (found != wanted)
        return invalid(expression.offset, fmt::format("type mismatch: expected {}, found {}",
                                                      name_of(wanted), name_of(found)));
    return std::nullopt;
}

Found check_segments(const Module& module) {
    for (const ElementSegment& segment : module.elements) {
        if (segment.mode == ElementSegment::Mode::active) {
            if (segment.table >= module.tables.size())
                return invalid(segment.offset, fmt::format("unknown table {}", segment.table));
            if (module.tables[segment.table].element != segment.type)
                return invalid(segment.offset, "type mismatch");
            if (Found error = check_constant(module, segment.place, ValueType::i32)) return error;
        }
        for (const ConstantExpression& item : segment.items)
            if (Found error = check_constant(module, item, segment.type)) return error;
    }
    for (const DataSegment& segment : module.data) {
        if (!segment.active) continue;
        if (segment.memory >= module.memories.size())
            return invalid(segment.offset, fmt::format("unknown memory {}", segment.memory));
        if (Found error = check_constant(module, segment.place, ValueType::i32)) return error;
    }
    return std::nullopt;
}

Found check_exports(const Module& module) {
    std::set<std::string_view> names;
    for (const Export& item : module.exports) {
        if (!names.insert(item.name).second) return invalid(0, "duplicate export name");
        const std::size_t known[] = {module.functions.size(), module.tables.size(),
                                     module.memories.size(), module.global_types.size()};
        const char* const kinds[] = {"function", "table", "memory", "global"};
        const auto kind = static_cast<std::size_t>(item.kind);
        if (item.index >= known[kind])
            return invalid(0, fmt::format("unknown {} {}", kinds[kind], item.index));
    }
    return std::nullopt;
}

Found check_start(const Module& module) {
    if (!module.start) return std::nullopt;
    if (*module.start >= module.functions.size()) return invalid(0, "unknown function");
    const FunctionType& type = module.types[module.functions[*module.start]];
    if (!type.parameters.empty() || !type.results.empty()) return invalid(0, "start function");
    return std::nullopt;
}

/// Functions that occur outside bodies (exports, segments, globals) may be referenced by
/// `ref.func`.
std::vector<bool> referenced_functions(const Module& module) {
    std::vector<bool> referenced(module.functions.size());
    const auto note = [&](const ConstantExpression& expression) {
        if (expression.kind == ConstantExpression::Kind::ref_func)
            referenced[expression.index] = true;
    };
    for (const Global& global : module.globals) note(global.start);
    for (const ElementSegment& segment : module.elements)
        for (const ConstantExpression& item : segment.items) note(item);
    for (const Export& item : module.exports)
        if (item.kind == ExternalKind::function) referenced[item.index] = true;
    return referenced;
}

/// The first body that breaks the binary grammar.
Found malformed_body(const Module& module) {
    CodeInstruction now;
    std::vector<CodeOpcode> open;
    for (const Body& body : module.bodies) {
        BinaryReader in(*module.bytes, body.begin, body.end);
        open.assign(1, 0x02);
        while (!open.empty()) {
            if (!read_instruction(in, now)) return in.error();
            if (now.opcode >= 0x02 && now.opcode <= 0x04) open.push_back(now.opcode);
            if (now.opcode == 0x0b) open.pop_back();
            if (now.opcode == 0x05 && std::exchange(open.back(), CodeOpcode{0x05}) != 0x04)
                return ModuleError{Refusal::malformed, now.offset, "else without if"};
        }
        if (!in.done()) return ModuleError{Refusal::malformed, in.at(), "section size mismatch"};
    }
    return std::nullopt;
}

Found first_invalid(const Module& module) {
    if (Found error = check_types(module)) return error;
    if (Found error = check_limits(module)) return error;
    for (const Global& global : module.globals)
        if (Found error = check_constant(module, global.start, global.type.type)) return error;
    if (Found error = check_exports(module)) return error;
    if (Found error = check_start(module)) return error;
    if (Found error = check_segments(module)) return error;
    BodyContext context{module, referenced_functions(module)};
    const auto functions = static_cast<std::uint32_t>(module.functions.size());
    for (std::uint32_t function = module.imported_functions; function < functions; ++function)
        if (Found error = validate_body(context, function)) return error;
    return std::nullopt;
}

} // namespace

std::optional<ModuleError> validate(const Module& module) {
    Found error = first_invalid(module);
    // The specification decodes everything before it validates anything. Bodies are read once here,
    // so what is malformed behind something invalid is only looked for when it matters. Bodies with
    // features that are not claimed cannot be distinguished from malformed ones.
    if (error && error->refusal == Refusal::invalid && !error->unclaimed)
        if (Found malformed = malformed_body(module)) return malformed;
    return error;
}

} // namespace blockloom::wasm
