// Messages by both ways of metering (docs/fuel.md), with figures worked out by hand. Every call
// runs on the interpreter and on machine code, which must agree.
#include "alkanes/message_world.h"

#include <QtTest>

using namespace blockloom;
using alkanes::AlkaneId;
using alkanes::CallStatus;
using wasm::FuelRule;

namespace {

constexpr AlkaneId target{2, 5}, keeper{2, 6};

/// What an empty map costs: the 4 bytes of its count.
constexpr std::uint64_t empty_map = 4 * 40;
/// What `$empty` costs: itself, a store, the return.
constexpr std::uint64_t empty_call = 3;

calls::World world_of(FuelRule rule, const std::string& body) {
    calls::World world;
    world.surroundings.rules.fuel = rule;
    world.put(target, calls::contract(body));
    return world;
}

} // namespace

class TestMessageFuel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void exact_figures_by_hand_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<qulonglong>("own"); // without `$empty` and the map
        // Itself, the call, the return.
        QTest::newRow("call") << "(call $empty)" << 3ULL;
        // 3 and the copy of 10 to $i; ten times the loop itself and the difference, which goes to
        // its local; the branch is free.
        QTest::newRow("loop") << "(local $i i32) (local.set $i (i32.const 10)) (loop $l (br_if $l "
                                 "(local.tee $i (i32.sub (local.get $i) (i32.const 1))))) (call "
                                 "$empty)"
                              << 3ULL + 1 + 10 * 2;
        // 3, the fill and one for each 64 of its bytes: 703 / 64.
        QTest::newRow("fill") << "(memory.fill (i32.const 4096) (i32.const 0) (i32.const 703)) "
                                 "(call $empty)"
                              << 3ULL + 1 + 10;
        // 3, the call and the host's fee of 10.
        QTest::newRow("host call")
            << "(call $height (i32.const 4096)) (call $empty)" << 3ULL + 1 + 10;
        // What a branch jumps over was paid at the head: 3, a load and six sums which start from
        // it; the branch is free.
        QTest::newRow("jumped over")
            << "(local $x i32) (block $b (br_if $b (i32.eqz (i32.load (i32.const 4096)))) "
               "(local.set $x (i32.add (i32.mul (i32.add (i32.mul (i32.add (i32.mul (local.get $x) "
               "(local.get $x)) (local.get $x)) (local.get $x)) (local.get $x)) (local.get $x)) "
               "(local.get $x)))) (call $empty)"
            << 3ULL + 1 + 1 + 6;
    }
    void exact_figures_by_hand() {
        QFETCH(QString, body);
        QFETCH(qulonglong, own);
        calls::World world = world_of(FuelRule::exact, body.toStdString());
        const std::uint64_t expected = own + empty_call + empty_map;
        const calls::Ran ran = world.call(target);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.outcome.call.gas, expected);
        // The very last unit is needed, and enough.
        world.fuel = expected;
        QVERIFY(world.call(target).ok());
        world.fuel = expected - 1;
        QCOMPARE(world.call(target).status(), CallStatus::out_of_fuel);
    }

    /// The rule of the surroundings decides, for one contract in one process, in any order.
    void one_contract_by_both_rules() {
        calls::World world = world_of(FuelRule::exact, "(drop (i32.const 1)) (call $empty)");
        const std::uint64_t exact = world.call(target).outcome.call.gas;
        world.surroundings.rules.fuel = FuelRule::counted;
        const std::uint64_t counted = world.call(target).outcome.call.gas;
        // One for each instruction, `end` and `drop` included or not as the register program says;
        // exact charges neither the constant nor the drop.
        QVERIFY(counted > exact);
        world.surroundings.rules.fuel = FuelRule::exact;
        QCOMPARE(world.call(target).outcome.call.gas, exact);
    }

    /// Runs out by one rule and not by the other, in both directions.
    void one_rule_runs_out_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<qulonglong>("fuel");
        QTest::addColumn<bool>("exact_succeeds");
        QString free, jumped;
        for (int i = 0; i < 200; ++i) {
            free += QStringLiteral("(drop (i32.const 1))");
            jumped += QStringLiteral("(i32.store (i32.const 4096) (i32.const 1))");
        }
        // Constants that are dropped cost nothing exactly.
        QTest::newRow("exact pays less")
            << free + QStringLiteral("(call $empty)") << qulonglong{empty_map + 50} << true;
        // Stores that are jumped over are paid exactly.
        QTest::newRow("exact pays more")
            << QStringLiteral("(block $b (br_if $b (i32.eqz (i32.load (i32.const 4096))))") +
                   jumped + QStringLiteral(") (call $empty)")
            << qulonglong{empty_map + 50} << false;
    }
    void one_rule_runs_out() {
        QFETCH(QString, body);
        QFETCH(qulonglong, fuel);
        QFETCH(bool, exact_succeeds);
        for (const FuelRule rule : {FuelRule::counted, FuelRule::exact}) {
            calls::World world = world_of(rule, body.toStdString());
            world.fuel = fuel;
            const bool succeeds = (rule == FuelRule::exact) == exact_succeeds;
            QCOMPARE(world.call(target).status(),
                     succeeds ? CallStatus::success : CallStatus::out_of_fuel);
        }
    }

    /// A nested contract is metered by the same rule: what its caller is charged on top of the
    /// fee is the callee's figure.
    void nested_calls() {
        const std::string calling =
            "(drop (call $staticcall (i32.const 9000) (i32.const 1300) (i32.const 1200) (i64.const "
            "0))) (call $empty)";
        const std::string more =
            calls::buffer(9000, u128_bytes(keeper.block) + u128_bytes(keeper.tx)) +
            calls::buffer(1200, std::string(4, '\0')) + calls::buffer(1300, std::string(16, '\0'));
        calls::World world;
        world.surroundings.rules.fuel = FuelRule::exact;
        world.put(target, calls::contract(calling, more));
        std::optional<std::uint64_t> other;
        for (const std::uint64_t turns : {1, 1001}) {
            world.put(keeper, calls::contract("(local $i i32) (local.set $i (i32.const " +
                                              std::to_string(turns) +
                                              ")) (loop $l (br_if $l (local.tee $i (i32.sub "
                                              "(local.get $i) (i32.const 1))))) (call $empty)"));
            const calls::Ran ran = world.call(target);
            QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
            const std::uint64_t rest = ran.outcome.call.gas - 2 * turns;
            QCOMPARE(rest, other.value_or(rest));
            other = rest;
        }
    }

    /// A module of which a constant is not certain runs, and its figures say so; counted they are
    /// certain.
    void what_is_not_certain_is_marked() {
        const std::string body = "(drop (f32.const nan)) (call $empty)";
        calls::World world = world_of(FuelRule::exact, body);
        const calls::Ran ran = world.call(target);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QVERIFY2(ran.fuel_doubt.starts_with("2:5: function "), ran.fuel_doubt.c_str());
        QVERIFY(ran.fuel_doubt.ends_with("a constant that is not a number"));
        QCOMPARE(world_of(FuelRule::counted, body).call(target).fuel_doubt, std::string());
        QCOMPARE(world_of(FuelRule::exact, "(call $empty)").call(target).fuel_doubt, std::string());
    }
};

QTEST_GUILESS_MAIN(TestMessageFuel)
#include "test_message_fuel.moc"
