// What blocks have written, beside a map: put and found key by key and in batches, with keys and
// values that lie inside and outside, and what it changed on another state.
#include "state/block_changes.h"
#include "state/memory_state.h"
#include "state/written_state.h"

#include <QTest>

#include <map>
#include <random>

using namespace blockloom::state;

namespace {

using Map = std::map<std::string, Value>;

/// Short and long ones, with common beginnings.
std::string key_of(std::uint64_t number) {
    return (number % 7 == 0 ? std::string(90, 'k') : "key") + std::to_string(number);
}
Value value_of(std::uint64_t number) {
    if (number % 5 == 0) return {};
    return {(number % 11 == 0 ? std::string(80, 'v') : std::string()) + std::to_string(number)};
}

} // namespace

class TestWrittenState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void as_a_map_data() {
        QTest::addColumn<std::uint64_t>("keys");
        QTest::addColumn<std::uint64_t>("reserved");
        for (const std::uint64_t keys : {3ULL, 200ULL, 20'000ULL})
            for (const std::uint64_t reserved : {0ULL, 1ULL, 150ULL, 50'000ULL})
                QTest::addRow("%d keys, room for %d", static_cast<int>(keys),
                              static_cast<int>(reserved))
                    << keys << reserved;
    }
    void as_a_map() {
        QFETCH(std::uint64_t, keys);
        QFETCH(std::uint64_t, reserved);
        std::mt19937_64 random(11);
        WrittenState written;
        Map expected;
        for (int turn = 0; turn < 2; ++turn) { // again after it was cleared
            written.reserve(reserved);
            for (std::uint64_t batch = 0; batch < 30; ++batch) {
                std::vector<std::pair<std::string, Value>> writes;
                for (std::uint64_t i = random() % (keys / 2 + 2); i > 0; --i)
                    writes.emplace_back(key_of(random() % keys), value_of(random() % 1000));
                for (const auto& [key, value] : writes) { // it changes nothing
                    written.expect(key);
                    written.expect_place(key);
                    written.expect_value(key);
                }
                for (const auto& [key, value] : writes) {
                    written.put(key, value);
                    expected[key] = value;
                }
                if (batch % 10 == 0) written.reserve(written.size() + reserved); // while it is used
                QCOMPARE(written.size(), expected.size());
                for (int i = 0; i < 50; ++i) {
                    const std::string key = key_of(random() % (2 * keys));
                    const auto there = expected.find(key);
                    const Value* const found = written.find(key);
                    QCOMPARE(found != nullptr, there != expected.end());
                    QVERIFY(found == nullptr || *found == there->second);
                }
            }
            const auto sorted = written.sorted();
            QCOMPARE(sorted.size(), expected.size());
            auto at = expected.begin();
            for (const WrittenState::Entry* const entry : sorted) {
                QVERIFY(entry->key == at->first);
                QVERIFY(entry->value == at->second);
                ++at;
            }
            if (turn == 0) compare_changes(written, expected, random);
            written.clear();
            expected.clear();
            QCOMPARE(written.size(), std::size_t{0});
            QVERIFY(written.find(key_of(1)) == nullptr);
        }
    }

    /// An assigned key or value owns what it was assigned, and nothing of what it had.
    void assigned() {
        const std::string longer(100, 'x');
        for (const std::string& from : {std::string("short"), longer})
            for (const std::string& to : {std::string("other"), longer + "y"}) {
                Value value(to);
                Key key(to);
                const Value source(from);
                value = source;
                key = Key(from);
                QVERIFY(value == source && key == from);
                Value& same = value;
                value = same;
                QVERIFY(value == source);
                Value taken(to);
                taken = std::move(value);
                QVERIFY(taken == source);
            }
    }

private:
    static void compare_changes(const WrittenState& written, const Map& expected,
                                std::mt19937_64& random) {
        MemoryState base;
        for (const auto& [key, value] : expected)
            if (random() % 3 != 0)
                base.put(key, random() % 2 == 0 ? value : value_of(random() % 1000));
        std::vector<Change> changes;
        for (const auto& [key, value] : expected)
            if (!(*base.get(key) == value)) changes.push_back({Key(key), *base.get(key), value});
        const auto found = changes_on(base, written);
        QVERIFY(found.ok());
        QCOMPARE(*found, changes);
    }
};

QTEST_APPLESS_MAIN(TestWrittenState)
#include "test_written_state.moc"
