// What is remembered of transactions that look alike.
#include "execute/predict/task_kinds.h"

#include "recipes/random.h"

#include <QTest>

#include <map>

using namespace blockloom;
using execute::HashNumbers;
using execute::TaskKinds;

namespace {

const std::string reserve = "\x01 pool /reserve", lock = "\x01 pool /lock";

/// An execution that reads both keys, and writes the reserve unless it fails.
execute::ExecutionResult example(bool fails) {
    execute::ExecutionResult execution;
    state::TransactionLog& log = execution.result.log;
    for (const std::string& key : {lock, reserve})
        log.reads.push_back({key, state::Value("1"), false});
    if (!fails) log.writes.emplace_back(reserve, state::Value("2"));
    execution.result.records.resize(1);
    execution.result.records.front().status =
        fails ? alkanes::CallStatus::revert : alkanes::CallStatus::success;
    return execution;
}

class Kinds {
public:
    Kinds() : kind(kinds.numbers_of({7, 77}).kind) {}
    void learn(bool fails) { kinds.learn(kind, example(fails), {}); }
    [[nodiscard]] bool writes_reserve() const {
        const auto& accesses = kinds.model(kind).accesses;
        return std::any_of(accesses.begin(), accesses.end(), [&](const auto& access) {
            return access.writes && kinds.key(access.key) == reserve;
        });
    }

    TaskKinds kinds;
    std::uint32_t kind;
};

} // namespace

class TestTaskKinds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A transaction that fails early shows only a part of what its like do.
    void a_failure_hides_nothing() {
        Kinds known;
        known.kinds.begin_window();
        known.learn(true);
        QVERIFY(!known.writes_reserve() && !known.kinds.model(known.kind).succeeded);
        known.learn(false);
        QVERIFY(known.writes_reserve() && known.kinds.model(known.kind).succeeded);
        // However many fail in a window, and in the next ones.
        for (int i = 0; i < 200; ++i) known.learn(true);
        QVERIFY(known.writes_reserve());
        for (int window = 0; window < 16; ++window) known.kinds.begin_window();
        known.learn(true);
        QVERIFY(known.writes_reserve());
        // It is forgotten if that remains so.
        known.kinds.begin_window();
        known.learn(true);
        QVERIFY(!known.writes_reserve());
        known.learn(false);
        QVERIFY(known.writes_reserve());
    }

    /// Names are numbered once; shapes of one kind have numbers of their own.
    void numbers_of_names() {
        TaskKinds kinds;
        kinds.begin_window();
        const auto first = kinds.numbers_of({1, 10}), second = kinds.numbers_of({1, 11}),
                   other = kinds.numbers_of({2, 12});
        QCOMPARE(first.kind, second.kind);
        QVERIFY(first.shape != second.shape && first.kind != other.kind);
        QCOMPARE(kinds.numbers_of({1, 10}).shape, first.shape);
        QCOMPARE(kinds.numbers_of({2, 12}).kind, other.kind);
        QCOMPARE(kinds.numbers_of({}).kind, TaskKinds::none);
        // What was found before may have been numbered since.
        const auto found = kinds.find({1, 13}), new_kind = kinds.find({3, 14});
        QCOMPARE(found.kind, first.kind);
        QCOMPARE(found.shape, TaskKinds::unknown);
        QCOMPARE(new_kind.kind, TaskKinds::unknown);
        const auto third = kinds.numbers_of({1, 13}, found), fourth = kinds.numbers_of({3, 14});
        QCOMPARE(third.kind, first.kind);
        QCOMPARE(kinds.numbers_of({1, 13}, found).shape, third.shape);
        QCOMPARE(kinds.numbers_of({3, 14}, new_kind).shape, fourth.shape);
        QCOMPARE(kinds.numbers_of({3, 15}, new_kind).kind, fourth.kind);
        QCOMPARE(kinds.find({1, 13}).shape, third.shape);
        QCOMPARE(kinds.count(), std::size_t{4}); // with the kind of those without a message
    }

    void hashes_have_their_numbers() {
        recipes::Random random(3);
        HashNumbers numbers;
        std::map<std::uint64_t, std::uint32_t> model;
        for (std::uint32_t i = 0; i < 5000; ++i) {
            // Many of them want the same slot.
            const std::uint64_t hash = 1 + random.below(64) + (random.below(200) << 40U);
            const auto known = model.find(hash);
            numbers.prefetch(hash);
            QCOMPARE(numbers.find(hash), known == model.end() ? HashNumbers::none : known->second);
            QCOMPARE(numbers.find_or_add(hash, i), known == model.end() ? i : known->second);
            model.try_emplace(hash, i);
        }
        for (const auto& [hash, number] : model) QCOMPARE(numbers.find(hash), number);
        numbers.clear();
        QCOMPARE(numbers.find(model.begin()->first), HashNumbers::none);
    }
};

QTEST_APPLESS_MAIN(TestTaskKinds)
#include "test_task_kinds.moc"
