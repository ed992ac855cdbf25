// What goes wrong with the workspace of runs: a clear message in sight, what was kept stays whole,
// and the run that could not be kept is a file.
#include "base/file.h"
#include "docks/dock.h"
#include "runs/kept_run.h"
#include "session/runs.h"
#include "store/workspace.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QLabel>
#include <QSignalSpy>
#include <QUndoStack>

#include <csignal>
#include <sys/resource.h>

namespace blockloom::ui {

class TestFailures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QVERIFY(test::write_messages(fixture_.blocks(), 12));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        run();
        QTRY_COMPARE_WITH_TIMEOUT(runs().kept().size(), std::size_t{1}, 60'000);
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    /// Another program has it open: the message names it, and the run is in a file that reads back.
    void workspace_in_use() {
        QSignalSpy failed(&session(), &Session::failed);
        {
            const auto held = test::open_workspace(runs().folder());
            QVERIFY(held.ok());
            run();
            QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 60'000);
        }
        const QString told = failed.front().front().toString();
        QVERIFY2(told.contains(QStringLiteral("another Blockloom (process ")), qPrintable(told));
        QVERIFY(in_sight(told));
        check_file_of(told);
        runs().reload();
        QTRY_VERIFY(!runs().reading());
        QCOMPARE(runs().kept().size(), std::size_t{1}); // what was there is there
    }

    /// The same while other panels are in front: the message is where one looks.
    void told_in_every_layout() {
        fixture_.window->commands()->layout_compare->trigger();
        QTRY_VERIFY(fixture_.window->docks().blocks->isHidden());
        QSignalSpy failed(&session(), &Session::failed);
        {
            const auto held = test::open_workspace(runs().folder());
            QVERIFY(held.ok());
            run();
            QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 60'000);
        }
        QVERIFY(in_sight(failed.front().front().toString()));
        fixture_.window->commands()->layout_analyse->trigger();
    }

    /// A deletion that cannot be done says so, and nothing is gone.
    void deleted_while_in_use() {
        const QString id = QString::fromStdString(runs().kept().front().id);
        QSignalSpy failed(&session(), &Session::failed);
        {
            const auto held = test::open_workspace(runs().folder());
            QVERIFY(held.ok());
            runs().remove(id);
            QTRY_COMPARE(failed.size(), 1);
        }
        QTRY_VERIFY(!runs().reading());
        QVERIFY(runs().find(id) != nullptr);
    }

    /// A folder in which nothing can be made, for root neither.
    void a_folder_that_takes_nothing() {
        const QString own = runs().folder();
        runs().setFolder(QStringLiteral("/proc/self/fdinfo/runs"));
        QSignalSpy failed(&session(), &Session::failed);
        run();
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 60'000);
        const QString told = failed.front().front().toString();
        QVERIFY2(told.contains(QStringLiteral("/proc/self/fdinfo/runs")), qPrintable(told));
        check_file_of(told);
        runs().setFolder(own);
        QTRY_COMPARE(runs().kept().size(), std::size_t{1});
    }

    /// No byte more fits: told, the kept run is whole, and the next one is kept when there is room.
    void a_full_disk() {
        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
        const auto was = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit none{0, limit.rlim_max};
        QSignalSpy failed(&session(), &Session::failed);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &none), 0);
        run();
        const bool in_time = QTest::qWaitFor([&] { return !failed.isEmpty(); }, 60'000);
        (void)::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, was);
        QVERIFY(in_time);
        const QString told = failed.front().front().toString();
        QVERIFY2(told.contains(QStringLiteral("not kept")), qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("could not be written")), qPrintable(told));
        QTRY_VERIFY(!session().busy());
        runs().reload();
        QTRY_VERIFY(!runs().reading());
        QCOMPARE(runs().kept().size(), std::size_t{1});
        run();
        QTRY_COMPARE_WITH_TIMEOUT(runs().kept().size(), std::size_t{2}, 60'000);
    }

    /// A workspace whose state is after a block of another chain: both blocks are named, with what
    /// to do next, the range stays open, and the state is as it was.
    void a_state_of_another_branch() {
        const QString place = data_.filePath(QStringLiteral("other"));
        store::Base base{.height = 1'000'000, .hash = Hash256{}};
        base.hash->fill(7);
        {
            const auto workspace = test::open_workspace(place);
            QVERIFY(workspace.ok());
            QVERIFY((*workspace)->put({{{"key", "value"}}}, base).ok());
        }
        const auto range = session().range();
        QSignalSpy failed(&session(), &Session::failed);
        fixture_.window->open({fixture_.blocks()}, {QStringLiteral("alkanes"), place});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 60'000);
        const QString told = failed.front().front().toString();
        for (const char* part : {"expected it to be the block that the state in", "block 1000000",
                                 "Range, Execute on the state of a workspace"})
            QVERIFY2(told.contains(QLatin1StringView(part)), qPrintable(told));
        QVERIFY(in_sight(told));
        QCOMPARE(session().range(), range);
        const auto workspace = test::open_workspace(place);
        QVERIFY(workspace.ok());
        QVERIFY(!(*workspace)->tip());
        const auto kept = (*workspace)->base();
        QVERIFY(kept.ok() && *kept == base);
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    void run() const {
        QTRY_VERIFY(fixture_.window->commands()->run->isEnabled());
        fixture_.window->commands()->run->trigger();
    }
    [[nodiscard]] bool in_sight(const QString& words) const {
        for (const QLabel* label : fixture_.window->findChildren<QLabel*>())
            if ((label->text() == words || label->toolTip() == words) &&
                !label->visibleRegion().isEmpty())
                return true;
        return false;
    }
    /// The file that a message names holds a run.
    static void check_file_of(const QString& told) {
        const QString path = told.section(QStringLiteral("written to "), 1).section(u';', 0, 0);
        QVERIFY2(path.endsWith(QStringLiteral(".blockloom-run.json")), qPrintable(told));
        const auto file = FileContent::read(path.toStdString());
        QVERIFY(file.ok());
        const auto parts = runs::without_spans(
            {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, "file");
        QVERIFY(parts.ok() && parts->spans.has_value());
        const auto back = runs::read_run(parts->document, "file");
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
        QCOMPARE(back->blocks.size(), std::size_t{2});
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui

QTEST_MAIN(blockloom::ui::TestFailures)
#include "test_failures.moc"
