// The look: one place for colours, contrasts that can be read, icons that follow the theme.
#include "charts/bar_cells.h"
#include "look/apply_theme.h"
#include "look/icons.h"
#include "look/roles.h"
#include "look/style.h"
#include "look/theme_style.h"
#include "places.h"
#include "window_waits.h"

#include <QApplication>
#include <QDirIterator>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QVBoxLayout>

using namespace blockloom;
using namespace blockloom::ui;

namespace {

QStringList files(const QStringList& names) {
    QStringList found;
    for (const char* folder : {"/ui", "/resources", "/app"}) {
        QDirIterator it(QStringLiteral(BLOCKLOOM_SOURCE_DIR) + QLatin1StringView(folder), names,
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) found.append(it.next());
    }
    return found;
}

QString text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool shows(const QImage& image, scene::Colour colour) {
    const QColor wanted = qcolor(colour);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            if (at.alpha() > 200 && qAbs(at.red() - wanted.red()) < 12 &&
                qAbs(at.green() - wanted.green()) < 12 && qAbs(at.blue() - wanted.blue()) < 12)
                return true;
        }
    return false;
}

} // namespace

class TestLook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void style_sheet_is_short_and_whole() {
        const QString source = text_of(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/resources/style.qss"));
        QVERIFY(!source.isEmpty());
        QVERIFY(source.count(QLatin1Char('\n')) < 150);
        for (const scene::Theme* theme : {&scene::dark_theme(), &scene::light_theme()}) {
            const QString sheet = style_sheet_of(*theme);
            QVERIFY(!sheet.isEmpty());
            // Every role was known: none is left.
            QVERIFY2(!sheet.contains(QLatin1Char('@')),
                     qPrintable(sheet.mid(sheet.indexOf(QLatin1Char('@')), 30)));
        }
    }

    void contrasts_can_be_read() {
        for (const scene::Theme* t : {&scene::dark_theme(), &scene::light_theme()}) {
            for (const scene::Colour ground :
                 {t->window, t->panel, t->canvas, t->raised, t->field}) {
                for (const scene::Colour text : {t->text, t->text2, t->ok, t->error, t->warning})
                    QVERIFY(scene::contrast(text, ground) >= 4.5);
                // Captions also stand for disabled words: text on the grounds where they are used.
                QVERIFY(scene::contrast(t->text3, ground) >= 3.0);
                QVERIFY(scene::contrast(t->control_border, ground) >= 2.9);
            }
            QVERIFY(scene::contrast(t->text, t->selected_row) >= 4.5);
            QVERIFY(scene::contrast(t->button_text, t->button_fill) >= 4.5);
        }
    }

    void palette_says_which_theme() {
        for (const scene::Theme* theme : {&scene::dark_theme(), &scene::light_theme()}) {
            apply_theme(*qApp, *theme);
            QCOMPARE(&current_theme(), theme);
            QCOMPARE(qApp->palette().color(QPalette::Base), qcolor(theme->panel));
            QCOMPARE(qApp->palette().color(QPalette::Highlight), qcolor(theme->selected_row));
        }
    }

    void choices_have_names() {
        for (const ThemeChoice choice :
             {ThemeChoice::system, ThemeChoice::dark, ThemeChoice::light})
            QCOMPARE(theme_choice_named(name_of(choice)), choice);
        QCOMPARE(theme_choice_named(QStringLiteral("mauve")), ThemeChoice::system);
    }

    void every_icon_that_is_asked_for_is_there() {
        static const QRegularExpression asked(
            QStringLiteral("(?:icon|icon_pixmap|addTitleButton|addButton|make)\\(\\s*(?:[a-z]+,\\s*"
                           ")?\"([a-z]+)\""));
        int found = 0;
        apply_theme(*qApp, scene::dark_theme());
        for (const QString& path : files({QStringLiteral("*.cpp")}))
            for (auto it = asked.globalMatch(text_of(path)); it.hasNext(); ++found) {
                const QString name = it.next().captured(1);
                QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name)),
                         qPrintable(path + QStringLiteral(": ") + name));
            }
        QVERIFY(found > 20);
    }

    void icons_follow_theme_and_state() {
        for (const scene::Theme* theme : {&scene::dark_theme(), &scene::light_theme()}) {
            apply_theme(*qApp, *theme);
            const QIcon sign = icon("error");
            QVERIFY(shows(sign.pixmap(32, QIcon::Normal).toImage(), theme->text2));
            QVERIFY(shows(sign.pixmap(32, QIcon::Disabled).toImage(), theme->text3));
            QVERIFY(shows(sign.pixmap(32, QIcon::Active).toImage(), theme->text));
            QVERIFY(shows(icon_pixmap("check", theme->ok, 32).toImage(), theme->ok));
            QVERIFY(shows(logo(70, 1.0).toImage(), theme->ramp[7]));
        }
        QCOMPARE(icon_pixmap("check", scene::dark_theme().ok, 16, 2.0).size(), QSize(32, 32));
    }

    void fonts_have_tabular_figures() {
        const QFontMetricsF metrics(text_font(24));
        for (char digit = '1'; digit <= '9'; ++digit)
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)),
                     metrics.horizontalAdvance(QLatin1Char('0')));
    }

    void focus_ring_shows_for_keys_only() {
        apply_theme(*qApp, scene::dark_theme());
        auto* ring = qApp->findChild<FocusRing*>();
        QVERIFY(ring != nullptr);
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* first = new QPushButton(QStringLiteral("one"));
        auto* second = new QPushButton(QStringLiteral("two"));
        column->addWidget(first);
        column->addWidget(second);
        window.show();
        blockloom::test::wait_until_active(&window);
        first->setFocus(Qt::OtherFocusReason);
        QTest::keyClick(first, Qt::Key_Tab);
        QCOMPARE(ring->ringed(), second);
        first->setFocus(Qt::MouseFocusReason);
        QCOMPARE(ring->ringed(), nullptr);
        second->setFocus(Qt::TabFocusReason);
        QCOMPARE(ring->ringed(), second);
    }

    /// Around a control that fills its window, where nothing outside it can be seen.
    void the_focus_ring_has_four_sides() {
        apply_theme(*qApp, scene::dark_theme());
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        auto* list = new QListWidget;
        list->setFrameShape(QFrame::NoFrame);
        column->addWidget(list);
        window.resize(200, 160);
        window.show();
        blockloom::test::wait_until_active(&window);
        list->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        const QImage image = window.grab().toImage();
        const QColor accent = qcolor(scene::dark_theme().accent);
        const QSize size = image.size();
        for (const QPoint at : {QPoint(1, size.height() / 2), QPoint(size.width() / 2, 1),
                                QPoint(size.width() - 2, size.height() / 2),
                                QPoint(size.width() / 2, size.height() - 2)})
            QCOMPARE(image.pixelColor(at), accent);
    }

    void file_dialogs_show_whole_dates() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("a_file_with_a_long_name_of_some_kind.bin")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
        file.close();
        QFileDialog dialog(nullptr, QStringLiteral("Open"), folder.path());
        dialog.setOption(QFileDialog::DontUseNativeDialog);
        dialog.show();
        auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
        QVERIFY(files != nullptr);
        WAIT_UNTIL(files->model()->rowCount(files->rootIndex()) == 1);
        const int dates = files->header()->count() - 1;
        const QString date = files->model()->index(0, dates, files->rootIndex()).data().toString();
        QVERIFY(!date.isEmpty());
        WAIT_UNTIL(files->columnWidth(dates) > files->fontMetrics().horizontalAdvance(date));
    }

    void a_log_scale_keeps_order() {
        QCOMPARE(log_share(1, 100), 0.0);
        QCOMPARE(log_share(100, 100), 1.0);
        QCOMPARE(log_share(10, 100), 0.5);
        QCOMPARE(log_share(5, 1), 0.0); // nothing to compare with
        QCOMPARE(log_share(0, 100), 0.0);
    }
};

QTEST_MAIN(TestLook)
#include "test_look.moc"
