// Where exceptions of the standard library end: memory, threads and files that this machine does
// not have become an Error before they leave a room, and never the result of a computation.
#pragma once

#include "base/result.h"

#include <exception>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace blockloom {

/// `thrown` as an error (ErrorCode::system): "DOING: out of memory". Where there is no memory for
/// that text either, the error says "out of memory" alone.
[[nodiscard]] Error error_of(const std::exception& thrown, std::string_view doing) noexcept;

/// Runs `work`, which returns a Result; an exception of the standard library becomes its error.
/// `doing` says what was being done: "executing the block". Costs nothing where nothing is thrown.
template <typename Work>
[[nodiscard]] std::invoke_result_t<Work> contain(std::string_view doing, Work&& work) noexcept {
    try {
        return std::forward<Work>(work)();
    } catch (const std::exception& thrown) {
        return error_of(thrown, doing);
    }
}

/// A thread that runs `body`, whose own exceptions are its business. Where the system starts none,
/// a std::system_error that says so.
template <typename Body> [[nodiscard]] std::jthread start_thread(Body&& body) {
    try {
        return std::jthread(std::forward<Body>(body));
    } catch (const std::system_error& refused) {
        throw std::system_error(refused.code(), "cannot start another thread");
    }
}

} // namespace blockloom
