#include "execute/predict/window_kinds.h"

#include "execute/worker_pool.h"

namespace blockloom::execute {
namespace {

constexpr std::size_t tasks_a_part = 128;
/// Looking up first and numbering afterwards takes longer in all: fewer workers do both at once.
constexpr unsigned fewest_that_look_up = 4;
/// How far ahead new names are looked up: most are not in the cache.
constexpr std::size_t prefetched = 8;

} // namespace

WindowKinds WindowKinds::of(TaskKinds& known, const WindowNow& now) {
    known.begin_window();
    const std::size_t count = now.tasks.size();
    std::vector<TaskKinds::Names> names(count);
    std::vector<TaskKinds::Numbers> numbers(count, {TaskKinds::unknown, TaskKinds::unknown});
    const bool look_up = now.pool.workers() >= fewest_that_look_up;
    now.pool.each(count, tasks_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            names[i] =
                TaskKinds::names_of(*now.contexts[now.tasks[i].block], now.tasks[i].transaction);
            if (look_up) known.prefetch(names[i]);
        }
        for (std::size_t i = begin; look_up && i < end; ++i) numbers[i] = known.find(names[i]);
    });
    // What is new is numbered in block order.
    WindowKinds made;
    made.kinds.reserve(count);
    made.shapes.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i + prefetched < count) known.prefetch(names[i + prefetched]);
        const TaskKinds::Numbers given = known.numbers_of(names[i], numbers[i]);
        made.kinds.push_back(given.kind);
        made.shapes.push_back(given.shape);
    }
    return made;
}

} // namespace blockloom::execute
