// The panel as Dear ImGui widgets, independent of the device; the caller owns the context.
#pragma once

#include "scene/hud.h"
#include "scene/theme.h"

#include <vector>

struct ImFont;

namespace blockloom::scene {

struct OverlayFonts {
    ImFont* text = nullptr;
    ImFont* medium = nullptr;
};

/// Sets the current context's colours and sizes.
void style_overlay(const Theme& theme);

/// Builds the window between NewFrame and Render, at the lower right of an image of logical pixels.
/// What the user changes is written to `panel`, so that the next pass shows it, and to `changes`.
void build_overlay(OverlayPanel& panel, const std::vector<HudRow>& rows,
                   const FrameStatistics& statistics, const Theme& theme, const OverlayFonts& fonts,
                   float width, float height, std::vector<OverlayChange>& changes);

} // namespace blockloom::scene
