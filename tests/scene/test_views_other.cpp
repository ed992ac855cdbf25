// The bipartite view, names and defaults of views, legends, and the table twins.
#include "scene/blocks.h"
#include "scene/legend_signs.h"
#include "scene/lists.h"
#include "scene/make_view_table.h"
#include "scene/view_table.h"

#include <QtTest>

namespace blockloom::scene::test_views_other {
namespace {

using namespace tests;
using conflict::ConflictModel;
using schedule::BlockAnalysis;
using trace::Mode;

constexpr View views[]{View::layered, View::arc, View::matrix, View::bipartite, View::schedule};

/// Keys that two tasks or more touch, one of them writing; with the number of their tasks.
std::map<std::uint32_t, std::uint32_t> shared_keys(const trace::AccessSets& sets) {
    std::map<std::uint32_t, std::uint32_t> tasks, writes;
    for (const trace::Access a : sets.accesses) {
        ++tasks[a.key()];
        if (a.writes()) ++writes[a.key()];
    }
    std::erase_if(tasks, [&](const auto& entry) {
        return entry.second < 2 || writes.count(entry.first) == 0;
    });
    return tasks;
}

} // namespace

class TestViewsOther : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_lead_there_and_back() {
        for (const View view : views) QCOMPARE(view_named(name_of(view)), std::optional(view));
        QCOMPARE(view_named("graph"), std::optional(View::layered));
        QVERIFY(!view_named("").has_value());
        QVERIFY(!view_named("force").has_value());
    }

    void many_conflicts_suggest_the_matrix() {
        QCOMPARE(suggested_view(analysed(chains_block(31, 25, 1240))), View::layered);
        const std::vector<Touches> hot(119, Touches{{0, Mode::read_write}});
        QCOMPARE(suggested_view(analysed(block_of(hot))), View::matrix);
        QCOMPARE(suggested_view(analysed(block_of({}))), View::layered);
    }

    void hubs_never_cliques() {
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            const BlockAnalysis analysis = analysed(random_block(seed, 60 + 30 * seed, 200, 5));
            const auto keys = shared_keys(analysis.index->trace->access_sets());
            std::uint64_t spokes = 0;
            for (const auto& [key, tasks] : keys) spokes += tasks;
            const DisplayList list = make_view(analysis, {.view = View::bipartite});
            QCOMPARE(by_task(list).size(), std::size_t{analysis.index->tasks()});
            std::map<std::pair<float, float>, std::uint32_t> hubs, tasks;
            for (const PickTarget& t : list.targets)
                (t.key ? hubs : tasks)[{t.bounds.x, t.bounds.y}] =
                    t.key.value_or(t.task.value_or(0));
            QCOMPARE(hubs.size(), keys.size());
            QCOMPARE(tasks.size(), std::size_t{analysis.index->tasks()});
            // Each line is an access, recognised by its pattern.
            std::set<std::pair<std::uint32_t, std::uint32_t>> drawn;
            for (const Layer& layer : list.layers)
                for (const Line& line : layer.lines) {
                    const auto task = tasks.find({line.from.x, line.from.y});
                    const auto hub = hubs.find({line.to.x, line.to.y});
                    QVERIFY(task != tasks.end() && hub != hubs.end());
                    const auto of = analysis.index->trace->access_sets().of(task->second);
                    const auto access = std::find_if(of.begin(), of.end(), [&](trace::Access a) {
                        return a.key() == hub->second;
                    });
                    QVERIFY(access != of.end());
                    QCOMPARE(line.dashed, !access->writes());
                    drawn.insert({task->second, hub->second});
                }
            QCOMPARE(drawn.size(), std::size_t{spokes});
            QCOMPARE(list.coverage.drawn_edges, spokes);
            QCOMPARE(list.coverage.all_edges, spokes);
        }
    }

    void the_hottest_keys_stay() {
        const BlockAnalysis analysis = analysed(random_block(6, 300, 120, 6));
        const auto keys = shared_keys(analysis.index->trace->access_sets());
        const DisplayList list = make_view(analysis, {.view = View::bipartite, .edge_limit = 200});
        QVERIFY(list.coverage.drawn_edges <= 200);
        QVERIFY(list.coverage.all_edges > 200);
        QVERIFY(list.coverage.folded.find("less contended key") != std::string::npos);
        std::uint32_t coolest = 0xFFFFFFFF;
        std::set<std::uint32_t> kept;
        for (const PickTarget& t : list.targets)
            if (t.key) {
                kept.insert(*t.key);
                coolest = std::min(coolest, keys.at(*t.key));
            }
        for (const auto& [key, tasks] : keys)
            if (kept.count(key) == 0) QVERIFY(tasks <= coolest);
        // Even one hub of more spokes than the limit is shown, cut off.
        const std::vector<Touches> hot(500, Touches{{0, Mode::read_write}});
        const DisplayList cut =
            make_view(analysed(block_of(hot)), {.view = View::bipartite, .edge_limit = 100});
        QCOMPARE(cut.coverage.drawn_edges, std::uint64_t{100});
        QCOMPARE(cut.coverage.all_edges, std::uint64_t{500});
    }

    void legends_tell_the_signs() {
        const BlockAnalysis analysis = analysed(chains_block(31, 25, 1240));
        const auto words = [&](View view) {
            std::string all;
            for (const OverlayLegend& sign : make_legend(analysis, {.view = view}))
                all += sign.label + "|" + sign.first + "|" + sign.last + "\n";
            return all;
        };
        const std::string layered = words(View::layered);
        QVERIFY(layered.find("Batch (level)|1|25") != std::string::npos);
        QVERIFY(layered.find("critical path, 25 tasks") != std::string::npos);
        QVERIFY(layered.find("1,240 isolated tasks") != std::string::npos);
        QVERIFY(layered.find("selected") != std::string::npos);
        QVERIFY(layered.find("dependency") != std::string::npos);
        QVERIFY(words(View::arc).find("dependency") != std::string::npos);
        QVERIFY(words(View::schedule).find("predicted") != std::string::npos);
        QVERIFY(words(View::matrix).find("red cross") != std::string::npos);
        QVERIFY(words(View::bipartite).find("dashed") != std::string::npos);
        for (const OverlayLegend& sign : make_legend(analysis, {.critical_chain = false}))
            QVERIFY(sign.label.find("critical") == std::string::npos);
    }

    /// What the legend calls a diamond, a triangle, a dashed line or a cross is one there too.
    void legends_have_the_shapes_of_the_canvas() {
        const auto shapes = [](const std::vector<Layer>& layers) {
            std::set<Shape> all;
            for (const Layer& layer : layers)
                for (const Box& box : layer.boxes) all.insert(box.shape);
            return all;
        };
        const auto sign_of = [](const BlockAnalysis& analysis, const ViewOptions& options,
                                std::string_view word) {
            for (const OverlayLegend& sign : make_legend(analysis, options))
                if (sign.label.find(word) != std::string::npos)
                    return sign_marks(sign, {50, 50}, dark_theme());
            return Layer();
        };
        const BlockAnalysis analysis = analysed(random_block(2, 130, 100, 4));
        const ViewOptions bipartite{.view = View::bipartite};
        QVERIFY(shapes(make_view(analysis, bipartite).layers).count(Shape::diamond) == 1);
        QVERIFY(sign_of(analysis, bipartite, "diamond").boxes.at(0).shape == Shape::diamond);
        QVERIFY(sign_of(analysis, bipartite, "dashed").lines.at(0).dashed);
        QVERIFY(!sign_of(analysis, bipartite, "solid").lines.at(0).dashed);
        ViewOptions status{.colour_by = ColourBy::status};
        std::vector<bool> failed(130);
        failed[7] = true;
        status.failed = std::make_shared<const std::vector<bool>>(failed);
        QVERIFY(shapes(make_view(analysis, status).layers).count(Shape::triangle) == 1);
        QVERIFY(sign_of(analysis, status, "triangle").boxes.at(0).shape == Shape::triangle);
        QCOMPARE(sign_of(analysis, {.view = View::matrix}, "cross").lines.size(), std::size_t{2});
        QVERIFY(sign_of(analysis, {.view = View::schedule}, "predicted").boxes.at(0).dashed);
    }

    /// Rows of a legend stay in the picture's width, below what it shows, on their own ground.
    void legends_wrap() {
        const BlockAnalysis analysis = analysed(chains_block(31, 25, 1240));
        const auto legend = make_legend(analysis, {});
        const LegendRows wide =
            legend_rows(legend, "Block 7", "Drawing 5 of 5 edges", dark_theme(), 2000, 300);
        const LegendRows narrow =
            legend_rows(legend, "Block 7", "Drawing 5 of 5 edges", dark_theme(), 320, 300);
        QVERIFY(narrow.height > wide.height);
        for (const auto& [rows, width] : {std::pair(&wide, 2000.0F), std::pair(&narrow, 320.0F)}) {
            const float bottom = 300 + rows->height;
            QVERIFY(rows->ground.boxes.at(0).rect == (Rect{0, 300, width, rows->height}));
            QCOMPARE(rows->signs.texts.size(), std::size_t{2 + 3 + legend.size() - 1});
            for (const Text& text : rows->signs.texts)
                QVERIFY(text.at.x >= 0 && text.at.x < width && text.at.y > 300 &&
                        text.at.y < bottom);
        }
    }

    void tables_of_tasks() {
        const BlockAnalysis analysis =
            analysed(random_block(2, 130, 100, 4), ConflictModel::single_version, true);
        const auto& index = *analysis.index;
        const auto table = make_view_table(analysis, {.view = View::layered});
        QCOMPARE(table->rows(), std::size_t{130});
        QVERIFY(table->note().empty());
        const auto column = [&](const char* name) {
            const auto& all = table->columns();
            const auto at = std::find_if(all.begin(), all.end(),
                                         [&](const TableColumn& c) { return c.name == name; });
            return static_cast<std::size_t>(at - all.begin());
        };
        double waits = 0, waited = 0;
        for (std::size_t row = 0; row < table->rows(); ++row) {
            const auto t = static_cast<std::uint32_t>(row);
            QCOMPARE(table->task(row), std::optional(t));
            QCOMPARE(table->value(row, column("Level")), std::optional<double>(index.level[t]));
            QCOMPARE(table->value(row, column("Cost")),
                     std::optional(static_cast<double>(index.trace->cost_of(t))));
            waits += *table->value(row, column("Waits for"));
            waited += *table->value(row, column("Waited for by"));
        }
        QCOMPARE(waits, static_cast<double>(index.edges()));
        QCOMPARE(waited, waits);
    }

    void tables_of_the_other_views() {
        const BlockAnalysis analysis = analysed(random_block(2, 130, 100, 4));
        const auto& index = *analysis.index;
        const auto pairs = make_view_table(analysis, {.view = View::matrix});
        QCOMPARE(pairs->rows(), std::size_t{index.pairs.any});
        std::uint64_t raw = 0, war = 0, waw = 0;
        for (std::size_t row = 0; row < pairs->rows(); ++row) {
            const std::string kinds = pairs->text(row, 5);
            QVERIFY(!kinds.empty());
            raw += kinds.find("RAW") != std::string::npos ? 1 : 0;
            war += kinds.find("WAR") != std::string::npos ? 1 : 0;
            waw += kinds.find("WAW") != std::string::npos ? 1 : 0;
        }
        QCOMPARE(raw, index.pairs.raw);
        QCOMPARE(war, index.pairs.war);
        QCOMPARE(waw, index.pairs.waw);
        const auto few = make_view_table(analysis, {.view = View::matrix}, nullptr, 10);
        QCOMPARE(few->rows(), std::size_t{10});
        QVERIFY(few->note().find("The first 10 of ") == 0);

        const auto keys = make_view_table(analysis, {.view = View::bipartite});
        const auto shared = shared_keys(index.trace->access_sets());
        QCOMPARE(keys->rows(), shared.size());
        for (std::size_t row = 0; row < keys->rows(); ++row) {
            QCOMPARE(keys->value(row, 1), std::optional<double>(shared.at(*keys->key(row))));
            QCOMPARE(*keys->value(row, 2) + *keys->value(row, 3), *keys->value(row, 1));
        }

        const auto slots = make_view_table(
            analysis, {.view = View::schedule, .strategy = schedule::Strategy::optimistic});
        const auto schedule = schedule::make_schedule(index, schedule::Strategy::optimistic, 8);
        QCOMPARE(slots->rows(), schedule.slots.size());
        for (std::size_t row = 0; row < slots->rows(); ++row) {
            QCOMPARE(slots->task(row), std::optional(schedule.slots[row].task));
            QCOMPARE(slots->value(row, 3),
                     std::optional(static_cast<double>(schedule.slots[row].end)));
            QCOMPARE(slots->text(row, 5) == "done", !schedule.slots[row].aborted);
        }
    }

    void every_cell_has_a_text() {
        const BlockAnalysis analysis = analysed(random_block(8, 40, 60, 4));
        for (const View view : views) {
            const auto table = make_view_table(analysis, {.view = view});
            QVERIFY(table->rows() > 0);
            for (std::size_t row = 0; row < table->rows(); ++row) {
                QVERIFY(table->task(row).has_value() != table->key(row).has_value());
                for (std::size_t c = 0; c < table->columns().size(); ++c) {
                    QVERIFY(!table->text(row, c).empty());
                    QCOMPARE(table->value(row, c).has_value(), table->columns()[c].number);
                }
            }
        }
    }
};

} // namespace blockloom::scene::test_views_other

QTEST_APPLESS_MAIN(blockloom::scene::test_views_other::TestViewsOther)
#include "test_views_other.moc"
