// Keys and values at the edge of what they keep inside, and the containers that go by hashes,
// against ordered maps.
#include "state/memory_state.h"
#include "state/overlay_pool.h"
#include "state/sort_keys.h"
#include "state/written_state.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::state;

namespace {

/// Keys as they are found: alike at their beginnings, some of them the beginnings of others, with
/// zeros and high bytes.
std::string random_key(std::mt19937_64& random) {
    static const std::string stems[]{"", std::string(3, '\0'), "\x01" + std::string(31, '\0'),
                                     "\x02" + std::string(80, 'a'), "\xff\xfe"};
    std::string key = stems[random() % std::size(stems)];
    for (std::uint64_t more = random() % 12; more != 0; --more)
        key += static_cast<char>(random() % 3 == 0 ? 0xff - random() % 2 : random() % 3);
    return key;
}

} // namespace

class TestKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keeps_bytes_of_any_length() {
        for (std::size_t size = 0; size < 200; ++size) {
            std::string bytes(size, 'x');
            if (size != 0) bytes.back() = '\0';
            Key key(bytes);
            Value value{std::string_view(bytes)};
            const Key copy = key;
            const Value same = value;
            QVERIFY(key == copy && copy == bytes && copy.size() == size);
            QVERIFY(value == same && *same == bytes && same.has_value());
            const Key moved = std::move(key);
            const Value taken = std::move(value);
            QVERIFY(moved == copy && taken == same);
            key = moved;
            value = taken;
            QVERIFY(key == copy && value == same);
            QCOMPARE(KeyView(bytes).hash, copy.hash());
            QCOMPARE(KeyView(copy).hash, copy.hash());
            QVERIFY(!(copy == Key(bytes + "y")) && copy < Key(bytes + "y"));
        }
    }

    void a_key_of_no_bytes_has_their_hash() {
        QCOMPARE(Key().hash(), hash_of_key(""));
        QVERIFY(Key() == Key(""));
    }

    void assigning_keeps_what_is_shared() {
        const std::string bytes(Value::longest_inline + 1, 'x');
        Value value{std::string_view(bytes)}, other("y");
        other = value;
        const Value& same = other;
        other = same;
        value = Value();
        QVERIFY(*other == bytes && !value.has_value());
        other = value;
        QVERIFY(!other.has_value());
    }

    void copies_of_a_long_value_share_it() {
        const Value value{std::string_view("x" + std::string(Value::longest_inline, 'y'))};
        const Value copy = value;
        QCOMPARE(static_cast<const void*>(copy.bytes().data()),
                 static_cast<const void*>(value.bytes().data()));
    }

    void absent_and_empty_differ() {
        QVERIFY(!(Value() == Value("")));
        QVERIFY(!Value().has_value() && Value("").has_value());
        QVERIFY(!Value("").canonical().has_value());
    }

    void sorts_like_the_bytes() {
        std::mt19937_64 random(1);
        for (int turn = 0; turn < 200; ++turn) {
            std::vector<std::string> keys(random() % 300);
            for (std::string& key : keys) key = random_key(random);
            std::vector<KeyInOrder> sorted;
            for (const std::string& key : keys) sorted.push_back({key, 0, 0});
            sort_keys(sorted);
            std::vector<std::string> expected = keys;
            std::sort(expected.begin(), expected.end());
            for (std::size_t i = 0; i < keys.size(); ++i) QVERIFY(sorted[i].bytes == expected[i]);
        }
    }

    void a_written_state_is_a_map() {
        std::mt19937_64 random(2);
        WrittenState written;
        for (int turn = 0; turn < 20; ++turn) {
            std::map<std::string, Value> map;
            for (std::uint64_t left = random() % 4000; left != 0; --left) {
                const std::string key = random_key(random);
                const Value value = random() % 8 == 0 ? Value() : Value(std::to_string(random()));
                if (random() % 2 == 0)
                    written.put(key, value);
                else
                    written.put(Key(key), value);
                map[key] = value;
                const std::string other = random_key(random);
                const Value* const found = written.find(other);
                QCOMPARE(found != nullptr, map.contains(other));
                QVERIFY(found == nullptr || *found == map[other]);
            }
            QCOMPARE(written.size(), map.size());
            const auto sorted = written.sorted();
            QCOMPARE(sorted.size(), map.size());
            auto expected = map.begin();
            for (const WrittenState::Entry* const entry : sorted) {
                QVERIFY(entry->key == expected->first && entry->value == expected->second);
                ++expected;
            }
            written.clear();
            QVERIFY(written.size() == 0 && written.find("a") == nullptr);
        }
    }

    /// Two keys with one hash are two keys.
    void hashes_alone_name_nothing() {
        const KeyView a("a", 7), b("b", 7);
        WrittenState written;
        written.put(a, Value("1"));
        QVERIFY(written.find(b) == nullptr);
        written.put(b, Value("2"));
        QVERIFY(*written.find(a) == Value("1") && *written.find(b) == Value("2"));
        KeyTable table;
        QCOMPARE(table.add(a), 0U);
        QCOMPARE(table.find(b), KeyTable::absent);
        QCOMPARE(table.add(b), 1U);
        QCOMPARE(table.add(a), 0U);
        // As many as are found by open addressing.
        for (std::uint32_t i = 2; i < 60; ++i) {
            const std::string key = std::to_string(i);
            QCOMPARE(table.find(KeyView(key, 7)), KeyTable::absent);
            QCOMPARE(table.add(KeyView(key, 7)), i);
            QCOMPARE(table.find(b), 1U);
            QCOMPARE(table.find(KeyView(std::to_string(i / 2 + 1), 7)), i / 2 + 1);
        }
    }

    void an_overlay_used_again_knows_nothing() {
        MemoryState first, second;
        first.put("a", "1");
        first.put("b", "1");
        second.put("a", "2");
        OverlayPool pool;
        const void* used = nullptr;
        {
            const auto lease = pool.acquire(first);
            Overlay& overlay = *lease;
            used = &overlay;
            overlay.begin_task();
            QVERIFY(*overlay.get("a") == Value("1"));
            overlay.checkpoint();
            overlay.set("b", "3");
            overlay.set("c", "3");
            // Given back in the middle of a task, as after an error.
        }
        const auto lease = pool.acquire(second);
        Overlay& overlay = *lease;
        QCOMPARE(static_cast<const void*>(&overlay), used);
        QCOMPARE(overlay.depth(), std::size_t{0});
        overlay.begin_task();
        QVERIFY(*overlay.get("a") == Value("2"));
        QVERIFY(*overlay.get("c") == Value());
        overlay.set("d", "4");
        const auto log = overlay.finish();
        QVERIFY(log);
        QCOMPARE(log->tasks.size(), std::size_t{1});
        QCOMPARE(log->reads.size(), std::size_t{2});
        QCOMPARE(log->writes.size(), std::size_t{1});
        QVERIFY(log->writes.front().first == Key("d"));
    }

    void only_what_is_there_is_logged() {
        MemoryState below;
        below.put("a", "1");
        Overlay overlay(below);
        overlay.begin_task();
        QVERIFY(*overlay.get_if_there("a") == Value("1"));
        QVERIFY(*overlay.get_if_there("b") == Value());
        auto log = overlay.finish();
        QVERIFY(log);
        QCOMPARE(log->reads.size(), std::size_t{1});
        QVERIFY(log->reads.front().key == Key("a"));
        QCOMPARE(log->tasks.front().reads.size(), std::size_t{1});
        QVERIFY(log->writes.empty());
    }
};

QTEST_GUILESS_MAIN(TestKeys)
#include "test_keys.moc"
