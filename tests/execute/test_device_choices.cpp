// Access prediction and placement choice: guesses about contracts and devices, right where it is
// easy.
#include "execute/device/access_prediction.h"
#include "execute/device/placement_choice.h"

#include <QTest>
#include <fmt/format.h>

using namespace blockloom;
using execute::AccessPrediction;
using execute::CallKind;
using execute::PlacementChoice;

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

class TestDeviceChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_read_twice_is_expected() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77}, other{hash_of(1), 78};
        QVERIFY(!prediction.knows(mint));
        prediction.learn(mint, "/cap", hash_of(2));
        QVERIFY(prediction.knows(mint));
        QVERIFY(prediction.expected(mint, hash_of(3)).empty());
        prediction.learn(mint, "/cap", hash_of(4));
        prediction.learn(mint, "/cap", hash_of(5));
        QCOMPARE(prediction.expected(mint, hash_of(3)), std::vector<std::string>{"/cap"});
        QVERIFY(prediction.expected(other, hash_of(3)).empty());
    }

    void a_reader_s_txid_stands_for_any() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77};
        const auto name_of = [](Byte reader) {
            return fmt::format("/seen/{}/x", text_of(hash_of(reader)));
        };
        for (const Byte reader : {Byte{8}, Byte{9}})
            prediction.learn(mint, name_of(reader), hash_of(reader));
        QCOMPARE(prediction.expected(mint, hash_of(10)), std::vector<std::string>{name_of(10)});
    }

    void names_without_end_are_not_kept() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77};
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 1000; ++i)
                prediction.learn(mint, std::to_string(i % 100), hash_of(2));
        QVERIFY(prediction.expected(mint, hash_of(2)).size() <= 16);
        prediction.learn({}, std::string(300, 'x'), hash_of(2));
        prediction.learn({}, std::string(300, 'x'), hash_of(2));
        QVERIFY(prediction.expected({}, hash_of(2)).empty());
    }

    void the_faster_side_goes_and_the_other_is_tried_again() {
        PlacementChoice choice;
        std::string order;
        std::vector<std::string> changes;
        const auto run = [&](int windows, Nanoseconds host, Nanoseconds device) {
            for (int i = 0; i < windows; ++i) {
                const bool on_device = choice.device_is_next();
                order += on_device ? 'd' : 'h';
                choice.note(on_device, (on_device ? device : host) * 100, 100);
                if (const auto change = choice.take_change()) changes.push_back(*change);
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
        PlacementChoice choice;
        for (int i = 0; i < 10; ++i) {
            QVERIFY(!choice.device_is_next());
            choice.note(false, 1'000, 3);
        }
    }
};

QTEST_GUILESS_MAIN(TestDeviceChoices)
#include "test_device_choices.moc"
