// What the Graph dock offers, in the order of its controls.
#pragma once

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

} // namespace blockloom::ui
