#include "scene/theme.h"

#include <algorithm>
#include <cmath>

namespace blockloom::scene {
namespace {

Theme make_dark() {
    Theme t;
    t.is_dark = true;
    t.window = rgb(0x15181D);
    t.panel = rgb(0x1B1F26);
    t.canvas = rgb(0x101318);
    t.raised = rgb(0x262B34);
    t.field = rgb(0x12151A);
    t.line = rgb(0x2F3541);
    t.grid = rgb(0x232934);
    t.control_border = rgb(0x6A7588); // on raised it must reach 3:1
    t.text = rgb(0xE6EAF0);
    t.text2 = rgb(0xAEB7C5);
    t.text3 = rgb(0x8C96A6);
    t.accent = rgb(0x5B9DFF);
    t.button_fill = rgb(0x2B66CC);
    t.button_text = rgb(0xFFFFFF);
    t.selected_row = rgb(0x213A63);
    t.pick = rgb(0xFFFFFF);
    t.critical = rgb(0xFF6BAA);
    t.ok = rgb(0x4CC38A);
    t.warning = rgb(0xF0B429);
    t.error = rgb(0xFF7070);
    t.serial = rgb(0x9AA4B4);
    t.cpu_interpreter = rgb(0xCC79A7);
    t.cpu_native = rgb(0xE69F00);
    t.vulkan = rgb(0x56B4E9);
    t.cuda = rgb(0x2BB58F);
    t.ramp = {rgb(0x7A68C9), rgb(0x5F7CC4), rgb(0x4591BC), rgb(0x35A5A8),
              rgb(0x37B88A), rgb(0x67C95F), rgb(0xAEDB3B), rgb(0xFDE725)};
    t.kinds = {rgb(0xEFC724), rgb(0xB68AFF), rgb(0x95A149), rgb(0xFFC398), rgb(0xFDA6FC),
               rgb(0x5EBEC0), rgb(0xADB2FF), rgb(0xF0ED60), rgb(0x13C96E), rgb(0x9745C5),
               rgb(0x04FCD5), rgb(0xD99418), rgb(0x167A81), rgb(0xAD6F8A), rgb(0x4591BC),
               rgb(0xC5620A), rgb(0x4C69EE), rgb(0x3BC5A6), rgb(0x098104), rgb(0x82B98C),
               rgb(0xD4EDC1), rgb(0x157D53), rgb(0xFFE788), rgb(0x7EDC52), rgb(0xD61051),
               rgb(0x6C30FC), rgb(0x666669), rgb(0xFCF000), rgb(0x4E609C), rgb(0x2A90F6),
               rgb(0xFCC0F0), rgb(0x9684A8), rgb(0xA2CC6C)};
    return t;
}

Theme make_light() {
    Theme t;
    t.is_dark = false;
    t.window = rgb(0xECEFF4);
    t.panel = rgb(0xFFFFFF);
    t.canvas = rgb(0xFAFBFD);
    t.raised = rgb(0xF1F4F8);
    t.field = rgb(0xFFFFFF);
    t.line = rgb(0xD3DAE4);
    t.grid = rgb(0xE6EBF2);
    t.control_border = rgb(0x7D899B); // on window and raised it must reach 3:1
    t.text = rgb(0x171C26);
    t.text2 = rgb(0x465063);
    t.text3 = rgb(0x5F6B7E);
    t.accent = rgb(0x1F5FD0);
    t.button_fill = rgb(0x1F5FD0);
    t.button_text = rgb(0xFFFFFF);
    t.selected_row = rgb(0xDBE7FD);
    t.pick = rgb(0x000000);
    t.critical = rgb(0xD6005C);
    t.ok = rgb(0x15703F);
    t.warning = rgb(0x8A5A00);
    t.error = rgb(0xC62828);
    t.serial = rgb(0x6B778A);
    t.cpu_interpreter = rgb(0xA8527F);
    t.cpu_native = rgb(0xB37400);
    t.vulkan = rgb(0x1F7FB8);
    t.cuda = rgb(0x007A59);
    t.ramp = {rgb(0x5A2A83), rgb(0x4B4A97), rgb(0x3B628F), rgb(0x2C748E),
              rgb(0x1F858A), rgb(0x1C8F6C), rgb(0x4B9138), rgb(0x7F8A00)};
    t.kinds = {rgb(0xA36D21), rgb(0x957AEC), rgb(0x546E1F), rgb(0xDF6F57), rgb(0xD55EDE),
               rgb(0x068DFF), rgb(0xC16DBA), rgb(0x569453), rgb(0x0B8569), rgb(0x6B1F7E),
               rgb(0x0E3120), rgb(0xD75B00), rgb(0xA28097), rgb(0x891653), rgb(0x2C748E),
               rgb(0xFD4886), rgb(0x4B52D4), rgb(0x7D604B), rgb(0x2A234D), rgb(0x4B1611),
               rgb(0x4D0C3B), rgb(0x6153AD), rgb(0x110F85), rgb(0x101F6E), rgb(0x700407),
               rgb(0x1414F0), rgb(0x646A79), rgb(0x420CBA), rgb(0x244EFC), rgb(0x4E78AE),
               rgb(0xAE12D8), rgb(0x7E3C2A), rgb(0xFC5442)};
    return t;
}

double luminance(Colour c) noexcept {
    const auto linear = [](std::uint8_t channel) {
        const double v = channel / 255.0;
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

} // namespace

const Theme& dark_theme() noexcept {
    static const Theme theme = make_dark();
    return theme;
}

const Theme& light_theme() noexcept {
    static const Theme theme = make_light();
    return theme;
}

Colour Theme::ordinal(std::size_t position, std::size_t count) const noexcept {
    if (count < 2) return ramp.front();
    const double at = static_cast<double>(std::min(position, count - 1)) *
                      static_cast<double>(ramp.size() - 1) / static_cast<double>(count - 1);
    const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
    const double part = at - static_cast<double>(below);
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
    };
    const Colour a = ramp[below], b = ramp[below + 1];
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 255};
}

double contrast(Colour a, Colour b) noexcept {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace blockloom::scene
