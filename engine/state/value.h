// The value of a key: bytes, or absence. Contract code is a value of a hundred kilobytes that every
// message reads and logs, so long values are shared, never copied.
#pragma once

#include "state/key.h"
#include "state/short_bytes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::state {

/// Immutable bytes or absence. Used like std::optional<std::string>, but `*value` is a view.
/// Copying costs at most a short copy or a reference count update.
class Value {
public:
    /// Longer values are shared; values up to this size need no allocation. Amounts, counters, code
    /// hashes and the sheet of one token fit.
    static constexpr std::size_t longest_inline = 63;

    Value() noexcept = default;
    Value(std::nullopt_t) noexcept {}
    Value(std::string_view bytes) : bytes_(bytes) {}
    Value(const std::string& bytes) : Value(std::string_view(bytes)) {}
    Value(const char* text) : Value(std::string_view(text)) {}

    [[nodiscard]] bool has_value() const noexcept { return !bytes_.is_nothing(); }
    explicit operator bool() const noexcept { return has_value(); }

    /// The bytes; empty if absent. Valid as long as this value, or a copy of a long one, lives.
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_.bytes(); }
    [[nodiscard]] std::string_view operator*() const noexcept { return bytes(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes().size(); }

    /// What the canonical state stores: an empty value is absence.
    [[nodiscard]] Value canonical() const { return bytes().empty() ? Value() : *this; }

    /// Whether it may be forgotten without being destroyed (FlatList).
    [[nodiscard]] friend bool lies_flat(const Value& value) noexcept {
        return !value.bytes_.is_outside();
    }

    /// Byte for byte; absent and empty differ.
    [[nodiscard]] bool operator==(const Value& other) const noexcept {
        if (has_value() != other.has_value()) return false;
        const std::string_view mine = bytes(), theirs = other.bytes();
        // Copies of one long value are common: the same address needs no look at the bytes.
        return mine.size() == theirs.size() && (mine.data() == theirs.data() || mine == theirs);
    }

private:
    ShortBytes<longest_inline> bytes_;
};

} // namespace blockloom::state
