// Aborted attempts in a run's document, and with the executions of its spans.
#include "alkanes/state_keys.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"
#include "range/wait_story.h"
#include "runs/measured_schedule.h"
#include "runs/run_json.h"
#include "schedule/recorded_aborts.h"

#include <QTest>

#include <algorithm>

using namespace blockloom;
using namespace blockloom::runs;
using execute::AbortedAttempt;
using execute::Strategy;
using trace::AbortReason;

namespace {

RunRecord record_with(std::vector<AbortedAttempt> attempts, std::optional<Nanoseconds> start) {
    RunRecord run;
    run.id = "r";
    RunBlock block;
    block.height = 7;
    for (AbortedAttempt& each : attempts) block.rounds.aborted.add(std::move(each));
    run.add(std::move(block), start);
    return run;
}

KeptRun kept(const RunRecord& run) {
    auto read = read_run(run_json(run, {}), "there");
    if (!read) qFatal("%s", read.error().message.c_str());
    return *std::move(read);
}

} // namespace

class TestKeptAborts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attempts_are_kept() {
        const RunRecord made = record_with(
            {{3, AbortReason::outdated_read, 1, "a", AbortedAttempt::Writer{7, 1}, 1500},
             {4, AbortReason::silent_write, 1, "a", AbortedAttempt::Writer{6, 9}, 1600},
             {5, AbortReason::wrong_budget, 2, "", {}, 1700},
             {6, AbortReason::ejected, 0, "", {}, 0}},
            1000);
        const KeptRun run = kept(made);
        const KeptAborts aborts = aborts_of(run, 7);
        QVERIFY(aborts.counts && aborts.attempts);
        QVERIFY((*aborts.counts == AbortCounts{{"ejected", 1},
                                               {"outdated_read", 1},
                                               {"silent_write", 1},
                                               {"wrong_budget", 1}}));
        QVERIFY(run.aborted == *aborts.counts);
        const auto& all = *aborts.attempts;
        QCOMPARE(all.size(), std::size_t{4});
        QCOMPARE(all[0].transaction, 3U);
        QVERIFY(all[0].reason == AbortReason::outdated_read);
        QCOMPARE(all[0].key, alkanes::key_text("a"));
        QVERIFY(all[0].writer == std::pair(std::uint64_t{7}, std::uint32_t{1}));
        QVERIFY(all[0].at == Nanoseconds{500});
        QCOMPARE(all[1].key, all[0].key);
        QVERIFY(all[1].writer == std::pair(std::uint64_t{6}, std::uint32_t{9}));
        QVERIFY(all[2].key.empty() && !all[2].writer);
        QVERIFY(!all[3].at);
        QVERIFY(!aborts_of(run, 8).attempts);
    }

    void without_spans_there_are_no_times() {
        const KeptRun run =
            kept(record_with({{3, AbortReason::estimate, 0, "a", {}, 1500}}, std::nullopt));
        QVERIFY(!aborts_of(run, 7).attempts->front().at);
        QVERIFY(abort_of(aborts_of(run, 7), 3, 0) == nullptr);
    }

    /// A long run's document does not list them all.
    void a_run_lists_only_so_many() {
        RunRecord run;
        run.id = "r";
        const std::size_t of_a_block = RunRecord::most_aborts_listed / 3;
        for (std::uint64_t height = 1; height <= 5; ++height) {
            RunBlock block;
            block.height = height;
            for (std::size_t i = 0; i < of_a_block; ++i)
                block.rounds.aborted.add({.transaction = static_cast<std::uint32_t>(i),
                                          .reason = AbortReason::outdated_read,
                                          .key = {},
                                          .writer = {}});
            run.add(std::move(block), 0);
        }
        const KeptRun read = kept(run);
        std::size_t listed = 0;
        for (const KeptBlock& block : read.blocks) {
            listed += block.aborted.attempts->size();
            QCOMPARE(block.aborted.counts->at("outdated_read"), std::uint64_t{of_a_block});
        }
        QCOMPARE(listed, RunRecord::most_aborts_listed);
        QVERIFY(read.blocks.back().aborted.attempts->empty());
    }

    /// One that was kept before they were recorded; one of a newer version.
    void documents_of_other_versions() {
        const auto read = [](const char* block) {
            const std::string text =
                std::string(R"({"schema":"blockloom.run/1","run":"r","blocks":[{"hash":"1")") +
                block + "}]}";
            return read_run(text, "there");
        };
        const auto old = read("");
        QVERIFY(old.ok());
        QVERIFY(!old->blocks[0].aborted.counts && !old->blocks[0].aborted.attempts);
        QVERIFY(old->aborted.empty());
        const auto newer = read(R"(,"aborted":{"bad_luck":2},"aborted_attempts":[{"transaction":1,)"
                                R"("reason":"bad_luck","weather":"rain"}])");
        QVERIFY(newer.ok());
        QVERIFY(!newer->blocks[0].aborted.attempts->front().reason);
        QCOMPARE(aborts_words(newer->aborted), std::string("2 attempts aborted: 2 bad_luck"));
        QCOMPARE(abort_words(newer->blocks[0].aborted.attempts->front(), 0),
                 std::string("for an unknown reason"));
        const auto refused = [&](const char* block, const char* expected) {
            const auto wrong = read(block);
            return !wrong.ok() && wrong.error().message.find(expected) != std::string::npos;
        };
        QVERIFY(refused(R"(,"aborted":[1])", "blocks[0].aborted: expected an object"));
        QVERIFY(refused(R"(,"aborted_attempts":[{"transaction":1}])",
                        "blocks[0].aborted_attempts[0].reason: expected a value, found none"));
        QVERIFY(refused(R"(,"aborted_keys":["a"],"aborted_attempts":[{"transaction":1,)"
                        R"("reason":"estimate","key":1}])",
                        "blocks[0].aborted_attempts[0].key: expected an index below 1, found 1"));
        QVERIFY(refused(R"(,"aborted_attempts":[{"transaction":4294967296,"reason":"estimate"}])",
                        "blocks[0].aborted_attempts[0].transaction: expected a whole number"));
    }

    void in_words() {
        QCOMPARE(aborts_words({}), std::string());
        QCOMPARE(aborts_words({{"wrong_budget", 3}, {"outdated_read", 1412}, {"ejected", 0}}),
                 std::string("1,415 attempts aborted: 1,412 read an outdated value, 3 had a wrong "
                             "fuel budget"));
        KeptAbort abort{3, AbortReason::outdated_read, "storage:x", std::pair(7ULL, 12U), {}};
        QCOMPARE(abort_words(abort, 7),
                 std::string("read an outdated value (storage:x, written by transaction 12)"));
        QCOMPARE(abort_words(abort, 8), std::string("read an outdated value (storage:x, written by "
                                                    "transaction 12 of block 7)"));
    }

    /// In a document each reason has a name of its own, by which it is found again.
    void reasons_have_names() {
        for (std::size_t i = 0; i < trace::abort_reason_count; ++i) {
            const auto reason = static_cast<AbortReason>(i);
            QVERIFY(trace::abort_reason_named(name_of(reason)) == reason);
            QVERIFY(*words_of(reason) != '\0');
        }
        QVERIFY(!trace::abort_reason_named("unknown"));
    }

    /// Every aborted execution that the spans show has a reason, and every reason that belongs to
    /// an execution has one.
    void spans_and_reasons_meet_data() {
        QTest::addColumn<int>("strategy");
        for (const Strategy strategy :
             {Strategy::speculative, Strategy::optimistic, Strategy::predict, Strategy::dag})
            QTest::newRow(name_of(strategy)) << static_cast<int>(strategy);
    }
    void spans_and_reasons_meet() {
        QFETCH(int, strategy);
        const auto by = static_cast<Strategy>(strategy);
        execute::ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        options.strategy.strategy = by;
        options.strategy.workers = 3;
        options.strategy.batch_min = 0;
        options.recording = std::make_shared<execute::Recording>();
        const auto blocks = tests::replay(tests::sources_of("mixed", 60, 3), options);
        QVERIFY(blocks.ok());
        RunRecord record;
        record.id = "r";
        for (const auto& block : *blocks)
            record.add(summary_of(*block), options.recording->start());
        const profile::Trace trace = options.recording->finish();
        const KeptRun run = kept(record);
        std::uint64_t aborted = 0;
        for (const auto& block : *blocks) {
            range::BlockRecord shown;
            shown.analysis = *schedule::analyse(block->trace, {});
            const conflict::ConflictIndex& index = *shown.analysis.index;
            const KeptAborts aborts = aborts_of(run, block->height());
            const auto measured =
                measured_schedule(trace, block->height(), index, name_of(by), &aborts);
            if (!measured) continue; // it has no tasks
            std::uint64_t without = 0;
            for (const KeptAbort& each : *aborts.attempts) // others only move tokens
                without += !has_result(*each.reason) &&
                           schedule::first_task_of(index, each.transaction).has_value();
            std::uint64_t seen = 0;
            for (conflict::TaskId task = 0; task < index.tasks(); ++task) {
                const auto attempts = schedule::aborted_attempts(index, *measured, task);
                for (const schedule::AbortedAttempt& attempt : attempts) {
                    QVERIFY(attempt.recorded.has_value());
                    QVERIFY(has_result(*attempt.recorded->reason));
                    ++aborted;
                }
                const auto section = range::measured_section(shown, *measured, "run", task);
                const auto rows = [&](const char* label) {
                    return static_cast<std::size_t>(std::count_if(
                        section.rows.begin(), section.rows.end(), [&](const range::DetailRow& row) {
                            return row.label.starts_with(label) &&
                                   row.value.find("inferred") == std::string::npos;
                        }));
                };
                QCOMPARE(rows("Attempt "), attempts.size());
                const auto others = schedule::aborted_without_result(index, *measured, task);
                QCOMPARE(rows("Without result"), others.size());
                seen += others.size();
            }
            QVERIFY(seen >= without); // once for each task of a transaction
        }
        if (by == Strategy::speculative) QVERIFY(aborted > 0);
    }
};

QTEST_GUILESS_MAIN(TestKeptAborts)
#include "test_kept_aborts.moc"
