// blockloom-cli as it is started: holds SIGINT and SIGTERM back and becomes the program.
//
// The loader maps and relocates the program's libraries (a compiler's among them) for milliseconds
// before any code of ours can run, and a signal in that time would end the process. A mask survives
// exec, so what arrives meanwhile waits until the program takes its signals (cli/interrupt.cpp).
// This launcher is linked statically: nothing is loaded before it. The C library initialises itself
// before main, which a busy machine stretches to milliseconds, so on x86-64 the first instructions
// of all (the linker's entry, app/CMakeLists.txt) hold the signals back; main does it elsewhere.
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
