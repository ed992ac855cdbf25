// Machine code by module: compiled in the background, first quickly and then optimised, so that the
// interpreter is only needed briefly.
#pragma once

#include "base/bytes.h"
#include "native/code.h"

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
    /// Cancels the current compilation and waits for its thread.
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
        std::shared_ptr<const NativeCode> code; ///< ready; quick at first, optimised later
        /// Set on failure. `unavailable`: the compiler refuses the module; any other code says what
        /// this machine lacked, and nothing about the module.
        Error why;
    };

    /// Returns at once. An unknown module is queued. `id` is the SHA-256 of its bytes.
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
    std::unique_ptr<Books> books_;
};

/// A program's id in the cache: SHA-256 of its module, and of its fuel rule if that is exact.
[[nodiscard]] Hash256 module_id(const wasm::Program& program);

} // namespace blockloom::native
