// The value of a key: bytes, or absence. Contract code is a value of a hundred kilobytes that every
// message reads and logs, so long values are shared, never copied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::state {

/// Any bytes.
using Key = std::string;

/// Immutable bytes or absence. Used like std::optional<std::string>, but `*value` is a view.
/// Copying costs at most a short copy or a reference count update.
class Value {
public:
    /// Longer values are shared; values up to this size need no allocation. Amounts, counters and
    /// code hashes fit.
    static constexpr std::size_t longest_inline = 46;

    Value() noexcept = default;
    Value(std::nullopt_t) noexcept {}
    Value(std::string bytes);
    Value(std::string_view bytes);
    Value(const char* text) : Value(std::string_view(text)) {}

    [[nodiscard]] bool has_value() const noexcept { return kind_ != Kind::absent; }
    explicit operator bool() const noexcept { return has_value(); }

    /// The bytes; empty if absent. Valid as long as this value, or a copy of a long one, lives.
    [[nodiscard]] std::string_view bytes() const noexcept {
        if (kind_ == Kind::shared) return *shared_;
        return {short_.data(), size_};
    }
    [[nodiscard]] std::string_view operator*() const noexcept { return bytes(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes().size(); }

    /// What the canonical state stores: an empty value is absence.
    [[nodiscard]] Value canonical() const { return bytes().empty() ? Value() : *this; }

    /// Byte for byte; absent and empty differ.
    [[nodiscard]] bool operator==(const Value& other) const noexcept;

private:
    enum class Kind : std::uint8_t { absent, inside, shared };

    void keep_inside(std::string_view bytes) noexcept;

    std::array<char, longest_inline> short_{}; ///< the first `size_` of them, of kind `inside`
    std::uint8_t size_ = 0;
    Kind kind_ = Kind::absent;
    std::shared_ptr<const std::string> shared_;
};

} // namespace blockloom::state
