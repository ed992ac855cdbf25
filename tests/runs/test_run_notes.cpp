// What is said of kept runs, runs that are taken out and brought back, and where a task ran.
#include "execute/device/host_reasons.h"
#include "runs/kept_runs.h"
#include "runs/placement.h"
#include "runs/run_json.h"
#include "runs/run_notes.h"
#include "store/kept_folders.h"

#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using namespace blockloom::runs;
using runs::KeptRun;
using runs::RunNotes;

namespace {

/// A device's run of one block of ten tasks: 0, 1 and 5 on the host.
runs::RunRecord made_run() {
    runs::RunRecord run;
    run.id = "20260829-140322-vulkan-speculative";
    run.date = "2026-08-29 14:03:22 UTC";
    run.backend = "vulkan";
    run.strategy = "speculative";
    run.walls = {1000};
    runs::RunBlock block;
    block.height = 7;
    block.tasks = 10;
    block.on_device = 7;
    block.rounds.on_host = {{execute::host_reasons::in_order, {5}}, {"floats", {0, 1}}};
    run.blocks.push_back(block);
    return run;
}

} // namespace

class TestRunNotes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placements_are_kept() {
        const auto run = runs::read_run(runs::run_json(made_run(), {}), "here");
        QVERIFY(run.ok());
        const std::string hash = run->blocks[0].hash;
        const auto at = [&](std::uint64_t task) { return runs::placement_of(*run, hash, task); };
        QCOMPARE(at(0)->reason, std::string("floats"));
        QCOMPARE(at(1)->reason, std::string("floats"));
        QVERIFY(at(2)->on_device && at(2)->reason.empty());
        QCOMPARE(at(5)->reason, std::string("in_order"));
        QVERIFY(at(9)->on_device);
        QVERIFY(!at(10));
        QVERIFY(!runs::placement_of(*run, "another", 0));
        // The CPU's own run has nothing to explain, and an older document does not know.
        KeptRun other = *run;
        other.backend = "cpu";
        QVERIFY(!runs::placement_of(other, hash, 2)->on_device);
        other = *run;
        other.blocks[0].on_host.reset();
        QVERIFY(!runs::placement_of(other, hash, 2));
    }

    void reasons_in_words() {
        QCOMPARE(execute::host_reason_text("floats"), std::string("floating point"));
        QVERIFY(execute::host_reason_text(execute::host_reasons::small) !=
                execute::host_reasons::small);
        QCOMPARE(execute::host_reason_text("new_in_2031"), std::string("new_in_2031"));
    }

    void notes_replace_notes() {
        const std::string plain = runs::run_json(made_run(), {});
        const RunNotes notes{"with the lid open", "before", 3};
        const auto noted = runs::with_notes(plain, notes, "here");
        QVERIFY(noted.ok());
        const auto run = runs::read_run(*noted, "here");
        QVERIFY(run.ok() && run->notes == notes);
        const auto cleared = runs::with_notes(*noted, {}, "here");
        QVERIFY(cleared.ok());
        QCOMPARE(*cleared, plain);
        const auto broken = runs::with_notes("[1]", notes, "there");
        QVERIFY(!broken.ok() && broken.error().message.rfind("there: expected a run", 0) == 0);
    }

    void a_baseline_is_listed_however_old_it_is() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("w")).toStdString();
        const auto listed = [&] {
            std::vector<std::string> unreadable, ids;
            const auto runs = runs::kept_runs(place, 2, unreadable);
            if (!runs) return ids;
            for (const runs::KeptRun& run : *runs) ids.push_back(run.id);
            return ids;
        };
        const auto change = [&](const RunNotes& notes) {
            const auto kept = store::open_runs(place);
            return kept.ok() && runs::set_notes(*kept, "2025", notes).ok();
        };
        {
            const auto kept = store::open_runs(place);
            QVERIFY(kept.ok());
            for (const char* id : {"2025", "2026-a", "2026-b", "2026-c"}) {
                runs::RunRecord run = made_run();
                run.id = id;
                QVERIFY(runs::keep_run(*kept, run, {}));
            }
        }
        const std::vector<std::string> newest{"2026-c", "2026-b"};
        QCOMPARE(listed(), newest);
        QVERIFY(change({"", "last year", 1}));
        QCOMPARE(listed(), (std::vector<std::string>{"2026-c", "2026-b", "2025"}));
        QVERIFY(change({"", "renamed", 1}));
        QCOMPARE(listed().size(), std::size_t{3});
        QVERIFY(change({"only a note", "", 0}));
        QCOMPARE(listed(), newest);
    }

    void a_removed_run_comes_back_whole() {
        const QTemporaryDir folder;
        const auto kept = store::open_runs(folder.filePath(QStringLiteral("w")).toStdString());
        QVERIFY(kept.ok());
        const store::DocumentPart spans{runs::spans_part, "not a trace, but kept"};
        QVERIFY(kept->keep("r", "a summary", runs::run_json(made_run(), {}), {&spans, 1}));
        QVERIFY(runs::set_notes(*kept, "r", {"a note", "", 0}));
        const auto removed = runs::remove_run(*kept, "r");
        QVERIFY(removed.ok());
        QVERIFY(kept->list()->empty());
        QVERIFY(!runs::remove_run(*kept, "r").ok());
        QVERIFY(!runs::set_notes(*kept, "r", {}));
        QVERIFY(runs::restore_run(*kept, *removed));
        const auto listed = kept->list();
        QCOMPARE(listed->size(), std::size_t{1});
        QCOMPARE(listed->front().summary, std::string("a summary"));
        QCOMPARE(runs::read_run(**kept->load("r"), "r")->notes.note, std::string("a note"));
        QCOMPARE(**kept->load_part("r", runs::spans_part), std::string("not a trace, but kept"));
    }
};

QTEST_APPLESS_MAIN(TestRunNotes)
#include "test_run_notes.moc"
