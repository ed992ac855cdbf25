// A block's trace built in parts: the same as one by one.
#include "trace/block_builder.h"

#include <QtTest>

#include <limits>
#include <random>
#include <string>

using namespace blockloom;
using namespace blockloom::trace;

namespace {

struct Task {
    std::string id;
    std::vector<std::string> reads, writes;
    std::optional<std::uint64_t> cost;
    std::optional<std::uint32_t> transaction;
    bool vote = false;
};

BlockBuilder builder() {
    return {"chain", {7, "hash", "label"}, CostUnit::gas};
}

std::optional<std::string> add(BlockBuilder& to, const std::vector<Task>& tasks, std::size_t first,
                               std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        const Task& task = tasks[i];
        TaskRecord record;
        record.id = task.id;
        record.reads.assign(task.reads.begin(), task.reads.end());
        record.writes.assign(task.writes.begin(), task.writes.end());
        record.cost = task.cost;
        record.transaction = task.transaction;
        record.vote = task.vote;
        if (auto why = to.add(record)) return why;
    }
    return std::nullopt;
}

std::vector<Task> some_tasks(std::mt19937& random, std::size_t count) {
    // Some blocks have no costs, votes or transactions at all, and some only of a few tasks.
    const auto costs = random() % 3, votes = random() % 3;
    const bool transactions = random() % 2 == 0;
    std::vector<Task> tasks(count);
    for (std::size_t i = 0; i < count; ++i) {
        Task& task = tasks[i];
        if (random() % 3 == 0) task.id = "task" + std::to_string(i);
        const auto some_keys = [&] {
            std::vector<std::string> keys;
            for (auto left = random() % 5; left-- > 0;)
                keys.push_back("key:" + std::to_string(random() % (2 * count)));
            return keys;
        };
        task.reads = some_keys();
        task.writes = some_keys();
        if (costs == 2 || (costs == 1 && random() % 4 == 0)) task.cost = random() % 1000;
        task.vote = votes == 2 || (votes == 1 && random() % 4 == 0);
        if (transactions) task.transaction = static_cast<std::uint32_t>(i / 2);
    }
    return tasks;
}

bool are_equal(const BlockTrace& a, const BlockTrace& b) {
    if (a.chain != b.chain || a.block.hash != b.block.hash || a.cost_unit != b.cost_unit ||
        a.sets.begin != b.sets.begin || a.sets.accesses != b.sets.accesses ||
        a.sets.key_count != b.sets.key_count || a.cost != b.cost || a.vote != b.vote ||
        a.transaction != b.transaction)
        return false;
    for (KeyId key = 0; key < a.sets.key_count; ++key)
        if (a.keys->printable(key) != b.keys->printable(key)) return false;
    for (TaskId task = 0; task < a.tasks(); ++task)
        if (a.names->printable(task) != b.names->printable(task)) return false;
    return true;
}

} // namespace

class TestBlockBuilder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Any number of parts of any size, empty ones too, after tasks that were added one by one.
    void in_parts() {
        std::mt19937 random(11);
        for (int round = 0; round < 400; ++round) {
            const std::size_t count = round < 20 ? round % 4 : random() % 60;
            const std::vector<Task> tasks = some_tasks(random, count);
            BlockBuilder whole = builder(), in_parts = builder();
            QVERIFY(!add(whole, tasks, 0, count));
            std::size_t at = random() % (count + 1);
            QVERIFY(!add(in_parts, tasks, 0, at));
            for (int parts = 0; at < count || parts < 3; ++parts) {
                const std::size_t end = at + random() % (count - at + 1);
                BlockBuilder part = builder();
                QVERIFY(!add(part, tasks, at, end));
                QVERIFY(!in_parts.append(part));
                at = end;
            }
            const auto expected = std::move(whole).finish(), found = std::move(in_parts).finish();
            QVERIFY(expected && found);
            QVERIFY(are_equal(**expected, **found));
        }
    }

    /// A task that is added after a part knows the keys of that part.
    void one_by_one_after_a_part() {
        std::mt19937 random(12);
        for (int round = 0; round < 100; ++round) {
            const std::vector<Task> tasks = some_tasks(random, 30);
            BlockBuilder whole = builder(), mixed = builder(), part = builder();
            QVERIFY(!add(whole, tasks, 0, 30));
            QVERIFY(!add(mixed, tasks, 0, 10) && !add(part, tasks, 10, 20));
            QVERIFY(!mixed.append(part));
            QVERIFY(!add(mixed, tasks, 20, 30));
            const auto expected = std::move(whole).finish(), found = std::move(mixed).finish();
            QVERIFY(expected && found);
            QVERIFY(are_equal(**expected, **found));
        }
    }

    /// Costs that only together are too much, and tasks of which only a part has a transaction.
    void what_no_part_exceeds() {
        Task costly;
        costly.cost = std::numeric_limits<std::int64_t>::max() / 2 + 1;
        BlockBuilder one = builder(), other = builder();
        QVERIFY(!add(one, {costly}, 0, 1) && !add(other, {costly}, 0, 1));
        const auto why = one.append(other);
        QVERIFY(why.has_value());
        QCOMPARE(*why, *add(one, {costly}, 0, 1));

        Task with, without;
        with.transaction = 1;
        BlockBuilder first = builder(), second = builder();
        QVERIFY(!add(first, {with}, 0, 1) && !add(second, {without}, 0, 1));
        QVERIFY(!first.append(second));
        QVERIFY(!std::move(first).finish());
    }
};

QTEST_GUILESS_MAIN(TestBlockBuilder)
#include "test_block_builder.moc"
