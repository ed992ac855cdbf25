// blockloom-cli bench: runs the project's benchmark programs in the build's folder bench.
#include "child_process.h"
#include "command.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace blockloom::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<fs::path> programs() {
    std::vector<fs::path> found;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    // libexec/blockloom/blockloom-cli-program
    const fs::path folder = self.parent_path().parent_path().parent_path() / "bench";
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file() && entry.path().filename().string().starts_with("bench_") &&
            ::access(entry.path().c_str(), X_OK) == 0)
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// What to run: programs, and their pattern.
struct Choice {
    std::vector<fs::path> programs;
    std::vector<std::string> arguments;
};

/// FILTER is the name of a program ("colouring"), or a pattern over the names of benchmarks; then
/// only programs with a match are run.
Result<Choice> choose(const std::string& filter, const std::stop_token& stop) {
    const auto all = programs();
    if (all.empty())
        return Error{ErrorCode::unavailable,
                     "no benchmark programs next to this program: build them "
                     "with `cmake --build --preset release`"};
    Choice choice;
    for (const fs::path& program : all)
        if (filter.empty() || program.filename() == "bench_" + filter)
            choice.programs.push_back(program);
    if (!choice.programs.empty()) return choice;
    choice.arguments.push_back("--benchmark_filter=" + filter);
    for (const fs::path& program : all) {
        std::string names;
        const auto listed = run_program(
            program, {choice.arguments.front(), "--benchmark_list_tests=true"}, stop, &names);
        if (!listed) return listed.error();
        if (*listed == 0 && !names.empty()) choice.programs.push_back(program);
    }
    if (choice.programs.empty())
        return Error{ErrorCode::wrong_usage,
                     fmt::format("bench: no program and no benchmark matches \"{}\"", filter)};
    return choice;
}

Result<int> bench(const std::string& filter, bool json, const Context& context) {
    auto choice = choose(filter, context.stop);
    if (!choice) return choice.error();
    if (json) choice->arguments.emplace_back("--benchmark_format=json");

    int status = 0;
    Json documents = Json::array();
    for (const fs::path& program : choice->programs) {
        const std::string name = program.filename().string();
        spdlog::info("running {}", name);
        std::string text;
        const auto answer =
            run_program(program, choice->arguments, context.stop, json ? &text : nullptr);
        if (!answer) return answer;
        if (*answer != 0) {
            spdlog::error("{} ended with status {}", name, *answer);
            status = status_of(ErrorCode::verification);
        }
        if (!json) continue;
        Json document = Json::parse(text, nullptr, false);
        documents.push_back({{"program", name},
                             {"status", *answer},
                             {"result", document.is_discarded() ? Json() : std::move(document)}});
    }
    if (json) print(Json{{"programs", std::move(documents)}}.dump(2) + "\n");
    return status;
}

} // namespace

Command add_bench(CLI::App& app) {
    struct Options {
        std::string filter;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "bench", "Run the project's benchmarks, each beside the library it is compared with");
    command
        ->add_option(
            "FILTER", options->filter,
            "A program (chain, conflict, colouring, …) or a pattern over names of benchmarks")
        ->type_name("");
    command->add_flag("--json", options->json,
                      "One JSON document with each program's results on standard output");
    command->footer(
        "Example: blockloom-cli bench colouring\n"
        "Needs the folder bench/ of the build. Keep the machine otherwise idle while it runs.");
    return {command, [options](const Context& context) {
                return bench(options->filter, options->json, context);
            }};
}

} // namespace blockloom::cli
