#include "scene/overlay_window.h"

#include "base/number_text.h"
#include "scene/legend_signs.h"
#include "scene/overlay_size.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

namespace blockloom::scene {
namespace {

ImVec4 vec(Colour c) {
    return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255,
            static_cast<float>(c.b) / 255, static_cast<float>(c.a) / 255};
}

ImU32 col(Colour c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

Colour blended(Colour below, Colour above, double part) {
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a + (b - a) * part);
    };
    return {mix(below.r, above.r), mix(below.g, above.g), mix(below.b, above.b), 255};
}

void note(std::vector<OverlayChange>& changes, const std::string& id, int value) {
    changes.push_back({id, value});
}

void choice_row(OverlayChoice& choice, const Theme& theme, std::vector<OverlayChange>& changes) {
    ImGui::PushID(choice.id.c_str());
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, vec(theme.text2));
    ImGui::TextUnformatted(choice.label.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.38F);
    ImGui::SetNextItemWidth(-1);
    const bool valid =
        choice.current >= 0 && choice.current < static_cast<int>(choice.options.size());
    const char* shown =
        valid ? choice.options[static_cast<std::size_t>(choice.current)].c_str() : "";
    if (ImGui::BeginCombo("##choice", shown)) {
        for (int i = 0; i < static_cast<int>(choice.options.size()); ++i) {
            const bool current = i == choice.current;
            if (ImGui::Selectable(choice.options[static_cast<std::size_t>(i)].c_str(), current) &&
                !current) {
                choice.current = i;
                note(changes, choice.id, i);
            }
            if (current) ImGui::SetItemDefaultFocus();
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
}

void ramp_rows(const OverlayLegend& legend, const Theme& theme) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const float from = at.x + room * 0.38F, width = room * 0.62F;
    draw->AddText({at.x, at.y}, col(theme.text2), legend.label.c_str());
    constexpr int steps = 24;
    for (int i = 0; i < steps; ++i) {
        // Whole pixels, so that no seams show.
        const float x0 = std::floor(from + width * static_cast<float>(i) / steps);
        const float x1 = std::floor(from + width * static_cast<float>(i + 1) / steps);
        draw->AddRectFilled({x0, at.y + 3}, {x1, at.y + 12},
                            col(theme.ordinal(static_cast<std::size_t>(i), steps)));
    }
    const float below = at.y + 15;
    draw->AddText({from, below}, col(theme.text3), legend.first.c_str());
    const float last = ImGui::CalcTextSize(legend.last.c_str()).x;
    draw->AddText({from + width - last, below}, col(theme.text3), legend.last.c_str());
    ImGui::Dummy({room, 30});
}

/// The path of a shape that is `inset` smaller than its box on each side.
void shape_path(ImDrawList& draw, const Box& box, float inset) {
    const float w = box.rect.width / 2 - inset, h = box.rect.height / 2 - inset;
    const float x = box.rect.x + (box.mark ? 0 : box.rect.width / 2);
    const float y = box.rect.y + (box.mark ? 0 : box.rect.height / 2);
    switch (box.shape) {
    case Shape::square:
        draw.PathRect({x - w, y - h}, {x + w, y + h});
        break;
    case Shape::circle:
        draw.PathArcTo({x, y}, w, 0, 6.2831853F);
        break;
    case Shape::diamond:
        for (const ImVec2 corner :
             {ImVec2(x, y - h), ImVec2(x + w, y), ImVec2(x, y + h), ImVec2(x - w, y)})
            draw.PathLineTo(corner);
        break;
    case Shape::triangle:
        for (const ImVec2 corner : {ImVec2(x, y - h), ImVec2(x + w, y + h), ImVec2(x - w, y + h)})
            draw.PathLineTo(corner);
        break;
    }
}

/// Lines and boxes of a sign; a hollow bar is drawn solid.
void draw_sign(ImDrawList& draw, const Layer& sign) {
    for (const Line& line : sign.lines) {
        const float length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
        const float on = line.dashed ? 4 : length, step = line.dashed ? 7 : length + 1;
        const auto at = [&](float along) {
            const float part = std::min(along / length, 1.0F);
            return ImVec2(line.from.x + (line.to.x - line.from.x) * part,
                          line.from.y + (line.to.y - line.from.y) * part);
        };
        for (float along = 0; along < length; along += step)
            draw.AddLine(at(along), at(along + on), col(line.colour), line.width);
    }
    for (const Box& box : sign.boxes) {
        if (box.fill.a > 0) {
            shape_path(draw, box, 0);
            draw.PathFillConvex(col(box.fill));
        }
        if (box.hatched)
            for (float x = box.rect.x + box.rect.height; x < box.rect.x + box.rect.width; x += 5)
                draw.AddLine({x, box.rect.y}, {x - box.rect.height, box.rect.y + box.rect.height},
                             col(box.outline));
        if (box.outline.a == 0) continue;
        shape_path(draw, box, box.outline_width / 2);
        draw.PathStroke(col(box.outline), ImDrawFlags_Closed, box.outline_width);
    }
}

void sign_row(const OverlayLegend& legend, const Theme& theme) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = std::floor(at.y + ImGui::GetTextLineHeight() / 2);
    draw_sign(*draw, sign_marks(legend, {at.x + sign_width / 2, y}, theme));
    draw->AddText({at.x + 24, at.y}, col(theme.text2), legend.label.c_str());
    // Its width belongs to the row, so that a long one is scrolled to rather than lost.
    ImGui::Dummy({24 + ImGui::CalcTextSize(legend.label.c_str()).x, ImGui::GetTextLineHeight()});
}

void last_row(const OverlayPanel& panel, Nanoseconds frame_time, const Theme& theme) {
    ImGui::TextUnformatted(panel.coverage.c_str());
    if (frame_time <= 0) return;
    const std::string text = time_text(frame_time);
    const float right = ImGui::GetWindowContentRegionMax().x;
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float used = ImGui::CalcTextSize(panel.coverage.c_str()).x;
    // Beside the coverage where both fit, else in a row of its own.
    if (used + width + 12 < ImGui::GetContentRegionAvail().x) ImGui::SameLine();
    ImGui::SetCursorPosX(right - width);
    ImGui::PushStyleColor(ImGuiCol_Text, vec(theme.text3));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
}

} // namespace

void style_overlay(const Theme& theme) {
    ImGuiStyle style;
    style.WindowPadding = {overlay_padding, 8};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 4};
    style.WindowRounding = style.FrameRounding = style.PopupRounding = 4;
    style.ScrollbarRounding = style.GrabRounding = 4;
    style.WindowBorderSize = style.PopupBorderSize = style.FrameBorderSize = 1;
    style.ScrollbarSize = 10;
    style.WindowTitleAlign = {0, 0.5F};
    style.WindowMenuButtonPosition = ImGuiDir_Left;
    style.AntiAliasedLinesUseTex = false;
    const auto set = [&style](ImGuiCol which, Colour colour) { style.Colors[which] = vec(colour); };
    set(ImGuiCol_Text, theme.text);
    set(ImGuiCol_TextDisabled, theme.text3);
    set(ImGuiCol_WindowBg, theme.panel);
    set(ImGuiCol_PopupBg, theme.panel);
    set(ImGuiCol_Border, theme.control_border);
    for (const ImGuiCol which : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive,
                                 ImGuiCol_TitleBgCollapsed, ImGuiCol_ScrollbarBg})
        set(which, theme.raised);
    set(ImGuiCol_FrameBg, theme.field);
    set(ImGuiCol_FrameBgHovered, blended(theme.field, theme.accent, 0.12));
    set(ImGuiCol_FrameBgActive, blended(theme.field, theme.accent, 0.2));
    set(ImGuiCol_CheckMark, theme.accent);
    set(ImGuiCol_Button, theme.raised);
    set(ImGuiCol_ButtonHovered, blended(theme.raised, theme.accent, 0.2));
    set(ImGuiCol_ButtonActive, blended(theme.raised, theme.accent, 0.3));
    set(ImGuiCol_Header, theme.selected_row);
    set(ImGuiCol_HeaderHovered, blended(theme.selected_row, theme.accent, 0.2));
    set(ImGuiCol_HeaderActive, theme.selected_row);
    set(ImGuiCol_Separator, theme.line);
    set(ImGuiCol_ScrollbarGrab, theme.control_border);
    set(ImGuiCol_ScrollbarGrabHovered, theme.text3);
    set(ImGuiCol_ScrollbarGrabActive, theme.text3);
    ImGui::GetStyle() = style;
}

void build_overlay(OverlayPanel& panel, Nanoseconds frame_time, const Theme& theme,
                   const OverlayFonts& fonts, float width, float height,
                   std::vector<OverlayChange>& changes) {
    const OverlayRoom room = overlay_room(width, height);
    if (!room.any) return;
    ImGui::SetNextWindowPos({width - overlay_gap, height - overlay_gap}, ImGuiCond_Always, {1, 1});
    const float across = panel.collapsed ? std::min(overlay_folded, room.width) : room.width;
    ImGui::SetNextWindowSizeConstraints({across, 0}, {across, room.height});
    ImGui::SetNextWindowCollapsed(panel.collapsed, ImGuiCond_Always);
    // The name behind ### is the window's identity: a new title is no new window.
    const std::string name = (panel.title.empty() ? "View" : panel.title) + "###panel";
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8, 4}); // the title bar's height
    ImGui::PushStyleColor(ImGuiCol_Border, vec(theme.line));
    // A font belongs to the window it was pushed in: the title's is popped after End().
    ImGui::PushFont(fonts.medium);
    const bool open =
        ImGui::Begin(name.c_str(), nullptr,
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::PushFont(fonts.text);
    if (const bool collapsed = ImGui::IsWindowCollapsed(); collapsed != panel.collapsed) {
        panel.collapsed = collapsed;
        note(changes, "collapsed", collapsed ? 1 : 0);
    }
    if (open) {
        for (OverlayChoice& choice : panel.choices) choice_row(choice, theme, changes);
        for (OverlayToggle& toggle : panel.toggles) {
            ImGui::PushID(toggle.id.c_str());
            if (ImGui::Checkbox(toggle.label.c_str(), &toggle.on))
                note(changes, toggle.id, toggle.on ? 1 : 0);
            ImGui::PopID();
        }
        if (!panel.legend.empty() && (!panel.choices.empty() || !panel.toggles.empty())) {
            ImGui::Dummy({0, 1});
            ImGui::Separator();
            ImGui::Dummy({0, 1});
        }
        for (const OverlayLegend& legend : panel.legend) {
            if (legend.sign == OverlayLegend::Sign::ramp) {
                ramp_rows(legend, theme);
            } else {
                sign_row(legend, theme);
            }
        }
        last_row(panel, frame_time, theme);
    }
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopFont();
}

} // namespace blockloom::scene
