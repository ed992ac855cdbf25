#include "interrupt.h"

#include "base/contain.h"
#include "standard_streams.h"

#include <csignal>
#include <ctime>
#include <unistd.h>

namespace blockloom::cli {
namespace {

constexpr int cancelled_status = 130;

sigset_t watched() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGUSR1); // the end of main
    return set;
}

/// Before the constructors of the libraries (a compiler, a database) have run there is nothing to
/// close; the process must only end with the exit status of a cancelled command.
void leave_early(int) {
    ::_exit(cancelled_status);
}

/// The launcher blocked the signals. They are handled whatever was inherited, as sigwait() does
/// later.
void take_early_signals(int, char**, char**) {
    sigset_t taken;
    sigemptyset(&taken);
    for (const int signal : {SIGINT, SIGTERM}) {
        std::signal(signal, leave_early);
        sigaddset(&taken, signal);
    }
    pthread_sigmask(SIG_UNBLOCK, &taken, nullptr);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*first_of_all)(int, char**,
                                                                   char**) = take_early_signals;

/// Output to a reader that does not read may block forever; nothing else does.
void leave_if_output_waits(const sigset_t& set) {
    if (!output_waits()) return;
    constexpr timespec grace{1, 0};
    (void)::sigtimedwait(&set, nullptr, &grace); // another signal, or one second has passed
    if (output_waits()) ::_exit(cancelled_status);
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t set = watched();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = start_thread([this, set](const std::stop_token& done) {
        while (!done.stop_requested()) {
            int signal = 0;
            if (sigwait(&set, &signal) != 0 || signal == SIGUSR1) continue;
            if (source_.stop_requested()) ::_exit(cancelled_status);
            source_.request_stop();
            leave_if_output_waits(set);
        }
    });
}

Interrupt::~Interrupt() {
    watcher_.request_stop();
    pthread_kill(watcher_.native_handle(), SIGUSR1);
}

} // namespace blockloom::cli
