// The dialog of settings: by keys, what is wrong is named, what is right lands in the one file.
#include "headers/waiting.h"
#include "session/runs.h"
#include "window/settings_dialog.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>

namespace blockloom::ui::test_settings {

class TestSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QVERIFY(QDir(data_.path()).mkpath(QStringLiteral("blockloom")));
        write("# of this machine\nbatch_size = 4096 # measured\nmemory_limit = 1024M\n");
        fixture_.make();
        WAIT_UNTIL(fixture_.window->isSettled());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void shows_the_file() {
        SettingsDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        QCOMPARE(line(dialog, "batch_size")->text(), QStringLiteral("4096"));
        QCOMPARE(line(dialog, "memory_limit")->text(), QStringLiteral("1G"));
        QCOMPARE(line(dialog, "timeout")->text(), QString());
        QVERIFY(line(dialog, "timeout")->placeholderText().contains(QStringLiteral("30s")));
        QVERIFY(dialog->applyButton()->isEnabled());
        QTest::keyClick(dialog, Qt::Key_Escape);
        WAIT_UNTIL(find() == nullptr);
    }

    void what_is_wrong_is_named_and_not_written() {
        const QByteArray before = text();
        SettingsDialog* dialog = open();
        type(line(dialog, "timeout"), QStringLiteral("soon"));
        QVERIFY2(dialog->problem().contains(QStringLiteral("Time-out")),
                 qPrintable(dialog->problem()));
        QVERIFY(dialog->problem().contains(QStringLiteral("soon")));
        QVERIFY(!dialog->applyButton()->isEnabled());
        QTest::keyClick(line(dialog, "timeout"), Qt::Key_Return);
        QVERIFY(find() != nullptr);
        type(line(dialog, "timeout"), QStringLiteral("500ms"));
        QCOMPARE(dialog->problem(), QString());
        auto* folder = dialog->findChild<QLineEdit*>(QStringLiteral("settingWorkspace"));
        type(folder, QStringLiteral("not/whole"));
        QVERIFY(dialog->problem().contains(QStringLiteral("not/whole")));
        type(folder, file());
        QVERIFY(dialog->problem().contains(QStringLiteral("is a file")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        WAIT_UNTIL(find() == nullptr);
        QCOMPARE(text(), before);
    }

    void applied_by_keys() {
        SettingsDialog* dialog = open();
        type(line(dialog, "timeout"), QStringLiteral("10s"));
        type(line(dialog, "memory_limit"), QString());
        type(line(dialog, "batch_min"), QStringLiteral("16"));
        auto* backend = static_cast<QComboBox*>(dialog->field("backend"));
        const int cpu = backend->findData(QStringLiteral("cpu"));
        QVERIFY(cpu >= 0);
        backend->setFocus();
        while (backend->currentIndex() < cpu) QTest::keyClick(backend, Qt::Key_Down);
        auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("settingTheme"));
        theme->setFocus();
        QTest::keyClick(theme, Qt::Key_End);
        auto* restore = dialog->findChild<QCheckBox*>(QStringLiteral("settingRestore"));
        restore->setFocus();
        QTest::keyClick(restore, Qt::Key_Space);
        const QString own = data_.filePath(QStringLiteral("my runs"));
        type(dialog->findChild<QLineEdit*>(QStringLiteral("settingWorkspace")), own);
        QTest::keyClick(line(dialog, "timeout"), Qt::Key_Return); // the button is the default one
        WAIT_UNTIL(find() == nullptr);
        QCOMPARE(text(), QByteArray("# of this machine\nbatch_size = 4096 # measured\n"
                                    "backend = cpu\nbatch_min = 16\ntimeout = 10s\n"));
        QCOMPARE(fixture_.window->theme(), ThemeChoice::light);
        QCOMPARE(fixture_.window->runs()->folder(), own);
        QCOMPARE(fixture_.window->runs()->limits().batch_min, std::size_t{16});
        QCOMPARE(fixture_.window->runs()->limits().batch_max, std::size_t{4096});
        fixture_.window->close();
        fixture_.make();
        QCOMPARE(fixture_.window->theme(), ThemeChoice::light);
        QCOMPARE(fixture_.window->runs()->folder(), own);
        QVERIFY(!fixture_.window->restoreSession()); // switched off
    }

    /// What the environment says is said beside the field; the file is the dialog's alone.
    void the_environment_wins() {
        qputenv("BLOCKLOOM_TIMEOUT", "3s");
        SettingsDialog* dialog = open();
        QCOMPARE(line(dialog, "timeout")->text(), QStringLiteral("10s"));
        QVERIFY(line(dialog, "timeout")
                    ->accessibleDescription()
                    .contains(QStringLiteral("BLOCKLOOM_TIMEOUT=3s")));
        qunsetenv("BLOCKLOOM_TIMEOUT");
        QTest::keyClick(dialog, Qt::Key_Escape);
        WAIT_UNTIL(find() == nullptr);
    }

    /// A file that was broken by hand: its line is named, and nothing of it is thrown away.
    void a_broken_file() {
        write("timeout = soon\n");
        SettingsDialog* dialog = open();
        QVERIFY(dialog->problem().contains(QStringLiteral("blockloom.conf:1")));
        QVERIFY(!dialog->applyButton()->isEnabled());
        QTest::keyClick(dialog, Qt::Key_Escape);
        WAIT_UNTIL(find() == nullptr);
        QCOMPARE(text(), QByteArray("timeout = soon\n"));
        write("");
    }

private:
    [[nodiscard]] QString file() const {
        return data_.filePath(QStringLiteral("blockloom/blockloom.conf"));
    }
    void write(const char* content) const {
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(content);
    }
    [[nodiscard]] QByteArray text() const {
        QFile in(file());
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("unreadable");
    }
    [[nodiscard]] SettingsDialog* find() const {
        return fixture_.window->findChild<SettingsDialog*>();
    }
    SettingsDialog* open() {
        fixture_.window->activateWindow();
        test::wait_until_active(fixture_.window.get());
        test::press(fixture_.window.get(), Qt::Key_Comma, Qt::ControlModifier);
        WAIT_UNTIL(find() != nullptr);
        return find();
    }
    [[nodiscard]] static QLineEdit* line(const SettingsDialog* dialog, const char* name) {
        return static_cast<QLineEdit*>(dialog->field(name));
    }
    static void type(QLineEdit* field, const QString& text) {
        field->setFocus();
        field->selectAll();
        if (text.isEmpty())
            QTest::keyClick(field, Qt::Key_Delete);
        else
            QTest::keyClicks(field, text);
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_settings

QTEST_MAIN(blockloom::ui::test_settings::TestSettings)
#include "test_settings.moc"
