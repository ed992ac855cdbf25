// Machine code by module: loaded, or compiled in the background, first quickly and then optimised,
// so that the interpreter is only needed briefly.
#pragma once

#include "base/bytes.h"
#include "native/code.h"
#include "native/module_id.h" // of what the cache is asked for

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace blockloom::native {

/// Thread-safe. Keeps the most recently requested code; code that is still running outlives its
/// removal.
class Cache {
public:
    /// `most_modules`: how many are kept, including waiting ones (the one that has waited longest
    /// is dropped first).
    explicit Cache(std::size_t most_modules = 256);
    /// Cancels what is being compiled and does not wait for it (closing_threads.h).
    ~Cache();
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    enum class State : std::uint8_t {
        waiting, ///< still being compiled in the background
        ready,
        failed, ///< could not be compiled: always interpreted
    };
    struct Answer {
        State state = State::waiting;
        /// ready; quick at first, optimised later, or at once where it was kept
        std::shared_ptr<const NativeCode> code;
        /// Set on failure. `unavailable`: the compiler refuses the module; any other code says what
        /// this machine lacked.
        Error why;
    };

    /// Returns at once. An unknown module is queued. `id` is its `module_id`.
    [[nodiscard]] Answer find(const Hash256& id,
                              const std::shared_ptr<const wasm::Program>& program);
    /// The same, but waits until the module is ready in this tier, or has failed, or a stop is
    /// requested.
    [[nodiscard]] Answer wait(const Hash256& id,
                              const std::shared_ptr<const wasm::Program>& program,
                              Tier tier = Tier::optimised, const std::stop_token& stop = {});

    [[nodiscard]] std::size_t modules() const;

private:
    struct Books;
    std::shared_ptr<Books> books_; ///< its threads own it too
};

} // namespace blockloom::native
