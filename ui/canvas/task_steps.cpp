#include "canvas/task_steps.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
std::optional<conflict::TaskId> step_from(const conflict::ConflictIndex& index,
                                          std::optional<conflict::TaskId> task, int across,
                                          int along) {
    const conflict::TaskId tasks = index.tasks();
    if (tasks == 0) return std::nullopt;
    if (!task || *task >= tasks) return conflict::TaskId{0};
    if (across < 0) {
        const auto before = index.predecessors_of(*task);
        if (before.empty()) return std::nullopt;
        return before.back(); // ascending: the nearest in block order
    }
    if (across > 0) {
        for (conflict::TaskId later = *task + 1; later < tasks; ++later) {
            const auto before = index.predecessors_of(later);
            if (std::binary_search(before.begin(), before.end(), *task)) return later;
        }
        return std::nullopt;
    }
    if (along < 0 && *task > 0) return *task - 1;
    if (along > 0 && *task + 1 < tasks) return *task + 1;
    return std::nullopt;
}

QString task_tip(const range::BlockRecord& block, conflict::TaskId task) {
    const conflict::ConflictIndex& index = *block.analysis.index;
    if (task >= index.tasks()) return {};
    const auto before = index.predecessors_of(task).size();
    QString text =
        words("#%1 · level %2 of %3 · waits for %4")
            .arg(count_text(index.trace->task_in_block(task)), count_text(index.level[task]),
                 count_text(index.level_sizes.size()),
                 before == 0 ? words("none") : counted(before, words("task"), words("tasks")));
    const trace::TaskNames* names = index.trace->original->names.get();
    if (names != nullptr)
        text += QLatin1Char('\n') + to_qt(names->printable(index.trace->task_in_block(task)));
    return text;
}

QString key_tip(const range::BlockRecord& block, conflict::KeyId key) {
    const trace::KeyNames* names = block.analysis.index->trace->keys.get();
    return names != nullptr ? to_qt(names->printable(key)) : words("key %1").arg(count_text(key));
}

} // namespace blockloom::ui
