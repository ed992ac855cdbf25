#include "execute/predict/window_kinds.h"

namespace blockloom::execute {

WindowKinds WindowKinds::of(TaskKinds& known, const WindowNow& now) {
    known.begin_window();
    WindowKinds made;
    made.kinds.reserve(now.tasks.size());
    made.shapes.reserve(now.tasks.size());
    for (const WindowTask& task : now.tasks) {
        const alkanes::BlockContext& context = *now.contexts[task.block];
        made.kinds.push_back(known.kind_of(context, task.transaction));
        made.shapes.push_back(known.shape_of(context, task.transaction, made.kinds.back()));
    }
    return made;
}

} // namespace blockloom::execute
