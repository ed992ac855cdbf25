// Launcher of blockloom-cli: blocks SIGINT and SIGTERM, then executes the program.
//
// The loader spends milliseconds on the program's libraries (among them a compiler's) before any of
// our code runs, and a signal in that time would end the process. A signal mask survives exec, so
// signals stay pending until the program handles them (cli/interrupt.cpp). This launcher is linked
// statically: nothing is loaded before it. The C library's own initialisation before main can also
// take milliseconds on a busy machine, so on x86-64 the very first instructions (the linker's
// entry, app/CMakeLists.txt) block the signals; on other processors main does.
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <string_view>
#include <unistd.h>

#ifdef __x86_64__
// rt_sigprocmask(SIG_BLOCK, {SIGINT, SIGTERM}, nullptr, 8), the set on the stack; then the C
// library's own entry, with the stack and rdx as they were.
static_assert(SIGINT == 2 && SIGTERM == 15 && SIG_BLOCK == 0);
asm(R"(
    .globl blockloom_entry
blockloom_entry:
    mov %rdx, %rbx
    pushq $0x4002
    mov $14, %eax
    xor %edi, %edi
    mov %rsp, %rsi
    xor %edx, %edx
    mov $8, %r10d
    syscall
    pop %rax
    mov %rbx, %rdx
    jmp _start
)");
#endif

namespace {

constexpr int system_failure = 3; // status_of(ErrorCode::system)

void say(std::string_view text) {
    (void)!::write(STDERR_FILENO, text.data(), text.size());
}

int fail(std::string_view what, int error) {
    for (const std::string_view part :
         {std::string_view("blockloom-cli: error: "), what,
          std::string_view(": cannot start the program: "), std::string_view(std::strerror(error)),
          std::string_view("\n")})
        say(part);
    return system_failure;
}

} // namespace

int main(int /*argc*/, char** argv, char** environment) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &held, nullptr);

    // In the build tree, where it is installed, and in the bundle (packaging).
    constexpr std::string_view program = "/../libexec/blockloom/blockloom-cli-program";
    char path[PATH_MAX + program.size() + 1] = {};
    if (::readlink("/proc/self/exe", path, PATH_MAX) < 0) return fail("/proc/self/exe", errno);
    std::memcpy(std::strrchr(path, '/'), program.data(), program.size() + 1);
    ::execve(path, argv, environment);
    return fail(path, errno);
}
