// blockloom-cli wasm run: one exported function on the interpreter, with fuel, steps and a profile.
#include "base/file.h"
#include "terminal.h"
#include "wasm.h"
#include "wasm/numeric.h"
#include "wasm/run.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;
using wasm::Cell;
using wasm::ValueType;

struct RunOptions {
    std::string file, invoke, folded;
    std::vector<std::string> arguments;
    std::uint64_t fuel = 0;
    CLI::Option* fuel_given = nullptr;
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

/// Decimal with a sign or without, or 0x and hexadecimal digits; in the range of either signedness.
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

/// Functions that were called, the most own steps first.
std::vector<std::uint32_t> called(const std::vector<wasm::FunctionProfile>& profile) {
    std::vector<std::uint32_t> order(profile.size());
    std::iota(order.begin(), order.end(), 0u);
    std::erase_if(order, [&](std::uint32_t i) { return profile[i].calls == 0; });
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return profile[a].self_steps > profile[b].self_steps;
    });
    return order;
}

/// What there is to tell of a run.
struct Told {
    const wasm::Module& module;
    const wasm::FunctionType& type;
    const wasm::RunResult& result;
    const std::vector<wasm::FunctionProfile>& profile;
    std::size_t pages_touched = 0;
    std::uint32_t pages_final = 0;
};

Json as_json(const Told& told, const RunOptions& options) {
    const bool trapped = told.result.outcome == wasm::Outcome::trapped;
    Json results = Json::array(), profile = Json::array(), trap;
    for (std::size_t i = 0; i < told.result.results.size(); ++i)
        results.push_back({{"type", name_of(told.type.results[i])},
                           {"value", text_of_cell(told.type.results[i], told.result.results[i])}});
    for (const std::uint32_t i : called(told.profile))
        profile.push_back({{"function", i},
                           {"name", function_name(told.module, i)},
                           {"calls", told.profile[i].calls},
                           {"self_steps", told.profile[i].self_steps},
                           {"total_steps", told.profile[i].total_steps}});
    if (trapped)
        trap = {{"kind", name_of(told.result.trap.kind)},
                {"function", told.result.trap.function},
                {"offset", told.result.trap.offset},
                {"text", told.result.trap.text}};
    Json document{{"file", options.file},
                  {"function", options.invoke},
                  {"engine", "interpreter"},
                  {"outcome", trapped ? "trapped" : "returned"},
                  {"results", std::move(results)},
                  {"trap", std::move(trap)},
                  {"fuel_used", told.result.fuel_used},
                  {"steps", told.result.steps},
                  {"pages", {{"touched", told.pages_touched}, {"final", told.pages_final}}}};
    if (options.profile) document["profile"] = std::move(profile);
    return document;
}

std::string as_text(const Told& told, const RunOptions& options) {
    std::string text;
    for (std::size_t i = 0; i < told.result.results.size(); ++i)
        text += fmt::format("{}: {}\n", name_of(told.type.results[i]),
                            text_of_cell(told.type.results[i], told.result.results[i]));
    if (told.result.outcome == wasm::Outcome::trapped)
        text += fmt::format("trap: {}{} in {} at offset {}\n", name_of(told.result.trap.kind),
                            told.result.trap.text.empty() ? "" : " (" + told.result.trap.text + ")",
                            printable(function_name(told.module, told.result.trap.function)),
                            told.result.trap.offset);
    text += fmt::format(
        "fuel used {}, steps {}; {} memory pages of 4 KiB touched, {} pages of 64 KiB in the end\n",
        told.result.fuel_used, told.result.steps, told.pages_touched, told.pages_final);
    if (options.profile) {
        Table table({"<Function", "Calls", "Own steps", "Total steps"});
        for (const std::uint32_t i : called(told.profile))
            table.add({printable(function_name(told.module, i)),
                       fmt::format("{}", told.profile[i].calls),
                       fmt::format("{}", told.profile[i].self_steps),
                       fmt::format("{}", told.profile[i].total_steps)});
        text += "\n" + table.text();
    }
    return text;
}

Status write_folded(const std::string& file, const wasm::Interpreter& interpreter) {
    std::string text;
    for (const std::string& line : interpreter.folded_stacks()) text += line + "\n";
    return write_file(file, as_bytes(text));
}

Result<int> run(const RunOptions& options, const Context& context) {
    const auto program = open_program(options.file);
    if (!program) return program.error();
    const wasm::Module& module = *(*program)->module;
    const std::optional<std::uint32_t> function = find_function(module, options.invoke);
    if (!function)
        return Error{ErrorCode::wrong_usage, fmt::format("{}: expected a function, found \"{}\"",
                                                         options.file, options.invoke)};
    const wasm::FunctionType& type = module.types[module.functions[*function]];
    const auto arguments = arguments_of(options, type);
    if (!arguments) return arguments.error();

    auto made = wasm::Instance::make(*program, {});
    if (const auto* error = std::get_if<wasm::LinkError>(&made))
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: cannot be instantiated: {}", options.file, error->text)};
    wasm::Instance& instance = *std::get<std::shared_ptr<wasm::Instance>>(made);
    wasm::Interpreter interpreter(instance);
    std::vector<wasm::FunctionProfile> profile;
    if (options.profile || !options.folded.empty()) interpreter.set_profile(&profile);
    wasm::RunLimits limits;
    if (options.fuel_given->count() > 0) limits.fuel = options.fuel;
    limits.stop = context.stop;
    const wasm::RunResult result = interpreter.invoke(*function, *arguments, limits);
    if (result.trap.kind == wasm::TrapKind::cancelled)
        return Error{ErrorCode::cancelled, "cancelled"};
    if (!options.folded.empty())
        if (const Status written = write_folded(options.folded, interpreter); !written)
            return written.error();
    const auto memory = instance.memory();
    const Told told{module,
                    type,
                    result,
                    profile,
                    memory ? memory->touched_pages() : 0,
                    memory ? memory->pages() : 0};
    if (options.json)
        print(as_json(told, options).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    else
        print(as_text(told, options));
    return 0;
}

} // namespace

Command add_wasm_run(CLI::App& group) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = group.add_subcommand("run", "Call a function of a module without imports");
    command->add_option("FILE", options->file, "Module in the binary format")
        ->required()
        ->type_name("");
    command
        ->add_option("ARG", options->arguments,
                     "Arguments: decimal or 0x for integers; put -- before negative ones")
        ->type_name("");
    command->add_option("--invoke", options->invoke, "Export's name, function's name or index")
        ->required()
        ->type_name("NAME");
    options->fuel_given =
        command->add_option("--fuel", options->fuel, "Fuel; without it there is no limit")
            ->default_str("");
    command->add_flag("--profile", options->profile, "Calls, own and total steps of each function");
    command->add_option("--folded", options->folded, "Writes stacks for a flame graph")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer("Example: blockloom-cli wasm run fib.wasm --invoke fib 30 --profile\n"
                    "A trap is an answer: exit status 0.");
    return {command, [options](const Context& context) { return run(*options, context); }};
}

} // namespace blockloom::cli
