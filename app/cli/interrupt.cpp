#include "interrupt.h"

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
    return set;
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t set = watched();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread([this, set](const std::stop_token& done) {
        // A wait with a limit, so that the end of main ends the thread too.
        const timespec limit{0, 50'000'000};
        while (!done.stop_requested()) {
            if (sigtimedwait(&set, nullptr, &limit) < 0) continue;
            if (source_.stop_requested()) ::_exit(cancelled_status);
            source_.request_stop();
        }
    });
}

Interrupt::~Interrupt() = default;

} // namespace blockloom::cli
