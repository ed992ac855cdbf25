// The block's state and remembered reads, against plain maps and by several threads.
#include "reference.h"
#include "state/block_changes.h"
#include "state/cached_view.h"

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
    Result<Value> get(const KeyView& key) const override {
        ++asked;
        return base_.get(key);
    }
    mutable std::atomic<int> asked = 0;

private:
    const StateView& base_;
};

} // namespace

class TestBlockChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

QTEST_APPLESS_MAIN(TestBlockChanges)
#include "test_block_changes.moc"
