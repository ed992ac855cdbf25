// The head-up display: what it says, where it stands, what a click does, that no click is lost.
#include "scene/hud.h"
#include "scene/sample_list.h"
#include "vulkan/instance.h"

#include <QTest>

#include <atomic>
#include <set>
#include <thread>

using namespace blockloom;
using namespace blockloom::scene;
using namespace blockloom::scene::tests;

namespace {

OverlayPanel sample_panel() {
    OverlayPanel panel;
    panel.title = "Renderer";
    panel.toggles = {{"lines", "Lines: 12", true}, {"boxes", "Boxes: 7", true}};
    return panel;
}

FrameRequest with_panel(int width = 640, int height = 480, float ratio = 1) {
    FrameRequest request = request_for(sample_list(), width, height, ratio);
    request.overlay.emplace();
    request.overlay->panel = sample_panel();
    return request;
}

/// Where two images differ.
Bounds changed(const Image& a, const Image& b) {
    Bounds bounds;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const std::size_t at =
                (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                 static_cast<std::size_t>(x)) *
                4;
            if (std::equal(a.bgra.begin() + static_cast<std::ptrdiff_t>(at),
                           a.bgra.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                           b.bgra.begin() + static_cast<std::ptrdiff_t>(at)))
                continue;
            bounds.left = std::min(bounds.left, x);
            bounds.right = std::max(bounds.right, x);
            bounds.top = std::min(bounds.top, y);
            bounds.bottom = std::max(bounds.bottom, y);
        }
    return bounds;
}

/// A click within one frame: press and release between two pictures.
void click(FrameRequest& request, float x, float y) {
    request.overlay->input = {};
    request.overlay->input.mouse_x = x;
    request.overlay->input.mouse_y = y;
    request.overlay->input.pressed = true;
}

void hover(FrameRequest& request, float x, float y) {
    request.overlay->input = {};
    request.overlay->input.mouse_x = x;
    request.overlay->input.mouse_y = y;
}

} // namespace

class TestOverlay : public QObject {
    Q_OBJECT

    std::unique_ptr<Renderer> vulkan_;

    static std::unique_ptr<Renderer> fresh() {
        auto made = make_vulkan_renderer();
        return made.ok() ? std::move(*made) : nullptr;
    }
    static Frame drawn(Renderer& renderer, const FrameRequest& request) {
        auto frame = renderer.render(request);
        if (frame.ok()) return std::move(*frame);
        QTest::qFail(frame.error().message.c_str(), __FILE__, __LINE__);
        return {};
    }
    /// Clicks down the panel at `x` with a new renderer each time, until `id` answers.
    static std::optional<float> find(const FrameRequest& start, float x, const std::string& id,
                                     int& value) {
        const auto bottom = static_cast<float>(start.height) / start.pixel_ratio;
        const auto renderer = fresh();
        for (float y = bottom - 12; y > 0; y -= 6) {
            FrameRequest request = start;
            click(request, x, y);
            Frame frame = drawn(*renderer, request);
            for (const OverlayChange& change : frame.changes)
                if (change.id == id) {
                    value = change.value;
                    return y;
                }
            // Away and once more, so that an open list of options closes.
            click(request, 3, 3);
            (void)drawn(*renderer, request);
        }
        return std::nullopt;
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("BLOCKLOOM_VALIDATION", "1");
        vulkan_ = fresh();
        if (!vulkan_) QSKIP("no Vulkan device on this machine");
    }
    void cleanupTestCase() {
        vulkan_.reset();
        QCOMPARE(vulkan::Instance::all_messages(), 0U);
    }

    void stands_in_the_lower_right_corner_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<float>("ratio");
        QTest::newRow("canvas") << 760 << 430 << 1.0F;
        QTest::newRow("small") << 300 << 200 << 1.0F;
        QTest::newRow("large") << 1280 << 800 << 1.0F;
        QTest::newRow("dense") << 1280 << 800 << 2.0F;
    }
    void stands_in_the_lower_right_corner() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(float, ratio);
        FrameRequest request = with_panel(width, height, ratio);
        const auto renderers = {fresh(), make_cairo_renderer()};
        for (const auto& renderer : renderers) {
            const Image with = drawn(*renderer, request).image;
            FrameRequest bare = request;
            bare.overlay.reset();
            const Bounds panel = changed(with, drawn(*renderer, bare).image);
            QVERIFY(panel.right < width && panel.bottom < height);
            QVERIFY(static_cast<float>(width - panel.right) < 16 * ratio);
            QVERIFY(static_cast<float>(height - panel.bottom) < 16 * ratio);
            const double area = (panel.right - panel.left + 1.0) * (panel.bottom - panel.top + 1.0);
            QVERIFY2(area <= 0.42 * width * height, renderer->name().c_str());
            QVERIFY(area > 1000);
        }
    }

    void tells_whose_the_pointer_is() {
        FrameRequest request = with_panel();
        hover(request, 600, 460);
        QVERIFY(drawn(*vulkan_, request).overlay_wants_mouse);
        hover(request, 20, 20);
        QVERIFY(!drawn(*vulkan_, request).overlay_wants_mouse);
        hover(request, -1, -1);
        QVERIFY(!drawn(*vulkan_, request).overlay_wants_mouse);
    }

    void a_click_between_two_frames_is_not_lost() {
        int value = -1;
        const auto row = find(with_panel(), 400, "lines", value);
        QVERIFY(row.has_value());
        QCOMPARE(value, 0); // it was on
        // Exactly one change for one click, and none for the frames after it.
        const auto renderer = fresh();
        FrameRequest request = with_panel();
        click(request, 400, *row);
        QCOMPARE(drawn(*renderer, request).changes.size(), std::size_t{1});
        request.overlay->panel.toggles[0].on = false;
        hover(request, 400, *row);
        QCOMPARE(drawn(*renderer, request).changes.size(), std::size_t{0});
        // Pressed in one frame, released in a later one: one change, at the end.
        request.overlay->input.down = request.overlay->input.pressed = true;
        QCOMPARE(drawn(*renderer, request).changes.size(), std::size_t{0});
        hover(request, 400, *row);
        const Frame end = drawn(*renderer, request);
        QCOMPARE(end.changes.size(), std::size_t{1});
        QCOMPARE(end.changes[0].value, 1);
        // Pressed here, moved away before the frame: the place of the press counts.
        FrameRequest moved = with_panel();
        click(moved, 400, *row);
        moved.overlay->input.press_x = 400;
        moved.overlay->input.press_y = *row;
        moved.overlay->input.mouse_x = 5;
        (void)drawn(*renderer, moved);
        QVERIFY(!drawn(*renderer, moved).overlay_wants_mouse);
        // A click beside the panel is nobody's.
        FrameRequest beside = with_panel();
        click(beside, 20, 200);
        const Frame none = drawn(*renderer, beside);
        QVERIFY(none.changes.empty() && !none.overlay_wants_mouse);
    }

    /// What a renderer without a device cannot know is called unavailable; a device's figures are
    /// figures.
    void rows_say_what_is_known() {
        const auto value = [](const std::vector<HudRow>& rows, const char* name) {
            for (const HudRow& row : rows)
                if (row.name == name) return row.value;
            return std::string();
        };
        FrameStatistics statistics;
        FrameRequest request = with_panel();
        QCOMPARE(value(hud_rows(request, statistics, true), "Frame time"),
                 std::string("no frame yet"));
        for (int i = 1; i <= 300; ++i) statistics.add(i * 1'000'000);
        QCOMPARE(statistics.frame_ms.size(), FrameStatistics::most);
        QCOMPARE(statistics.longest_ms(), 300.0F);
        statistics.device_ns = 2'000'000;
        statistics.draw_calls = 17;
        const auto cpu = hud_rows(request, statistics, false);
        for (const char* name : {"On the device", "Draw calls", "GPU memory"})
            QVERIFY(value(cpu, name).starts_with("unavailable"));
        QCOMPARE(value(cpu, "Frame time"), std::string("300 ms, median 241 ms"));
        const auto gpu = hud_rows(request, statistics, true);
        QCOMPARE(value(gpu, "Draw calls"), std::string("17"));
        QCOMPARE(value(gpu, "On the device"), std::string("2.00 ms"));
        QVERIFY(value(gpu, "GPU memory").find("not reported") != std::string::npos);
        statistics.memory_bytes = 1 << 20;
        statistics.memory_budget = 1 << 30;
        QCOMPARE(value(hud_rows(request, statistics, true), "GPU memory"),
                 std::string("1.00 MiB of 1.00 GiB"));
        request.camera.scale_x = 2.5;
        QVERIFY(value(hud_rows(request, statistics, true), "Scale").starts_with("2.50 ×"));
    }

    /// Each kind that is left out changes the picture, and all together leave the ground alone.
    void kinds_are_left_out() {
        for (const auto& renderer : {fresh(), make_cairo_renderer()}) {
            FrameRequest request = request_for(sample_list(), 640, 480);
            const Image all = drawn(*renderer, request).image;
            for (bool DrawnKinds::*kind :
                 {&DrawnKinds::lines, &DrawnKinds::boxes, &DrawnKinds::texts}) {
                FrameRequest less = request;
                less.drawn.*kind = false;
                QVERIFY(drawn(*renderer, less).image.bgra != all.bgra);
                request.drawn.*kind = false;
            }
            const Image none = drawn(*renderer, request).image;
            for (std::size_t i = 4; i < none.bgra.size(); i += 4)
                QVERIFY(std::equal(none.bgra.begin(), none.bgra.begin() + 4,
                                   none.bgra.begin() + static_cast<std::ptrdiff_t>(i)));
            request.drawn = {};
            QVERIFY(drawn(*renderer, request).image.bgra == all.bgra);
        }
    }

    /// The CPU's display has the same switches.
    void cairo_answers_clicks() {
        const auto renderer = make_cairo_renderer();
        std::set<std::string> answered;
        for (float y = 100; y < 480; y += 4) {
            FrameRequest request = with_panel();
            click(request, 400, y);
            const Frame frame = drawn(*renderer, request);
            QVERIFY(frame.changes.size() <= 1);
            for (const OverlayChange& change : frame.changes) {
                answered.insert(change.id);
                QCOMPARE(change.value, change.id == "collapsed" ? 1 : 0);
                QVERIFY(frame.overlay_wants_mouse);
            }
        }
        QCOMPARE(answered, (std::set<std::string>{"collapsed", "lines", "boxes"}));
    }

    void folds_and_unfolds() {
        int value = -1;
        const FrameRequest start = with_panel();
        const auto row = find(start, 386, "collapsed", value);
        QVERIFY(row.has_value());
        QCOMPARE(value, 1);
        FrameRequest folded = start;
        folded.overlay->panel.collapsed = true;
        FrameRequest bare = start;
        bare.overlay.reset();
        const Image ground = drawn(*vulkan_, bare).image;
        const Bounds open = changed(drawn(*vulkan_, start).image, ground);
        const Bounds shut = changed(drawn(*vulkan_, folded).image, ground);
        QVERIFY(shut.bottom - shut.top < (open.bottom - open.top) / 3);
        QVERIFY(std::abs(shut.bottom - open.bottom) <= 1);
        value = -1;
        QVERIFY(find(folded, static_cast<float>(shut.left) + 14, "collapsed", value).has_value());
        QCOMPARE(value, 0);
    }

    void follows_the_theme() {
        FrameRequest request = with_panel();
        const Image dark = drawn(*vulkan_, request).image;
        request.overlay->dark = false;
        const Image light = drawn(*vulkan_, request).image;
        const std::size_t inside = (std::size_t{465} * 640 + 500) * 4;
        QVERIFY(std::abs(dark.bgra[inside] - dark_theme().panel.b) <= 2);
        QVERIFY(std::abs(light.bgra[inside] - light_theme().panel.b) <= 2);
    }

    /// Dear ImGui keeps one global: several renderers in several threads, each with its panel.
    void several_renderers_at_once() {
        std::atomic<int> right = 0;
        constexpr int threads = 3, frames = 25;
        {
            std::vector<std::jthread> all;
            for (int t = 0; t < threads; ++t)
                all.emplace_back([&right, t] {
                    const auto renderer = fresh();
                    FrameRequest request = with_panel(400 + 40 * t, 300);
                    request.overlay->panel.title = "Panel " + std::to_string(t);
                    for (int i = 0; i < frames; ++i) {
                        hover(request, i % 2 == 0 ? 380.0F + 40.0F * static_cast<float>(t) : 5.0F,
                              280);
                        const auto frame = renderer->render(request);
                        if (frame.ok() && frame->overlay_wants_mouse == (i % 2 == 0)) ++right;
                    }
                });
        }
        QCOMPARE(right.load(), threads * frames);
    }
};

QTEST_APPLESS_MAIN(TestOverlay)
#include "test_overlay.moc"
