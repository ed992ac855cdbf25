// blockloom-cli wasm: inspects and runs modules, runs the specification's test scripts, and shows
// the machine code that is kept.
#include "wasm.h"

#include "base/file.h"
#include "compute/selection.h"
#include "gpuvm/runner.h"
#include "native/kept_code.h"
#include "native/runner.h"
#include "runs/contract_code_json.h"
#include "script_code.h"
#include "simt/lane_machine.h"
#include "terminal.h"
#include "wasm/features.h"
#include "wasm/spec_script.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {

Result<std::shared_ptr<const wasm::Program>> open_program(const std::string& file,
                                                          wasm::FuelRule fuel) {
    auto content = FileContent::read(file);
    if (!content) return content.error();
    auto module = wasm::load_module({content->bytes().begin(), content->bytes().end()}, file);
    if (!module) return module.error();
    auto program = wasm::lower(*module, fuel);
    if (program && !(*program)->fuel_doubt.empty())
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: exact fuel is uncertain: {}", file, (*program)->fuel_doubt)};
    return program;
}

std::optional<std::uint32_t> find_function(const wasm::Module& module, const std::string& name) {
    for (const wasm::Export& item : module.exports)
        if (item.kind == wasm::ExternalKind::function && item.name == name) return item.index;
    for (std::size_t i = 0; i < module.function_names.size(); ++i)
        if (!name.empty() && module.function_names[i] == name) return static_cast<std::uint32_t>(i);
    std::uint32_t index = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, index);
    if (error == std::errc{} && stop == end && index < module.functions.size()) return index;
    return std::nullopt;
}

void add_engine(CLI::App& command, std::string& engine) {
    engine = "interpreter";
    command.add_option("--engine", engine, "Engine: interpreter, or native (compiled with LLVM)")
        ->check(CLI::IsMember({"interpreter", native_engine}))
        ->type_name("NAME");
}

namespace {

using Json = nlohmann::ordered_json;

struct SpectestOptions {
    std::string file;
    std::string engine, backend;
    std::uint64_t steps = wasm::ScriptOptions{}.steps;
    bool json = false;
};

Result<int> spectest(const SpectestOptions& options, const Context& context) {
    wasm::ScriptOptions script;
    script.steps = options.steps;
    script.stop = context.stop;
    if (options.engine == native_engine) {
        native::keep_code_in(nullptr); // a test of the compiler, not of what it once made
        script.engine = native::run;
    }
    std::unique_ptr<ScriptCode> device;
    if (options.backend != "cpu" && !options.backend.empty()) {
        auto settings = compute::read_settings();
        if (!settings) return settings.error();
        settings->backend.choose(options.backend, "--backend");
        auto opened = compute::open_provider(*settings);
        if (!opened) return opened.error();
        auto machine = simt::machine_for(opened->provider, gpuvm::Runner::single_calls());
        if (!machine) return machine.error();
        device = std::make_unique<ScriptCode>(*std::move(machine), options.backend != "vulkan");
        script.engine = [&device](wasm::Instance& instance, std::uint32_t function,
                                  std::span<const wasm::Cell> arguments,
                                  const wasm::RunLimits& limits) {
            return device->run(instance, function, arguments, limits);
        };
    }
    const auto result = wasm::run_spec_script(options.file, script);
    if (!result) return result.error();
    if (context.stop.stop_requested()) return Error{ErrorCode::cancelled, "cancelled"};
    if (options.json) {
        Json failures = Json::array();
        for (const wasm::ScriptFailure& failure : result->failures)
            failures.push_back(
                {{"file", failure.file}, {"line", failure.line}, {"what", failure.what}});
        const Json document{{"file", options.file},
                            {"engine", device ? options.backend : options.engine},
                            {"passed", result->passed},
                            {"failed", result->failed},
                            {"skipped", result->skipped},
                            {"ejected", result->ejected},
                            {"ejections", result->ejections},
                            {"failures", std::move(failures)},
                            {"device_code", device ? runs::code_json(device->all()) : Json()}};
        print(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
        std::string text = fmt::format("{} passed, {} failed, {} skipped\n", result->passed,
                                       result->failed, result->skipped);
        if (result->ejected > 0) text += fmt::format("{} ejected\n", result->ejected);
        for (const auto& [why, count] : result->ejections)
            text += fmt::format("  {}: {}\n", why, count);
        for (const wasm::ScriptFailure& failure : result->failures)
            text += fmt::format("{}:{}: {}\n", printable(failure.file), failure.line,
                                printable(failure.what));
        if (result->failed > result->failures.size())
            text += fmt::format("and {} more\n", result->failed - result->failures.size());
        print(text);
    }
    if (result->failed > 0) return 1;
    return result->ejected == 0 ? 0 : status_of(ErrorCode::unavailable);
}

} // namespace

Command add_wasm_spectest(CLI::App& group) {
    auto options = std::make_shared<SpectestOptions>();
    CLI::App* command = group.add_subcommand(
        "spectest", "Run a test script of the specification, converted by wast2json");
    command->add_option("FILE", options->file, "JSON that wast2json made from a .wast script")
        ->required()
        ->type_name("");
    add_engine(*command, options->engine);
    command
        ->add_option(
            "--backend", options->backend,
            "Where calls run: cpu, or a device: vulkan, cuda; simt: as cuda, on the processor")
        ->check(CLI::IsMember({"cpu", "vulkan", "cuda", "simt"}))
        ->type_name("NAME");
    command->add_option("--steps", options->steps, "Maximum number of instructions per call");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer(
        "Example: wast2json i32.wast -o i32.json && blockloom-cli wasm spectest i32.json\n"
        "Exit status: 1 if a test fails, 4 if the engine or device cannot run one. Skipped: text "
        "modules, "
        "and features that `wasm inspect --features` does not list.");
    return {command, [options](const Context& context) { return spectest(*options, context); }};
}

Command add_wasm(CLI::App& app) {
    CLI::App* group =
        app.add_subcommand("wasm", "WebAssembly modules: inspect, run, spectest, cache");
    group->require_subcommand(1);
    group->footer("Example: blockloom-cli wasm inspect contract.wasm");
    const auto commands = std::make_shared<std::vector<Command>>();
    commands->push_back(add_wasm_inspect(*group));
    commands->push_back(add_wasm_run(*group));
    commands->push_back(add_wasm_spectest(*group));
    commands->push_back(add_wasm_cache(*group));
    return {group, [commands](const Context& context) -> Result<int> {
                for (const Command& command : *commands)
                    if (command.parser->parsed()) return command.run(context);
                return status_of(ErrorCode::wrong_usage);
            }};
}

} // namespace blockloom::cli
