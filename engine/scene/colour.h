// Colours of display lists: 8 bits a channel, straight alpha, sRGB.
#pragma once

#include <cstdint>

namespace blockloom::scene {

struct Colour {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(const Colour&, const Colour&) = default;
};

[[nodiscard]] constexpr Colour rgb(std::uint32_t hex, std::uint8_t alpha = 255) noexcept {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex), alpha};
}

[[nodiscard]] constexpr Colour with_alpha(Colour colour, std::uint8_t alpha) noexcept {
    colour.a = alpha;
    return colour;
}

inline constexpr Colour transparent{0, 0, 0, 0};

} // namespace blockloom::scene
