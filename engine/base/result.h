// Errors are values: every fallible function of the engine returns a Result<T>.
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace blockloom {

/// What kind of failure: decides the exit status of the command line (docs/cli.md#exit-status).
enum class ErrorCode : std::uint8_t {
    bad_input,    ///< a file, an offset, a value: exit status 3
    wrong_usage,  ///< options that contradict each other: exit status 2
    unavailable,  ///< an unavailable device or backend: exit status 4
    verification, ///< the result differs from the serial reference: exit status 1
    cancelled,    ///< the caller asked to stop: exit status 130
    system,       ///< an operating system call failed (open, read, write): exit status 3
};

/// A failure. `message` names the place, what was expected and what was found, ready to be shown.
struct Error {
    ErrorCode code = ErrorCode::bad_input;
    std::string message;
};

/// An error about bytes: "PLACE: offset N: expected E, found F".
[[nodiscard]] Error input_error(const std::string& place, std::uint64_t offset,
                                const std::string& expected, const std::string& found);

/// The value of a call, or why there is none. Accessing the wrong one is a programming error.
template <typename T> class [[nodiscard]] Result {
public:
    Result(T&& value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(const T& value) requires std::copy_constructible<T>
        : content_(std::in_place_index<0>, value) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    [[nodiscard]] T& value() & {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&content_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        assert(!ok());
        return *std::get_if<1>(&content_);
    }

private:
    std::variant<T, Error> content_;
};

/// A call that returns nothing but may fail.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
    explicit operator bool() const noexcept { return ok(); }
    [[nodiscard]] const Error& error() const {
        assert(!ok());
        return *error_;
    }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

} // namespace blockloom
