// SIGINT and SIGTERM request a stop; a second one ends the process at once.
#pragma once

#include <stop_token>
#include <thread>

namespace blockloom::cli {

/// To be created first in main, before any thread: it blocks the signals for all threads and
/// handles them in its own thread.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watcher_;
};

} // namespace blockloom::cli
