// The key of a value: its bytes and their hash, which is computed once and never visible outside.
#pragma once

#include "state/short_bytes.h"

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace blockloom::state {

/// XXH3 with a fixed seed.
[[nodiscard]] std::uint64_t hash_of_key(std::string_view bytes) noexcept;

/// Of no bytes: many keys are made only to be given their bytes later.
inline constexpr std::uint64_t hash_of_empty_key = 0x2d06'8005'38d3'94c2;

class Key;

/// A key for a lookup: copies nothing.
struct KeyView {
    KeyView(std::string_view key) noexcept : bytes(key), hash(hash_of_key(key)) {}
    KeyView(const std::string& key) noexcept : KeyView(std::string_view(key)) {}
    KeyView(const char* key) noexcept : KeyView(std::string_view(key)) {}
    KeyView(const Key& key) noexcept;
    /// `known` is the hash of these bytes.
    KeyView(std::string_view key, std::uint64_t known) noexcept : bytes(key), hash(known) {}

    [[nodiscard]] bool operator==(const KeyView& other) const noexcept {
        return hash == other.hash && bytes == other.bytes;
    }

    std::string_view bytes;
    std::uint64_t hash;
};

/// Any bytes; up to `longest_inline` need no allocation. Ordered by bytes.
class Key {
public:
    /// All but long storage keys fit.
    static constexpr std::size_t longest_inline = 87;

    Key() noexcept : bytes_(std::string_view()), hash_(hash_of_empty_key) {}
    Key(std::string_view bytes) : bytes_(bytes), hash_(hash_of_key(bytes)) {}
    Key(const std::string& bytes) : Key(std::string_view(bytes)) {}
    Key(const char* bytes) : Key(std::string_view(bytes)) {}
    explicit Key(const KeyView& view) : bytes_(view.bytes), hash_(view.hash) {}

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_.bytes(); }
    operator std::string_view() const noexcept { return bytes(); }
    operator std::string() const { return std::string(bytes()); }
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

    [[nodiscard]] std::size_t size() const noexcept { return bytes().size(); }
    [[nodiscard]] bool empty() const noexcept { return bytes().empty(); }
    [[nodiscard]] char front() const noexcept { return bytes().front(); }

    /// Whether it may be forgotten without being destroyed (FlatList).
    [[nodiscard]] friend bool lies_flat(const Key& key) noexcept {
        return !key.bytes_.is_outside();
    }

    [[nodiscard]] bool operator==(const Key& other) const noexcept {
        return hash_ == other.hash_ && bytes() == other.bytes();
    }
    [[nodiscard]] std::strong_ordering operator<=>(const Key& other) const noexcept {
        return bytes() <=> other.bytes();
    }
    template <typename Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::same_as<Text, Key>)
        [[nodiscard]] bool
        operator==(const Text& text) const noexcept {
        return bytes() == std::string_view(text);
    }
    template <typename Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::same_as<Text, Key>)
        [[nodiscard]] std::strong_ordering
        operator<=>(const Text& text) const noexcept {
        return bytes() <=> std::string_view(text);
    }

private:
    ShortBytes<longest_inline> bytes_;
    std::uint64_t hash_;
};

inline KeyView::KeyView(const Key& key) noexcept : bytes(key.bytes()), hash(key.hash()) {}

} // namespace blockloom::state
