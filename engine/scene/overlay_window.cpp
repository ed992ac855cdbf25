#include "scene/overlay_window.h"

#include "base/number_text.h"
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

Colour blended(Colour below, Colour above, double part) {
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a + (b - a) * part);
    };
    return {mix(below.r, above.r), mix(below.g, above.g), mix(below.b, above.b), 255};
}

void note(std::vector<OverlayChange>& changes, const std::string& id, int value) {
    changes.push_back({id, value});
}

/// The frames as bars, the newest at the right.
void frame_graph(const FrameStatistics& statistics) {
    const std::vector<float>& frames = statistics.frame_ms;
    std::vector<float> bars(FrameStatistics::most - frames.size(), 0);
    bars.insert(bars.end(), frames.begin(), frames.end());
    const std::string top = frames.empty()
                                ? std::string()
                                : time_text(static_cast<Nanoseconds>(
                                      static_cast<double>(statistics.longest_ms()) * 1e6));
    ImGui::PlotHistogram("##frames", bars.data(), static_cast<int>(bars.size()), 0, top.c_str(), 0,
                         statistics.longest_ms(), {-1, overlay_graph});
}

void text_row(const HudRow& row, const Theme& theme) {
    ImGui::PushStyleColor(ImGuiCol_Text, vec(theme.text2));
    ImGui::TextUnformatted(row.name.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * overlay_names);
    ImGui::TextUnformatted(row.value.c_str());
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
    set(ImGuiCol_PlotHistogram, theme.accent);
    set(ImGuiCol_PlotHistogramHovered, theme.accent);
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

void build_overlay(OverlayPanel& panel, const std::vector<HudRow>& rows,
                   const FrameStatistics& statistics, const Theme& theme, const OverlayFonts& fonts,
                   float width, float height, std::vector<OverlayChange>& changes) {
    const OverlayRoom room = overlay_room(width, height);
    if (!room.any) return;
    ImGui::SetNextWindowPos({width - overlay_gap, height - overlay_gap}, ImGuiCond_Always, {1, 1});
    const float across = panel.collapsed ? std::min(overlay_folded, room.width) : room.width;
    ImGui::SetNextWindowSizeConstraints({across, 0}, {across, room.height});
    ImGui::SetNextWindowCollapsed(panel.collapsed, ImGuiCond_Always);
    // The name behind ### is the window's identity: a new title is no new window.
    const std::string name = (panel.title.empty() ? "Renderer" : panel.title) + "###panel";
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
        frame_graph(statistics);
        for (const HudRow& row : rows) text_row(row, theme);
        ImGui::Separator();
        for (OverlayToggle& toggle : panel.toggles) {
            ImGui::PushID(toggle.id.c_str());
            if (ImGui::Checkbox(toggle.label.c_str(), &toggle.on))
                note(changes, toggle.id, toggle.on ? 1 : 0);
            ImGui::PopID();
        }
    }
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopFont();
}

} // namespace blockloom::scene
