// What goes wrong with the workspace of runs: a clear message in sight, what was kept stays whole,
// and the run that could not be kept is a file.
#include "base/file.h"
#include "docks/dock.h"
#include "headers/waiting.h"
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

namespace blockloom::ui::test_failures {

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
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    /// Another program writes the state: the run is kept beside it all the same, and can be
    /// deleted.
    void workspace_in_use() {
        QSignalSpy failed(&session(), &Session::failed);
        const auto held = store::Workspace::open(runs().folder().toStdString());
        QVERIFY(held.ok());
        run();
        WAIT_UNTIL(runs().kept().size() == std::size_t{2});
        const QString id = QString::fromStdString(runs().kept().front().id);
        runs().remove(id);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        QVERIFY(runs().find(id) == nullptr);
        QVERIFY(failed.isEmpty());
    }

    /// What went wrong while other panels are in front is said where one looks, and nothing is
    /// gone.
    void shown_in_every_layout() {
        fixture_.window->commands()->layout_compare->trigger();
        WAIT_UNTIL(fixture_.window->docks().blocks->isHidden());
        const QString own = runs().folder();
        runs().setFolder(QStringLiteral("/proc/self/fdinfo/runs"));
        QSignalSpy failed(&session(), &Session::failed);
        run();
        WAIT_UNTIL(failed.size() == 1);
        QVERIFY(in_sight(failed.front().front().toString()));
        runs().setFolder(own);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        fixture_.window->commands()->layout_analyse->trigger();
    }

    /// A folder in which nothing can be made, for root neither.
    void a_folder_that_takes_nothing() {
        const QString own = runs().folder();
        runs().setFolder(QStringLiteral("/proc/self/fdinfo/runs"));
        QSignalSpy failed(&session(), &Session::failed);
        run();
        WAIT_UNTIL(failed.size() == 1);
        const QString reported = failed.front().front().toString();
        QVERIFY2(reported.contains(QStringLiteral("/proc/self/fdinfo/runs")), qPrintable(reported));
        runs().setFolder(own);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
    }

    /// No byte more fits: reported, the kept run is whole, and the next one is kept when there is
    /// room.
    void a_full_disk() {
        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
        const auto was = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit none{0, limit.rlim_max};
        QSignalSpy failed(&session(), &Session::failed);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &none), 0);
        run();
        WAIT_UNTIL(!failed.isEmpty());
        (void)::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, was);
        const QString reported = failed.front().front().toString();
        QVERIFY2(reported.contains(QStringLiteral("not kept")), qPrintable(reported));
        WAIT_UNTIL(!session().busy());
        runs().reload();
        WAIT_UNTIL(!runs().reading());
        QCOMPARE(runs().kept().size(), std::size_t{1});
        run();
        WAIT_UNTIL(runs().kept().size() == std::size_t{2});
    }

    /// A workspace whose state is after a block of another chain: both blocks are named, with what
    /// to do next, the range stays open, and the state is as it was.
    void a_state_of_another_branch() {
        const QString place = data_.filePath(QStringLiteral("other"));
        store::Base base{.height = 1'000'000, .hash = Hash256{}};
        base.hash->fill(7);
        {
            const auto workspace = store::Workspace::open(place.toStdString());
            QVERIFY(workspace.ok());
            QVERIFY((*workspace)->put({{{"key", "value"}}}, base).ok());
        }
        const auto range = session().range();
        QSignalSpy failed(&session(), &Session::failed);
        fixture_.window->open({fixture_.blocks()}, {QStringLiteral("alkanes"), place});
        WAIT_UNTIL(failed.size() == 1);
        const QString reported = failed.front().front().toString();
        for (const char* part :
             {"expected the state in", "block 1000000", "Execute on the state of a workspace"})
            QVERIFY2(reported.contains(QLatin1StringView(part)), qPrintable(reported));
        QVERIFY(in_sight(reported));
        QCOMPARE(session().range(), range);
        const auto workspace = store::Workspace::open(place.toStdString());
        QVERIFY(workspace.ok());
        QVERIFY(!(*workspace)->tip());
        const auto kept = (*workspace)->base();
        QVERIFY(kept.ok() && *kept == base);
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    void run() const {
        WAIT_UNTIL(fixture_.window->commands()->run->isEnabled());
        fixture_.window->commands()->run->trigger();
    }
    [[nodiscard]] bool in_sight(const QString& words) const {
        for (const QLabel* label : fixture_.window->findChildren<QLabel*>())
            if ((label->text() == words || label->toolTip() == words) &&
                !label->visibleRegion().isEmpty())
                return true;
        return false;
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_failures

QTEST_MAIN(blockloom::ui::test_failures::TestFailures)
#include "test_failures.moc"
