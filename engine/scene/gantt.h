// The Gantt of what was predicted above that of what was measured.
#pragma once

#include "scene/display_list.h"
#include "scene/view_options.h"
#include "scene/view_table.h"
#include "schedule/measured.h"

#include <memory>

namespace blockloom::scene {

inline constexpr float gantt_width = 800;  ///< world units of the longer makespan; time 0 is x 0
inline constexpr float gantt_caption = 44; ///< room above each Gantt, also where a dock is low

/// Both on one axis of nanoseconds, without axes of its own: `predicted` hollow and dashed,
/// `measured` filled below it, attempts in vain striped, a device's parts on lanes of their own
/// (copies hatched). `predicted` may be empty: only what was measured is shown.
/// A task's first target is its predicted bar.
[[nodiscard]] DisplayList make_gantts(const schedule::BlockAnalysis& analysis,
                                      const schedule::Schedule& predicted,
                                      const schedule::MeasuredSchedule& measured,
                                      const ViewOptions& options);

/// Its twin: one row an execution, predicted or measured, and one a part of a device's submission.
[[nodiscard]] std::unique_ptr<ViewTable>
make_gantts_table(std::shared_ptr<const conflict::ConflictIndex> index,
                  std::shared_ptr<const schedule::Schedule> predicted,
                  std::shared_ptr<const schedule::MeasuredSchedule> measured);

} // namespace blockloom::scene
