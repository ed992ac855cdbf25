// blockloom-cli wasm run: runs one function, with fuel, steps and a profile.
#include "base/file.h"
#include "base/number_text.h"
#include "native/runner.h"
#include "terminal.h"
#include "wasm.h"
#include "wasm/function_name.h"
#include "wasm/instantiate.h"
#include "wasm/numeric.h"
#include "wasm/run.h"
#include "wasm_profile.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;
using wasm::Cell;
using wasm::ValueType;

struct RunOptions {
    std::string file, invoke, engine, profile_out, folded;
    std::vector<std::string> arguments;
    std::uint64_t fuel = 0;
    CLI::Option* fuel_given = nullptr;
    std::string fuel_rule = "counted";
    bool profile = false, json = false;
};

template <typename Number> std::optional<Number> number_of(std::string_view text, int base) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <typename Float> std::optional<Cell> float_cell(std::string_view text) {
    Float value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return wasm::cell_of(value);
}

/// Decimal with or without a sign, or 0x and hexadecimal digits; in the signed or unsigned range.
std::optional<Cell> integer_cell(std::string_view text, unsigned bits) {
    const std::uint64_t most = bits == 32 ? 0xffff'ffff : ~std::uint64_t{0};
    if (text.substr(0, 2) == "0x") {
        const auto value = number_of<std::uint64_t>(text.substr(2), 16);
        return value && *value <= most ? value : std::nullopt;
    }
    if (text.substr(0, 1) == "-") {
        const auto value = number_of<std::int64_t>(text, 10);
        if (!value || (bits == 32 && *value < INT32_MIN)) return std::nullopt;
        return static_cast<std::uint64_t>(*value) & most;
    }
    const auto value = number_of<std::uint64_t>(text, 10);
    return value && *value <= most ? value : std::nullopt;
}

std::optional<Cell> cell_of_text(ValueType type, const std::string& text) {
    switch (type) {
    case ValueType::i32:
        return integer_cell(text, 32);
    case ValueType::i64:
        return integer_cell(text, 64);
    case ValueType::f32:
        return float_cell<float>(text);
    case ValueType::f64:
        return float_cell<double>(text);
    case ValueType::funcref:
    case ValueType::externref:
        break;
    }
    return text == "null" ? std::optional<Cell>(0) : std::nullopt;
}

std::string text_of_cell(ValueType type, Cell cell) {
    switch (type) {
    case ValueType::i32:
        return fmt::format("{}", static_cast<std::int32_t>(cell));
    case ValueType::i64:
        return fmt::format("{}", static_cast<std::int64_t>(cell));
    case ValueType::f32:
        return fmt::format("{}", wasm::float_of<float>(cell));
    case ValueType::f64:
        return fmt::format("{}", wasm::float_of<double>(cell));
    case ValueType::funcref:
    case ValueType::externref:
        break;
    }
    return cell == 0 ? "null" : "reference";
}

Result<std::vector<Cell>> arguments_of(const RunOptions& options, const wasm::FunctionType& type) {
    if (options.arguments.size() != type.parameters.size())
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected {} arguments for {}, found {}", options.invoke,
                                 type.parameters.size(), to_text(type), options.arguments.size())};
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < type.parameters.size(); ++i) {
        const auto cell = cell_of_text(type.parameters[i], options.arguments[i]);
        if (!cell)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: argument {}: expected a value of type {}, found \"{}\"",
                                     options.invoke, i + 1, name_of(type.parameters[i]),
                                     options.arguments[i])};
        cells.push_back(*cell);
    }
    return cells;
}

/// An error that lists the imports of a module: `run` has none.
Status without_imports(const wasm::Module& module, const std::string& file) {
    constexpr std::size_t most_named = 12;
    if (module.imports.empty()) return {};
    std::string names;
    for (std::size_t i = 0; i < std::min(most_named, module.imports.size()); ++i)
        names += fmt::format("{}{}.{}: {}", i == 0 ? "" : ", ", module.imports[i].module,
                             module.imports[i].name, import_text(module, module.imports[i]));
    if (module.imports.size() > most_named)
        names += fmt::format(" and {} more", module.imports.size() - most_named);
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: expected a module without imports, found {}: {}", file,
                             module.imports.size(), names)};
}

/// A run of one function, as it is reported.
struct FunctionRun {
    const wasm::Module& module;
    const wasm::FunctionType& type;
    const wasm::RunResult& result;
    const report::Profile* profile = nullptr; ///< null: not requested
    std::size_t pages_touched = 0;
    std::uint32_t pages_final = 0;
};

Json as_json(const FunctionRun& ran, const RunOptions& options) {
    const bool trapped = ran.result.outcome == wasm::Outcome::trapped;
    Json results = Json::array(), trap;
    for (std::size_t i = 0; i < ran.result.results.size(); ++i)
        results.push_back({{"type", name_of(ran.type.results[i])},
                           {"value", text_of_cell(ran.type.results[i], ran.result.results[i])}});
    if (trapped)
        trap = {{"kind", name_of(ran.result.trap.kind)},
                {"function", ran.result.trap.function},
                {"name", function_name(ran.module, ran.result.trap.function)},
                {"offset", ran.result.trap.offset},
                {"text", ran.result.trap.text}};
    Json document{{"file", options.file},
                  {"function", options.invoke},
                  {"engine", options.engine},
                  {"fuel_rule", options.fuel_rule},
                  {"outcome", trapped ? "trapped" : "returned"},
                  {"results", std::move(results)},
                  {"trap", std::move(trap)},
                  {"fuel_used", ran.result.fuel_used},
                  {"steps", ran.result.steps},
                  {"pages", {{"touched", ran.pages_touched}, {"final", ran.pages_final}}}};
    if (ran.profile != nullptr) document["profile"] = Json::parse(profile_json(*ran.profile));
    return document;
}

std::string as_text(const FunctionRun& ran, const RunOptions& options) {
    std::string text;
    for (std::size_t i = 0; i < ran.result.results.size(); ++i)
        text += fmt::format("{}: {}\n", name_of(ran.type.results[i]),
                            text_of_cell(ran.type.results[i], ran.result.results[i]));
    if (ran.result.outcome == wasm::Outcome::trapped)
        text += "trap: " + printable(trap_text(ran.module, ran.result.trap)) + "\n";
    text +=
        fmt::format("fuel used {}, steps {}; {} of 4 KiB touched, {} of 64 KiB at the end\n",
                    count_text(ran.result.fuel_used), count_text(ran.result.steps),
                    counted(ran.pages_touched, "memory page"), counted(ran.pages_final, "page"));
    if (options.profile && ran.profile != nullptr) text += "\n" + profile_table(*ran.profile);
    return text;
}

Status write_profile(const report::Profile& profile, const RunOptions& options) {
    if (!options.profile_out.empty())
        if (Status written = write_file(options.profile_out, as_bytes(profile_json(profile)));
            !written)
            return written;
    if (options.folded.empty()) return {};
    return write_file(options.folded, as_bytes(folded_stacks(profile)));
}

Result<int> run(const RunOptions& options, const Context& context) {
    const auto program =
        open_program(options.file, options.fuel_rule == "exact" ? wasm::FuelRule::exact
                                                                : wasm::FuelRule::counted);
    if (!program) return program.error();
    const wasm::Module& module = *(*program)->module;
    const std::optional<std::uint32_t> function = find_function(module, options.invoke);
    if (!function)
        return Error{ErrorCode::wrong_usage, fmt::format("{}: expected a function, found \"{}\"",
                                                         options.file, options.invoke)};
    const wasm::FunctionType& type = module.types[module.functions[*function]];
    const auto arguments = arguments_of(options, type);
    if (!arguments) return arguments.error();
    if (const Status alone = without_imports(module, options.file); !alone) return alone.error();

    auto made = wasm::instantiate(*program, {});
    if (const auto* error = std::get_if<wasm::LinkError>(&made))
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: cannot be instantiated: {}", options.file, error->text)};
    if (const auto* error = std::get_if<Error>(&made)) return *error;
    wasm::Instance& instance = *std::get<std::shared_ptr<wasm::Instance>>(made);
    wasm::Interpreter interpreter(instance);
    std::vector<wasm::FunctionProfile> functions;
    const bool profiled =
        options.profile || !options.folded.empty() || !options.profile_out.empty();
    if (profiled) interpreter.set_profile(&functions);
    wasm::RunLimits limits;
    if (options.fuel_given->count() > 0) limits.fuel = options.fuel;
    limits.stop = context.stop;
    if (profiled && options.engine == native_engine)
        return Error{ErrorCode::wrong_usage,
                     "--profile, --profile-out, --folded: expected --engine interpreter"};
    const auto ended = options.engine == native_engine
                           ? native::run(instance, *function, *arguments, limits)
                           : interpreter.invoke(*function, *arguments, limits);
    if (!ended && ended.error().code != ErrorCode::unavailable)
        return Error{ended.error().code,
                     fmt::format("{}: {}", options.file, ended.error().message)};
    if (!ended)
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: ejected: {}", options.file, ended.error().message)};
    const wasm::RunResult& result = *ended;
    if (result.trap.kind == wasm::TrapKind::cancelled)
        return Error{ErrorCode::cancelled, "cancelled"};
    std::optional<report::Profile> profile;
    if (profiled) {
        profile = make_profile({**program, *function, result, functions, interpreter.call_tree()},
                               options.file);
        if (const Status written = write_profile(*profile, options); !written)
            return written.error();
    }
    const auto memory = instance.memory();
    const FunctionRun ran{module,
                          type,
                          result,
                          profile ? &*profile : nullptr,
                          memory ? memory->touched_pages() : 0,
                          memory ? memory->pages() : 0};
    if (options.json)
        print(as_json(ran, options).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    else
        print(as_text(ran, options));
    return 0;
}

} // namespace

Command add_wasm_run(CLI::App& group) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = group.add_subcommand("run", "Call a function of a module without imports");
    command->add_option("FILE", options->file, "Module in binary format")
        ->required()
        ->type_name("");
    command
        ->add_option("ARG", options->arguments,
                     "Arguments; integers in decimal or 0x form; write -- before negative ones")
        ->default_str("")
        ->type_name("");
    command
        ->add_option("--invoke", options->invoke,
                     "Function to call: export name, function name or index")
        ->required()
        ->type_name("NAME");
    options->fuel_given =
        command->add_option("--fuel", options->fuel, "Fuel limit [none]")->default_str("");
    command
        ->add_option(
            "--fuel-rule", options->fuel_rule,
            "Fuel by number of instructions (counted), or as wasmi 0.37.2 meters it (exact; "
            "derived, docs/fuel.md)")
        ->check(CLI::IsMember({"counted", "exact"}));
    add_engine(*command, options->engine);
    command->add_flag("--profile", options->profile,
                      "Print the calls, self fuel and total fuel of each function");
    command
        ->add_option("--profile-out", options->profile_out,
                     "Write the profile as JSON, which `report` draws as a flame graph")
        ->type_name("FILE");
    command
        ->add_option("--folded", options->folded,
                     "Write the stacks as lines \"a;b;c fuel\" for other flame graph programs")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer(
        "Example: blockloom-cli wasm run fib.wasm --invoke fib 30 --profile-out fib.json\n"
        "         blockloom-cli report fib.json -o fib.html\n"
        "A trap is a result: exit status 0, and \"outcome\" in --json names it. Exit status 3 for "
        "a malformed module, 4 for one with unsupported features.");
    return {command, [options](const Context& context) { return run(*options, context); }};
}

} // namespace blockloom::cli
