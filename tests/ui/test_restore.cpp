// The session is there again: after a close, after kill -9, after a crash while it was opened; and
// what cannot be kept says so.
#include "docks/contention_dock.h"
#include "docks/graph/graph_dock.h"
#include "headers/waiting.h"
#include "session/runs.h"
#include "session/saved_session.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/session_keeper.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>

namespace blockloom::ui::test_restore {
namespace {

constexpr const char* child_folder = "BLOCKLOOM_TEST_CHILD"; ///< the folder of the settings
constexpr const char* child_writes = "BLOCKLOOM_TEST_WRITES";

void say(const char* word) {
    std::printf("%s\n", word);
    std::fflush(stdout);
}

SavedSession numbered(int number) {
    SavedSession saved;
    saved.sources = {QStringLiteral("demo")};
    saved.block = QString::number(number);
    for (int i = 0; i < number % 500; ++i) saved.rules.policy.ignore.push_back("balance:0xfee*");
    return saved;
}

/// Writes one session after the other until it is killed.
int write_for_ever(const QString& file) {
    for (int number = 0;; ++number) {
        if (!write_session(file, numbered(number))) return 1;
        if (number % 50 == 0) say("written");
    }
}

/// By the keys of a user.
void change_everything(MainWindow& window) {
    const auto key = [&](Qt::Key k, Qt::KeyboardModifiers m) { QTest::keyClick(&window, k, m); };
    key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier); // the layout "Run"
    for (int i = 0; i < 2; ++i) {
        WAIT_UNTIL(window.commands()->run->isEnabled());
        key(Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(window.runs()->kept().size() == static_cast<std::size_t>(i) + 1 &&
                   !window.session()->busy());
    }
    window.runs()->swap();
    window.session()->setCurrentRow(1);
    const auto look_for = [&](const QString& text) {
        key(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(window.findBox(), text);
        QTest::keyClick(window.findBox(), Qt::Key_Return);
    };
    look_for(QStringLiteral("#3"));
    const auto& trace = *window.session()->currentBlock()->analysis.index->trace;
    look_for(QString::fromStdString(trace.keys->printable(0)));
    key(Qt::Key_K, Qt::ControlModifier); // relaxes it
    key(Qt::Key_2, Qt::ControlModifier); // multi-version
    window.session()->setWorkers(32);
    window.graph()->setView(scene::View::bipartite);
    WAIT_UNTIL(window.isSettled());
}

int live_until_killed(const QString& folder) {
    MainWindow window(folder + QStringLiteral("/settings.ini"));
    window.resize(1600, 1000);
    window.show();
    window.open({folder + QStringLiteral("/blocks")});
    WAIT_UNTIL(window.session()->range() && window.isSettled());
    window.activateWindow();
    test::wait_until_active(&window);
    change_everything(window);
    window.session()->setWorkers(16); // the last change
    const auto kept = [&] {
        const auto saved = read_session(window.keeper()->file());
        return saved.ok() && saved->has_value() && (*saved)->workers == 16 && !(*saved)->opening;
    };
    WAIT_UNTIL(kept());
    say("kept");
    return QApplication::exec();
}

} // namespace

class TestRestore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
    }

    void as_text_and_back() {
        SavedSession saved = numbered(3);
        saved.choices = {QStringLiteral("alkanes"), QStringLiteral("/a b/w"),
                         QStringLiteral("develop"), QStringLiteral("exact")};
        saved.rules.model = conflict::ConflictModel::multi_version;
        saved.rules.policy.commutative = {"kind:b"};
        saved.rules.policy.without_votes = true;
        saved.schedule = schedule::Strategy::optimistic;
        saved.workers = 64;
        saved.task = 17;
        saved.key = QStringLiteral("alkane:2:5/\"quoted\"\n");
        saved.backend = QStringLiteral("vulkan:0");
        saved.run_a = QStringLiteral("a");
        saved.limits = {16, 4096, 100'000};
        const auto back = saved_session(to_json(saved), QStringLiteral("here"));
        QVERIFY(back.ok());
        QVERIFY(*back == saved);
        for (const char* bad : {"", "{", "[]", "{}", R"({"schema":"blockloom.session/2"})"}) {
            const auto refused = saved_session(bad, QStringLiteral("FILE"));
            QVERIFY2(!refused.ok(), bad);
            QVERIFY2(refused.error().message.find("FILE: ") == 0, refused.error().message.c_str());
            QVERIFY(refused.error().message.find("expected") != std::string::npos);
        }
    }

    /// Every member with every kind of value: read, or refused with its name; never a number out of
    /// range.
    void every_value_has_a_range() {
        SavedSession saved = numbered(3);
        saved.task = 17;
        const QJsonObject good = QJsonDocument::fromJson(to_json(saved)).object();
        const QList<QByteArray> values{"2147483647",
                                       "-1",
                                       "0",
                                       "4294967296",
                                       "18446744073709551615",
                                       "1e308",
                                       "0.5",
                                       "null",
                                       "[]",
                                       "{}",
                                       "\"x\"",
                                       "true",
                                       "[1]",
                                       "{\"a\":1}",
                                       "[[[[[[]]]]]]",
                                       "99999999999999999999999999"};
        int refused = 0;
        QStringList names = good.keys();
        names.append(QStringLiteral("unknown"));
        for (const QString& name : names)
            for (const QByteArray& value : values) {
                QByteArray text = "{";
                for (const QString& other : good.keys())
                    if (other != name)
                        text += "\"" + other.toUtf8() + "\":" + member(good, other) + ",";
                text += "\"" + name.toUtf8() + "\":" + value + "}";
                const auto back = saved_session(text, QStringLiteral("FILE"));
                if (!back) {
                    ++refused;
                    QVERIFY2(back.error().message.find("FILE: ") == 0,
                             back.error().message.c_str());
                    continue;
                }
                QVERIFY(back->workers >= 1 && back->workers <= Session::most_workers);
                QVERIFY(back->repetitions >= 1 && back->repetitions <= Runs::most_repetitions);
                QVERIFY(back->limits.batch_min <= RunLimits::most);
                QVERIFY(back->limits.batch_max <= RunLimits::most);
                QVERIFY(back->schedule <= schedule::Strategy::optimistic);
            }
        QVERIFY2(refused > 150, qPrintable(QString::number(refused)));
    }

    /// A session that asks for more workers than there can be: said, and the window stands.
    void a_session_out_of_range() {
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        fixture.window->close();
        const QString name = fixture.window->keeper()->file();
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        text.replace("\"workers\": 8", "\"workers\": 2147483647");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        fixture.make();
        QVERIFY(!fixture.window->restoreSession());
        QVERIFY2(reported(fixture).contains(QStringLiteral("workers")),
                 qPrintable(reported(fixture)));
        QVERIFY(fixture.open()); // and what was there is not lost to what takes its place
        fixture.window->close();
        QFile before(name + QStringLiteral(".damaged"));
        QVERIFY(before.open(QIODevice::ReadOnly));
        QCOMPARE(before.readAll(), text);
        QVERIFY((*read_session(name))->sources == QStringList{fixture.blocks()});
    }

    /// Marked as being opened until its picture stands, and not after.
    void marked_until_it_is_drawn() {
        test::WindowFixture fixture;
        QVERIFY(test::write_blocks(fixture.blocks(), 2, 40));
        fixture.make();
        SessionKeeper& keeper = *fixture.window->keeper();
        QSignalSpy kept(&keeper, &SessionKeeper::kept);
        bool drawn = false;
        keeper.watchPicture([&] { return drawn; });
        fixture.window->open({fixture.blocks()});
        WAIT_UNTIL(fixture.window->session()->range() != nullptr);
        keeper.save();
        QVERIFY((*read_session(keeper.file()))->opening);
        drawn = true;
        WAIT_UNTIL(!(*read_session(keeper.file()))->opening);
        drawn = false;
        fixture.window->session()->selectTask(3); // no new picture of something else
        keeper.save();
        QVERIFY(!(*read_session(keeper.file()))->opening);
        fixture.window->open({fixture.blocks()}); // again: it may have changed
        WAIT_UNTIL(!fixture.window->session()->busy());
        keeper.save();
        QVERIFY((*read_session(keeper.file()))->opening);
        fixture.window->close(); // by hand: it ended nothing
        QVERIFY(!(*read_session(keeper.file()))->opening);
    }

    /// Killed in the middle of writing: the file is whole, the old one or the new one.
    void killed_while_writing() {
        const QString file = data_.filePath(QStringLiteral("killed/session.json"));
        for (int round = 0; round < 6; ++round) {
            QProcess child;
            start(child, child_writes, file);
            for (int lines = 0; lines <= round; ++lines)
                QVERIFY(child.waitForReadyRead(test::without_limit) && !child.readLine().isEmpty());
            child.kill();
            QVERIFY(child.waitForFinished(test::without_limit));
            const auto saved = read_session(file);
            QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message.c_str());
            QVERIFY(saved->has_value());
            QVERIFY(**saved == numbered((*saved)->block.toInt()));
        }
    }

    /// kill -9 after the last change was kept: range, block, task, key, rules, view, layout, A and
    /// B.
    void killed_while_working() {
        test::WindowFixture fixture;
        QVERIFY(test::write_messages(fixture.blocks(), 12));
        QProcess child;
        start(child, child_folder, fixture.folder.path());
        QVERIFY(child.waitForReadyRead(test::without_limit));
        QCOMPARE(child.readLine().trimmed(), QByteArray("kept"));
        child.kill();
        QVERIFY(child.waitForFinished(test::without_limit));

        fixture.make();
        QVERIFY(fixture.window->restoreSession());
        QVERIFY(fixture.settle());
        const Session& session = *fixture.window->session();
        WAIT_UNTIL(!fixture.window->keeper()->restoring());
        QCOMPARE(session.sources(), QStringList{fixture.blocks()});
        QCOMPARE(session.currentRow(), 1);
        const auto& trace = *session.currentBlock()->analysis.index->trace;
        QVERIFY(session.selectedTask().has_value());
        QCOMPARE(trace.task_in_block(*session.selectedTask()), 3U);
        QVERIFY(session.selectedKey().has_value());
        const std::string key = trace.keys->printable(*session.selectedKey());
        QVERIFY(is_relaxed(session.options().policy, key));
        QCOMPARE(session.options().model, conflict::ConflictModel::multi_version);
        QCOMPARE(session.workers(), 16U);
        QCOMPARE(fixture.window->graph()->viewOptions().view, scene::View::bipartite);
        QCOMPARE(fixture.window->layoutOfDocks().current(), QStringLiteral("Run"));
        WAIT_UNTIL(fixture.window->runs()->kept().size() == std::size_t{2});
        const runs::KeptRun* a = fixture.window->runs()->chosen(Runs::Side::a);
        const runs::KeptRun* b = fixture.window->runs()->chosen(Runs::Side::b);
        QVERIFY(a != nullptr && b != nullptr);
        QVERIFY(a->id > b->id); // swapped: the newer one is A
    }

    void closed_and_opened_again() {
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(!fixture.window->restoreSession()); // nothing yet
        QVERIFY(fixture.open());
        fixture.window->session()->selectTask(5);
        fixture.window->close();
        fixture.make();
        QVERIFY(fixture.window->restoreSession());
        QVERIFY(fixture.settle());
        WAIT_UNTIL(fixture.window->session()->selectedTask() == std::optional<quint32>(5));

        // What is closed by hand stays closed.
        fixture.window->commands()->close_range->trigger();
        QVERIFY(fixture.window->session()->range() == nullptr);
        QVERIFY(fixture.window->firstStart()->isVisible());
        for (const Dock* dock : fixture.window->docks().all()) QVERIFY(dock->isHidden());
        fixture.window->close();
        fixture.make();
        QVERIFY(!fixture.window->restoreSession());
        QVERIFY(fixture.open()); // and opens again
        QVERIFY(fixture.window->docks().blocks->isVisible());
    }

    /// What ended the program once is not opened by itself again; the next start may.
    void a_range_that_ends_the_program() {
        test::WindowFixture fixture;
        QVERIFY(test::write_blocks(fixture.blocks(), 2, 40));
        fixture.make();
        SavedSession saved;
        saved.sources = {fixture.blocks()};
        saved.opening = true;
        QVERIFY(write_session(fixture.window->keeper()->file(), saved).ok());
        QVERIFY(!fixture.window->restoreSession());
        QVERIFY(reported(fixture).contains(QStringLiteral("ended unexpectedly while")));
        QVERIFY(reported(fixture).contains(fixture.blocks()));
        fixture.window->close();
        fixture.make(); // nor by the start after that
        QVERIFY(!fixture.window->restoreSession());
        auto* anyway = fixture.window->findChild<QPushButton*>(QStringLiteral("openAnyway"));
        QVERIFY(anyway->isVisible());
        QTest::mouseClick(anyway, Qt::LeftButton);
        QVERIFY(fixture.settle());
        WAIT_UNTIL(!(*read_session(fixture.window->keeper()->file()))->opening);
        QVERIFY(!anyway->isVisible());
    }

    void a_folder_that_is_gone() {
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        fixture.window->close();
        QVERIFY(QDir(fixture.blocks()).removeRecursively());
        fixture.make();
        QVERIFY(fixture.window->restoreSession());
        WAIT_UNTIL(reported(fixture).contains(fixture.blocks()));
        WAIT_UNTIL(!fixture.window->keeper()->restoring());
        fixture.window->close();
        const auto saved = read_session(fixture.window->keeper()->file());
        QVERIFY(saved.ok() && *saved && !(*saved)->opening);
        QCOMPARE((*saved)->sources, QStringList{fixture.blocks()}); // should it come back
    }

    void two_windows() {
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QSignalSpy kept(fixture.window->keeper(), &SessionKeeper::kept);
        fixture.window->session()->selectTask(5);
        WAIT_UNTIL(!kept.isEmpty());
        MainWindow second(fixture.settings());
        second.show();
        QVERIFY(!second.restoreSession());
        QVERIFY(second.keeper()->problem().contains(QStringLiteral("already running")));
        second.open({fixture.blocks()});
        WAIT_UNTIL(second.session()->range() && second.isSettled());
        second.session()->selectTask(7);
        second.close();
        const auto saved = read_session(fixture.window->keeper()->file());
        QVERIFY(saved.ok() && *saved);
        QCOMPARE((*saved)->task, std::optional<quint32>(5));
    }

    /// No byte can be written: reported once, the old file is whole, and saving resumes when there
    /// is room.
    void a_full_disk() {
        test::WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        SessionKeeper& keeper = *fixture.window->keeper();
        keeper.save();
        const auto before = read_session(keeper.file());
        QVERIFY(before.ok() && *before);

        const auto was = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
        const rlimit none{0, limit.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &none), 0);
        QSignalSpy failed(&keeper, &SessionKeeper::failed);
        fixture.window->session()->selectTask(5);
        keeper.save();
        fixture.window->session()->selectTask(6);
        keeper.save();
        (void)::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, was);
        QCOMPARE(failed.size(), 1);
        QVERIFY2(keeper.problem().contains(QStringLiteral("cannot be saved")),
                 qPrintable(keeper.problem()));
        QVERIFY(keeper.problem().contains(keeper.file()));
        const auto after = read_session(keeper.file());
        QVERIFY(after.ok() && *after && **after == **before);
        keeper.save();
        QCOMPARE(keeper.problem(), QString());
        QCOMPARE((*read_session(keeper.file()))->task, std::optional<quint32>(6));
    }

    /// A folder that takes nothing, for root neither.
    void a_folder_that_takes_nothing() {
        test::WindowFixture fixture;
        QVERIFY(test::write_blocks(fixture.blocks(), 2, 40));
        MainWindow window(QStringLiteral("/proc/self/fdinfo/none/settings.ini"));
        window.show();
        QVERIFY(!window.restoreSession());
        window.open({fixture.blocks()});
        WAIT_UNTIL(window.session()->range() && window.isSettled());
        WAIT_UNTIL(window.keeper()->problem().contains(QStringLiteral("cannot be saved")));
        window.session()->selectTask(3); // the window continues to work
        QCOMPARE(window.session()->selectedTask(), std::optional<quint32>(3));
        window.close();
    }

private:
    /// A member of an object as JSON.
    static QByteArray member(const QJsonObject& object, const QString& name) {
        const QByteArray list =
            QJsonDocument(QJsonArray{object.value(name)}).toJson(QJsonDocument::Compact);
        return list.mid(1, list.size() - 2);
    }
    static void start(QProcess& child, const char* variable, const QString& value) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(variable), value);
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("test_restore")});
    }
    /// What the start page says.
    static QString reported(const test::WindowFixture& fixture) {
        for (const QLabel* label : fixture.window->firstStart()->findChildren<QLabel*>())
            if (label->property("role") == QStringLiteral("error")) return label->text();
        return {};
    }

    QTemporaryDir data_;
};

} // namespace blockloom::ui::test_restore

int main(int argc, char** argv) {
    using namespace blockloom::ui;
    using namespace blockloom::ui::test_restore;
    if (const QString file = qEnvironmentVariable(child_writes); !file.isEmpty())
        return write_for_ever(file);
    QApplication app(argc, argv);
    if (const QString folder = qEnvironmentVariable(child_folder); !folder.isEmpty())
        return live_until_killed(folder);
    TestRestore test;
    QTEST_SET_MAIN_SOURCE_PATH
    return QTest::qExec(&test, argc, argv);
}
#include "test_restore.moc"
