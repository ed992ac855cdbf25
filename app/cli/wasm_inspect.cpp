// blockloom-cli wasm inspect: the contents of a module and its lowered register program.
#include "base/number_text.h"
#include "terminal.h"
#include "wasm.h"
#include "wasm/features.h"
#include "wasm/function_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;
using wasm::ExternalKind;
using wasm::Module;
using wasm::Program;

struct InspectOptions {
    std::string file, function;
    CLI::Option* program = nullptr;
    bool features = false, json = false;
};

std::string limits_text(const wasm::Limits& limits, const char* unit) {
    return limits.has_max ? fmt::format("{} to {}", limits.min, counted(limits.max, unit))
                          : counted(limits.min, unit) + " or more";
}

std::string global_text(const wasm::GlobalType& global) {
    return fmt::format("{}{}", global.is_mutable ? "mut " : "", name_of(global.type));
}

const char* kind_text(ExternalKind kind) {
    constexpr const char* names[] = {"function", "table", "memory", "global"};
    return names[static_cast<std::size_t>(kind)];
}

std::string export_type(const Module& module, const wasm::Export& item) {
    switch (item.kind) {
    case ExternalKind::function:
        return to_text(module.types[module.functions[item.index]]);
    case ExternalKind::table:
        return limits_text(module.tables[item.index].limits, "element");
    case ExternalKind::memory:
        return limits_text(module.memories[item.index], "page");
    case ExternalKind::global:
        break;
    }
    return global_text(module.global_types[item.index]);
}

/// Sizes of a function that is not imported.
struct Sizes {
    std::uint32_t bytes = 0, instructions = 0, cells = 0;
};

Sizes sizes_of(const Program& program, std::uint32_t function) {
    const wasm::Body& body = program.module->bodies[function - program.module->imported_functions];
    const wasm::ProgramFunction& lowered = program.functions[function];
    return {body.end - body.begin, lowered.end - lowered.entry, lowered.cells};
}

Json as_json(const Program& program, const InspectOptions& options) {
    const Module& module = *program.module;
    Json imports = Json::array(), exports = Json::array(), functions = Json::array(),
         memories = Json::array(), tables = Json::array();
    for (const wasm::Import& import : module.imports)
        imports.push_back({{"module", import.module},
                           {"name", import.name},
                           {"kind", kind_text(import.kind)},
                           {"type", import_text(module, import)}});
    for (const wasm::Export& item : module.exports)
        exports.push_back({{"name", item.name},
                           {"kind", kind_text(item.kind)},
                           {"index", item.index},
                           {"type", export_type(module, item)}});
    const auto limits = [](const wasm::Limits& of) {
        return Json{{"min", of.min}, {"max", of.has_max ? Json(of.max) : Json()}};
    };
    for (const wasm::Limits& memory : module.memories) memories.push_back(limits(memory));
    for (const wasm::TableType& table : module.tables) tables.push_back(limits(table.limits));
    for (std::uint32_t i = module.imported_functions; i < module.functions.size(); ++i) {
        const Sizes sizes = sizes_of(program, i);
        functions.push_back({{"index", i},
                             {"name", function_name(module, i)},
                             {"type", to_text(module.types[module.functions[i]])},
                             {"bytes", sizes.bytes},
                             {"instructions", sizes.instructions},
                             {"cells", sizes.cells}});
    }
    return {{"file", options.file},
            {"bytes", module.bytes->size()},
            {"features", used_features(module)},
            {"claimed_features", wasm::claimed_features()},
            {"imports", std::move(imports)},
            {"exports", std::move(exports)},
            {"memories", std::move(memories)},
            {"tables", std::move(tables)},
            {"globals", module.global_types.size()},
            {"data_segments", module.data.size()},
            {"start", module.start ? Json(*module.start) : Json()},
            {"functions", std::move(functions)},
            {"program_instructions", program.code.size()}};
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

std::string overview(const Program& program, const InspectOptions& options) {
    const Module& module = *program.module;
    std::string text = fmt::format(
        "{}: {}, {} ({} imported), {}, {}; program of {}\n", printable(options.file),
        counted(module.bytes->size(), "byte"), counted(module.functions.size(), "function"),
        module.imported_functions, counted(module.global_types.size(), "global"),
        counted(module.data.size(), "data segment"), counted(program.code.size(), "instruction"));
    for (const wasm::Limits& memory : module.memories)
        text += "memory: " + limits_text(memory, "page") + "\n";
    for (const wasm::TableType& table : module.tables)
        text += fmt::format("table: {}, {}\n", name_of(table.element),
                            limits_text(table.limits, "element"));
    if (module.start)
        text += fmt::format("start: {}\n", printable(function_name(module, *module.start)));
    text += "features used: " + joined(used_features(module)) + "\n";
    if (!module.imports.empty()) {
        Table table({"<Import", "<Kind", "<Type"});
        for (const wasm::Import& import : module.imports)
            table.add({printable(import.module + "." + import.name), kind_text(import.kind),
                       import_text(module, import)});
        text += "\n" + table.text();
    }
    if (!module.exports.empty()) {
        Table table({"<Export", "<Kind", "Index", "<Type"});
        for (const wasm::Export& item : module.exports)
            table.add({printable(item.name), kind_text(item.kind), fmt::format("{}", item.index),
                       export_type(module, item)});
        text += "\n" + table.text();
    }
    Table table({"<Function", "Index", "Bytes", "Instructions", "Cells", "<Type"});
    for (std::uint32_t i = module.imported_functions; i < module.functions.size(); ++i) {
        const Sizes sizes = sizes_of(program, i);
        table.add({shortened(printable(function_name(module, i)), 48, 12), fmt::format("{}", i),
                   fmt::format("{}", sizes.bytes), fmt::format("{}", sizes.instructions),
                   fmt::format("{}", sizes.cells), to_text(module.types[module.functions[i]])});
    }
    return text + "\n" + table.text();
}

Result<int> inspect(InspectOptions& options) {
    // "--program FILE": the parser took the file for the function.
    if (options.file.empty()) std::swap(options.file, options.function);
    if (options.features && options.file.empty()) {
        // What the engine supports, without a module.
        print(options.json
                  ? Json{{"claimed_features", wasm::claimed_features()}}.dump(2) + "\n"
                  : "supported beyond WebAssembly 1.0: " + joined(wasm::claimed_features()) + "\n");
        return 0;
    }
    if (options.file.empty())
        return Error{ErrorCode::wrong_usage, "wasm inspect: expected a FILE, found none"};
    const auto program = open_program(options.file);
    if (!program) return program.error();
    const Module& module = *(*program)->module;
    std::string lowered;
    if (!options.function.empty()) {
        const std::optional<std::uint32_t> function = find_function(module, options.function);
        if (!function)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected a function's name or index below {}, found "
                                     "\"{}\"",
                                     options.file, module.functions.size(), options.function)};
        lowered = wasm::print(**program, *function);
    } else if (options.program->count() > 0) {
        lowered = wasm::print(**program);
    }
    if (options.json) {
        Json document = as_json(**program, options);
        if (!lowered.empty()) document["program"] = lowered;
        print(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else if (!lowered.empty()) {
        print(lowered);
    } else if (options.features) {
        print(fmt::format("used: {}\nsupported beyond WebAssembly 1.0: {}\n",
                          joined(used_features(module)), joined(wasm::claimed_features())));
    } else {
        print(overview(**program, options));
    }
    return 0;
}

} // namespace

std::string import_text(const wasm::Module& module, const wasm::Import& import) {
    switch (import.kind) {
    case ExternalKind::function:
        return to_text(module.types[import.type]);
    case ExternalKind::table:
        return fmt::format("{}, {}", name_of(import.table.element),
                           limits_text(import.table.limits, "element"));
    case ExternalKind::memory:
        return limits_text(import.memory, "page");
    case ExternalKind::global:
        break;
    }
    return global_text(import.global);
}

Command add_wasm_inspect(CLI::App& group) {
    auto options = std::make_shared<InspectOptions>();
    CLI::App* command = group.add_subcommand(
        "inspect",
        "Show imports, exports, memories, functions with sizes, and the lowered program");
    command->add_option("FILE", options->file, "Module in binary format")->type_name("");
    command->add_flag(
        "--features", options->features,
        "Features that the module uses and those supported (without FILE: supported)");
    options->program =
        command
            ->add_option("--program", options->function,
                         "Show the lowered program of a function (by name or index) or of all")
            ->expected(0, 1)
            ->default_str("")
            ->type_name("[FUNCTION]");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer("Example: blockloom-cli wasm inspect contract.wasm --program __execute");
    return {command, [options](const Context&) { return inspect(*options); }};
}

} // namespace blockloom::cli
