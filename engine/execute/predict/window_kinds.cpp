#include "execute/predict/window_kinds.h"

#include "execute/worker_pool.h"

namespace blockloom::execute {
namespace {

constexpr std::size_t tasks_a_part = 128;
/// How far ahead new names are looked up: most are not in the cache.
constexpr std::size_t prefetched = 8;

} // namespace

WindowKinds WindowKinds::of(TaskKinds& known, const WindowNow& now, bool all_shapes) {
    known.begin_window();
    const std::size_t count = now.tasks.size();
    std::vector<TaskKinds::Names> names(count);
    std::vector<TaskKinds::Numbers> numbers(count, {TaskKinds::unknown, TaskKinds::unknown});
    now.pool.each(count, tasks_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            names[i] =
                TaskKinds::names_of(*now.contexts[now.tasks[i].block], now.tasks[i].transaction);
            known.prefetch(names[i]);
        }
        for (std::size_t i = begin; i < end; ++i) numbers[i] = known.find(names[i]);
    });
    // What is new is numbered in block order.
    WindowKinds made;
    made.kinds.reserve(count);
    made.shapes.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        made.kinds.push_back(known.kind_of(names[i], numbers[i]));
    std::vector<std::uint32_t> tasks(all_shapes ? 0 : known.count()); // by kind
    if (!all_shapes)
        for (const std::uint32_t kind : made.kinds) ++tasks[kind];
    const auto is_worth_a_number = [&](std::size_t i) {
        return numbers[i].shape == TaskKinds::unknown && (all_shapes || tasks[made.kinds[i]] > 1);
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (const std::size_t later = i + prefetched; later < count && is_worth_a_number(later))
            known.prefetch(names[later]);
        if (is_worth_a_number(i))
            made.shapes.push_back(
                known.numbers_of(names[i], {made.kinds[i], TaskKinds::unknown}).shape);
        else
            made.shapes.push_back(numbers[i].shape == TaskKinds::unknown ? TaskKinds::unnumbered
                                                                         : numbers[i].shape);
    }
    return made;
}

} // namespace blockloom::execute
