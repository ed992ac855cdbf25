// Texts of the Graph and Schedule docks: the help of each view, names of choices.
#pragma once

#include "scene/views.h"

#include <QString>

namespace blockloom::ui {

/// How to read a view, in a few sentences.
[[nodiscard]] QString help_of(const scene::ViewOptions& options);

[[nodiscard]] QString title_of(scene::View view);          ///< "Layered"
[[nodiscard]] QString title_of(scene::ColourBy colour);    ///< "batch"
[[nodiscard]] QString title_of(scene::MatrixOrder order);  ///< "level"
[[nodiscard]] QString title_of(conflict::ConflictModel m); ///< "single-version"
[[nodiscard]] QString title_of(schedule::Strategy s);      ///< "list (dag)"

/// "No conflicts inside a level": the verdict of a matrix whose diagonal squares are levels or, in
/// that order, colour classes.
[[nodiscard]] QString marks_text(std::uint64_t marks, scene::MatrixOrder order);

/// What a matrix adds to its coverage text: order, model, policy, verdict, and the pairs reordered
/// by colour classes.
[[nodiscard]] QString matrix_terms(const schedule::BlockAnalysis& analysis,
                                   const scene::ViewOptions& options,
                                   const scene::DisplayList& list);

} // namespace blockloom::ui
