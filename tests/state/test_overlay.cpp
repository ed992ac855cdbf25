// The overlay of one transaction: what it answers and what it logs.
#include "reference.h"
#include "state/overlay.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace blockloom;
using namespace blockloom::state;
using namespace blockloom::test;

namespace {

MemoryState state_of(const Map& map) {
    MemoryState state;
    for (const auto& [key, value] : map) state.put(key, value);
    return state;
}

std::optional<std::string> plain(const Value& value) {
    return value ? std::optional(std::string(*value)) : std::nullopt;
}

std::string text_of(const Value& value) {
    return value ? "'" + to_hex(as_bytes(value.bytes())) + "'" : "absent";
}

/// A log as text; reads that silent writes stand for come in any order, so reads are sorted.
template <typename Log> std::string text_of(const Log& log) {
    std::vector<std::string> lines;
    for (const Read& read : log.reads)
        lines.push_back("read " + std::string(read.key) + " " + text_of(read.value) +
                        (read.inside ? " inside" : ""));
    for (const CounterAbove& predicate : log.predicates)
        lines.push_back("above " + std::string(predicate.key) + " " + u128_text(predicate.value) +
                        (predicate.inside ? " inside" : ""));
    std::sort(lines.begin(), lines.end());
    for (const auto& [key, value] : log.writes)
        lines.push_back("write " + std::string(key) + " " + text_of(value));
    if constexpr (requires { log.attempted; })
        for (const Key& key : log.attempted) lines.push_back("attempted " + std::string(key));
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

std::string whole_text(const TransactionLog& log) {
    std::string text = text_of(log);
    for (const TaskLog& task : log.tasks) text += "task\n" + text_of(task);
    return text;
}

TransactionLog finished(Overlay& overlay) {
    Result<TransactionLog> log = overlay.finish();
    return log ? std::move(*log) : TransactionLog();
}

/// Fails on the key "broken".
class BrokenState final : public StateView {
public:
    Result<Value> get(const KeyView& key) const override {
        if (key == "broken") return Error{ErrorCode::system, "broken: cannot read"};
        return Value();
    }
};

} // namespace

class TestOverlay : public QObject {
    Q_OBJECT

    /// Random operations on both; false on the first difference of an answer.
    static bool same_answers(std::mt19937_64& random, Overlay& overlay,
                             ReferenceTransaction& reference, unsigned key_count) {
        const std::vector<std::optional<std::string>> values{std::nullopt,
                                                             "",
                                                             std::string(1, '\0'),
                                                             "a",
                                                             "b",
                                                             u128_bytes(3),
                                                             u128_bytes(9),
                                                             std::string(200, 'c'),
                                                             std::string(200, 'd')};
        const auto key = [&] { return "key" + std::to_string(random() % key_count); };
        const unsigned tasks = static_cast<unsigned>(random() % 4);
        for (unsigned task = 0; task < tasks; ++task) {
            overlay.begin_task();
            reference.begin_task();
            const unsigned steps = static_cast<unsigned>(random() % 40);
            for (unsigned step = 0; step < steps; ++step) {
                const std::string k = key();
                switch (random() % 12) {
                case 0:
                case 1:
                case 2:
                    if (plain(*overlay.get(k)) != reference.get(k)) return false;
                    break;
                case 3: {
                    const u128 limit = random() % 12;
                    if (*overlay.is_above(k, limit) != reference.is_above(k, limit)) return false;
                    break;
                }
                case 4:
                case 5:
                case 6: {
                    const auto& value = values[random() % values.size()];
                    overlay.set(k, value ? Value(*value) : Value());
                    reference.set(k, value);
                    break;
                }
                case 7:
                    overlay.erase(k);
                    reference.set(k, std::nullopt);
                    break;
                case 8:
                    overlay.checkpoint();
                    reference.checkpoint();
                    break;
                case 9:
                case 10:
                    if (overlay.depth() != reference.depth()) return false;
                    if (overlay.depth() == 0) break;
                    if (random() % 2 == 0) {
                        overlay.commit();
                        reference.commit();
                    } else {
                        overlay.rollback();
                        reference.rollback();
                    }
                    break;
                default:
                    if (random() % 40 != 0) break;
                    overlay.drop_writes();
                    reference.drop_writes();
                }
            }
            if (!overlay.end_task()) return false;
            reference.end_task();
        }
        return true;
    }

private Q_SLOTS:
    void random_programs_equal_the_reference() {
        std::mt19937_64 random(1);
        for (int round = 0; round < 4000; ++round) {
            // Few keys make collisions, many leave the scanned table.
            const unsigned key_count =
                round % 10 == 0 ? 60 : 1 + static_cast<unsigned>(random() % 8);
            Map below;
            for (unsigned i = 0; i < key_count; ++i)
                if (random() % 2 == 0)
                    below["key" + std::to_string(i)] =
                        random() % 2 == 0 ? std::string("a") : u128_bytes(random() % 12);
            const MemoryState state = state_of(below);
            Overlay overlay(state);
            ReferenceTransaction reference(below);
            QVERIFY2(same_answers(random, overlay, reference, key_count),
                     qPrintable(QString::number(round)));
            const TransactionLog log = finished(overlay), expected = reference.finish();
            // The reference does not see a rolled-back rewrite of the same value.
            std::string actual_text = text_of(log), expected_text = text_of(expected);
            QCOMPARE(actual_text, expected_text);
            QCOMPARE(log.tasks.size(), expected.tasks.size());
            for (std::size_t i = 0; i < log.tasks.size(); ++i) {
                TaskLog task = log.tasks[i];
                for (const Key& key : expected.tasks[i].attempted)
                    QVERIFY(std::binary_search(task.attempted.begin(), task.attempted.end(), key));
                for (const auto& [key, value] : task.writes)
                    QVERIFY(!std::binary_search(task.attempted.begin(), task.attempted.end(), key));
                task.attempted = expected.tasks[i].attempted;
                QCOMPARE(text_of(task), text_of(expected.tasks[i]));
            }
            MemoryState after = state;
            after.apply(log.writes);
            QCOMPARE(map_of(after), reference.after());
        }
    }

    void a_get_is_logged_once_with_its_value() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        for (int i = 0; i < 2; ++i)
            QCOMPARE(plain(*overlay.get("k")), std::optional<std::string>("1"));
        QCOMPARE(plain(*overlay.get("none")), std::optional<std::string>());
        QCOMPARE(whole_text(finished(overlay)),
                 std::string("read k '31'\nread none absent\n"
                             "task\nread k '31'\nread none absent\n"));
    }

    void own_writes_are_no_reads() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.set("k", "2");
        QCOMPARE(plain(*overlay.get("k")), std::optional<std::string>("2"));
        QCOMPARE(text_of(finished(overlay)), std::string("write k '32'\n"));
    }

    void reads_of_a_rolled_back_layer_stay() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.checkpoint();
        QVERIFY(overlay.get("k").ok());
        overlay.set("k", "2");
        overlay.set("other", "3");
        overlay.rollback();
        QCOMPARE(whole_text(finished(overlay)),
                 std::string("read k '31'\ntask\nread k '31'\nattempted k\nattempted other\n"));
    }

    void a_read_after_a_rolled_back_write_is_a_read() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.checkpoint();
        overlay.set("k", "2");
        overlay.rollback();
        QCOMPARE(plain(*overlay.get("k")), std::optional<std::string>("1"));
        QCOMPARE(text_of(finished(overlay)), std::string("read k '31'\n"));
    }

    void a_silent_write_is_a_read_only() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.set("k", "1");
        overlay.erase("none");
        QCOMPARE(text_of(finished(overlay)), std::string("read k '31'\nread none absent\n"));
    }

    void absent_empty_and_zero_bytes_differ() {
        const MemoryState state = state_of({{"full", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.set("full", "");
        overlay.set("new", "");
        overlay.set("zero", std::string(1, '\0'));
        QCOMPARE(plain(*overlay.get("full")), std::optional<std::string>(""));
        QCOMPARE(plain(*overlay.get("new")), std::optional<std::string>(""));
        // Canonical state stores an empty value as absence.
        QCOMPARE(text_of(finished(overlay)),
                 std::string("read new absent\nwrite full absent\nwrite zero '00'\n"));
    }

    void tasks_see_earlier_tasks_and_the_transaction_logs_its_net() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        overlay.set("k", "2");
        QVERIFY(overlay.end_task().ok());
        overlay.begin_task();
        QCOMPARE(plain(*overlay.get("k")), std::optional<std::string>("2"));
        overlay.set("k", "1");
        QVERIFY(overlay.end_task().ok());
        // Nothing changes in the end, and that depends on k.
        QCOMPARE(whole_text(finished(overlay)),
                 std::string("read k '31'\n"
                             "task\nwrite k '32'\n"
                             "task\nread k '32' inside\nwrite k '31'\n"));
    }

    void what_happens_between_tasks_is_the_transactions() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        QVERIFY(overlay.get("k").ok());
        overlay.set("w", "1");
        overlay.begin_task();
        QVERIFY(overlay.get("w").ok());
        QVERIFY(overlay.end_task().ok());
        QCOMPARE(whole_text(finished(overlay)),
                 std::string("read k '31'\nwrite w '31'\ntask\nread w '31' inside\n"));
    }

    void predicates_keep_the_highest_limit() {
        const MemoryState state = state_of({{"next", u128_bytes(10)}});
        Overlay overlay(state);
        overlay.begin_task();
        QVERIFY(*overlay.is_above("next", 3));
        QVERIFY(*overlay.is_above("next", 7));
        QVERIFY(*overlay.is_above("next", 5));
        QCOMPARE(text_of(finished(overlay)), std::string("above next 7\n"));

        Overlay other(state);
        other.begin_task();
        QVERIFY(!*other.is_above("next", 10));
        QCOMPARE(text_of(finished(other)),
                 std::string("read next '0a000000000000000000000000000000'\n"));
    }

    void peeking_logs_nothing() {
        const MemoryState state = state_of({{"k", "1"}});
        Overlay overlay(state);
        overlay.begin_task();
        QCOMPARE(plain(*overlay.peek("k")), std::optional<std::string>("1"));
        overlay.set("k", "2");
        QCOMPARE(plain(*overlay.peek("k")), std::optional<std::string>("2"));
        overlay.checkpoint();
        overlay.erase("k");
        QCOMPARE(plain(*overlay.peek("k")), std::optional<std::string>());
        overlay.rollback();
        QVERIFY(overlay.end_task().ok());
        QCOMPARE(plain(*overlay.peek("k")), std::optional<std::string>("2"));
        QCOMPARE(text_of(finished(overlay)), std::string("write k '32'\n"));
    }

    void a_failing_state_fails_the_transaction() {
        const BrokenState state;
        Overlay overlay(state);
        overlay.begin_task();
        QVERIFY(!overlay.get("broken").ok());
        QVERIFY(!overlay.is_above("broken", 1).ok());
        QVERIFY(overlay.get("whole").ok());
        overlay.set("broken", "1"); // whether it is silent cannot be known
        const Result<TransactionLog> log = overlay.finish();
        QVERIFY(!log.ok());
        QCOMPARE(log.error().message, std::string("broken: cannot read"));
    }
};

QTEST_APPLESS_MAIN(TestOverlay)
#include "test_overlay.moc"
