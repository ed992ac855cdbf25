// A profile as a file: a flame graph with its table in HTML, the flame graph alone as a picture.
#pragma once

#include "report/export.h"
#include "report/profile.h"
#include "scene/flame.h"

#include <filesystem>

namespace blockloom::report {

/// What the flame graph draws of a profile.
[[nodiscard]] scene::FlameGraph flame_graph(const Profile& profile);

struct ProfileOptions {
    const scene::Theme* theme = &scene::dark_theme(); ///< of pictures; HTML follows the reader
    int width = 1280;                                 ///< of pictures, pixels
    int height = 0;                                   ///< of pictures; 0: as high as the stacks are
    std::string version, date;                        ///< of Blockloom and of the report, for HTML
};

/// The flame graph with its title and legend, ready for either sink.
[[nodiscard]] scene::FrameRequest flame_picture(const Profile& profile,
                                                const ProfileOptions& options);

/// One self-contained page: the flame graph with a tooltip a frame, and its table twin. The same
/// profile and options give the same bytes.
[[nodiscard]] std::string profile_html(const Profile& profile, const ProfileOptions& options);

/// Writes .html, .json, .svg, .png or .pdf, the file whole or not at all. Fails on other forms.
Status export_profile(const Profile& profile, const std::filesystem::path& path,
                      const ProfileOptions& options);

} // namespace blockloom::report
