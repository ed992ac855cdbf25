// Which spans of a run belong to which task of the open range, and search by name.
#pragma once

#include "profile/timeline.h"
#include "runs/kept_run.h"

#include <QString>

#include <optional>
#include <vector>

namespace blockloom::ui {

class Session;

/// The spans of the selected task; empty if nothing is selected or the run replayed another block.
[[nodiscard]] std::vector<profile::SpanRef> spans_of_selection(const Session& session,
                                                               const profile::Timeline& timeline,
                                                               const runs::KeptRun& run);

/// Selects the block and task of a span if the open range has them.
void select_task_of(Session& session, const profile::Timeline& timeline, const runs::KeptRun& run,
                    profile::SpanRef at);

/// The next span after `focused`, lane by lane, whose name contains `wanted` or whose task or block
/// has that number; wraps around at the end. Null: there is none.
[[nodiscard]] std::optional<profile::SpanRef> find_span(const profile::Timeline& timeline,
                                                        const QString& wanted,
                                                        std::optional<profile::SpanRef> focused);

} // namespace blockloom::ui
