// Machine code by module: compiled in the background, quickly first and then well, so that the
// interpreter serves for a moment only.
#pragma once

#include "base/bytes.h"
#include "native/code.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace blockloom::native {

/// Thread-safe. Keeps the code that was asked for last; what somebody still runs lives on without
/// the cache.
class Cache {
public:
    /// Most modules kept, waiting ones included (the one that waits longest is forgotten first).
    explicit Cache(std::size_t most_modules = 256);
    /// Ends what is being compiled and waits for its thread.
    ~Cache();
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    enum class State : std::uint8_t {
        waiting, ///< compiled in the background: not yet
        ready,
        failed, ///< not compiled: the interpreter's for good
    };
    struct Answer {
        State state = State::waiting;
        std::shared_ptr<const NativeCode> code; ///< ready; quick at first, optimised later
        /// Failed. `unavailable`: the compiler refuses such a module; any other code says what this
        /// machine lacked, and nothing of the module.
        Error why;
    };

    /// At once. A module that is not known is put in the queue. `id` is the SHA-256 of its bytes.
    [[nodiscard]] Answer find(const Hash256& id,
                              const std::shared_ptr<const wasm::Program>& program);
    /// The same, but waits until the module is ready in this tier, or has failed, or `stop` is
    /// asked for.
    [[nodiscard]] Answer wait(const Hash256& id,
                              const std::shared_ptr<const wasm::Program>& program,
                              Tier tier = Tier::optimised, const std::stop_token& stop = {});

    [[nodiscard]] std::size_t modules() const;

private:
    struct Books;
    std::unique_ptr<Books> books_;
};

/// A program's id in the cache: SHA-256 of its module, and of its fuel rule where that is exact.
[[nodiscard]] Hash256 module_id(const wasm::Program& program);

} // namespace blockloom::native
