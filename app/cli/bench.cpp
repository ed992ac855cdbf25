// blockloom-cli bench: runs the project's benchmark programs, which lie beside the binary's folder.
#include "command.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace blockloom::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> programs() {
    std::vector<fs::path> found;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = self.parent_path().parent_path() / "bench";
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file() && entry.path().filename().string().starts_with("bench_") &&
            ::access(entry.path().c_str(), X_OK) == 0)
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// Runs a program with standard output and error passed on, the signals unblocked again. Its exit
/// status, or an error.
Result<int> run(const fs::path& program, std::vector<std::string> arguments,
                const Context& context) {
    arguments.insert(arguments.begin(), program.string());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, program.c_str(), nullptr, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return Error{ErrorCode::system,
                     fmt::format("{}: cannot run: {}", program.string(), std::strerror(failed))};

    const std::stop_callback end(context.stop, [child] { ::kill(child, SIGTERM); });
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return Error{ErrorCode::system, fmt::format("{}: lost", program.string())};
    if (context.stop.stop_requested()) return cancelled_error();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<int> bench(const std::string& filter, bool json, const Context& context) {
    const auto all = programs();
    if (all.empty())
        return Error{ErrorCode::unavailable, "no benchmark programs beside this binary: build them "
                                             "with `cmake --build --preset release`"};
    // FILTER names programs ("colouring"), or else is a pattern over the benchmarks' names.
    std::vector<fs::path> chosen;
    for (const fs::path& program : all)
        if (filter.empty() || program.filename() == "bench_" + filter) chosen.push_back(program);
    std::vector<std::string> arguments;
    if (chosen.empty()) {
        chosen = all;
        arguments.push_back("--benchmark_filter=" + filter);
    }
    if (json) arguments.emplace_back("--benchmark_format=json");

    int status = 0;
    for (const fs::path& program : chosen) {
        spdlog::info("runs {}", program.filename().string());
        const auto answer = run(program, arguments, context);
        if (!answer) return answer;
        // A program without a match for the pattern says so on standard error and ends with 0.
        if (*answer != 0) {
            spdlog::error("{} ended with status {}", program.filename().string(), *answer);
            status = status_of(ErrorCode::verification);
        }
    }
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
        "bench", "The project's benchmarks, with the peer each is measured against");
    command
        ->add_option("FILTER", options->filter,
                     "A program (chain, conflict, colouring …) or a pattern over names")
        ->type_name("");
    command->add_flag("--json", options->json, "Google Benchmark's JSON, one document a program");
    command->footer(
        "Example: blockloom-cli bench colouring\n"
        "Needs the build's bench/ folder; nothing else may load the machine meanwhile.");
    return {command, [options](const Context& context) {
                return bench(options->filter, options->json, context);
            }};
}

} // namespace blockloom::cli
