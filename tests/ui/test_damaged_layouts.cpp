// Settings whose layout or geometry is damaged: the window stands where it can be seen.
#include "docks/dock.h"
#include "window/dock_layout.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QDockWidget>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>

namespace blockloom::ui::test_damaged_layouts {
namespace {

void flip(QByteArray& bytes, qsizetype at) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x80);
}

} // namespace

class TestDamagedLayouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
    }

    /// One bit of the layout's or the geometry's bytes, or bytes of another size: a window that
    /// stands where it can be seen, with the layout that is kept or the first one.
    void damaged_layouts() {
        // Each is a window of its own; BLOCKLOOM_DAMAGED_LAYOUTS=24 and more look closer.
        bool given = false;
        const int wished = qEnvironmentVariableIntValue("BLOCKLOOM_DAMAGED_LAYOUTS", &given);
        const int steps = given ? std::max(wished, 4) : 8;
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open(2, 20));
        fixture.window->commands()->layout_compare->trigger();
        fixture.window->close();
        fixture.window.reset();
        QSettings settings(fixture.settings(), QSettings::IniFormat);
        const QString docks = QStringLiteral("window/docks"),
                      geometry = QStringLiteral("window/geometry");
        for (const QString& key : {docks, geometry}) {
            const QByteArray whole = settings.value(key).toByteArray();
            QVERIFY(whole.size() > 40);
            for (int step = 0; step < steps; ++step) {
                QByteArray damaged = whole;
                if (step == 0)
                    damaged.clear();
                else if (step == 1)
                    damaged.truncate(damaged.size() / 2);
                else if (step == 2)
                    damaged.fill('\xff');
                else
                    flip(damaged, damaged.size() * (step - 3) / (steps - 3));
                settings.setValue(key, damaged);
                settings.sync();
                fixture.make();
                QVERIFY(fixture.open(2, 20));
                const QRect frame = fixture.window->geometry();
                QVERIFY(frame.width() <= 4000 && frame.height() <= 4000);
                QVERIFY(!fixture.window->layoutOfDocks().visible().isEmpty());
                for (const QDockWidget* dock : fixture.window->layoutOfDocks().visible())
                    QVERIFY(dock->width() > 20 && dock->height() > 20);
                fixture.window.reset(); // without closing: the file stays as it is
            }
            settings.setValue(key, whole);
        }
    }

private:
    QTemporaryDir data_;
};

} // namespace blockloom::ui::test_damaged_layouts

QTEST_MAIN(blockloom::ui::test_damaged_layouts::TestDamagedLayouts)
#include "test_damaged_layouts.moc"
