// Bytes or text that are owned, like those of std::string, or lie in an arena.
#pragma once

#include "base/flat_list.h"

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

namespace blockloom {

/// Cannot be changed; a copy owns its bytes (FlatList).
class FlatText {
public:
    FlatText() noexcept = default;
    FlatText(std::string_view text) : bytes_(text) {}
    FlatText(const std::string& text) : bytes_(text) {}
    FlatText(const char* text) : FlatText(std::string_view(text)) {}
    /// A copy in an arena.
    [[nodiscard]] static FlatText placed(Arena& arena, std::string_view text) {
        return FlatText(FlatList<char>::placed(arena, std::span<const char>(text)));
    }
    /// Of bytes that outlive it.
    [[nodiscard]] static FlatText of(std::string_view text) noexcept {
        return FlatText(FlatList<char>::of(text));
    }

    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), bytes_.size()}; }
    operator std::string_view() const noexcept { return view(); }
    explicit operator std::string() const { return std::string(view()); }
    [[nodiscard]] const char* data() const noexcept { return bytes_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }

    [[nodiscard]] bool operator==(const FlatText& other) const noexcept {
        return view() == other.view();
    }
    [[nodiscard]] auto operator<=>(const FlatText& other) const noexcept {
        return view() <=> other.view();
    }
    template <typename Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::same_as<Text, FlatText>)
        [[nodiscard]] bool
        operator==(const Text& text) const noexcept {
        return view() == std::string_view(text);
    }
    [[nodiscard]] friend bool lies_flat(const FlatText& text) noexcept {
        return lies_flat(text.bytes_);
    }

private:
    explicit FlatText(FlatList<char> bytes) noexcept : bytes_(std::move(bytes)) {}

    FlatList<char> bytes_;
};

} // namespace blockloom
