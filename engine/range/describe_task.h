// One task in words and rows, from its block's analysis, its bytes and its execution.
#pragma once

#include "range/task_details.h"

namespace blockloom::range {

/// Sections: level and group, decoded bytes, reads and writes, waits for, waited for by; for a
/// message of an executed block, its request and its effects (message_rows.h). `schedule` (may be
/// null) adds when it would run and why it waited.
[[nodiscard]] TaskDetails describe_task(const BlockRecord& record, conflict::TaskId task,
                                        const schedule::Schedule* schedule = nullptr);

} // namespace blockloom::range
