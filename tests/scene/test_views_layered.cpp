// Layered and arc views: every task once, every drawn line an edge, and what is said about them.
#include "scene/blocks.h"
#include "scene/lists.h"

#include <QtTest>

#include <cmath>

namespace blockloom::scene::test_views_layered {
namespace {

using namespace tests;
using schedule::BlockAnalysis;

std::vector<BlockAnalysis> blocks() {
    std::vector<BlockAnalysis> all;
    for (std::uint32_t seed = 1; seed <= 12; ++seed)
        all.push_back(analysed(random_block(seed, 10 + seed * 37, 20 + seed * 60, 4)));
    all.push_back(analysed(chains_block(31, 25, 1240)));
    all.push_back(analysed(chains_block(1, 300, 0)));
    all.push_back(analysed(chains_block(0, 0, 676)));
    all.push_back(analysed(chains_block(400, 2, 3)));
    all.push_back(analysed(chains_block(1, 1, 0)));
    return all;
}

} // namespace

class TestViewsLayered : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_task_stands_once() {
        for (const BlockAnalysis& analysis : blocks()) {
            for (const View view : {View::layered, View::arc}) {
                const DisplayList list = make_view(analysis, {.view = view});
                const auto tasks = by_task(list);
                QCOMPARE(tasks.size(), std::size_t{analysis.index->tasks()});
                std::set<std::pair<float, float>> places;
                for (const auto& [task, targets] : tasks) {
                    QCOMPARE(targets.size(), std::size_t{1});
                    QCOMPARE(&list.targets[list.task_target[task]], targets.front());
                    const Rect& at = targets.front()->bounds;
                    places.insert({at.x, at.y});
                    QVERIFY(at.x >= list.world.x && at.x <= list.world.x + list.world.width);
                    QVERIFY(at.y >= list.world.y && at.y <= list.world.y + list.world.height);
                }
                QCOMPARE(places.size(), tasks.size());
                QVERIFY(list.coverage.folded.empty());
            }
        }
    }

    /// Nodes of 5 px keep clear of each other at one pixel a unit.
    void nodes_do_not_overlap() {
        for (const BlockAnalysis& analysis : blocks()) {
            const DisplayList list = make_view(analysis, {.view = View::layered});
            std::map<std::pair<int, int>, std::vector<Point>> cells;
            for (const PickTarget& target : list.targets) {
                const Point p{target.bounds.x, target.bounds.y};
                const int cx = static_cast<int>(std::floor(p.x / 8)),
                          cy = static_cast<int>(std::floor(p.y / 8));
                for (int x = cx - 1; x <= cx + 1; ++x)
                    for (int y = cy - 1; y <= cy + 1; ++y)
                        for (const Point other : cells[{x, y}])
                            QVERIFY2(std::max(std::abs(p.x - other.x), std::abs(p.y - other.y)) >=
                                         4.99F,
                                     "two nodes closer than 5 units");
                cells[{cx, cy}].push_back(p);
            }
        }
    }

    void levels_ascend_in_columns() {
        for (const BlockAnalysis& analysis : blocks()) {
            const auto& index = *analysis.index;
            const DisplayList list = make_view(analysis, {.view = View::layered});
            std::vector<std::pair<float, float>> band(index.level_sizes.size() + 1, {1e9F, -1e9F});
            std::vector<std::uint32_t> group(index.groups, 0);
            for (const std::uint32_t g : index.group) ++group[g];
            float isolated_right = -1e9F;
            for (std::uint32_t t = 0; t < index.tasks(); ++t) {
                const float x = list.targets[list.task_target[t]].bounds.x;
                if (group[index.group[t]] == 1) {
                    isolated_right = std::max(isolated_right, x);
                    continue;
                }
                auto& [from, to] = band[index.level[t]];
                from = std::min(from, x);
                to = std::max(to, x);
            }
            float before = isolated_right;
            for (std::size_t l = 1; l < band.size(); ++l) {
                if (band[l].second < band[l].first) continue;
                QVERIFY(band[l].first > before + 5);
                before = band[l].second;
            }
        }
    }

    void lines_are_edges_and_counted() {
        for (const BlockAnalysis& analysis : blocks()) {
            const auto edges = edges_of(analysis);
            for (const std::uint64_t limit :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{17}, std::uint64_t{20'000}}) {
                const DisplayList list =
                    make_view(analysis, {.view = View::layered, .edge_limit = limit});
                const auto drawn = joined(list);
                for (const auto& edge : drawn) QVERIFY(edges.count(edge) == 1);
                QCOMPARE(list.coverage.drawn_edges, std::min<std::uint64_t>(limit, edges.size()));
                QCOMPARE(drawn.size(), std::size_t{list.coverage.drawn_edges});
                QCOMPARE(list.coverage.all_edges, std::uint64_t{edges.size()});
            }
        }
    }

    void the_critical_chain_comes_first() {
        const BlockAnalysis analysis = analysed(chains_block(31, 25, 40));
        const Theme& theme = dark_theme();
        const DisplayList few = make_view(analysis, {.view = View::layered, .edge_limit = 24});
        QCOMPARE(count_lines(few, theme.critical), std::uint64_t{24});
        const auto drawn = joined(few);
        const auto chain = conflict::critical_chain(*analysis.index);
        QCOMPARE(chain.size(), std::size_t{25});
        for (std::size_t i = 1; i < chain.size(); ++i)
            QVERIFY(drawn.count({chain[i - 1], chain[i]}) == 1);
        std::uint64_t circles = 0;
        for (const Layer& layer : few.layers)
            for (const Box& box : layer.boxes) circles += box.shape == Shape::circle ? 1 : 0;
        QCOMPARE(circles, std::uint64_t{25});
        const DisplayList without =
            make_view(analysis, {.view = View::layered, .critical_chain = false});
        QCOMPARE(count_lines(without, theme.critical), std::uint64_t{0});
        QCOMPARE(without.coverage.drawn_edges, std::uint64_t{31 * 24});
    }

    /// Many edges fade, and headings never touch.
    void edges_fade_and_headings_keep_apart() {
        const auto alpha_of = [](const DisplayList& list) {
            return list.layers[1].lines.front().colour.a;
        };
        QCOMPARE(int{alpha_of(make_view(analysed(chains_block(40, 20, 0)), {}))}, 77);
        QCOMPARE(int{alpha_of(make_view(analysed(chains_block(150, 20, 0)), {}))}, 38);
        for (const BlockAnalysis& analysis : blocks()) {
            const DisplayList list = make_view(analysis, {.view = View::layered});
            const float scale = std::max(1.0F, list.world.width / 800);
            float before = -1e9F;
            std::vector<std::pair<float, std::string>> texts;
            for (const Layer& layer : list.layers)
                for (const Text& text : layer.texts) {
                    const float width = static_cast<float>(text.utf8.size()) * 5.5F * scale;
                    texts.push_back(
                        {text.anchor == Anchor::left ? text.at.x + width / 2 : text.at.x,
                         text.utf8});
                }
            std::sort(texts.begin(), texts.end());
            for (const auto& [x, text] : texts) {
                const float half = static_cast<float>(text.size()) * 5.5F * scale / 2;
                QVERIFY2(x - half >= before, text.c_str());
                before = x + half;
            }
        }
    }

    void huge_blocks_fold_and_say_so() {
        // Too many lone tasks; too many small groups; one group that is too large by itself.
        const std::vector<Touches> hot(120'000, Touches{{0, trace::Mode::read}});
        std::vector<Touches> star = hot;
        star.front() = {{0, trace::Mode::write}};
        for (const auto& block :
             {chains_block(2, 3, 110'000), chains_block(60'000, 2, 0), block_of(star)}) {
            schedule::AnalysisOptions plain;
            plain.colouring.reset();
            const auto analysis = schedule::analyse(block, plain);
            QVERIFY(analysis.ok());
            const auto& index = *analysis->index;
            const DisplayList list = make_view(*analysis, {.view = View::layered});
            std::uint64_t folded = 0;
            for (const std::uint32_t target : list.task_target)
                folded += target == no_target ? 1 : 0;
            QVERIFY(folded > 0);
            QCOMPARE(list.targets.size() + folded, std::size_t{index.tasks()});
            std::string expected = std::to_string(folded);
            if (expected.size() > 3) expected.insert(expected.size() - 3, ",");
            QVERIFY2(list.coverage.folded.find(expected) != std::string::npos,
                     list.coverage.folded.c_str());
            for (const std::uint32_t task : conflict::critical_chain(index))
                QVERIFY(index.span == 1 || list.task_target[task] != no_target);
            for (const auto& [from, to] : joined(list))
                QVERIFY(list.task_target[from] != no_target && list.task_target[to] != no_target);
            QVERIFY(list.coverage.drawn_edges <= 20'000);
        }
    }

    void arcs_end_at_their_tasks() {
        for (const BlockAnalysis& analysis : blocks()) {
            const auto edges = edges_of(analysis);
            const DisplayList list = make_view(analysis, {.view = View::arc});
            QCOMPARE(list.coverage.drawn_edges, std::uint64_t{edges.size()});
            std::map<float, std::uint32_t> at;
            for (const auto& [task, targets] : by_task(list)) at[targets[0]->bounds.x] = task;
            // An arc starts and ends on the line of the tasks, and stays above it between.
            std::uint64_t arcs = 0;
            for (const Layer& layer : list.layers) {
                const Line* begin = nullptr;
                std::size_t pieces = 0;
                for (const Line& line : layer.lines) {
                    if (line.from.x == line.to.x) continue; // a tick
                    ++pieces;
                    if (begin == nullptr) begin = &line;
                    QVERIFY(line.from.y <= 0.01F && line.to.y <= 0.01F);
                    if (line.to.y < -0.01F) continue;
                    ++arcs;
                    QVERIFY(pieces >= 8 && pieces <= 48);
                    const auto nearest = [&](float x) {
                        auto it = at.lower_bound(x - 0.05F);
                        return it != at.end() && it->first < x + 0.05F ? it->second : 0xFFFFFFFFU;
                    };
                    QVERIFY(edges.count({nearest(begin->from.x), nearest(line.to.x)}) == 1);
                    begin = nullptr;
                    pieces = 0;
                }
                QVERIFY(begin == nullptr);
            }
            QCOMPARE(arcs, std::uint64_t{edges.size()});
        }
    }

    void too_many_arcs_are_bundled() {
        const BlockAnalysis analysis = analysed(chains_block(600, 20, 0));
        const DisplayList list = make_view(analysis, {.view = View::arc});
        QCOMPARE(list.coverage.all_edges, std::uint64_t{600 * 19});
        QCOMPARE(list.coverage.drawn_edges, std::uint64_t{19}); // the chain
        QVERIFY(list.coverage.folded.find("11,400 edges merged into") == 0);
    }

    void same_input_same_list() {
        for (const View view :
             {View::layered, View::arc, View::bipartite, View::matrix, View::schedule})
            for (std::uint32_t seed = 1; seed <= 4; ++seed) {
                const auto block = random_block(seed, 150, 300, 5);
                QVERIFY(same(make_view(analysed(block), {.view = view}),
                             make_view(analysed(block), {.view = view})));
            }
    }

    void cancelled_is_empty() {
        std::stop_source stop;
        stop.request_stop();
        const BlockAnalysis analysis = analysed(random_block(3, 100, 100, 4));
        for (const View view :
             {View::layered, View::arc, View::bipartite, View::matrix, View::schedule}) {
            const DisplayList list = make_view(analysis, {.view = view}, stop.get_token());
            QVERIFY(list.layers.empty());
            QVERIFY(list.targets.empty());
        }
    }

    void no_tasks_no_marks() {
        const BlockAnalysis analysis = analysed(block_of({}));
        for (const View view :
             {View::layered, View::arc, View::bipartite, View::matrix, View::schedule}) {
            const DisplayList list = make_view(analysis, {.view = view});
            QVERIFY(list.targets.empty());
            QVERIFY(list.world.width > 0 && list.world.height > 0);
            QVERIFY(!list.summary.empty());
        }
    }

    void colours_follow_what_they_show() {
        const BlockAnalysis analysis =
            analysed(chains_block(3, 4, 2), conflict::ConflictModel::single_version);
        const Theme& theme = light_theme();
        const auto colours = [&](ColourBy by) {
            std::set<std::uint32_t> found;
            const DisplayList list =
                make_view(analysis, {.view = View::layered, .colour_by = by, .theme = &theme});
            for (const Layer& layer : list.layers)
                for (const Box& box : layer.boxes)
                    if (box.mark)
                        found.insert(static_cast<std::uint32_t>(box.fill.r) << 16 |
                                     static_cast<std::uint32_t>(box.fill.g) << 8 | box.fill.b);
            return found;
        };
        QCOMPARE(colours(ColourBy::batch).size(), std::size_t{4}); // levels
        QCOMPARE(colours(ColourBy::group).size(), std::size_t{4}); // three groups, lone tasks
        QCOMPARE(colours(ColourBy::cost).size(), std::size_t{1});  // all cost 1
        QCOMPARE(colours(ColourBy::plain).size(), std::size_t{1});
        QCOMPARE(colours(ColourBy::status).size(), std::size_t{1}); // nothing was executed
    }

    void a_failed_task_has_a_sign_of_its_own() {
        const BlockAnalysis analysis =
            analysed(chains_block(3, 4, 2), conflict::ConflictModel::single_version);
        const Theme& theme = light_theme();
        std::vector<bool> failed(analysis.index->tasks(), false);
        failed[2] = failed[5] = true;
        ViewOptions options;
        options.colour_by = ColourBy::status;
        options.theme = &theme;
        options.failed = std::make_shared<const std::vector<bool>>(failed);
        for (const View view : {View::layered, View::arc, View::bipartite, View::schedule}) {
            options.view = view;
            const DisplayList list = make_view(analysis, options);
            std::size_t triangles = 0, failed_fills = 0;
            for (const Layer& layer : list.layers)
                for (const Box& box : layer.boxes) {
                    triangles += box.mark && box.shape == Shape::triangle ? 1 : 0;
                    failed_fills += box.fill == theme.warning ? 1 : 0;
                }
            QCOMPARE(triangles, std::size_t{2});
            QVERIFY(failed_fills >= 2);
            std::string legend;
            for (const OverlayLegend& item : make_legend(analysis, options))
                legend += item.label + "\n";
            QVERIFY(legend.find("triangle: reverted or failed, 2 tasks") != std::string::npos);
        }
    }
};

} // namespace blockloom::scene::test_views_layered

QTEST_APPLESS_MAIN(blockloom::scene::test_views_layered::TestViewsLayered)
#include "test_views_layered.moc"
