#include "models/view_words.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

namespace blockloom::ui {
QString help_of(const scene::ViewOptions& options) {
    switch (options.view) {
    case scene::View::layered:
        return words(
            "Each column is a level: tasks of one level do not depend on each other and may run "
            "together. A line leads from a task to one that waits for it. Isolated tasks, which "
            "wait for nothing and hold up nothing, are packed at the left. The critical chain is "
            "the longest one: no number of workers makes the block shorter.");
    case scene::View::arc:
        return words(
            "Tasks stand in block order from left to right. An arc joins two tasks when the later "
            "one waits for the earlier; its height grows with the distance between them.");
    case scene::View::matrix:
        return words(
            "Rows and columns are tasks, in the chosen order; a mark is a pair of tasks that "
            "conflict. Batches are the blocks on the diagonal: a right batching leaves them "
            "empty, a mark inside one is a red cross and turns the badge red. Colour classes need "
            "fewer batches than levels but change the order of the block: they can drive a run in "
            "builder mode only.");
    case scene::View::bipartite:
        return words(
            "Tasks at one side, the keys they share at the other; a line means that the task "
            "reads or writes the key. A key with many lines is hot: it makes its tasks wait for "
            "each other.");
    case scene::View::schedule:
        return words(
            "When each task would run on equal workers: simulated bars are hollow. Empty ground is "
            "idle time. levels: a barrier after each level; list (dag): a task starts as soon as "
            "what it waits for is done; optimistic: in block order, and what read too early runs "
            "again. With a kept run under Measured, what it measured lies below, filled, on one "
            "axis; the prediction then takes its times as costs. Arrows lead to the selected task "
            "from what it waited for, dashed from what kept its worker busy.");
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

QString marks_text(std::uint64_t marks) {
    return counted(marks, words("mark inside blocks"), words("marks inside blocks"));
}

QString matrix_terms(const schedule::BlockAnalysis& analysis, const scene::ViewOptions& options,
                     const scene::DisplayList& list) {
    QString text = words("order %1, %2, policy: %3")
                       .arg(title_of(options.order), title_of(analysis.options.model),
                            to_qt(trace::describe(analysis.options.policy)));
    if (list.marks_inside_blocks)
        text += QStringLiteral(" · ") + marks_text(*list.marks_inside_blocks);
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
