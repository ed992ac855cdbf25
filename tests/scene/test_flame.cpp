// Flame graphs: what stands where, that nothing is lost, and that labels stay in their boxes.
#include "scene/flame.h"
#include "scene/renderer.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace blockloom::scene;

namespace {

/// A tree in which every frame hangs under an earlier one; many names, some wide.
FlameGraph random_graph(unsigned seed, std::uint32_t frames, std::uint32_t functions = 30) {
    std::mt19937 random(seed);
    FlameGraph graph;
    for (std::uint32_t i = 0; i < functions; ++i)
        graph.functions.push_back(i % 3 == 0   ? "WWWW@@@@MMMM_" + std::to_string(i)
                                  : i % 3 == 1 ? "il.:größe→𝛼_" + std::to_string(i)
                                               : "f" + std::to_string(i));
    for (std::uint32_t i = 0; i < frames; ++i) {
        const std::uint32_t near = i - 1,
                            any = i == 0 ? 0 : static_cast<std::uint32_t>(random() % i);
        const std::uint32_t parent =
            i == 0 ? FlameFrame::no_parent : (random() % 3 == 0 ? near : any);
        graph.frames.push_back({parent, static_cast<std::uint32_t>(random() % functions),
                                random() % 5 == 0 ? 0 : 1ULL << (random() % 24)});
    }
    return graph;
}

FlameGraph chain(std::uint32_t depth) {
    FlameGraph graph{{"down"}, {}};
    for (std::uint32_t i = 0; i < depth; ++i)
        graph.frames.push_back({i == 0 ? FlameFrame::no_parent : i - 1, 0, 1000});
    return graph;
}

FrameRequest request_of(const DisplayList& list) {
    FrameRequest request;
    request.base = std::make_shared<const DisplayList>(list);
    request.width = static_cast<int>(list.world.width) + 32;
    request.height = static_cast<int>(list.world.height) + 32;
    request.camera = Camera::fit(list.world, request.width, request.height, false, 16);
    return request;
}

constexpr float hair = 0.01F; // of float rounding, pixels

} // namespace

class TestFlame : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void totals_hold_callees() {
        const FlameGraph graph{{"a", "b"},
                               {{FlameFrame::no_parent, 0, 5}, {0, 1, 3}, {1, 0, 6}, {0, 0, 3}}};
        QCOMPARE(flame_totals(graph), (std::vector<std::uint64_t>{17, 9, 6, 3}));
        FlameOptions options;
        options.width = 170;
        const FlameView view = make_flame(graph, options);
        QCOMPARE(view.boxes.size(), std::size_t{4});
        QCOMPARE(view.boxes[0].rect.width, 170.0F);
        // The callee with more fuel comes first, from the left edge of its caller; callers below.
        QCOMPARE(view.boxes[1].frame, 1U);
        QCOMPARE(view.boxes[1].rect.x, 0.0F);
        QCOMPARE(view.boxes[1].rect.width, 90.0F);
        QCOMPARE(view.boxes[2].frame, 3U);
        QCOMPARE(view.boxes[2].rect.x, 90.0F);
        QCOMPARE(view.boxes[2].rect.width, 30.0F);
        QVERIFY(view.boxes[1].rect.y < view.boxes[0].rect.y);
        QCOMPARE(view.boxes[1].rect.y, view.boxes[2].rect.y);
        QVERIFY(view.list.coverage.folded.empty());
    }

    void frames_stand_in_their_callers_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<unsigned>("frames");
        QTest::addColumn<float>("width");
        for (const unsigned frames : {1U, 7U, 100U, 3000U})
            for (const unsigned seed : {1U, 2U, 3U})
                QTest::addRow("%u frames, seed %u", frames, seed)
                    << seed << frames << (seed == 3 ? 333.0F : 1048.0F);
    }

    void frames_stand_in_their_callers() {
        QFETCH(unsigned, seed);
        QFETCH(unsigned, frames);
        QFETCH(float, width);
        const FlameGraph graph = random_graph(seed, frames);
        FlameOptions options;
        options.width = width;
        const FlameView view = make_flame(graph, options);
        const std::vector<std::uint64_t> totals = flame_totals(graph);
        const double scale = static_cast<double>(width) / static_cast<double>(totals[0]);

        std::map<std::uint32_t, const FlameBox*> box_of;
        std::map<std::uint32_t, std::uint64_t> in_callees; // fuel drawn or folded above a frame
        std::uint64_t drawn = 0;
        for (const FlameBox& box : view.boxes) {
            QVERIFY(std::abs(static_cast<double>(box.rect.width) -
                             static_cast<double>(box.total) * scale) < 0.01);
            QVERIFY(box.rect.width > 0.49F);
            const std::uint32_t caller =
                box.folded > 0 ? box.frame : graph.frames[box.frame].parent;
            if (box.folded == 0) {
                box_of[box.frame] = &box;
                QCOMPARE(box.total, totals[box.frame]);
                ++drawn;
            }
            if (caller == FlameFrame::no_parent) continue;
            in_callees[caller] += box.total;
            const auto below = box_of.find(caller);
            QVERIFY(below != box_of.end()); // a caller is drawn, and before its callees
            const Rect& outer = below->second->rect;
            QVERIFY(box.rect.x >= outer.x - hair);
            QVERIFY(box.rect.x + box.rect.width <= outer.x + outer.width + hair);
            QCOMPARE(box.rect.y + box.rect.height, outer.y);
        }
        // Own fuel and callees make the total: what is missing is too thin for any box.
        for (const auto& [frame, box] : box_of) {
            const std::uint64_t held = graph.frames[frame].self + in_callees[frame];
            QVERIFY(held <= box->total);
            QVERIFY(static_cast<double>(box->total - held) * scale < 0.5);
        }
        QCOMPARE(view.list.coverage.drawn_edges, drawn);
        QCOMPARE(view.list.coverage.all_edges, std::uint64_t{frames});

        std::vector<const FlameBox*> row;
        for (const FlameBox& box : view.boxes) row.push_back(&box);
        std::sort(row.begin(), row.end(), [](const FlameBox* a, const FlameBox* b) {
            return std::pair(a->rect.y, a->rect.x) < std::pair(b->rect.y, b->rect.x);
        });
        for (std::size_t i = 1; i < row.size(); ++i) // neighbours of a row do not overlap
            if (row[i]->rect.y == row[i - 1]->rect.y)
                QVERIFY(row[i - 1]->rect.x + row[i - 1]->rect.width <= row[i]->rect.x + hair);
    }

    void thin_callees_fold_into_one_box() {
        FlameGraph graph{{"root", "leaf"}, {{FlameFrame::no_parent, 0, 0}}};
        for (int i = 0; i < 10'000; ++i) graph.frames.push_back({0, 1, 7});
        const FlameView view = make_flame(graph, {});
        QCOMPARE(view.boxes.size(), std::size_t{2});
        QCOMPARE(view.boxes[1].folded, 10'000U);
        QCOMPARE(view.boxes[1].total, std::uint64_t{70'000});
        QCOMPARE(view.list.coverage.folded, std::string("10,000 frames merged"));
        QVERIFY(view.list.layers[0].boxes[1].hatched);
    }

    void deep_stacks_fold() {
        FlameOptions options;
        options.most_levels = 20;
        const FlameView view = make_flame(chain(1024), options);
        QCOMPARE(view.boxes.size(), std::size_t{21});
        QCOMPARE(view.boxes.back().folded, 1004U);
        QVERIFY(view.list.world.height < 22 * 18 + 40);
        options.height = 200; // and where the picture is low
        const FlameView low = make_flame(chain(1024), options);
        QCOMPARE(low.list.world.height, 200.0F);
        for (const FlameBox& box : low.boxes) QVERIFY(box.rect.y >= 0);
        QVERIFY(low.boxes.back().folded > 1004U);
    }

    void nothing_to_draw() {
        for (const FlameGraph& graph :
             {FlameGraph{}, FlameGraph{{"f"}, {{FlameFrame::no_parent, 0, 0}}}}) {
            const FlameView view = make_flame(graph, {});
            QVERIFY(view.boxes.empty());
            QCOMPARE(view.list.summary, std::string("A flame graph without fuel."));
        }
    }

    void the_same_graph_gives_the_same_picture() {
        const FlameGraph graph = random_graph(9, 500);
        FlameOptions options;
        options.title = "twice";
        const FlameView one = make_flame(graph, options), two = make_flame(graph, options);
        QCOMPARE(one.list.layers, two.list.layers);
        const auto first = make_cairo_renderer()->render(request_of(one.list)),
                   second = make_cairo_renderer()->render(request_of(two.list));
        QVERIFY(first.ok() && second.ok());
        QVERIFY(first->image.bgra == second->image.bgra);
        // Another theme changes colours only.
        options.theme = &light_theme();
        const FlameView light = make_flame(graph, options);
        QCOMPARE(light.boxes.size(), one.boxes.size());
        for (std::size_t i = 0; i < one.boxes.size(); ++i)
            QCOMPARE(light.boxes[i].rect, one.boxes[i].rect);
    }

    void labels_are_cut_with_an_ellipsis() {
        QCOMPARE(flame_label("sort_range", 100), std::string("sort_range"));
        QCOMPARE(flame_label("sort_range", 50), std::string("sort_r…"));
        QCOMPARE(flame_label("sort_range", 10), std::string());
        QCOMPARE(flame_label("f", 10), std::string("f"));
        QCOMPARE(flame_label("", 100), std::string());
        QCOMPARE(flame_label("äöüäöüäöü", 40), std::string("äöüäö…")); // whole characters
    }

    void labels_paint_inside_their_boxes() {
        const FlameView view = make_flame(random_graph(7, 120), {});
        const Layer& layer = view.list.layers[0];
        const auto renderer = make_cairo_renderer();
        int cut = 0, painted = 0;
        for (const Text& text : layer.texts) {
            if (text.face != Face::mono) continue;
            const auto box = std::find_if(layer.boxes.begin(), layer.boxes.end(),
                                          [&](const Box& b) { return b.rect.contains(text.at); });
            QVERIFY(box != layer.boxes.end());
            cut += text.utf8.ends_with("…") ? 1 : 0;
            DisplayList alone = view.list; // this label on an empty ground
            alone.layers[0] = {};
            alone.layers[0].texts = {text};
            alone.layers[0].texts[0].colour = dark_theme().pick;
            const auto frame = renderer->render(request_of(alone));
            QVERIFY(frame.ok());
            const Colour ground = alone.background;
            const int width = frame->image.width;
            for (int y = 0; y < frame->image.height; ++y)
                for (int x = 0; x < width; ++x) {
                    const std::uint8_t* pixel =
                        frame->image.bgra.data() + static_cast<std::ptrdiff_t>(y * width + x) * 4;
                    if (pixel[0] == ground.b && pixel[1] == ground.g && pixel[2] == ground.r)
                        continue;
                    ++painted;
                    const Point place{static_cast<float>(x - 16) + 0.5F,
                                      static_cast<float>(y - 16) + 0.5F};
                    QVERIFY2(box->rect.contains(place), text.utf8.c_str());
                }
        }
        QVERIFY(painted > 500 && cut > 3);
    }

    void labels_can_be_read_on_every_colour() {
        FlameGraph graph{{}, {{FlameFrame::no_parent, 0, 1}}};
        for (std::uint32_t i = 0; i < 12; ++i) {
            graph.functions.push_back("function" + std::to_string(i));
            graph.frames.push_back({0, i, 1000});
        }
        for (const Theme* theme : {&dark_theme(), &light_theme()}) {
            FlameOptions options;
            options.theme = theme;
            const Layer layer = make_flame(graph, options).list.layers[0];
            int labels = 0;
            for (const Text& text : layer.texts)
                for (const Box& box : layer.boxes)
                    if (text.face == Face::mono && box.rect.contains(text.at)) {
                        QVERIFY(contrast(text.colour, box.fill) >= 4.5);
                        ++labels;
                    }
            QCOMPARE(labels, 13);
            for (const Box& box : layer.boxes) QVERIFY(contrast(box.fill, theme->canvas) >= 3);
            QCOMPARE(flame_colour(*theme, 8), flame_colour(*theme, 500)); // grey
            for (std::uint32_t i = 0; i < 8; ++i)
                for (std::uint32_t j = 0; j < i; ++j)
                    QVERIFY(flame_colour(*theme, i) != flame_colour(*theme, j));
        }
    }
};

QTEST_GUILESS_MAIN(TestFlame)
#include "test_flame.moc"
