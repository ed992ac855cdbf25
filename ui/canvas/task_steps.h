// Where Alt + cursor keys lead from a task, and a task or a key in a line of words.
#pragma once

#include "range/range.h"

#include <QString>

#include <optional>

namespace blockloom::ui {

/// across −1: the nearest task it waits for; +1: the first that waits for it; along: its neighbour
/// in block order. From nowhere: the first task. None: there is no such task.
[[nodiscard]] std::optional<conflict::TaskId> step_from(const conflict::ConflictIndex& index,
                                                        std::optional<conflict::TaskId> task,
                                                        int across, int along);

/// "#1,009 · level 2 of 25 · waits for 1 task"; the name of the task below.
[[nodiscard]] QString task_tip(const range::BlockRecord& block, conflict::TaskId task);
[[nodiscard]] QString key_tip(const range::BlockRecord& block, conflict::KeyId key);

} // namespace blockloom::ui
