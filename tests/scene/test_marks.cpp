// Marks of the selection: outlines over the view, edges to neighbours, nothing dimmed.
#include "scene/blocks.h"
#include "scene/lists.h"

#include <QtTest>

namespace blockloom::scene::test_marks {
namespace {

using namespace tests;
using schedule::BlockAnalysis;

constexpr View views[]{View::layered, View::arc, View::matrix, View::bipartite, View::schedule};

struct Counts {
    std::size_t lines = 0, outlines = 0, halos = 0, fills = 0;
};
Counts count(const std::vector<Layer>& layers, const Theme& theme) {
    Counts c;
    for (const Layer& layer : layers) {
        for (const Line& line : layer.lines) c.lines += line.colour == theme.pick ? 1 : 0;
        for (const Box& box : layer.boxes) {
            c.outlines += box.outline == theme.pick && box.fill.a == 0 ? 1 : 0;
            c.halos += box.outline == theme.canvas ? 1 : 0;
            c.fills += box.fill.a == 255 ? 1 : 0;
        }
    }
    return c;
}

} // namespace

class TestMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothing_selected_nothing_drawn() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        for (const View view : views) {
            const ViewOptions options{.view = view};
            QVERIFY(selection_marks(make_view(analysis, options), analysis, options, {}).empty());
        }
    }

    /// The lines of the hottest key would cross its own name.
    void names_of_keys_are_above_the_lines() {
        const BlockAnalysis analysis = analysed(random_block(3, 120, 20, 3));
        const ViewOptions options{.view = View::bipartite};
        const DisplayList list = make_view(analysis, options);
        std::optional<std::uint32_t> key;
        std::vector<Text> names;
        for (const Layer& layer : list.layers)
            if (layer.shift != 0) names.insert(names.end(), layer.texts.begin(), layer.texts.end());
        QVERIFY(!names.empty());
        for (const PickTarget& target : list.targets)
            if (target.key && Point{target.bounds.x, target.bounds.y} == names.front().at)
                key = target.key;
        QVERIFY(key.has_value());
        const auto marks = selection_marks(list, analysis, options, {.key = key});
        std::size_t last_line = 0, first_name = marks.size();
        for (std::size_t i = marks.size(); i-- > 0;) {
            if (!marks[i].lines.empty()) last_line = std::max(last_line, i);
            if (!marks[i].texts.empty()) first_name = i;
        }
        QVERIFY(count(marks, dark_theme()).lines > 0);
        QVERIFY(first_name < marks.size() && first_name > last_line);
        QCOMPARE(marks[first_name].texts.front(), names.front());
    }

    /// In a chain the third of five has a predecessor and a successor.
    void a_task_and_its_neighbours() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        const std::uint32_t task = 2 * 3 + 1;
        for (const View view : {View::layered, View::schedule}) {
            const ViewOptions options{.view = view};
            const DisplayList list = make_view(analysis, options);
            const auto marks = selection_marks(list, analysis, options, {.task = task});
            const Counts c = count(marks, dark_theme());
            QCOMPARE(c.lines, std::size_t{2});
            QCOMPARE(c.outlines, std::size_t{3});
            QCOMPARE(c.halos, std::size_t{1});
            QCOMPARE(c.fills, std::size_t{0}); // covers nothing
            for (const Layer& layer : marks)
                for (const Line& line : layer.lines) QCOMPARE(line.width, 2.0F);
        }
        const ViewOptions layered{.view = View::layered};
        const DisplayList list = make_view(analysis, layered);
        const auto marks = selection_marks(list, analysis, layered, {.task = task});
        const Box& last = marks.back().boxes.back();
        QVERIFY(last.mark && last.outline == dark_theme().pick && last.rect.width == 9);
        QCOMPARE((Point{last.rect.x, last.rect.y}),
                 centre(list.targets[list.task_target[task]].bounds));
        const std::set<std::pair<std::uint32_t, std::uint32_t>> expected{{4, 7}, {7, 10}};
        DisplayList drawn;
        drawn.targets = list.targets;
        drawn.layers = marks;
        QCOMPARE(joined(drawn), expected);
    }

    void neighbours_of_random_tasks() {
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            const BlockAnalysis analysis = analysed(random_block(seed, 120, 100, 4));
            const auto edges = edges_of(analysis);
            const ViewOptions options{.view = View::layered};
            const DisplayList list = make_view(analysis, options);
            for (std::uint32_t task = 0; task < 120; task += 7) {
                std::size_t around = 0;
                for (const auto& [p, t] : edges) around += p == task || t == task ? 1 : 0;
                const Counts c =
                    count(selection_marks(list, analysis, options, {.task = task}), dark_theme());
                QCOMPARE(c.lines, around);
                QCOMPARE(c.outlines, around + 1);
            }
        }
    }

    void hovering_outlines_thinly() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        for (const View view : views) {
            const ViewOptions options{.view = view};
            const DisplayList list = make_view(analysis, options);
            const auto hovered = selection_marks(list, analysis, options, {.hovered_task = 3U});
            const Counts c = count(hovered, dark_theme());
            QCOMPARE(c.outlines, std::size_t{1});
            QCOMPARE(c.halos, std::size_t{0});
            QCOMPARE(c.lines, std::size_t{0});
            // The selected task is not outlined twice.
            const auto both =
                selection_marks(list, analysis, options, {.task = 3U, .hovered_task = 3U});
            const auto alone = selection_marks(list, analysis, options, {.task = 3U});
            QVERIFY(both == alone);
        }
    }

    void a_key_outlines_its_tasks() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        for (const View view : views) {
            const ViewOptions options{.view = view};
            const DisplayList list = make_view(analysis, options);
            const Counts c =
                count(selection_marks(list, analysis, options, {.key = 1U}), dark_theme());
            const bool hubs = view == View::bipartite;
            QCOMPARE(c.outlines, std::size_t{hubs ? 6U : 5U});
            QCOMPARE(c.lines, std::size_t{hubs ? 5U : 0U});
        }
    }

    void the_matrix_gets_a_crosshair() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        const ViewOptions options{.view = View::matrix};
        const DisplayList list = make_view(analysis, options);
        const auto marks = selection_marks(list, analysis, options, {.task = 7U});
        const float place = list.targets[list.task_target[7]].bounds.y;
        const auto n = static_cast<float>(analysis.index->tasks());
        const Box& row = marks.front().boxes.at(0);
        const Box& column = marks.front().boxes.at(1);
        QCOMPARE(row.rect, (Rect{0, place, n, 1}));
        QCOMPARE(column.rect, (Rect{place, 0, 1, n}));
        QCOMPARE(with_alpha(row.fill, 255), dark_theme().accent);
        // Two neighbours, each a mark above and one below the diagonal, and the task itself.
        QCOMPARE(count(marks, dark_theme()).outlines, std::size_t{5});
    }

    void aborted_executions_are_outlined_too() {
        const BlockAnalysis analysis = analysed(chains_block(1, 12, 0));
        const ViewOptions options{
            .view = View::schedule, .strategy = schedule::Strategy::optimistic, .workers = 6};
        const DisplayList list = make_view(analysis, options);
        std::uint32_t retried = 0;
        for (const auto& [task, targets] : by_task(list)) {
            const auto marks = selection_marks(list, analysis, options, {.task = task});
            QCOMPARE(count(marks, dark_theme()).halos, targets.size());
            retried += targets.size() > 1 ? 1 : 0;
        }
        QVERIFY(retried > 0);
    }

    void unknown_ids_are_left_alone() {
        const BlockAnalysis analysis = analysed(chains_block(3, 5, 4));
        for (const View view : views) {
            const ViewOptions options{.view = view};
            const DisplayList list = make_view(analysis, options);
            QVERIFY(selection_marks(list, analysis, options,
                                    {.task = 999U, .key = 9999U, .hovered_task = 1000U})
                        .empty());
        }
    }
};

} // namespace blockloom::scene::test_marks

QTEST_APPLESS_MAIN(blockloom::scene::test_marks::TestMarks)
#include "test_marks.moc"
