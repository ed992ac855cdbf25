#include "child_process.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace blockloom::cli {
namespace {

/// Both ends are closed on every path.
struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    void close_end(std::size_t end) {
        if (ends[end] >= 0) ::close(ends[end]);
        ends[end] = -1;
    }
};

struct SpawnSettings {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    SpawnSettings() {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&files);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
    }
};

Error failed(const std::filesystem::path& program, int error) {
    return {ErrorCode::system,
            fmt::format("{}: cannot run: {}", program.string(), std::strerror(error))};
}

} // namespace

Result<int> run_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                        const std::stop_token& stop, std::string* captured) {
    arguments.insert(arguments.begin(), program.string());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    SpawnSettings settings;
    sigset_t
        none; // SIGINT and SIGTERM are blocked here for a thread of our own; the child needs them
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&settings.attributes, &none);
    sigset_t pipes; // and the child expects SIGPIPE when its reader has closed
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawnattr_setsigdefault(&settings.attributes, &pipes);
    posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    Pipe pipe;
    if (captured != nullptr) {
        if (::pipe2(pipe.ends.data(), O_CLOEXEC) != 0) return failed(program, errno);
        posix_spawn_file_actions_adddup2(&settings.files, pipe.ends[1], STDOUT_FILENO);
    }
    pid_t child = 0;
    if (const int error = posix_spawn(&child, program.c_str(), &settings.files,
                                      &settings.attributes, argv.data(), environ);
        error != 0)
        return failed(program, error);
    pipe.close_end(1);

    int status = 0;
    {
        const std::stop_callback end(stop, [child] { ::kill(child, SIGTERM); });
        std::array<char, 65536> buffer;
        for (ssize_t size = 1; captured != nullptr && size != 0;) {
            size = ::read(pipe.ends[0], buffer.data(), buffer.size());
            if (size < 0 && errno != EINTR) break;
            if (size > 0) captured->append(buffer.data(), static_cast<std::size_t>(size));
        }
        while (::waitpid(child, &status, 0) < 0)
            if (errno != EINTR) return failed(program, errno);
    }
    if (stop.stop_requested()) return cancelled_error();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace blockloom::cli
