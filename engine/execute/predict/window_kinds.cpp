#include "execute/predict/window_kinds.h"

#include "execute/worker_pool.h"

namespace blockloom::execute {
namespace {

constexpr std::size_t tasks_a_part = 128;

} // namespace

WindowKinds WindowKinds::of(TaskKinds& known, const WindowNow& now) {
    std::vector<TaskKinds::Names> names(now.tasks.size());
    now.pool.each(names.size(), tasks_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            names[i] =
                TaskKinds::names_of(*now.contexts[now.tasks[i].block], now.tasks[i].transaction);
    });
    known.begin_window();
    WindowKinds made;
    made.kinds.reserve(names.size());
    made.shapes.reserve(names.size());
    for (const TaskKinds::Names& each : names) {
        made.kinds.push_back(known.kind_of(each));
        made.shapes.push_back(known.shape_of(each));
    }
    return made;
}

} // namespace blockloom::execute
