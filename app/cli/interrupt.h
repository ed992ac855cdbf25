// SIGINT and SIGTERM ask the work to stop; a second one ends the process at once.
#pragma once

#include <stop_token>
#include <thread>

namespace blockloom::cli {

/// Made first in main, before any thread: it blocks the signals for all threads and takes them in a
/// thread of its own.
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
