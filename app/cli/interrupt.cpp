#include "interrupt.h"

#include "base/contain.h"

#include <csignal>
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
        }
    });
}

Interrupt::~Interrupt() {
    watcher_.request_stop();
    pthread_kill(watcher_.native_handle(), SIGUSR1);
}

} // namespace blockloom::cli
