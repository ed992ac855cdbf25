// The two sinks draw the same picture; the Vulkan one on the device, without a word from the
// validation layer.
#include "scene/sample_list.h"
#include "vulkan/instance.h"

#include <QTest>

#include <cmath>

using namespace blockloom;
using namespace blockloom::scene;
using namespace blockloom::scene::tests;

namespace {

std::string reported(const Difference& d) {
    return "mean " + std::to_string(d.mean) + " far " + std::to_string(d.far_share) + " light " +
           std::to_string(d.light) + (d.same_bounds ? "" : " other bounds");
}

bool alike(const Difference& d) {
    return d.mean < 0.6 && d.far_share < 0.004 && d.light < 0.03 && d.same_bounds;
}

} // namespace

class TestRenderer : public QObject {
    Q_OBJECT

    std::unique_ptr<Renderer> vulkan_, cairo_;

    Image drawn(Renderer& renderer, const FrameRequest& request) {
        auto frame = renderer.render(request);
        if (!frame.ok()) {
            QTest::qFail(frame.error().message.c_str(), __FILE__, __LINE__);
            return {};
        }
        return std::move(frame->image);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("BLOCKLOOM_VALIDATION", "1");
        cairo_ = make_cairo_renderer();
        auto made = make_vulkan_renderer();
        if (!made.ok()) QSKIP(made.error().message.c_str());
        vulkan_ = std::move(*made);
    }

    void cleanupTestCase() {
        vulkan_.reset(); // what is left behind would be reported now
        QCOMPARE(vulkan::Instance::all_messages(), 0U);
    }

    void frame_comes_from_the_device() {
        QVERIFY(vulkan_->name().starts_with("Vulkan · "));
        const auto frame = vulkan_->render(request_for(sample_list()));
        QVERIFY(frame.ok());
        QVERIFY(!frame->reused);
        QVERIFY(frame->device_ns > 0);
        QVERIFY(frame->device_ns <= frame->render_ns);
        QCOMPARE(cairo_->name(), std::string("Cairo"));
        const auto other = cairo_->render(request_for(sample_list()));
        QVERIFY(other.ok());
        QCOMPARE(other->device_ns, 0);
    }

    void images_are_opaque_and_whole() {
        for (Renderer* renderer : {vulkan_.get(), cairo_.get()}) {
            const Image image = drawn(*renderer, request_for(sample_list(), 333, 217));
            QCOMPARE(image.width, 333);
            QCOMPARE(image.height, 217);
            QCOMPARE(image.bgra.size(), std::size_t{333 * 217 * 4});
            for (std::size_t i = 3; i < image.bgra.size(); i += 4) QCOMPARE(image.bgra[i], 255);
            // The ground's bytes are B, G, R and not touched by any sRGB step.
            const Colour ground = dark_theme().canvas;
            const std::size_t corner = image.bgra.size() - 4;
            QCOMPARE(image.bgra[corner], ground.b);
            QCOMPARE(image.bgra[corner + 1], ground.g);
            QCOMPARE(image.bgra[corner + 2], ground.r);
        }
    }

    void sinks_agree_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<float>("ratio");
        QTest::addColumn<double>("zoom");
        for (const bool dark : {true, false})
            for (const float ratio : {1.0F, 1.5F, 2.0F})
                for (const double zoom : {0.5, 1.0, 3.7})
                    QTest::addRow("%s %.1f %.1f", dark ? "dark" : "light",
                                  static_cast<double>(ratio), zoom)
                        << dark << ratio << zoom;
    }
    void sinks_agree() {
        QFETCH(bool, dark);
        QFETCH(float, ratio);
        QFETCH(double, zoom);
        const auto list = sample_list(dark ? dark_theme() : light_theme());
        FrameRequest request = request_for(list, 900, 700, ratio);
        request.camera.scale_x *= zoom;
        request.camera.scale_y *= zoom;
        request.camera.centre_x += 0.123;
        const Difference d =
            compare(drawn(*vulkan_, request), drawn(*cairo_, request), list->background);
        QVERIFY2(alike(d), reported(d).c_str());
        // The measure is sharp: a picture moved by two pixels fails it.
        FrameRequest moved = request;
        moved.camera.centre_x += 2 / (moved.camera.scale_x * static_cast<double>(ratio));
        const Difference other =
            compare(drawn(*vulkan_, moved), drawn(*cairo_, request), list->background);
        QVERIFY2(!alike(other), reported(other).c_str());
    }

    /// Far from the origin and deep inside: the world's floats are exact, and so must the picture
    /// be.
    void deep_zoom_stands_still() {
        auto list = std::make_shared<DisplayList>();
        list->background = dark_theme().canvas;
        list->layers.emplace_back();
        const float far = 1'000'000;
        for (int i = 0; i < 16; ++i) {
            Box box;
            box.rect = {far + 0.0625F * static_cast<float>(i), far, 0.0625F, 0.0625F};
            box.fill = dark_theme().ordinal(static_cast<std::size_t>(i), 16);
            list->layers[0].boxes.push_back(box);
        }
        FrameRequest request = request_for(list, 640, 200);
        for (int step = 0; step < 20; ++step) {
            request.camera.scale_x = request.camera.scale_y = 613.7;
            request.camera.centre_x = static_cast<double>(far) + 0.5 + step / 613.7;
            request.camera.centre_y = static_cast<double>(far) + 0.03;
            QCOMPARE(drawn(*vulkan_, request).bgra, drawn(*cairo_, request).bgra);
        }
    }

    /// A layer is drawn at some zooms only: its boxes, its texts, and its lines, single or dense.
    void layers_have_their_zooms() {
        for (const bool dense : {false, true}) {
            auto list = std::make_shared<DisplayList>(
                *(dense ? many_lines(600, 77) : sample_list(dark_theme())));
            auto empty = std::make_shared<DisplayList>(*list);
            empty->layers.clear();
            for (Layer& layer : list->layers)
                if (layer.space == Space::world) layer.zooms = {2, 4};
            std::erase_if(list->layers,
                          [](const Layer& layer) { return layer.space == Space::screen; });
            for (Renderer* renderer : {vulkan_.get(), cairo_.get()})
                for (const double scale : {1.0, 1.999, 2.0, 3.0, 3.999, 4.0, 8.0}) {
                    FrameRequest request = request_for(list);
                    request.camera.scale_x = scale;
                    request.camera.scale_y = scale + 1; // the smaller one counts
                    FrameRequest nothing = request;
                    nothing.base = empty;
                    const bool drawn_there =
                        drawn(*renderer, request).bgra != drawn(*renderer, nothing).bgra;
                    QVERIFY2(drawn_there == (scale >= 2 && scale < 4),
                             qPrintable(QStringLiteral("%1 at %2")
                                            .arg(QString::fromStdString(renderer->name()))
                                            .arg(scale)));
                }
        }
    }

    /// Enough lines to be drawn as a density: the sinks agree, and it is what single strokes give.
    void density_is_what_strokes_give() {
        for (const int alpha : {38, 77, 96}) {
            const auto list = many_lines(600, static_cast<std::uint8_t>(alpha));
            const FrameRequest request = request_for(list, 700, 500);
            const Image dense = drawn(*vulkan_, request);
            const Difference d = compare(dense, drawn(*cairo_, request), list->background);
            QVERIFY2(d.mean < 0.6 && d.far_share < 0.001, reported(d).c_str());
            // In two layers they are too few for that, and are stroked one by one.
            auto halves = std::make_shared<DisplayList>(*list);
            halves->layers.resize(2);
            auto& first = halves->layers[0].lines;
            halves->layers[1].lines.assign(first.begin() + 300, first.end());
            first.resize(300);
            FrameRequest single = request;
            single.base = halves;
            const Difference s = compare(dense, drawn(*vulkan_, single), list->background);
            QVERIFY2(s.mean < 3 && s.light < 0.06 && s.same_bounds, reported(s).c_str());
        }
    }

    /// Hubs: thousands of lines over one pixel saturate, they do not wrap around.
    void density_saturates() {
        auto list = many_lines(5000, 96);
        for (Line& line : list->layers[0].lines) line.from = {50, 50};
        const FrameRequest request = request_for(list, 400, 400);
        for (Renderer* renderer : {vulkan_.get(), cairo_.get()}) {
            const Image image = drawn(*renderer, request);
            const std::size_t middle = (std::size_t{200} * 400 + 200) * 4;
            QVERIFY(std::abs(image.bgra[middle + 2] - dark_theme().text2.r) <= 2);
        }
    }

    /// Lists are cached by address, pictures by request: coming back gives the same bytes.
    void caches_never_show_something_else() {
        const auto a = sample_list(dark_theme()), b = sample_list(light_theme());
        const FrameRequest one = request_for(a), two = request_for(b);
        FrameRequest marked = one;
        Box box;
        box.mark = true;
        box.rect = {50, 50, 30, 30};
        box.fill = dark_theme().error;
        marked.marks.emplace_back();
        marked.marks[0].boxes.push_back(box);
        const Image first = drawn(*vulkan_, one), with_mark = drawn(*vulkan_, marked);
        QVERIFY(first.bgra != with_mark.bgra);
        QVERIFY(drawn(*vulkan_, two).bgra != first.bgra);
        QCOMPARE(drawn(*vulkan_, one).bgra, first.bgra);
        QCOMPARE(drawn(*vulkan_, marked).bgra, with_mark.bgra);
        auto again = vulkan_->render(marked);
        QVERIFY(again.ok() && again->reused);
        QCOMPARE(again->image.bgra, with_mark.bgra);
        QCOMPARE(drawn(*vulkan_, one).bgra, first.bgra); // and the mark is gone
        FrameRequest wider = one;
        wider.width += 64;
        QCOMPARE(drawn(*vulkan_, wider).width, one.width + 64);
        QCOMPARE(drawn(*vulkan_, one).bgra, first.bgra);
        // Lists that come and go may get the address of an older one.
        for (int i = 0; i < 20; ++i) {
            const auto fresh = sample_list(i % 2 == 0 ? dark_theme() : light_theme());
            QCOMPARE(drawn(*vulkan_, request_for(fresh)).bgra,
                     i % 2 == 0 ? first.bgra : drawn(*vulkan_, two).bgra);
        }
    }

    void empty_and_odd_requests() {
        for (Renderer* renderer : {vulkan_.get(), cairo_.get()}) {
            FrameRequest nothing;
            nothing.width = nothing.height = 16;
            QVERIFY(renderer->render(nothing).ok()); // no list at all
            FrameRequest bad = request_for(sample_list());
            bad.width = 0;
            QVERIFY(!renderer->render(bad).ok());
            bad.width = 1 << 20;
            const auto huge = renderer->render(bad);
            QVERIFY(!huge.ok());
            QVERIFY(huge.error().message.find("1048576") != std::string::npos);
            bad = request_for(sample_list());
            bad.camera.scale_x = std::nan("");
            QVERIFY(!renderer->render(bad).ok());
            // Cameras that show nothing, or one point of it, draw something all the same.
            FrameRequest far = request_for(sample_list());
            far.camera.centre_x = 1e12;
            QVERIFY(renderer->render(far).ok());
            far = request_for(sample_list());
            far.camera.scale_x = far.camera.scale_y = 1e9;
            QVERIFY(renderer->render(far).ok());
            far.camera.scale_x = 0;
            QVERIFY(renderer->render(far).ok());
        }
    }

    /// More different glyphs than the atlas holds: the texts stay right.
    void full_atlas_starts_again() {
        auto reference = sample_list();
        const Image before = drawn(*vulkan_, request_for(reference));
        for (int round = 0; round < 6; ++round) {
            auto list = std::make_shared<DisplayList>();
            list->background = dark_theme().canvas;
            list->world = {0, 0, 100, 100};
            list->layers.emplace_back();
            for (int i = 0; i < 8; ++i)
                list->layers[0].texts.push_back(
                    {{0, static_cast<float>(i * 12)},
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                     dark_theme().text,
                     static_cast<float>(80 + round * 8 + i)});
            const FrameRequest request = request_for(list, 800, 600);
            const Difference d =
                compare(drawn(*vulkan_, request), drawn(*cairo_, request), list->background);
            QVERIFY2(d.mean < 0.6, reported(d).c_str());
        }
        QCOMPARE(drawn(*vulkan_, request_for(reference)).bgra, before.bgra);
    }

    void fallback_is_not_silent() {
        std::string why;
        qputenv("BLOCKLOOM_RENDERER", "cairo");
        QCOMPARE(make_renderer(why)->name(), std::string("Cairo"));
        QVERIFY(!why.empty());
        qputenv("BLOCKLOOM_RENDERER", "vulkan");
        QVERIFY(make_renderer(why)->name().starts_with("Vulkan"));
        QVERIFY(why.empty());
        qunsetenv("BLOCKLOOM_RENDERER");
        QVERIFY(make_renderer(why)->name().starts_with("Vulkan"));
        QVERIFY(why.empty());
    }

    /// Without a driver the picture still comes, and the reason with it. Last: the shared device
    /// must be gone for it.
    void without_driver() {
        vulkan_.reset();
        const QByteArray before = qgetenv("VK_ICD_FILENAMES");
        qputenv("VK_ICD_FILENAMES", "/nonexistent/driver.json");
        std::string why;
        const auto renderer = make_renderer(why);
        if (before.isEmpty())
            qunsetenv("VK_ICD_FILENAMES");
        else
            qputenv("VK_ICD_FILENAMES", before);
        QCOMPARE(renderer->name(), std::string("Cairo"));
        QVERIFY2(why.find("driver") != std::string::npos, why.c_str());
        QVERIFY(renderer->render(request_for(sample_list())).ok());
    }
};

QTEST_APPLESS_MAIN(TestRenderer)
#include "test_renderer.moc"
