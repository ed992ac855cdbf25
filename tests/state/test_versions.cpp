// Versions by transaction, the block's state and remembered reads, against plain maps and by
// several threads.
#include "reference.h"
#include "state/block_changes.h"
#include "state/cached_view.h"
#include "state/versioned_state.h"

#include <QTest>

#include <atomic>
#include <random>
#include <thread>

using namespace blockloom;
using namespace blockloom::state;
using namespace blockloom::test;

namespace {

Key key_of(std::uint64_t number) {
    return "key" + std::to_string(number);
}

std::shared_ptr<const WriteSet> write_set(const std::map<Key, Value>& writes) {
    return std::make_shared<const WriteSet>(writes.begin(), writes.end());
}

/// Counts what is asked of the state behind it.
class CountingState final : public StateView {
public:
    explicit CountingState(const StateView& base) : base_(base) {}
    Result<Value> get(std::string_view key) const override {
        ++asked;
        return base_.get(key);
    }
    mutable std::atomic<int> asked = 0;

private:
    const StateView& base_;
};

} // namespace

class TestVersions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void versions_equal_a_search_of_all_writers() {
        std::mt19937_64 random(1);
        for (int round = 0; round < 100; ++round) {
            MemoryState before;
            for (std::uint64_t i = 0; i < 10; ++i)
                if (random() % 2 == 0) before.put(key_of(i), "before");
            VersionedState versions(before);
            std::map<std::uint32_t, std::map<Key, Value>> published;
            for (int step = 0; step < 100; ++step) {
                const auto index = static_cast<std::uint32_t>(random() % 12);
                if (random() % 4 == 0) {
                    versions.withdraw(index);
                    published.erase(index);
                } else {
                    std::map<Key, Value> writes;
                    for (std::uint64_t n = random() % 5; n > 0; --n)
                        writes[key_of(random() % 10)] =
                            random() % 4 == 0 ? Value() : Value("v" + std::to_string(step));
                    versions.publish(index, write_set(writes));
                    published[index] = writes;
                }
                const auto reader = static_cast<std::uint32_t>(random() % 13);
                const Key key = key_of(random() % 10);
                Value expected = *before.get(key);
                for (const auto& [writer, writes] : published)
                    if (writer < reader && writes.contains(key)) expected = writes.at(key);
                QVERIFY(*ViewBelow(versions, reader).get(key) == expected);
            }
        }
    }

    /// Every writer publishes a chain; readers see only values that some writer below them wrote.
    void many_threads_read_and_publish() {
        MemoryState before;
        before.put("hot", u128_bytes(0));
        VersionedState versions(before);
        constexpr std::uint32_t writers = 3, rounds = 400;
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> threads;
            for (std::uint32_t writer = 1; writer <= writers; ++writer) {
                threads.emplace_back([&, writer] {
                    for (std::uint32_t round = 0; round < rounds; ++round) {
                        if (round % 5 == 4) {
                            versions.withdraw(writer);
                            continue;
                        }
                        const u128 value = u128{round} * 10 + writer;
                        versions.publish(writer,
                                         write_set({{"hot", u128_bytes(value)},
                                                    {key_of(round % 7), u128_bytes(value)}}));
                    }
                    versions.publish(writer, write_set({{"hot", u128_bytes(writer)}}));
                });
            }
            for (std::uint32_t reader = 0; reader <= writers; ++reader) {
                threads.emplace_back([&, reader] {
                    for (std::uint32_t round = 0; round < 2 * rounds; ++round) {
                        const u128 hot = counter_of(*versions.get_below(reader, "hot"));
                        if (hot % 10 >= std::max(reader, 1U)) ++wrong;
                        const Value other = *versions.get_below(reader, key_of(round % 7));
                        if (other && counter_of(other) % 10 >= reader) ++wrong;
                    }
                });
            }
        }
        QCOMPARE(wrong.load(), 0);
        for (std::uint32_t reader = 0; reader <= writers + 1; ++reader) {
            const u128 latest = reader == 0 ? 0 : reader - 1;
            QVERIFY(counter_of(*versions.get_below(reader, "hot")) == latest);
            for (std::uint64_t i = 0; i < 7; ++i)
                QVERIFY(!versions.get_below(reader, key_of(i))->has_value());
        }
    }

    void a_block_keeps_only_what_it_changed() {
        std::mt19937_64 random(3);
        for (int round = 0; round < 200; ++round) {
            MemoryState before, after;
            for (std::uint64_t i = 0; i < 12; ++i)
                if (random() % 2 == 0) before.put(key_of(i), std::to_string(random() % 3));
            after = before;
            BlockState block(before);
            for (int transaction = 0; transaction < 6; ++transaction) {
                std::map<Key, Value> writes;
                for (std::uint64_t n = random() % 4; n > 0; --n)
                    writes[key_of(random() % 12)] =
                        random() % 4 == 0 ? Value() : Value(std::to_string(random() % 3));
                const auto set = write_set(writes);
                block.apply(*set);
                after.apply(*set);
                for (std::uint64_t i = 0; i < 12; ++i)
                    QVERIFY(*block.get(key_of(i)) == *after.get(key_of(i)));
            }
            std::vector<Change> expected;
            std::map<Key, int> keys;
            for (const auto& [key, value] : before.entries()) keys[key];
            for (const auto& [key, value] : after.entries()) keys[key];
            for (const auto& [key, none] : keys)
                if (!(*before.get(key) == *after.get(key)))
                    expected.push_back({key, *before.get(key), *after.get(key)});
            QCOMPARE(*block.changes(), expected);
        }
    }

    void a_cached_view_asks_once() {
        MemoryState base;
        for (std::uint64_t i = 0; i < 50; i += 2) base.put(key_of(i), std::string(100, 'v'));
        const CountingState counting(base);
        const CachedView cached(counting);
        for (int round = 0; round < 3; ++round)
            for (std::uint64_t i = 0; i < 50; ++i)
                QVERIFY(*cached.get(key_of(i)) == *base.get(key_of(i)));
        QCOMPARE(counting.asked.load(), 50);
        {
            std::vector<std::jthread> threads;
            for (int thread = 0; thread < 3; ++thread)
                threads.emplace_back([&] {
                    for (std::uint64_t i = 0; i < 200; ++i) (void)cached.get(key_of(i));
                });
        }
        QVERIFY(!cached.get(key_of(199))->has_value());
    }
};

QTEST_APPLESS_MAIN(TestVersions)
#include "test_versions.moc"
