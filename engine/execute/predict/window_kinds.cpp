#include "execute/predict/window_kinds.h"

#include "execute/worker_pool.h"

namespace blockloom::execute {
namespace {

constexpr std::size_t tasks_a_part = 128;
/// How far ahead names are looked up: most are not in the cache.
constexpr std::size_t prefetched = 8;

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
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i + prefetched < names.size()) known.prefetch(names[i + prefetched]);
        const TaskKinds::Numbers numbers = known.numbers_of(names[i]);
        made.kinds.push_back(numbers.kind);
        made.shapes.push_back(numbers.shape);
    }
    return made;
}

} // namespace blockloom::execute
