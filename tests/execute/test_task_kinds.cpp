// What is remembered of transactions that look alike.
#include "execute/predict/task_kinds.h"

#include "execute/worker_pool.h"

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

/// One that reads some of a few keys, and writes some of them and some that it alone writes.
execute::ExecutionResult random_example(recipes::Random& random, std::uint32_t number) {
    execute::ExecutionResult execution;
    state::TransactionLog& log = execution.result.log;
    for (char place = 'a'; place < 'i'; ++place) {
        const std::string key = std::string("\x01 key /") + place;
        const std::uint64_t found = random.below(3);
        if (random.chance(0.6))
            log.reads.push_back({key, state::Value(std::string(8, char(found))), false});
        if (random.chance(0.4))
            log.writes.emplace_back(key, state::Value(std::string(8, char(found + 1))));
    }
    if (random.chance(0.1))
        log.writes.emplace_back("\x01 z" + std::to_string(number), state::Value("1"));
    execution.result.records.resize(1);
    execution.result.records.front().status =
        random.chance(0.2) ? alkanes::CallStatus::revert : alkanes::CallStatus::success;
    return execution;
}

/// All that is known of a kind, without the numbers of keys.
std::string text_of(const TaskKinds& kinds, std::uint32_t kind) {
    const TaskKinds::Model& model = kinds.model(kind);
    const auto key = [&](std::uint32_t number) { return std::string(kinds.key(number).bytes()); };
    std::string text =
        std::to_string(model.examples) + (model.succeeded ? " succeeded" : "") + "\n";
    for (const TaskKinds::KeyUse& use : model.uses) {
        const execute::ValueEffect& effect = use.effect();
        text += key(use.key) + (use.reads ? " read" : "") + (use.wrote ? " wrote" : "") +
                (use.repeated() ? " repeated " : " ") +
                std::to_string(static_cast<int>(effect.kind()));
        if (effect.kind() == execute::ValueEffect::Kind::copy) text += key(effect.source());
        const auto left = effect.applied_to(state::Value(std::string(8, '\x07')));
        text += (left ? std::string(left->bytes()) : "?") + "\n";
    }
    for (const TaskKinds::Access& access : model.accesses)
        text += key(access.key) + (access.reads ? " read" : "") + (access.writes ? " write" : "") +
                "\n";
    return text;
}

class Kinds {
public:
    Kinds() : kind(kinds.numbers_of({7, 77}).kind) {}
    void learn(bool fails) {
        const execute::ExecutionResult execution = example(fails);
        const Hash256 txid{};
        kinds.learn({kind, &execution, &txid});
    }
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

    /// Workers take one kind each; what is learned is the same as one after the other.
    void several_workers_learn_the_same() {
        recipes::Random random(11);
        execute::WorkerPool one(1), four(4);
        TaskKinds apart, together;
        constexpr std::uint32_t kinds = 40;
        for (std::uint32_t i = 1; i <= kinds; ++i)
            for (TaskKinds* known : {&apart, &together})
                QCOMPARE(known->numbers_of({i, 100 + i}).kind, i);
        for (int window = 0; window < 12; ++window) {
            apart.begin_window();
            together.begin_window();
            std::vector<execute::ExecutionResult> executions;
            const Hash256 txid{};
            std::vector<TaskKinds::Example> examples;
            for (std::uint32_t i = 0; i < 300; ++i)
                executions.push_back(random_example(random, 300 * std::uint32_t(window) + i));
            for (const execute::ExecutionResult& execution : executions)
                // A few kinds have many.
                examples.push_back(
                    {1 + static_cast<std::uint32_t>(random.below(1 + random.below(kinds))),
                     &execution, &txid, random.chance(0.5)});
            apart.learn(examples, one);
            together.learn(examples, four);
            for (std::uint32_t kind = 1; kind <= kinds; ++kind)
                QCOMPARE(text_of(together, kind), text_of(apart, kind));
            QCOMPARE(together.keys(), apart.keys());
        }
        QVERIFY(apart.keys() > 100); // many examples had keys of their own
    }

    /// However many keys an example writes, few of them get a number.
    void keys_of_an_example_are_limited() {
        execute::ExecutionResult execution = example(false);
        for (int i = 0; i < 500; ++i)
            execution.result.log.writes.emplace_back("\x01 slot /" + std::to_string(1000 + i),
                                                     state::Value("1"));
        const Hash256 txid{};
        Kinds known;
        known.kinds.learn({known.kind, &execution, &txid});
        QCOMPARE(known.kinds.model(known.kind).examples, 1u);
        QCOMPARE(known.kinds.keys(), 64u);
        QCOMPARE(known.kinds.model(known.kind).uses.size(), std::size_t{64});
    }

    /// A kind whose scouts are wrong has none for a while, longer each time; a right one ends that.
    void wrong_scouts_are_not_sent_again_at_once() {
        Kinds known;
        const auto windows_without = [&] {
            int windows = 0;
            for (known.kinds.begin_window(); !known.kinds.may_scout(known.kind); ++windows)
                known.kinds.begin_window();
            return windows;
        };
        known.kinds.begin_window();
        QVERIFY(known.kinds.may_scout(known.kind));
        int before = 0;
        for (int i = 0; i < 4; ++i) {
            known.kinds.note_scout(known.kind, false);
            known.kinds.note_scout(known.kind, false); // another one of the same window
            const int without = windows_without();
            QVERIFY(without > before);
            before = without;
        }
        known.kinds.note_scout(known.kind, true);
        known.kinds.note_scout(known.kind, false);
        QCOMPARE(windows_without(), 1);
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

    /// Each transaction may have a shape of its own. Without what is known of its kind, a window of
    /// several blocks would have to run twice.
    void many_shapes_leave_their_kinds_known() {
        Kinds known;
        const std::size_t kinds = known.kinds.count();
        known.learn(false);
        const auto add_shapes = [&](std::uint64_t first, std::uint64_t end) {
            for (std::uint64_t shape = first; shape < end; ++shape)
                (void)known.kinds.numbers_of({7, shape});
        };
        constexpr std::uint64_t few = 60'000, many = 70'000;
        add_shapes(100, few);
        known.kinds.begin_window();
        QVERIFY(known.kinds.find({7, few - 1}).shape != TaskKinds::unknown);
        add_shapes(few, many);
        known.kinds.begin_window();
        for (const std::uint64_t shape : {std::uint64_t{100}, many - 1}) {
            QCOMPARE(known.kinds.find({7, shape}).shape, TaskKinds::unknown);
            QCOMPARE(known.kinds.find({7, shape}).kind, known.kind);
        }
        QVERIFY(known.kinds.model(known.kind).known() && known.writes_reserve());
        QCOMPARE(known.kinds.count(), kinds);
        // Kinds without end are forgotten.
        for (std::uint64_t kind = 100; kind < many; ++kind)
            (void)known.kinds.numbers_of({kind, kind});
        known.kinds.begin_window();
        QCOMPARE(known.kinds.count(), std::size_t{1});
        QCOMPARE(known.kinds.keys(), std::uint32_t{0});
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
