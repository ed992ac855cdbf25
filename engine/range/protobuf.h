// Protocol buffers on the wire, as far as an indexer uses them: fields of numbers and of bytes, one
// after the other.
#pragma once

#include "base/u128.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::range {

/// Reads the fields of one message. Copies nothing; never reads beyond the bytes that it was given.
class ProtobufReader {
public:
    struct Field {
        std::uint32_t number = 0;
        std::optional<std::uint64_t> value; ///< a number; absent: `bytes` is the content
        std::string_view bytes;
    };

    explicit ProtobufReader(std::string_view message) noexcept : rest_(message) {}

    /// The next field; nothing at the end and after malformed bytes, see `failed`.
    [[nodiscard]] std::optional<Field> next() noexcept;
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    std::optional<std::uint64_t> number() noexcept;
    std::optional<Field> fail() noexcept;

    std::string_view rest_;
    bool failed_ = false;
};

/// Appends fields to a message.
void append_number(std::string& message, std::uint32_t field, std::uint64_t value);
void append_bytes(std::string& message, std::uint32_t field, std::string_view content);
/// {1 low, 2 high}, without those that are 0.
[[nodiscard]] std::string u128_to_protobuf(u128 value);

/// A uint128 of an indexer: {1 low, 2 high}; nothing if malformed.
[[nodiscard]] std::optional<u128> u128_from_protobuf(std::string_view message) noexcept;

} // namespace blockloom::range
