#include "session/starvation.h"

#include "session/shortage.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace blockloom::ui {
namespace {

thread_local bool of_window = false;

void on_no_memory() {
    if (of_window && !memory_left()) end_starved();
    throw std::bad_alloc();
}

void on_crash(int signal) {
    if (shortage_noted() || !memory_left()) end_starved();
    std::signal(signal, SIG_DFL);
    (void)::raise(signal);
}

} // namespace

bool memory_left() noexcept {
    constexpr std::size_t some = std::size_t{16} << 20;
    void* const piece =
        ::mmap(nullptr, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return false;
    (void)::munmap(piece, some);
    return true;
}

void end_starved() noexcept {
    constexpr char words[] =
        "blockloom: stopped because the system refused memory or a thread; raise the limits "
        "(ulimit -v, -u). The next start restores the saved session\n";
    (void)!::write(STDERR_FILENO, words, sizeof words - 1);
    std::_Exit(refused_status);
}

void end_where_starved() noexcept {
    of_window = true;
    std::set_new_handler(on_no_memory);
    static std::array<char, 1U << 16U> stack; // a crash may be the end of the thread's own
    stack_t own{};
    own.ss_sp = stack.data();
    own.ss_size = stack.size();
    (void)::sigaltstack(&own, nullptr);
    struct sigaction action {};
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP})
        (void)::sigaction(signal, &action, nullptr);
}

} // namespace blockloom::ui
