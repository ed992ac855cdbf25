// A profile as a file: a flame graph with its table in HTML, the flame graph alone as a picture.
#pragma once

#include "report/export.h"
#include "report/profile.h"
#include "scene/flame.h"

#include <filesystem>

namespace blockloom::report {

/// The flame graph of a profile.
[[nodiscard]] scene::FlameGraph flame_graph(const Profile& profile);

struct ProfileOptions {
    const scene::Theme* theme =
        &scene::dark_theme();  ///< for pictures; HTML follows the reader's system
    int width = 1280;          ///< for pictures, pixels
    int height = 0;            ///< for pictures; 0: by the height of the stacks
    std::string version, date; ///< of Blockloom and of the report, for HTML
};

/// The flame graph with title and legend, for either renderer.
[[nodiscard]] scene::FrameRequest flame_picture(const Profile& profile,
                                                const ProfileOptions& options);

/// A self-contained page: the flame graph with a tooltip per frame, and tables. The same profile
/// and options give the same bytes.
[[nodiscard]] std::string profile_html(const Profile& profile, const ProfileOptions& options);

/// Writes .html, .json, .svg, .png or .pdf, the whole file or nothing. Fails on other formats.
Status export_profile(const Profile& profile, const std::filesystem::path& path,
                      const ProfileOptions& options);

} // namespace blockloom::report
