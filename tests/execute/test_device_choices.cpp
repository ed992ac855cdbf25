// Access prediction and placement choice: guesses about contracts and devices, right where it is
// easy.
#include "execute/device/access_prediction.h"
#include "execute/device/placement_choice.h"
#include "execute/device/round_placement.h"
#include "execute/device/whole_rounds.h"

#include <QTest>

#include <algorithm>
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

/// A reader whose txid has only this byte.
execute::KeyReader reader_of(Byte byte, std::uint64_t height = 960'101) {
    return {hash_of(byte), height, {2, byte}};
}

/// A read of storage.
execute::ContractRead storage(std::string name) {
    return {execute::ContractRead::Kind::storage, std::move(name)};
}

/// All that is expected, in order.
std::vector<execute::ContractRead> expected(const AccessPrediction& prediction, const CallKind& who,
                                            const execute::KeyReader& reader) {
    std::vector<execute::ContractRead> reads;
    prediction.expect(who, reader, [&](auto kind, std::string_view name) {
        reads.push_back({kind, std::string(name)});
    });
    return reads;
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
        prediction.learn(mint, storage("/cap"), reader_of(2));
        QVERIFY(expected(prediction, mint, reader_of(3)).empty());
        prediction.learn(mint, storage("/cap"), reader_of(4));
        prediction.learn(mint, storage("/cap"), reader_of(5));
        QCOMPARE(expected(prediction, mint, reader_of(3)), std::vector{storage("/cap")});
        QVERIFY(expected(prediction, other, reader_of(3)).empty());
    }

    /// What both have read is learned then.
    void a_kind_is_known_once_it_was_seen_twice() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77}, other{hash_of(1), 78};
        prediction.meet(mint);
        QCOMPARE(prediction.number_of(mint), AccessPrediction::unmet);
        AccessPrediction::Lessons lessons{{{mint, storage("/cap"), reader_of(2)}}, {mint, mint}};
        prediction.learn(lessons);
        QVERIFY(lessons.reads.empty() && lessons.met.empty());
        QVERIFY(prediction.number_of(mint) < prediction.count());
        QCOMPARE(prediction.number_of(other), AccessPrediction::unmet);
    }

    void a_reader_s_txid_stands_for_any() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77};
        const auto name_of = [](Byte reader) {
            return fmt::format("/seen/{}/x", text_of(hash_of(reader)));
        };
        for (const Byte reader : {Byte{8}, Byte{9}})
            prediction.learn(mint, storage(name_of(reader)), reader_of(reader));
        QCOMPARE(expected(prediction, mint, reader_of(10)), std::vector{storage(name_of(10))});
    }

    void the_height_stands_for_any() {
        const CallKind mint{hash_of(1), 77};
        const auto learned = [&](auto name_of, std::uint64_t low) {
            AccessPrediction prediction;
            for (const std::uint64_t height : {low, low + 1})
                prediction.learn(mint, storage(name_of(height)), reader_of(7, height));
            return expected(prediction, mint, reader_of(8, low + 2));
        };
        const auto digits = [](std::uint64_t height) { return fmt::format("/at/{}", height); };
        const auto wide = [](std::uint64_t height) {
            std::string name = "/seen/";
            name.append(reinterpret_cast<const char*>(&height), sizeof height);
            return name + std::string(8, '\0');
        };
        QCOMPARE(learned(digits, 960'101), std::vector{storage(digits(960'103))});
        QCOMPARE(learned(wide, 960'101), std::vector{storage(wide(960'103))});
        QVERIFY(learned(digits, 7).empty()); // "7" may be anything
    }

    /// Of a balance the contract's own id is general; what has no name is learned as it is.
    void balances_and_the_rest() {
        using Kind = execute::ContractRead::Kind;
        AccessPrediction prediction;
        const CallKind swap{hash_of(1), 3};
        const auto own = [](Byte contract) {
            const std::string id = alkanes::id_bytes({2, contract});
            return execute::ContractRead{Kind::balance, id + id};
        };
        for (const Byte reader : {Byte{8}, Byte{9}}) {
            prediction.learn(swap, own(reader), reader_of(reader));
            prediction.learn(swap, {Kind::sequence, {}}, reader_of(reader));
            prediction.learn(swap, {Kind::block, {}}, reader_of(reader));
        }
        const std::vector<execute::ContractRead> there{
            own(10), {Kind::sequence, {}}, {Kind::block, {}}};
        QCOMPARE(expected(prediction, swap, reader_of(10)), there);
    }

    void names_without_end_are_not_kept() {
        AccessPrediction prediction;
        const CallKind mint{hash_of(1), 77};
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 1000; ++i)
                prediction.learn(mint, storage(std::to_string(i % 100)), reader_of(2));
        QVERIFY(expected(prediction, mint, reader_of(2)).size() <= 16);
        prediction.learn({}, storage(std::string(300, 'x')), reader_of(2));
        prediction.learn({}, storage(std::string(300, 'x')), reader_of(2));
        QVERIFY(expected(prediction, {}, reader_of(2)).empty());
    }

    void workers_run_what_they_finish_sooner() {
        execute::RoundPlacement placement;
        QCOMPARE(placement.device_share(31), std::size_t{0});
        QCOMPARE(placement.device_share(32), std::size_t{16}); // both sides are measured
        placement.note_host(15, 9'000'000);                    // too few to say anything
        placement.note_device(3000, 3'000'000, 1'000'000);
        QCOMPARE(placement.device_share(32), std::size_t{16});
        placement.note_host(31, 62'000); // 2 us each
        QCOMPARE(placement.device_share(1999), std::size_t{0});
        QCOMPARE(placement.device_share(2000), std::size_t{1000}); // still on trial
        placement.note_device(100, 500'000, 500'000);              // the device's least
        QCOMPARE(placement.device_share(499), std::size_t{0});
        QVERIFY(placement.device_share(500) != 0);
    }

    /// While the wave runs, the workers run what they finish meanwhile.
    void rounds_are_shared() {
        execute::RoundPlacement placement;
        placement.note_host(1000, 3'000'000); // 3 us each
        for (int i = 0; i < 4; ++i) placement.note_device(1000, 2'000'000, 1'500'000);
        QCOMPARE(placement.device_share(4000), std::size_t{3500});
        QCOMPARE(placement.device_share(40'000), std::size_t{39'500});
        QCOMPARE(placement.device_share(1000), std::size_t{0}); // sooner than any on the device
        // Beside a device that costs the workers more than they need, they work alone,
        for (int i = 0; i < 20; ++i) placement.note_device(1000, 6'000'000, 1'500'000);
        QCOMPARE(placement.device_share(4000), std::size_t{0});
        // but not for ever: it is tried again.
        int declined = 0;
        for (; placement.device_share(4000) == 0; ++declined) placement.note_declined();
        QVERIFY(declined > 10 && declined < 100);
        QVERIFY(placement.device_share(4000) > 1000);
    }

    /// Rounds of about the same size are compared with each other.
    void whole_rounds_go_where_they_are_faster() {
        constexpr Nanoseconds shortest_flight = 500'000;
        execute::WholeRounds rounds;
        const auto run = [&](std::size_t attempts, int times, Nanoseconds host,
                             Nanoseconds device) {
            std::string order;
            for (int i = 0; i < times; ++i) {
                const bool on_device = rounds.to_device(attempts, shortest_flight);
                order += on_device ? 'd' : 'h';
                rounds.note(on_device, attempts, on_device ? device : host);
            }
            return order;
        };
        QCOMPARE(run(4000, 12, 8'000'000, 5'000'000), std::string("hddddddddddh"));
        // Slower again: its turn comes half as often.
        QCOMPARE(run(4000, 16, 8'000'000, 5'000'000), std::string("dddddddddddddddh"));
        // Rounds that the workers finish before any flight has landed,
        QCOMPARE(run(100, 40, 400'000, 100), std::string(40, 'h'));
        // and others for which it is slower: one is enough to know, as larger ones have run there.
        QCOMPARE(run(2000, 12, 6'000'000, 9'000'000), std::string("hdhhhhhhhdhh"));
        // One round that takes long changes nothing,
        rounds.note(true, 4000, 900'000'000);
        QCOMPARE(run(4000, 1, 8'000'000, 5'000'000), std::string("d"));
        // but what was slower may become faster.
        const std::string later = run(2000, 100, 6'000'000, 1'000'000);
        QVERIFY(std::ranges::count(later.substr(40), 'd') > 50);
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

    /// Until its code is compiled a device is not judged, and if none ever comes it is.
    void windows_that_wait_for_code_tell_nothing() {
        PlacementChoice choice;
        std::string order;
        const auto run = [&](int windows, Nanoseconds device, bool waits) {
            for (int i = 0; i < windows; ++i) {
                const bool on_device = choice.device_is_next();
                order += on_device ? 'd' : 'h';
                choice.note(on_device, (on_device ? device : 10) * 100, 100, on_device && waits);
            }
        };
        run(5, 40, true);
        QCOMPARE(order, std::string("hdddd"));
        run(5, 2, false);
        QCOMPARE(order, std::string("hdddddhddd"));

        choice = {};
        order.clear();
        run(1 + 16 + 4, 40, true);
        QCOMPARE(order, "h" + std::string(16, 'd') + "dhdh");
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
