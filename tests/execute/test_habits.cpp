// What is believed about contracts and devices: only ever a guess, but the right one where it is
// easy.
#include "execute/device/device_worth.h"
#include "execute/device/read_habits.h"

#include <QTest>
#include <fmt/format.h>

using namespace blockloom;
using execute::DeviceWorth;
using execute::HabitKey;
using execute::ReadHabits;

namespace {

Hash256 hash_of(Byte byte) {
    Hash256 hash{};
    hash.fill(byte);
    return hash;
}

std::string text_of(const Hash256& hash) {
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

} // namespace

class TestHabits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_read_twice_is_expected() {
        ReadHabits habits;
        const HabitKey mint{hash_of(1), 77}, other{hash_of(1), 78};
        QVERIFY(!habits.knows(mint));
        habits.learn(mint, "/cap", hash_of(2));
        QVERIFY(habits.knows(mint));
        QVERIFY(habits.expected(mint, hash_of(3)).empty());
        habits.learn(mint, "/cap", hash_of(4));
        habits.learn(mint, "/cap", hash_of(5));
        QCOMPARE(habits.expected(mint, hash_of(3)), std::vector<std::string>{"/cap"});
        QVERIFY(habits.expected(other, hash_of(3)).empty());
    }

    void a_reader_s_txid_stands_for_any() {
        ReadHabits habits;
        const HabitKey mint{hash_of(1), 77};
        const auto name_of = [](Byte reader) {
            return fmt::format("/seen/{}/x", text_of(hash_of(reader)));
        };
        for (const Byte reader : {Byte{8}, Byte{9}})
            habits.learn(mint, name_of(reader), hash_of(reader));
        QCOMPARE(habits.expected(mint, hash_of(10)), std::vector<std::string>{name_of(10)});
    }

    void names_without_end_are_not_kept() {
        ReadHabits habits;
        const HabitKey mint{hash_of(1), 77};
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 1000; ++i) habits.learn(mint, std::to_string(i % 100), hash_of(2));
        QVERIFY(habits.expected(mint, hash_of(2)).size() <= 16);
        habits.learn({}, std::string(300, 'x'), hash_of(2));
        habits.learn({}, std::string(300, 'x'), hash_of(2));
        QVERIFY(habits.expected({}, hash_of(2)).empty());
    }

    void the_faster_side_goes_and_the_other_is_tried_again() {
        DeviceWorth worth;
        std::string order;
        std::vector<std::string> changes;
        const auto run = [&](int windows, Nanoseconds host, Nanoseconds device) {
            for (int i = 0; i < windows; ++i) {
                const bool on_device = worth.device_is_next();
                order += on_device ? 'd' : 'h';
                worth.note(on_device, (on_device ? device : host) * 100, 100);
                if (const auto change = worth.take_change()) changes.push_back(*change);
            }
        };
        run(4 + 15, 10, 40);
        QCOMPARE(order, std::string("hdhdhhhhhhhhhhhhhhh"));
        order.clear();
        run(1, 10, 40); // the device's turn: still slower
        run(15, 10, 40);
        QCOMPARE(order, std::string("dhhhhhhhhhhhhhhh"));
        order.clear();
        run(3, 10, 5); // its turn again, and now it wins
        QCOMPARE(order, std::string("ddd"));
        QCOMPARE(changes.size(), std::size_t{2});
        QVERIFY(changes.front().ends_with("continuing on the host"));
        QVERIFY(changes.back().ends_with("continuing on the device"));
    }

    void small_windows_tell_nothing() {
        DeviceWorth worth;
        for (int i = 0; i < 10; ++i) {
            QVERIFY(!worth.device_is_next());
            worth.note(false, 1'000, 3);
        }
    }
};

QTEST_GUILESS_MAIN(TestHabits)
#include "test_habits.moc"
