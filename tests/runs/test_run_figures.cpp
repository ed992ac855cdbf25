// Kept runs read back, and what is found about where their time went.
#include "base/number_text.h"
#include "profile/warm_up.h"
#include "runs/kept_runs.h"
#include "runs/median_repetition.h"
#include "runs/run_figures.h"
#include "runs/run_json.h"
#include "runs/run_record.h"
#include "runs/run_words.h"
#include "store/kept_folders.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace blockloom;
using namespace blockloom::runs;
using execute::Phase;

namespace {

runs::RunRecord record(const std::string& id, Nanoseconds execute_ns) {
    runs::RunRecord run;
    run.id = id;
    run.date = "2026-08-29 14:03:22 UTC";
    run.engine = "native";
    run.network = "regtest";
    run.sources = {"demo"};
    for (std::uint64_t height = 7; height < 9; ++height) {
        runs::RunBlock block;
        block.height = height;
        block.hash[0] = static_cast<std::uint8_t>(height);
        block.digest[0] = static_cast<std::uint8_t>(height + 100);
        block.tasks = 10;
        block.phases[Phase::decode] = 1'000'000;
        block.phases[Phase::execute] = execute_ns;
        block.phases[Phase::commit] = 500'000;
        run.blocks.push_back(block);
    }
    run.walls = {2 * (1'500'000 + execute_ns)};
    run.summary.state_digest = Hash256{};
    return run;
}

KeptRun kept(const runs::RunRecord& run) {
    Provenance made;
    made.machine.processor = "a processor";
    const auto read = read_run(run_json(run, made), "test");
    return read ? *read : KeptRun();
}

} // namespace

class TestRunFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_document_is_read_back() {
        const KeptRun run = kept(record("one", 9'000'000));
        QCOMPARE(run.id, std::string("one"));
        QCOMPARE(run.blocks.size(), std::size_t{2});
        QCOMPARE(run.blocks[1].height, std::uint64_t{8});
        QCOMPARE(run.blocks[1].digest.substr(0, 2), std::string("6c"));
        QCOMPARE(run.tasks, std::uint64_t{20});
        QCOMPARE(run.phases[Phase::execute], Nanoseconds{18'000'000});
        QCOMPARE(run.wall, Nanoseconds{21'000'000});
        QVERIFY(!run.interval); // one repetition has none
        QCOMPARE(run.state_digest.size(), std::size_t{64});
        QVERIFY(!run.verified);
    }

    /// What is shown of a run's phases adds up to a wall that was measured, near the median.
    void phases_are_of_the_median_repetition() {
        runs::RunRecord run = record("many", 1'000'000);
        run.walls.clear();
        for (const Nanoseconds wall : {11, 10, 12}) {
            runs::Repetition repetition;
            repetition.phases[Phase::execute] = wall * 1'000'000;
            repetition.phases.execute_serial = wall * 1'000;
            run.repetitions.push_back(repetition);
            run.walls.push_back(wall * 1'000'000);
        }
        for (runs::RunBlock& block : run.blocks) block.phases = {};
        run.blocks[1].phases[Phase::execute] = 12'000'000; // of the last repetition
        run.blocks[1].phases.database = run.repetitions.back().phases.database = 3'000;
        const KeptRun whole = kept(run);
        QCOMPARE(whole.wall, Nanoseconds{11'000'000});
        QCOMPARE(whole.phases.sum(), Nanoseconds{11'000'000});
        QCOMPARE(whole.last_phases.sum(), Nanoseconds{12'000'000});
        QCOMPARE(whole.phases.execute_serial, Nanoseconds{11'000});
        QCOMPARE(whole.last_phases.execute_serial, Nanoseconds{12'000});
        QCOMPARE(whole.last_phases.database, Nanoseconds{3'000});
        QCOMPARE(whole.blocks[1].phases.database, Nanoseconds{3'000});
        QCOMPARE(whole.median_repetition, std::uint64_t{1});
    }

    /// Phases beside a wall time sum to it, and each says of which repetition it is, whatever the
    /// number of repetitions.
    void phases_sum_to_the_wall_beside_them() {
        for (std::size_t count = 1; count <= 14; ++count) {
            runs::RunRecord run = record("sums", 1'000'000);
            run.walls.clear();
            for (std::size_t i = 0; i < count; ++i) {
                const auto wall = static_cast<Nanoseconds>(100'000 + 7'919 * i % 501 * 1'000);
                runs::Repetition repetition;
                repetition.add(run.blocks[0].phases);
                repetition.finish(wall); // blocks took longer than that, or less
                run.repetitions.push_back(repetition);
                run.walls.push_back(wall);
            }
            const QJsonObject totals =
                QJsonDocument::fromJson(QByteArray::fromStdString(run_json(run, {})))
                    .object()[QStringLiteral("totals")]
                    .toObject();
            for (const auto* which : {"median_repetition", "last_repetition"}) {
                const QJsonObject at = totals[QLatin1String(which)].toObject();
                qint64 sum = 0;
                for (const auto& phase : at[QStringLiteral("phases_ns")].toObject())
                    sum += phase.toInteger();
                QCOMPARE(sum, at[QStringLiteral("wall_ns")].toInteger());
                const auto number = at[QStringLiteral("repetition")].toInteger();
                QCOMPARE(run.walls[static_cast<std::size_t>(number - 1)], Nanoseconds{sum});
            }
            const std::size_t median = median_repetition(run.walls);
            std::vector<Nanoseconds> settled(
                run.walls.begin() + static_cast<std::ptrdiff_t>(profile::warm_up_of(run.walls)),
                run.walls.end());
            std::sort(settled.begin(), settled.end());
            QCOMPARE(run.walls[median], settled[(settled.size() - 1) / 2]);
            const KeptRun whole = kept(run);
            QCOMPARE(whole.wall, run.walls[median]);
            QCOMPARE(whole.phases.sum(), whole.wall);
            QCOMPARE(whole.last_phases.sum(), run.walls.back());
            QCOMPARE(whole.median_repetition, std::uint64_t{median + 1});
        }
    }

    void other_documents_are_refused() {
        for (const char* text :
             {"", "[]", "{}", R"({"schema":"blockloom.analysis/1"})",
              R"({"schema":"blockloom.run/1"})", R"({"schema":"blockloom.run/1","run":7})"}) {
            const auto read = read_run(text, "the place");
            QVERIFY2(!read, text);
            QVERIFY(read.error().message.starts_with("the place"));
        }
        const auto empty =
            read_run(R"({"schema":"blockloom.run/1","run":"x","blocks":[{"hash":"1"}]})", "");
        QVERIFY(empty);
        QCOMPARE(empty->blocks.size(), std::size_t{1});
        QCOMPARE(empty->wall, Nanoseconds{0});
    }

    void unknown_phases_count_as_other() {
        const auto read = read_run(R"({"schema":"blockloom.run/1","run":"x","totals":{"phases_ns":
                         {"decode":3,"gossip":4,"other":5}}})",
                                   "");
        QVERIFY(read);
        QCOMPARE(read->phases[Phase::decode], Nanoseconds{3});
        QCOMPARE(read->phases[Phase::other], Nanoseconds{9});
    }

    /// A serial run accelerates nothing; its bound is 1/f with f the share outside `execute`.
    void the_serial_run_has_its_bound() {
        const KeptRun serial = kept(record("serial", 9'000'000));
        const Breakdown found = breakdown_of(serial, &serial);
        QCOMPARE(found.total, Nanoseconds{21'000'000});
        QCOMPARE(found.accelerated_share, 0.0);
        QCOMPARE(found.serial_share, 1.0);
        QCOMPARE(found.with_infinite_device, Nanoseconds{3'000'000});
        QCOMPARE(found.bound.value(), 7.0);
        QCOMPARE(found.measured_speedup.value(), 1.0);
        QVERIFY(!breakdown_of(serial, nullptr).bound);
    }

    void a_device_takes_its_phases() {
        const KeptRun serial = kept(record("serial", 9'000'000));
        runs::RunRecord device = record("device", 1'000'000);
        device.backend = "vulkan";
        for (runs::RunBlock& block : device.blocks) {
            block.phases[Phase::upload] = 500'000;
            block.on_device = block.tasks;
        }
        device.walls = {6'000'000};
        const KeptRun run = kept(device);
        QVERIFY(accelerated(run, Phase::upload));
        QVERIFY(!accelerated(run, Phase::commit));
        const Breakdown found = breakdown_of(run, &serial);
        QCOMPARE(found.accelerated_share, 0.5); // 1 + 0.5 of 3 ms a block
        QCOMPARE(found.serial_share, 0.5);
        QCOMPARE(found.with_infinite_device, Nanoseconds{3'000'000});
        QCOMPARE(found.bound.value(), 7.0);
        QCOMPARE(found.measured_speedup.value(), 3.5);
    }

    /// A run is not said to have used its device where its workers ran everything.
    void execute_ran_where_tasks_were_accepted_from() {
        runs::RunRecord run = record("placed", 1'000'000);
        run.backend = "vulkan";
        run.device = "a device";
        run.workers = 8;
        run.strategy = "predict";
        const auto on = [&](std::uint64_t tasks_of_block) {
            for (runs::RunBlock& block : run.blocks) block.on_device = tasks_of_block;
            return ran_on(kept(run), Phase::execute);
        };
        QCOMPARE(on(10), RanOn::device);
        QCOMPARE(on(9), RanOn::device_and_workers);
        QCOMPARE(on(0), RanOn::workers);
        QCOMPARE(ran_on(kept(run), Phase::upload), RanOn::device);
        const auto words = [&] { return profiling_report(kept(run), nullptr).at(1); };
        QVERIFY(
            words().starts_with("Accelerated (8 CPU workers; no task was accepted from a device)"));
        (void)on(9);
        QVERIFY(words().starts_with(
            "Accelerated (18 of 20 tasks on a device, the others on 8 CPU workers)"));
        (void)on(10);
        QVERIFY(words().starts_with("Accelerated (a device)"));
        run.workers = 1;
        QCOMPARE(on(0), RanOn::one_thread);
        QVERIFY(!accelerated(kept(run), Phase::execute));
        for (runs::RunBlock& block : run.blocks) block.tasks = 0; // nothing says where
        QCOMPARE(on(0), RanOn::device);
    }

    void workers_accelerate_only_what_is_parallel() {
        runs::RunRecord many = record("many", 9'000'000);
        many.workers = 8;
        QVERIFY(!accelerated(kept(many), Phase::execute)); // serial strategy
        many.strategy = "levels";
        QVERIFY(accelerated(kept(many), Phase::execute));
    }

    /// What a parallel run executed on one thread is a part of its own, and serial.
    void executions_in_order_are_serial() {
        runs::RunRecord many = record("many", 9'000'000);
        for (runs::RunBlock& block : many.blocks) block.phases.execute_serial = 3'000'000;
        const KeptRun alone = kept(many);
        for (const PhasePart& part : parts_of(alone, alone.phases)) QVERIFY(!part.in_order);
        many.workers = 8;
        many.strategy = "speculative";
        KeptRun run = kept(many);
        QCOMPARE(run.phases.execute_serial, Nanoseconds{6'000'000});
        QCOMPARE(run.blocks[1].phases.execute_serial, Nanoseconds{3'000'000});
        const auto parts = parts_of(run, run.phases);
        Nanoseconds sum = 0;
        for (const PhasePart& part : parts) sum += part.ns;
        QCOMPARE(sum, run.phases.sum());
        const auto at = std::find_if(parts.begin(), parts.end(),
                                     [](const PhasePart& part) { return part.in_order; });
        QVERIFY(at != parts.end() && at != parts.begin());
        QCOMPARE(at->name(), std::string("execute in order"));
        QCOMPARE(at->where(run), "serial");
        QCOMPARE(at->ns, Nanoseconds{6'000'000});
        QCOMPARE((at - 1)->ns, Nanoseconds{12'000'000});
        QVERIFY((at - 1)->accelerated);
        const Breakdown found = breakdown_of(run, nullptr);
        QCOMPARE(found.accelerated_share, 12.0 / 21);
        QCOMPARE(found.with_infinite_device, Nanoseconds{3'000'000}); // of all of `execute`
        // A document may say more than there is.
        run.phases.execute_serial = 99'000'000;
        for (const PhasePart& part : parts_of(run, run.phases)) QVERIFY(!part.accelerated);
    }

    void the_baseline_is_the_fastest_serial_run_of_the_same() {
        runs::RunRecord verified = record("verified", 1'000'000);
        verified.verify = true;
        runs::RunRecord elsewhere = record("elsewhere", 1'000'000);
        elsewhere.blocks[0].hash[0] = 99;
        std::vector<KeptRun> runs{kept(record("slow", 9'000'000)), kept(record("fast", 8'000'000)),
                                  kept(verified), kept(elsewhere)};
        QCOMPARE(baseline_of(runs[0], runs), &runs[1]);
        QCOMPARE(baseline_of(runs[3], runs), &runs[3]);
        runs[1].processor = "another processor";
        QCOMPARE(baseline_of(runs[0], runs), &runs[0]);
    }

    void inputs_are_blocks_and_rules() {
        const KeptRun a = kept(record("a", 9'000'000));
        QVERIFY(same_inputs(a, kept(record("b", 3'000'000))));
        runs::RunRecord other = record("shorter", 1'000'000);
        other.blocks.pop_back();
        QVERIFY(!same_inputs(a, kept(other)));
        other = record("rules", 1'000'000);
        other.network = "mainnet";
        QVERIFY(!same_inputs(a, kept(other)));
        other = record("line", 1'000'000);
        other.rules.line = "develop";
        QVERIFY(!same_inputs(a, kept(other)));
        other = record("fuel", 1'000'000);
        other.rules.fuel = "exact";
        QVERIFY(!same_inputs(a, kept(other)));
        other = record("elsewhere", 1'000'000);
        other.blocks[1].hash[0] = 9;
        QVERIFY(!same_inputs(a, kept(other)));
        QVERIFY(!same_inputs(KeptRun(), KeptRun())); // of nothing there is nothing to compare
    }

    /// What `runs list` shows is what the window shows, not what came last.
    void the_summary_has_the_median() {
        const QTemporaryDir folder;
        const auto kept = store::open_runs(folder.filePath(QStringLiteral("w")).toStdString());
        QVERIFY(kept);
        runs::RunRecord run = record("2026-a", 1'000'000);
        run.walls = {5'000'000, 7'000'000, 300'000'000};
        run.sources.assign(100, "file");
        QVERIFY(keep_run(*kept, run, Provenance()));
        const auto listed = kept->list();
        QVERIFY(listed);
        const std::string& summary = listed->front().summary;
        QVERIFY2(summary.ends_with(time_text(7'000'000)), summary.c_str());
        QVERIFY2(summary.find("file, file, file, 97 more") != std::string::npos, summary.c_str());
    }

    /// A document under another run's id would be deleted in its place.
    void a_document_under_another_id_is_not_listed() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("w")).toStdString();
        {
            const auto kept = store::open_runs(place);
            QVERIFY(kept);
            QVERIFY(kept->keep("a", "", run_json(record("b", 1'000'000), {})));
        }
        std::vector<std::string> unreadable;
        const auto runs = kept_runs(place, 10, unreadable);
        QVERIFY(runs && runs->empty());
        QCOMPARE(unreadable.size(), std::size_t{1});
        QVERIFY2(unreadable[0].starts_with("a: run: expected"), unreadable[0].c_str());
    }

    void kept_in_a_workspace_and_listed_newest_first() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("w")).toStdString();
        std::vector<std::string> unreadable;
        const auto none = kept_runs(place, 10, unreadable);
        QVERIFY(none);
        QVERIFY(none->empty());
        {
            const auto kept = store::open_runs(place);
            QVERIFY(kept);
            for (const char* id : {"2026-a", "2026-b", "2026-b"}) {
                runs::RunRecord run = record(id, 1'000'000);
                QVERIFY(keep_run(*kept, run, Provenance()));
            }
            QVERIFY(kept->keep("2026-c", "", "no document"));
        }
        const auto runs = kept_runs(place, 10, unreadable);
        QVERIFY2(runs, runs ? "" : runs.error().message.c_str());
        QCOMPARE(runs->size(), std::size_t{3});
        QCOMPARE(runs->front().id, std::string("2026-b-2"));
        QCOMPARE(runs->back().id, std::string("2026-a"));
        QCOMPARE(unreadable.size(), std::size_t{1});
        QVERIFY(unreadable[0].starts_with("2026-c"));
        QCOMPARE(kept_runs(place, 2, unreadable)->size(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestRunFigures)
#include "test_run_figures.moc"
