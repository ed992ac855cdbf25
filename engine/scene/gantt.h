// A predicted Gantt chart above a measured one.
#pragma once

#include "scene/display_list.h"
#include "scene/view_options.h"
#include "scene/view_table.h"
#include "schedule/measured.h"

#include <memory>

namespace blockloom::scene {

inline constexpr float gantt_width = 800;  ///< world units of the longer makespan; time 0 is x 0
inline constexpr float gantt_caption = 44; ///< least room above each chart

/// Both on one axis of nanoseconds, without drawn axes: `predicted` hollow and dashed, `measured`
/// filled below it, aborted attempts striped, a device's parts on their own lanes (copies hatched).
/// `predicted` may be empty: then only the measured chart is shown. A task's first target is its
/// predicted bar.
[[nodiscard]] DisplayList make_gantts(const schedule::BlockAnalysis& analysis,
                                      const schedule::Schedule& predicted,
                                      const schedule::MeasuredSchedule& measured,
                                      const ViewOptions& options);

/// The same as a table: one row per execution, predicted or measured, and one per part of a
/// device's submission.
[[nodiscard]] std::unique_ptr<ViewTable>
make_gantts_table(std::shared_ptr<const conflict::ConflictIndex> index,
                  std::shared_ptr<const schedule::Schedule> predicted,
                  std::shared_ptr<const schedule::MeasuredSchedule> measured);

} // namespace blockloom::scene
