// A view of a block as a picture for files: laid out, fitted, with its legend.
#pragma once

#include "range/range.h"
#include "scene/renderer.h"
#include "scene/views.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::report {

struct PictureOptions {
    scene::ViewOptions view;
    int width = 1280;
    int height = 800; ///< logical pixels; 0: by the view's proportions, 280 … 640
    std::optional<conflict::TaskId> select; ///< outlined with its neighbours; index in the block
    bool legend = true;                     ///< below the view, within the height
};

struct Picture {
    scene::FrameRequest request;
    std::vector<scene::OverlayLegend> legend; ///< as in the picture, for captions
    std::string summary;                      ///< one sentence in words
    std::string
        coverage; ///< "Drawing 922 of 1,113 edges, 107 small groups not drawn"; may be empty
};

/// Fails on a task that the block does not have, and when cancelled.
[[nodiscard]] Result<Picture> make_picture(const range::BlockRecord& record,
                                           const PictureOptions& options,
                                           std::stop_token stop = {});

} // namespace blockloom::report
