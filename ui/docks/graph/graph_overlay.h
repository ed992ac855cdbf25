// The overlay panel of the Graph dock: its options as plain data, and what a change in it means.
#pragma once

#include "scene/overlay.h"
#include "scene/views.h"

#include <array>

namespace blockloom::ui {

inline constexpr std::array graph_views{scene::View::layered, scene::View::arc, scene::View::matrix,
                                        scene::View::bipartite};
inline constexpr std::array colours_by{scene::ColourBy::batch, scene::ColourBy::group,
                                       scene::ColourBy::cost, scene::ColourBy::status,
                                       scene::ColourBy::plain};
inline constexpr std::array matrix_orders{scene::MatrixOrder::index, scene::MatrixOrder::level,
                                          scene::MatrixOrder::batch};
inline constexpr std::array conflict_models{conflict::ConflictModel::single_version,
                                            conflict::ConflictModel::multi_version};

/// Ids: "view", "colour", "order" (matrix only), "model": index into the arrays above; "chain",
/// "collapsed": 0 or 1.
[[nodiscard]] scene::OverlayPanel graph_overlay(const schedule::BlockAnalysis& analysis,
                                                const scene::ViewOptions& options,
                                                const scene::DisplayList& list, bool collapsed);

} // namespace blockloom::ui
