// The axis of the Schedule: counts of costs, or times whose unit steps with the zoom.
#include "docks/schedule/schedule_axes.h"
#include "scene/gantt.h"

#include <QTest>

namespace blockloom::ui::test_schedule_axes {
namespace {

constexpr QSize size(1000, 200);

GanttFrame frame_of(std::uint64_t makespan, bool is_time) {
    GanttFrame frame;
    frame.runTo = 100;
    frame.makespan = makespan;
    frame.unit = QStringLiteral("units");
    frame.is_time = is_time;
    return frame;
}

/// Shows `share` of the run from its beginning on.
scene::Camera camera_of(const GanttFrame& frame, double share) {
    scene::Camera camera;
    const double room = size.width() - gantt_left - gantt_right;
    camera.scale_x = room / (frame.runTo * share);
    camera.centre_x = (size.width() / 2.0 - gantt_left) / camera.scale_x;
    return camera;
}

QStringList texts(const GanttFrame& frame, double share) {
    QStringList all;
    for (const scene::Text& text :
         schedule_axes(frame, camera_of(frame, share), size, scene::dark_theme()).texts)
        all.append(QString::fromStdString(text.utf8));
    return all;
}

} // namespace

class TestScheduleAxes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void costs_are_counted() {
        const QStringList all = texts(frame_of(2'489, false), 1);
        QVERIFY(all.contains(QStringLiteral("0")) && all.contains(QStringLiteral("2,489")));
        QCOMPARE(all.last(), QStringLiteral("units"));
    }

    void the_unit_of_times_steps() {
        const GanttFrame frame = frame_of(3'400'000'000, true); // 3.4 s
        QCOMPARE(texts(frame, 1).last(), QStringLiteral("s"));
        QVERIFY(texts(frame, 1).contains(QStringLiteral("3.40 s"))); // the makespan, at its end
        QCOMPARE(texts(frame, 0.01).last(), QStringLiteral("ms"));
        QCOMPARE(texts(frame, 1e-5).last(), QString::fromUtf8("µs"));
        QCOMPARE(texts(frame, 1e-8).last(), QStringLiteral("ns"));
        QVERIFY(!texts(frame, 0.01).contains(QStringLiteral("3.40 s")));
        QCOMPARE(texts(frame_of(800, true), 1).last(), QStringLiteral("ns"));
    }

    void the_end_is_named_at_any_width() {
        for (int width = 300; width < 2600; width += 37) {
            const GanttFrame frame = frame_of(30'312'345, true);
            scene::Camera camera;
            camera.scale_x = (width - gantt_left - gantt_right) / frame.runTo;
            camera.centre_x = (width / 2.0 - gantt_left) / camera.scale_x;
            bool named = false;
            for (const scene::Text& text :
                 schedule_axes(frame, camera, QSize(width, 200), scene::dark_theme()).texts)
                named |= text.utf8 == "30.3 ms";
            QVERIFY2(named, qPrintable(QString::number(width)));
        }
    }

    /// Where lanes are low a caption is taller than the room above them.
    void a_caption_stays_above_its_lane() {
        for (const double scale : {1.0, 0.3, 0.1}) {
            GanttFrame frame = frame_of(2'489, false);
            frame.captions.push_back({100, QStringLiteral("measured")});
            scene::Camera camera = camera_of(frame, 1);
            camera.scale_y = scale;
            camera.centre_y = 100; // the first lane begins in the middle of the picture
            for (const scene::Text& text :
                 schedule_axes(frame, camera, size, scene::dark_theme()).texts)
                if (text.utf8 == "measured")
                    QVERIFY(text.at.y + text.pixels / 2 < size.height() / 2.0F);
        }
    }

    void ticks_do_not_touch() {
        for (const double share : {1.0, 0.3, 0.01, 1e-4, 1e-7}) {
            const GanttFrame frame = frame_of(3'400'000'000, true);
            float before = -1000;
            for (const scene::Text& text :
                 schedule_axes(frame, camera_of(frame, share), size, scene::dark_theme()).texts) {
                if (text.anchor != scene::Anchor::centre) continue;
                QVERIFY(text.at.x - before > 40);
                before = text.at.x;
            }
        }
    }
};

} // namespace blockloom::ui::test_schedule_axes

QTEST_GUILESS_MAIN(blockloom::ui::test_schedule_axes::TestScheduleAxes)
#include "test_schedule_axes.moc"
