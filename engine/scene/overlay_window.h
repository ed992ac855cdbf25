// The panel as Dear ImGui widgets, independent of the device; the caller owns the context.
#pragma once

#include "scene/overlay.h"
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

/// Builds the panel between NewFrame and Render, at the lower right of an image in logical pixels.
/// The user's changes are written to `panel`, so that the next pass shows them, and to `changes`.
void build_overlay(OverlayPanel& panel, Nanoseconds frame_time, const Theme& theme,
                   const OverlayFonts& fonts, float width, float height,
                   std::vector<OverlayChange>& changes);

} // namespace blockloom::scene
