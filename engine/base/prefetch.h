// Brings memory into the cache before it is used.
#pragma once

#include <cstddef>

namespace blockloom {

/// Begins to bring these items into the cache of the core's second level; returns at once.
template <typename T> void prefetch_lines(const T* items, std::size_t count) noexcept {
    constexpr std::size_t line = 64;
    constexpr int to_read = 0, second_level = 2;
    const auto* const begin = reinterpret_cast<const char*>(items);
    for (std::size_t at = 0; at < count * sizeof(T); at += line)
        __builtin_prefetch(begin + at, to_read, second_level);
}

/// Begins to bring an item into the nearest cache; returns at once.
template <typename T> void prefetch_near(const T* item) noexcept {
    constexpr std::size_t line = 64;
    const auto* const begin = reinterpret_cast<const char*>(item);
    for (std::size_t at = 0; at < sizeof(T); at += line) __builtin_prefetch(begin + at);
}

} // namespace blockloom
