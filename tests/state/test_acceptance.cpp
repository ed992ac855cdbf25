// The acceptance rule: whatever was tried on whatever values, what is accepted is the serial run.
#include "reference.h"
#include "state/acceptance.h"
#include "state/overlay.h"

#include <QTest>

#include <functional>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::state;
using namespace blockloom::test;

namespace {

using Body = std::function<void(Overlay&)>;

TransactionLog run(const Body& body, const StateView& below) {
    Overlay overlay(below);
    overlay.begin_task();
    body(overlay);
    Result<TransactionLog> log = overlay.finish();
    return log ? std::move(*log) : TransactionLog();
}

u128 number(Overlay& overlay, const Key& key) {
    return counter_of(*overlay.get(key));
}

Key key_of(std::uint64_t number) {
    return "k" + std::to_string(number);
}

/// A transaction whose way depends on what it reads. The same seed is the same code.
Body random_body(std::uint64_t seed) {
    return [seed](Overlay& overlay) {
        std::mt19937_64 random(seed);
        const auto key = [&] { return key_of(random() % 6); };
        u128 carry = random() % 3;
        for (std::uint64_t steps = random() % 6; steps > 0; --steps) {
            switch (random() % 7) {
            case 0: // a branch by value: which key is next depends on it
                carry +=
                    number(overlay, key_of(static_cast<std::uint64_t>(number(overlay, key()) % 6)));
                break;
            case 1:
                carry = carry * 3 + number(overlay, key());
                break;
            case 2: // blind, often silent
                overlay.set(key(), u128_bytes(random() % 3));
                break;
            case 3:
                overlay.set(key(), u128_bytes(carry % 5));
                break;
            case 4:
                if (*overlay.is_above("counter", random() % 6)) carry += 2;
                break;
            case 5: { // creates: read and write the counter
                const u128 next = number(overlay, "counter");
                overlay.set("counter", u128_bytes(next + 1));
                break;
            }
            default: // a nested call that fails by what it read
                overlay.checkpoint();
                overlay.set(key(), u128_bytes(carry % 7));
                if (number(overlay, key()) % 2 == 0)
                    overlay.rollback();
                else
                    overlay.commit();
            }
        }
    };
}

} // namespace

class TestAcceptance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The trap of stale reads: T1 writes a; T2: if a = 1 write b; T3: c = b + 1.
    void the_trap_of_stale_reads_inside_right_sets() {
        const MemoryState before;
        const Body t1 = [](Overlay& o) { o.set("a", u128_bytes(1)); };
        const Body t2 = [](Overlay& o) {
            if (number(o, "a") == 1) o.set("b", u128_bytes(41));
        };
        const Body t3 = [](Overlay& o) { o.set("c", u128_bytes(number(o, "b") + 1)); };

        // Each alone on the old state: T2 writes nothing, so T3 seems to depend on nobody.
        const TransactionLog alone2 = run(t2, before), alone3 = run(t3, before);
        QVERIFY(alone2.writes.empty());
        QCOMPARE(alone3.writes, (WriteSet{{"c", u128_bytes(1)}}));

        // Levels 1, 2, 1: T1 and T3 run first, then T2 on what T1 left.
        MemoryState now;
        const TransactionLog first = run(t1, before);
        QVERIFY(*accepts(first, now));
        now.apply(first.writes);
        QVERIFY(!*accepts(alone2, now));
        const TransactionLog second = run(t2, now);
        QVERIFY(*accepts(second, now));
        now.apply(second.writes);

        // T3's keys are the very keys of its true run; only the value of b tells.
        QCOMPARE(alone3.reads.size(), std::size_t{1});
        QCOMPARE(alone3.reads[0].key, Key("b"));
        QVERIFY(!*accepts(alone3, now));
        const TransactionLog third = run(t3, now);
        QVERIFY(*accepts(third, now));
        now.apply(third.writes);
        QCOMPARE(counter_of(*now.get("c")), u128{42});
    }

    void a_predicate_holds_for_every_higher_counter() {
        MemoryState state;
        state.put("next", u128_bytes(5));
        const TransactionLog log = run([](Overlay& o) { (void)o.is_above("next", 4); }, state);
        QVERIFY(log.reads.empty());
        for (const u128 next : {u128{5}, u128{6}, ~u128{0}}) {
            state.put("next", u128_bytes(next));
            QVERIFY(*accepts(log, state));
        }
        for (const u128 next : {u128{4}, u128{0}}) {
            state.put("next", u128_bytes(next));
            QVERIFY(!*accepts(log, state));
        }
        state.put("next", Value());
        QVERIFY(!*accepts(log, state));
    }

    void a_silent_write_is_refused_where_it_would_not_be_silent() {
        MemoryState state;
        state.put("k", "1");
        const TransactionLog log = run([](Overlay& o) { o.set("k", "1"); }, state);
        QVERIFY(log.writes.empty() && *accepts(log, state));
        state.put("k", "2");
        QVERIFY(!*accepts(log, state));
    }

    /// Speculation on stale states, stale versions and mixtures, then acceptance in order.
    void accepted_speculation_is_the_serial_run() {
        std::mt19937_64 random(7);
        std::size_t accepted = 0, refused = 0;
        for (int round = 0; round < 800; ++round) {
            MemoryState before;
            before.put("counter", u128_bytes(3));
            for (std::uint64_t i = 0; i < 6; ++i)
                if (random() % 3 != 0) before.put(key_of(i), u128_bytes(random() % 4));
            std::vector<Body> bodies(8);
            for (Body& body : bodies) body = random_body(random());

            MemoryState serial = before;
            for (const Body& body : bodies) serial.apply(run(body, serial).writes);

            // Run in any order, each on whatever was published so far.
            std::map<std::uint32_t, WriteSet> published;
            std::vector<TransactionLog> tried(bodies.size());
            for (int tries = 0; tries < 12; ++tries) {
                const auto index = static_cast<std::uint32_t>(random() % bodies.size());
                MemoryState below = before;
                for (const auto& [writer, writes] : published)
                    if (writer < index) below.apply(writes);
                tried[index] = run(bodies[index], below);
                if (random() % 4 == 0)
                    published.erase(index);
                else
                    published[index] = tried[index].writes;
            }

            MemoryState now = before;
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                if (tried[i].tasks.empty() || !*accepts(tried[i], now)) {
                    tried[i] = run(bodies[i], now);
                    ++refused;
                } else {
                    ++accepted;
                }
                now.apply(tried[i].writes);
            }
            QCOMPARE(map_of(now), map_of(serial));
        }
        QVERIFY(accepted > 1000 && refused > 1000); // both ways were taken
    }
};

QTEST_APPLESS_MAIN(TestAcceptance)
#include "test_acceptance.moc"
