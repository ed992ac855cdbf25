// A run's document as text that another machine may have written: what it may hold, and changes
// that leave everything else as it is (kept_run.h: spans, run_notes.h: notes).
#pragma once

#include "base/json.h"

namespace blockloom::runs {

/// Deeper, longer or fuller is no run: a hundred thousand blocks with a hundred repetitions are a
/// third of it.
inline constexpr JsonLimits run_limits{
    .bytes = std::size_t{1} << 30, .values = std::size_t{48} << 20, .depth = 16};

/// Whether a text can be a run's id. It is a name, never a path: it becomes part of a file's.
[[nodiscard]] bool is_run_id(std::string_view id) noexcept;
inline constexpr std::string_view run_id_rule =
    "an id of 1 to 128 letters, digits and . _ - + : , that begins with a letter or digit";

/// Bad input unless the document's schema is a run's.
Status check_is_run(JsonValue root);

} // namespace blockloom::runs
