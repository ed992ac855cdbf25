#include "models/view_words.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

namespace blockloom::ui {
QString help_of(const scene::ViewOptions& options) {
    switch (options.view) {
    case scene::View::layered:
        return words("Each column is a level: tasks in the same level do not depend on each other "
                     "and can run at the same time. A line leads from a task to one that depends "
                     "on it. Isolated tasks, without any dependencies, are packed at the left. The "
                     "critical path is the costliest chain of dependencies: no number of workers "
                     "can make the block faster than that.");
    case scene::View::arc:
        return words(
            "Tasks are in block order from left to right. An arc joins two tasks if the later one "
            "depends on the earlier; the further apart they are, the higher the arc.");
    case scene::View::matrix:
        return words("Rows and columns are tasks, in the chosen order; a mark is a pair of tasks "
                     "that conflict. The squares on the diagonal are levels or colour classes; a "
                     "correct partition leaves the squares empty. A conflict inside a square is "
                     "drawn as a red cross and turns the badge red. There are fewer colour classes "
                     "than levels, but they change the order of the block, so they are useful only "
                     "to someone who builds the block.");
    case scene::View::bipartite:
        return words("Tasks are on one side, the keys they share on the other; a line means that "
                     "the task reads or writes the key. A key with many lines is hot: it makes its "
                     "tasks wait for each other.");
    case scene::View::schedule:
        return words(
            "When each task would run on equal workers. Simulated bars are hollow; gaps "
            "are idle time. levels: a barrier after each level; list (dag): a task starts "
            "as soon as its dependencies are done; optimistic: in block order, and tasks "
            "that read too early are re-executed. If a kept run is chosen under Measured, "
            "its bars are drawn below, filled, on the same axis, and the prediction uses "
            "its measured times as costs. Arrows point to the selected task from the "
            "tasks it waited for; dashed arrows start at the work that its worker was busy with.");
    }
    return {};
}

QString title_of(scene::View view) {
    switch (view) {
    case scene::View::layered:
        return words("Layered");
    case scene::View::arc:
        return words("Arc");
    case scene::View::matrix:
        return words("Matrix");
    case scene::View::bipartite:
        return words("Bipartite");
    case scene::View::schedule:
        return words("Schedule");
    }
    return {};
}

QString title_of(scene::ColourBy colour) {
    switch (colour) {
    case scene::ColourBy::batch:
        return words("batch");
    case scene::ColourBy::group:
        return words("group");
    case scene::ColourBy::cost:
        return words("cost");
    case scene::ColourBy::status:
        return words("status");
    case scene::ColourBy::plain:
        return words("plain");
    }
    return {};
}

QString title_of(scene::MatrixOrder order) {
    switch (order) {
    case scene::MatrixOrder::index:
        return words("index");
    case scene::MatrixOrder::level:
        return words("level");
    case scene::MatrixOrder::batch:
        return words("colour class");
    }
    return {};
}

QString title_of(conflict::ConflictModel model) {
    return model == conflict::ConflictModel::single_version ? words("single-version")
                                                            : words("multi-version");
}

QString title_of(schedule::Strategy strategy) {
    switch (strategy) {
    case schedule::Strategy::levels:
        return words("levels");
    case schedule::Strategy::list:
        return words("list (dag)");
    case schedule::Strategy::optimistic:
        return words("optimistic");
    }
    return {};
}

QString marks_text(std::uint64_t marks, scene::MatrixOrder order) {
    const QString where =
        order == scene::MatrixOrder::batch ? words("a colour class") : words("a level");
    return marks == 0 ? words("No conflicts inside %1").arg(where)
                      : words("%1 inside %2")
                            .arg(counted(marks, words("conflict"), words("conflicts")), where);
}

QString matrix_terms(const schedule::BlockAnalysis& analysis, const scene::ViewOptions& options,
                     const scene::DisplayList& list) {
    QString text = words("order %1, %2, policy: %3")
                       .arg(title_of(options.order), title_of(analysis.options.model),
                            to_qt(trace::describe(analysis.options.policy)));
    if (list.marks_inside_blocks)
        text += QStringLiteral(" · ") + marks_text(*list.marks_inside_blocks, options.order);
    if (options.order == scene::MatrixOrder::batch && analysis.colouring) {
        const schedule::ColouringSummary& c = *analysis.colouring;
        text += QStringLiteral(" · ") +
                words("%1: %2, %3 reordered")
                    .arg(to_qt(schedule::name_of(c.colouring.algorithm)),
                         counted(c.colouring.colours, words("class"), words("classes")),
                         counted(c.reordered_pairs, words("pair"), words("pairs")));
    }
    return text;
}

} // namespace blockloom::ui
