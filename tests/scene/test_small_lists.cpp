// Lists that are laid out for the size of their place: heat maps and minimaps.
#include "scene/heat_map.h"
#include "scene/minimap.h"

#include <QTest>

#include <algorithm>

using namespace blockloom::scene;

namespace {

/// Two rows of three: measured, predicted, unknown; the best at the end of the first row.
HeatMap six_cells() {
    HeatMap map;
    map.x_title = "batch";
    map.y_title = "workers";
    map.x = {"16", "64", "256"};
    map.y = {"1", "4"};
    map.cells.resize(6);
    map.cells[0].share = 0;
    map.cells[0].text = "60.2";
    map.cells[1].share = 0.5;
    map.cells[1].predicted = true;
    map.cells[2].share = 1;
    map.cells[2].best = true;
    map.cells[2].text = "10.1";
    map.cells[1].in_band = map.cells[2].in_band = true;
    map.cells[4].share = 0.7;
    return map;
}

bool says(const DisplayList& list, const std::string& text) {
    for (const Layer& layer : list.layers)
        for (const Text& at : layer.texts)
            if (at.utf8 == text) return true;
    return false;
}

/// The first box at a cell's place.
const Box* box_at(const DisplayList& list, const Rect& place) {
    for (const Layer& layer : list.layers)
        for (const Box& box : layer.boxes)
            if (box.rect == place) return &box;
    return nullptr;
}

} // namespace

class TestSmallLists : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cells_lie_in_their_picture() {
        const HeatMap map = six_cells();
        for (const float width : {300.0F, 640.0F, 1600.0F}) {
            const DisplayList list = make_heat_map(map, width, 200, dark_theme());
            QCOMPARE(list.targets.size(), map.cells.size());
            for (std::size_t i = 0; i < list.targets.size(); ++i) {
                const Rect& at = list.targets[i].bounds;
                QCOMPARE(list.targets[i].task, std::optional(static_cast<std::uint32_t>(i)));
                QVERIFY(at == heat_cell(map, i % 3, i / 3, width, 200));
                QVERIFY(at.x > 0 && at.y > 0);
                QVERIFY(at.x + at.width <= width && at.y + at.height <= 200);
                for (std::size_t other = 0; other < i; ++other)
                    QVERIFY(!list.targets[other].bounds.contains({at.x, at.y}));
            }
        }
    }

    void measured_is_filled_and_predicted_hollow() {
        const HeatMap map = six_cells();
        const Theme& theme = dark_theme();
        const DisplayList list = make_heat_map(map, 640, 240, theme);
        const auto cell = [&](std::size_t column, std::size_t row) {
            return box_at(list, heat_cell(map, column, row, 640, 240));
        };
        QVERIFY(cell(0, 0)->fill == theme.ordinal(0, heat_stops));
        QVERIFY(!cell(0, 0)->dashed);
        QVERIFY(cell(1, 0)->dashed);
        QVERIFY(cell(1, 0)->fill == theme.canvas);
        QVERIFY(cell(2, 0)->fill == theme.ordinal(heat_stops - 1, heat_stops));
        QVERIFY(cell(0, 1)->fill.a == 0); // unknown
        QVERIFY(says(list, "60.2") && says(list, "10.1") && says(list, "batch"));
        // One diamond: the best point.
        std::size_t diamonds = 0;
        for (const Layer& layer : list.layers)
            diamonds += static_cast<std::size_t>(
                std::count_if(layer.boxes.begin(), layer.boxes.end(),
                              [](const Box& box) { return box.shape == Shape::diamond; }));
        QCOMPARE(diamonds, std::size_t{1});
    }

    /// Two neighbours have one contour: six sides, each drawn in two colours.
    void band_is_one_contour() {
        const HeatMap map = six_cells();
        const DisplayList list = make_heat_map(map, 640, 240, dark_theme());
        std::size_t lines = 0;
        for (const Layer& layer : list.layers) lines += layer.lines.size();
        QCOMPARE(lines, std::size_t{12});
        HeatMap none = map;
        for (HeatCell& cell : none.cells) cell.in_band = false;
        for (const Layer& layer : make_heat_map(none, 640, 240, dark_theme()).layers)
            QVERIFY(layer.lines.empty());
    }

    void chosen_is_outlined() {
        HeatMap map = six_cells();
        const auto frames = [&] {
            std::size_t found = 0;
            for (const Layer& layer : make_heat_map(map, 640, 240, dark_theme()).layers)
                for (const Box& box : layer.boxes)
                    found += box.outline == dark_theme().pick ? 1U : 0U;
            return found;
        };
        QCOMPARE(frames(), std::size_t{0});
        map.chosen = 4;
        QCOMPARE(frames(), std::size_t{1});
        map.focused = true; // by the colour of the focus
        QCOMPARE(frames(), std::size_t{0});
    }

    void an_empty_map_is_empty() {
        QVERIFY(make_heat_map({}, 640, 240, dark_theme()).layers.empty());
        QCOMPARE(heat_stop(-1), std::size_t{0});
        QCOMPARE(heat_stop(2), heat_stops - 1);
    }

    void minimap_shows_bars_and_window() {
        Minimap minimap;
        minimap.left = 100;
        minimap.right = 20;
        minimap.words = "3.0 s";
        minimap.bars = {{{0, 0.5F, 1}, &Theme::control_border}, {{1, 0, 0}, &Theme::vulkan}};
        minimap.from = 0.25;
        minimap.to = 0.5;
        const Theme& theme = light_theme();
        const DisplayList list = make_minimap(minimap, 520, 40, theme);
        const Rect strip = minimap_strip(minimap, 520, 40);
        QCOMPARE(strip.x, 100.0F);
        QCOMPARE(strip.width, 400.0F);
        const auto& boxes = list.layers.at(0).boxes;
        QCOMPARE(boxes.size(),
                 std::size_t{5}); // ground, two of the host, one of the device, window
        QVERIFY(boxes[2].rect.height > 1.9F * boxes[1].rect.height);
        QVERIFY(boxes[3].fill == theme.vulkan);
        QCOMPARE(boxes[3].rect.x, 100.0F);
        QCOMPARE(boxes[4].rect.x, 200.0F);
        QCOMPARE(boxes[4].rect.width, 100.0F);
        QVERIFY(says(list, "3.0 s"));
        for (const Box& box : boxes)
            QVERIFY(box.rect.x >= strip.x && box.rect.x + box.rect.width <= 500.01F);
        // However little of a long run is visible, it can be seen.
        minimap.to = minimap.from;
        QVERIFY(make_minimap(minimap, 520, 40, theme).layers.at(0).boxes[4].rect.width >= 3);
    }
};

QTEST_GUILESS_MAIN(TestSmallLists)
#include "test_small_lists.moc"
