// Turns exceptions of the standard library into errors: out of memory, no more threads or a failing
// file become an Error before they leave a room, and never the result of a computation.
#pragma once

#include "base/result.h"

#include <exception>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace blockloom {

/// `thrown` as an error (ErrorCode::system): "DOING: out of memory". If there is not even memory
/// for that text, the error says only "out of memory".
[[nodiscard]] Error error_of(const std::exception& thrown, std::string_view doing) noexcept;

/// Runs `work`, which returns a Result; an exception of the standard library becomes its error.
/// `doing` says what was being done: "executing the block". Costs nothing unless something is
/// thrown.
template <typename Work>
[[nodiscard]] std::invoke_result_t<Work> contain(std::string_view doing, Work&& work) noexcept {
    try {
        return std::forward<Work>(work)();
    } catch (const std::exception& thrown) {
        return error_of(thrown, doing);
    }
}

/// Starts a thread that runs `body`, which handles its own exceptions. Throws a std::system_error
/// that says so if the system cannot start one.
template <typename Body> [[nodiscard]] std::jthread start_thread(Body&& body) {
    try {
        return std::jthread(std::forward<Body>(body));
    } catch (const std::system_error& refused) {
        throw std::system_error(refused.code(), "cannot start another thread");
    }
}

} // namespace blockloom
