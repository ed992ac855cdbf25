// The camera and the way from a list's coordinates to pixels.
#include "scene/camera_pixels.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace blockloom;
using namespace blockloom::scene;

namespace {

struct Cases {
    std::mt19937_64 random{20260101};
    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    }
    Camera camera() {
        Camera c;
        c.centre_x = between(-1e4, 1e4);
        c.centre_y = between(-1e4, 1e4);
        c.scale_x = std::exp(between(-5, 5));
        c.scale_y = std::exp(between(-5, 5));
        return c;
    }
};

} // namespace

class TestCamera : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void there_and_back() {
        Cases cases;
        for (int i = 0; i < 2000; ++i) {
            const Camera camera = cases.camera();
            const int w = static_cast<int>(cases.between(1, 4000));
            const int h = static_cast<int>(cases.between(1, 4000));
            const Point screen{static_cast<float>(cases.between(0, w)),
                               static_cast<float>(cases.between(0, h))};
            const Point world = camera.to_world(screen, w, h);
            const Point back = camera.to_screen(world, w, h);
            // A world coordinate is a float: what it cannot hold, times the scale.
            const double lost_x =
                (std::abs(static_cast<double>(world.x)) * camera.scale_x + w) * 1.2e-7;
            const double lost_y =
                (std::abs(static_cast<double>(world.y)) * camera.scale_y + h) * 1.2e-7;
            QVERIFY(std::abs(static_cast<double>(back.x - screen.x)) <= lost_x + 1e-3);
            QVERIFY(std::abs(static_cast<double>(back.y - screen.y)) <= lost_y + 1e-3);
        }
    }

    void zoom_keeps_the_point_under_the_pointer() {
        Cases cases;
        for (int i = 0; i < 2000; ++i) {
            const Camera camera = cases.camera();
            const Point screen{static_cast<float>(cases.between(0, 800)),
                               static_cast<float>(cases.between(0, 600))};
            const double fx = std::exp(cases.between(-2, 2)), fy = std::exp(cases.between(-2, 2));
            const Camera zoomed = camera.zoomed(screen, fx, fy, 800, 600);
            const double before =
                (static_cast<double>(screen.x) - 400) / camera.scale_x + camera.centre_x;
            const double after =
                (static_cast<double>(screen.x) - 400) / zoomed.scale_x + zoomed.centre_x;
            QVERIFY(std::abs(before - after) <= 1e-9 * (1 + std::abs(before)));
            QCOMPARE(zoomed.scale_x, camera.scale_x * fx);
            // And zooming back is no zoom.
            const Camera back = zoomed.zoomed(screen, 1 / fx, 1 / fy, 800, 600);
            QVERIFY(std::abs(back.centre_y - camera.centre_y) <=
                    1e-9 * (1 + std::abs(camera.centre_y)));
        }
    }

    void fit_shows_all_and_is_tight() {
        Cases cases;
        for (int i = 0; i < 1000; ++i) {
            const Rect world{static_cast<float>(cases.between(-500, 500)),
                             static_cast<float>(cases.between(-500, 500)),
                             static_cast<float>(cases.between(1, 900)),
                             static_cast<float>(cases.between(1, 900))};
            const bool aspect = i % 2 == 0;
            const Camera camera = Camera::fit(world, 1280, 800, aspect, 16);
            const Point low = camera.to_screen({world.x, world.y}, 1280, 800);
            const Point high =
                camera.to_screen({world.x + world.width, world.y + world.height}, 1280, 800);
            QVERIFY(low.x >= 15.9F && low.y >= 15.9F && high.x <= 1264.1F && high.y <= 784.1F);
            const bool fills_x = std::abs(low.x - 16) < 0.1F, fills_y = std::abs(low.y - 16) < 0.1F;
            QVERIFY(aspect ? fills_x || fills_y : fills_x && fills_y);
            if (aspect) QCOMPARE(camera.scale_x, camera.scale_y);
        }
        // Worlds without extent have a finite camera.
        for (const Rect& flat : {Rect{3, 4, 0, 0}, Rect{3, 4, 10, 0}, Rect{3, 4, 0, 10}}) {
            const Camera camera = Camera::fit(flat, 100, 100, false);
            QVERIFY(camera.scale_x > 0 && std::isfinite(camera.scale_x));
            QVERIFY(camera.scale_y > 0 && std::isfinite(camera.scale_y));
        }
        // An image smaller than its margins too.
        QVERIFY(Camera::fit({0, 0, 10, 10}, 4, 4, false).scale_x > 0);
    }

    /// Boxes lie on whole pixels, never vanish, and neighbours that share an edge share it in
    /// pixels too: no seam and no overlap.
    void boxes_share_edges() {
        Cases cases;
        for (int i = 0; i < 2000; ++i) {
            FrameRequest request;
            request.width = 1000;
            request.height = 700;
            request.camera = cases.camera();
            request.pixel_ratio = i % 3 == 0 ? 1.5F : 1.0F;
            const PixelMap map = PixelMap::of(request, Space::world);
            const auto x = static_cast<float>(request.camera.centre_x + cases.between(-3, 3));
            const auto w = static_cast<float>(std::exp(cases.between(-8, 3)));
            Box a, b;
            a.rect = {x, 0, w, 1};
            b.rect = {x + w, 0, w, 1};
            const PixelBox pa = pixel_box(a, map, 1000, 700), pb = pixel_box(b, map, 1000, 700);
            for (const double edge : {pa.left, pa.right, pa.top, pa.bottom})
                QCOMPARE(edge, std::floor(edge));
            QVERIFY(pa.width() >= 1 && pa.height() >= 1);
            if (pa.width() > 1 && pb.left < 1064) QCOMPARE(pa.right, pb.left);
        }
    }

    void shifts_are_pixels() {
        Cases cases;
        for (int i = 0; i < 500; ++i) {
            FrameRequest request;
            request.camera = cases.camera();
            request.pixel_ratio = 2;
            for (const Space space : {Space::world, Space::screen}) {
                const PixelMap at = PixelMap::of(request, space);
                const PixelMap shifted = PixelMap::of(request, space, 7);
                QCOMPARE(shifted.offset_x, at.offset_x + 14);
                QCOMPARE(shifted.offset_y, at.offset_y);
            }
        }
    }

    void marks_keep_their_size() {
        Cases cases;
        Box mark;
        mark.mark = true;
        mark.rect = {1, 2, 5, 5};
        for (int i = 0; i < 500; ++i) {
            FrameRequest request;
            request.width = request.height = 800;
            request.camera = cases.camera();
            const PixelBox p = pixel_box(mark, PixelMap::of(request, Space::world), 800, 800);
            QCOMPARE(p.width(), 5.0);
            QCOMPARE(p.height(), 5.0);
        }
    }

    /// The clipped line is the part of the whole one that lies in the image, whatever its ends.
    void lines_are_clipped_on_their_way() {
        Cases cases;
        int seen = 0;
        for (int i = 0; i < 5000; ++i) {
            FrameRequest request;
            request.width = 300;
            request.height = 200;
            Line line;
            line.from = {static_cast<float>(cases.between(-3000, 3000)),
                         static_cast<float>(cases.between(-3000, 3000))};
            line.to = {static_cast<float>(cases.between(-3000, 3000)),
                       static_cast<float>(cases.between(-3000, 3000))};
            const PixelLine p = pixel_line(line, PixelMap::of(request, Space::screen), 300, 200);
            const double dx = static_cast<double>(line.to.x) - static_cast<double>(line.from.x);
            const double dy = static_cast<double>(line.to.y) - static_cast<double>(line.from.y);
            bool touches = false; // by walking along it
            for (int step = 0; step <= 6000; ++step) {
                const double x = static_cast<double>(line.from.x) + dx * step / 6000;
                const double y = static_cast<double>(line.from.y) + dy * step / 6000;
                touches = touches || (x >= 0 && x < 300 && y >= 0 && y < 200);
            }
            if (touches) QVERIFY(p.visible);
            if (!p.visible) continue;
            ++seen;
            for (const auto& [x, y] : {std::pair(p.x0, p.y0), std::pair(p.x1, p.y1)}) {
                QVERIFY(x >= -65 && x <= 365 && y >= -65 && y <= 265);
                const double off = (x - static_cast<double>(line.from.x)) * dy -
                                   (y - static_cast<double>(line.from.y)) * dx;
                QVERIFY(std::abs(off) / std::hypot(dx, dy) < 1e-6);
            }
        }
        QVERIFY(seen > 100);
    }

    void requests_are_checked() {
        FrameRequest good;
        good.width = good.height = 10;
        QVERIFY(check_request(good, 100).ok());
        for (const auto& [w, h] : {std::pair(0, 10), std::pair(10, -1), std::pair(101, 10)}) {
            FrameRequest bad = good;
            bad.width = w;
            bad.height = h;
            QVERIFY(!check_request(bad, 100).ok());
        }
        FrameRequest bad = good;
        bad.camera.centre_x = std::nan("");
        QVERIFY(!check_request(bad, 100).ok());
        bad = good;
        bad.camera.scale_y = HUGE_VAL;
        QVERIFY(!check_request(bad, 100).ok());
        bad = good;
        bad.pixel_ratio = std::nanf("");
        QVERIFY(!check_request(bad, 100).ok());
    }
};

QTEST_APPLESS_MAIN(TestCamera)
#include "test_camera.moc"
