// Output scripts, and a task in words.
#include "base/number_text.h"
#include "fixtures.h"
#include "range/describe_task.h"
#include "range/ordered_work.h"
#include "range/output_script.h"
#include "range/task_details.h"
#include "range/wait_story.h"

#include <atomic>
#include <limits>
#include <thread>

using namespace blockloom;
using namespace blockloom::test;
using range::DetailSection;

namespace {

const DetailSection* section(const range::TaskDetails& details, const std::string& title) {
    for (const DetailSection& s : details.sections)
        if (s.title == title) return &s;
    return nullptr;
}

std::string row(const DetailSection& section, const std::string& label) {
    for (const auto& r : section.rows)
        if (r.label == label) return r.value;
    return "absent: " + label;
}

/// Three tasks: b reads what a writes, c writes what both touch; d stands alone.
std::shared_ptr<const range::BlockRecord> toy_block(std::vector<std::uint32_t> workers = {1, 2}) {
    const std::string text = "{\"schema\":\"blockloom.trace/1\",\"chain\":\"toy\"}\n"
                             "{\"block\":{\"height\":7,\"hash\":\"b7\"}}\n"
                             "{\"id\":\"a\",\"reads\":[],\"writes\":[\"x:1\"],\"cost\":5}\n"
                             "{\"id\":\"b\",\"reads\":[\"x:1\"],\"writes\":[],\"cost\":7}\n"
                             "{\"id\":\"c\",\"reads\":[],\"writes\":[\"x:1\"],\"cost\":2}\n"
                             "{\"id\":\"d\",\"reads\":[\"y:1\"],\"writes\":[],\"cost\":1}\n";
    const Folder folder;
    folder.add("toy.bloomtrace", as_bytes(text));
    auto options = open_options({folder.path()});
    options.analysis.workers = std::move(workers);
    const auto range = open(options);
    return range.ok() ? (*range)->blocks.front() : nullptr;
}

} // namespace

class TestTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Up to four parts are listed one by one; more are summed up by what they waited for.
    void waits() {
        const auto block = toy_block();
        QVERIFY(block);
        const auto units = [](std::uint64_t length) { return fmt::format("{} u", length); };
        const schedule::WaitPart worker{schedule::WaitFor::worker, 5, 1};
        const schedule::WaitPart other{schedule::WaitFor::other, 2, {}};
        schedule::TaskWait wait;
        QVERIFY(range::wait_sentence(*block, wait, units).starts_with("It did not wait"));
        wait.parts = {worker, other};
        QCOMPARE(range::wait_sentence(*block, wait, units),
                 "It waited 5 u for a free worker, while #1 ran; then 2 u between tasks: nothing "
                 "it depends on was running.");
        wait.parts = {other, worker,
                      other, {schedule::WaitFor::worker, 9, 3},
                      other, {schedule::WaitFor::barrier, 1, 2}};
        QCOMPARE(range::wait_sentence(*block, wait, units),
                 "It waited 21 u over 6 intervals: 6 u over 3 intervals (longest 2 u) between "
                 "tasks: nothing it depends on was running; 14 u over 2 intervals (longest 9 u) "
                 "for a free worker, while #3 ran; 1 u for the barrier, which #2 reached last.");
        wait.parts = {{schedule::WaitFor::attempt, 4, 1}};
        wait.aborted = 2;
        QCOMPARE(range::wait_sentence(*block, wait, units),
                 "It waited 4 u during 2 aborted attempts: #1 had not run yet.");
        // Each attempt says what its run recorded, and no more.
        schedule::AbortedAttempt attempt;
        QVERIFY(range::abort_text(*block, attempt).find("do not show the cause") !=
                std::string::npos);
        attempt.by = 1;
        QVERIFY(range::abort_text(*block, attempt).starts_with("#1, which precedes it"));
        attempt.key = 0;
        for (const std::uint32_t kinds : {1U, 3U, 5U, 7U}) {
            attempt.kinds = kinds;
            QVERIFY(range::abort_text(*block, attempt).starts_with("#1 wrote "));
        }
        for (const std::uint32_t kinds : {2U, 4U, 6U}) {
            attempt.kinds = kinds;
            QVERIFY(range::abort_text(*block, attempt).starts_with("#1, which also accesses "));
            QVERIFY(range::abort_text(*block, attempt).ends_with("(inferred from the times)"));
        }
        // What the run recorded replaces what the times suggest.
        attempt.recorded.emplace();
        attempt.recorded->reason = trace::AbortReason::wrong_budget;
        QCOMPARE(range::abort_text(*block, attempt), "had a wrong fuel budget");
        attempt.recorded->reason = trace::AbortReason::outdated_read;
        attempt.recorded->key = "storage:x";
        QCOMPARE(range::abort_text(*block, attempt), "read an outdated value (storage:x)");
        attempt.recorded->writer = 1'000'000; // not in the analysis
        QCOMPARE(range::abort_text(*block, attempt),
                 "read an outdated value (storage:x, written by transaction 1,000,000)");
        attempt.recorded->writer_height = 6;
        QCOMPARE(range::abort_text(*block, attempt),
                 "read an outdated value (storage:x, written by transaction 1,000,000 of block 6)");
    }

    void output_scripts_data() {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QByteArray>("type");
        const QByteArray h20(40, '1'), h32(64, '2'), key33(66, '3'), key65(130, '4');
        QTest::newRow("p2pkh") << "76a914" + h20 + "88ac" << QByteArray("p2pkh");
        QTest::newRow("p2sh") << "a914" + h20 + "87" << QByteArray("p2sh");
        QTest::newRow("p2wpkh") << "0014" + h20 << QByteArray("p2wpkh");
        QTest::newRow("p2wsh") << "0020" + h32 << QByteArray("p2wsh");
        QTest::newRow("p2tr") << "5120" + h32 << QByteArray("p2tr");
        QTest::newRow("p2pk") << "21" + key33 + "ac" << QByteArray("p2pk");
        QTest::newRow("p2pk long") << "41" + key65 + "ac" << QByteArray("p2pk");
        QTest::newRow("op_return") << QByteArray("6a5d0411") << QByteArray("op_return");
        QTest::newRow("op_return of p2sh's size")
            << "6a15" + QByteArray(42, '0') << QByteArray("op_return");
        QTest::newRow("empty") << QByteArray() << QByteArray("other");
        QTest::newRow("future witness") << "5220" + h32 << QByteArray("other");
        QTest::newRow("cut p2pkh") << "76a914" + h20 + "88" << QByteArray("other");
        QTest::newRow("long for p2tr") << "5120" + h32 + "00" << QByteArray("other");
    }

    void output_scripts() {
        QFETCH(QByteArray, hex);
        QFETCH(QByteArray, type);
        const auto bytes = from_hex(hex.toStdString());
        QVERIFY(bytes.has_value());
        QCOMPARE(QByteArray::fromStdString(std::string(range::output_script_type(*bytes))), type);
    }

    void every_index_is_worked_on_once() {
        for (const unsigned threads : {0U, 1U, 2U, 7U}) {
            std::vector<std::atomic<int>> done(100);
            range::work_in_order(done.size(), threads, {}, [&](std::size_t i) {
                ++done[i];
                return true;
            });
            for (const auto& count : done) QCOMPARE(count.load(), 1);
        }
        range::work_in_order(0, 4, {}, [](std::size_t) { return false; });
    }

    void all_before_a_failure_are_done() {
        for (int round = 0; round < 50; ++round) {
            std::vector<std::atomic<int>> done(64);
            range::work_in_order(done.size(), 4, {}, [&](std::size_t i) {
                if (i % 3 == 0) std::this_thread::yield();
                ++done[i];
                return i != 20;
            });
            for (std::size_t i = 0; i <= 20; ++i) QCOMPARE(done[i].load(), 1);
        }
    }

    void a_task_in_words() {
        const auto record = toy_block();
        QVERIFY(record);
        const auto schedule = schedule::schedule_list(*record->analysis.index, 1);
        const auto a = range::describe_task(*record, 0, &schedule);
        QCOMPARE(a.title, std::string("Task #0"));
        QCOMPARE(a.hash, std::string("a"));
        QCOMPARE(row(a.sections[0], "Batch (level)"), std::string("1 of 3 · 2 tasks"));
        QCOMPARE(row(a.sections[0], "Cost, predicted"), std::string("1 unit"));
        QCOMPARE(section(a, "Waits for")->note, std::string("none"));
        QCOMPARE(section(a, "Waited for by")->note, std::string("2 tasks"));
        QVERIFY(section(a, "Waits for")->sentence.starts_with("Started at 0 units"));
        QCOMPARE(section(a, "Schedule")->note, std::string("predicted, cost 1 per task"));

        const auto c = range::describe_task(*record, 2, &schedule);
        const DetailSection* waits = section(c, "Waits for");
        QCOMPARE(waits->note, std::string("2 tasks"));
        QCOMPARE(waits->rows[0].label, std::string("#0"));
        QCOMPARE(waits->rows[0].task, std::optional<conflict::TaskId>(0));
        QCOMPARE(waits->rows[0].value, std::string("WAW · distance 2 · x:1"));
        QCOMPARE(waits->rows[1].value, std::string("WAR · distance 1 · x:1"));
        QCOMPARE(row(c.sections[0], "Group"), std::string("3 tasks around #0"));
        QCOMPARE(section(c, "Reads and writes")->rows[0].label, std::string("W"));

        // One worker: b is ready at 1, but d may run first or after; whichever waits says why.
        const auto d = range::describe_task(*record, 3, &schedule);
        QCOMPARE(row(d.sections[0], "Group"), std::string("none: it conflicts with no other task"));
        QVERIFY(
            section(d, "Waits for")->sentence.find("waited for a free worker, not for a task") !=
            std::string::npos);
        QVERIFY(range::describe_task(*record, 4).sections.empty());
    }

    void why_it_waited_is_true() {
        const Folder folder;
        folder.add(small_recipe(3));
        const auto range = open(open_options({folder.path()}));
        for (const auto& record : (*range)->blocks) {
            const conflict::ConflictIndex& index = *record->analysis.index;
            for (const std::uint32_t workers : {1U, 3U}) {
                const auto schedule = schedule::schedule_list(index, workers);
                for (const schedule::Slot& slot : schedule.slots) {
                    std::uint64_t ready = 0;
                    for (const schedule::Slot& other : schedule.slots)
                        for (const conflict::TaskId before : index.predecessors_of(slot.task))
                            if (other.task == before) ready = std::max(ready, other.end);
                    const auto details = range::describe_task(*record, slot.task, &schedule);
                    const std::string& sentence = section(details, "Waits for")->sentence;
                    QCOMPARE(sentence.find("free worker, not") != std::string::npos,
                             slot.start > ready);
                    if (slot.start > ready)
                        QVERIFY2(sentence.starts_with(fmt::format(
                                     "Ready at {}, started at {}: in between",
                                     counted(ready, "unit"), counted(slot.start, "unit"))),
                                 sentence.c_str());
                }
            }
        }
    }

    void a_transaction_in_rows() {
        const Folder folder;
        folder.add(small_recipe(1));
        const auto range = open(open_options({folder.path()}));
        const auto& record = *(*range)->blocks.front();
        const auto& block = *record.block;
        bool known = false, unknown = false;
        for (conflict::TaskId task = 0; task < record.trace->tasks(); ++task) {
            const auto details = range::describe_task(record, task);
            QCOMPARE(details.title, "Transaction #" + count_text(task));
            QCOMPARE(details.hash, to_reversed_hex(block.txids[task]));
            const auto& outputs = *section(details, "Outputs");
            QCOMPARE(outputs.rows.size(), std::size_t{block.transactions[task].output_count});
            const std::string fee = row(details.sections[0], "Fee");
            if (task == 0)
                QCOMPARE(fee, std::string("none: coinbase"));
            else if (fee.ends_with("BTC"))
                known = true;
            else {
                QCOMPARE(fee, std::string("unknown: it spends outputs of other blocks"));
                unknown = true;
            }
            // Keys: two accesses of an input are one row "R W", an output is "W".
            std::size_t spends = 0, creates = 0;
            for (const auto& r : section(details, "Reads and writes")->rows)
                (r.label == "R W" ? spends : creates) += 1;
            QCOMPARE(spends, task == 0 ? 0 : std::size_t{block.transactions[task].input_count});
            QCOMPARE(creates, std::size_t{block.transactions[task].output_count});
        }
        QVERIFY(known);
        QVERIFY(unknown);
    }

    void waited_for_mirrors_waits_for() {
        const auto record = toy_block();
        // Waited for by is the mirror of waits for.
        std::size_t rows = 0;
        for (conflict::TaskId task = 0; task < 4; ++task) {
            const auto details = range::describe_task(*record, task);
            for (const auto& r : section(details, "Waited for by")->rows) {
                const auto later = range::describe_task(*record, *r.task);
                bool found = false;
                for (const auto& back : section(later, "Waits for")->rows)
                    found = found || back.task == task;
                QVERIFY(found);
                ++rows;
            }
        }
        QCOMPARE(rows, record->analysis.index->edges());
    }
};

QTEST_APPLESS_MAIN(TestTexts)
#include "test_texts.moc"
