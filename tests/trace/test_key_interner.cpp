#include "trace/key_interner.h"

#include <QTest>

#include <random>
#include <unordered_map>

using namespace blockloom;
using trace::KeyId;
using trace::KeyInterner;

namespace {

std::vector<std::string> random_keys(std::mt19937_64& random, std::size_t count) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) {
        std::string key(random() % 40, 'k');
        if (!key.empty()) key.back() = static_cast<char>(random());
        if (key.size() > 20) key[3] = static_cast<char>(random() % 16);
        keys.push_back(key);
    }
    return keys;
}

} // namespace

class TestKeyInterner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ids_are_dense_and_follow_first_appearance() {
        std::mt19937_64 random(41);
        for (int round = 0; round < 30; ++round) {
            KeyInterner one_by_one, in_batches;
            std::unordered_map<std::string, KeyId> expected;
            std::vector<std::string> first;
            for (int part = 0; part < 6; ++part) {
                const auto keys = random_keys(random, random() % 900);
                const std::vector<std::string_view> views(keys.begin(), keys.end());
                std::vector<KeyId> ids(keys.size());
                in_batches.insert(views, ids);
                for (std::size_t i = 0; i < keys.size(); ++i) {
                    const auto [there, fresh] =
                        expected.try_emplace(keys[i], static_cast<KeyId>(expected.size()));
                    if (fresh) first.push_back(keys[i]);
                    QCOMPARE(ids[i], there->second);
                    QCOMPARE(one_by_one.insert(keys[i]), there->second);
                }
            }
            QCOMPARE(std::size_t{in_batches.size()}, expected.size());
            for (KeyId id = 0; id < in_batches.size(); ++id) {
                QVERIFY(in_batches.key(id) == first[id]);
                QVERIFY(one_by_one.key(id) == first[id]);
                QCOMPARE(in_batches.find(first[id]), id);
            }
            QCOMPARE(in_batches.find("never inserted, and longer than any key of the test"),
                     KeyInterner::no_key);
        }
    }

    /// Two keys with one hash are two keys.
    void hashes_alone_name_nothing() {
        KeyInterner keys;
        const std::vector<std::string_view> all{"a", "b", "a", "c", "b"};
        const std::vector<std::uint32_t> hashes(all.size(), 7);
        std::vector<KeyId> ids(all.size());
        keys.insert(all, hashes, ids);
        QCOMPARE(ids, (std::vector<KeyId>{0, 1, 0, 2, 1}));
        QCOMPARE(keys.key(1), std::string_view("b"));
    }

    void an_empty_one_finds_nothing() {
        const KeyInterner keys;
        QCOMPARE(keys.find(""), KeyInterner::no_key);
        QCOMPARE(keys.size(), KeyId{0});
    }

    void room_made_before_is_kept() {
        KeyInterner keys;
        keys.reserve(10'000, 100'000);
        const std::size_t before = keys.memory();
        for (int i = 0; i < 10'000; ++i) keys.insert(std::to_string(i));
        QCOMPARE(keys.memory(), before);
    }
};

QTEST_APPLESS_MAIN(TestKeyInterner)
#include "test_key_interner.moc"
