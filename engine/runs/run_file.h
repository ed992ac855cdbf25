// A run's document as text, perhaps from another machine: its limits, and changes that leave
// everything else as it is (kept_run.h: spans, run_notes.h: notes).
#pragma once

#include "base/json.h"

namespace blockloom::runs {

/// Anything deeper or longer is not a run: a hundred thousand blocks with a hundred repetitions are
/// a third of this.
inline constexpr JsonLimits run_limits{
    .bytes = std::size_t{1} << 30, .values = std::size_t{48} << 20, .depth = 16};

/// Whether a text can be a run's id. An id is a name, never a path: it becomes part of a file name.
[[nodiscard]] bool is_run_id(std::string_view id) noexcept;
inline constexpr std::string_view run_id_rule =
    "an id of 1 to 128 letters, digits and . _ - + : , that begins with a letter or digit";

/// Bad input unless the document has the schema of a run.
Status check_is_run(JsonValue root);

} // namespace blockloom::runs
