// Where Alt and an arrow key lead from a task, and one-line descriptions of tasks and keys.
#pragma once

#include "range/range.h"

#include <QString>

#include <optional>

namespace blockloom::ui {

/// across −1: the nearest task that it depends on; +1: the first that depends on it; along: its
/// neighbour in block order. Without a current task: the first task. None: there is no such task.
[[nodiscard]] std::optional<conflict::TaskId> step_from(const conflict::ConflictIndex& index,
                                                        std::optional<conflict::TaskId> task,
                                                        int across, int along);

/// "#1,009 · level 2 of 25 · waits for 1 task"; the task's name on a second line.
[[nodiscard]] QString task_tip(const range::BlockRecord& block, conflict::TaskId task);
[[nodiscard]] QString key_tip(const range::BlockRecord& block, conflict::KeyId key);

} // namespace blockloom::ui
