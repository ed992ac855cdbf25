// Every host function on contracts of a few instructions, on both engines
// (docs/alkanes-protocol.md#host-functions).
#include "alkanes/message_world.h"

#include <QtTest>

using namespace calls;
using alkanes::CallStatus;

namespace {

constexpr AlkaneId self{2, 5}, other{4, 7};

/// "key" as a buffer at 1024.
const std::string key = buffer(1024, "key");

struct Fee {
    const char* body;
    std::uint64_t fee;
};

} // namespace

class TestHostFunctions : public QObject {
    Q_OBJECT

    static Ran run(const std::string& body, const std::string& more = {}) {
        World world;
        world.put(self, contract(body, more));
        world.put_storage(self, "key", "value");
        return world.call(self);
    }

private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void storage_is_requested_and_loaded() {
        const Ran asked = run("(call $give_word (call $request_storage (i32.const 1024)))", key);
        QVERIFY(asked.ok());
        QCOMPARE(asked.given(), le(std::uint32_t{5}));
        QVERIFY(asked.reads(alkanes::storage_key(self, "key")));
        const Ran loaded =
            run("(call $give (call $load_storage (i32.const 1024) (i32.const 5000)))", key);
        QCOMPARE(loaded.given(), std::string("value"));
        QCOMPARE(loaded.host_calls.at(0).result, std::optional<std::int32_t>(5000));
        QCOMPARE(loaded.host_calls.at(0).arguments, std::vector<std::string>{"key"});
    }

    void absent_storage_is_an_empty_buffer() {
        const Ran ran = run("(i32.store (i32.const 4996) (i32.const 99))"
                            "(call $give (call $load_storage (i32.const 1024) (i32.const 5000)))",
                            buffer(1024, "none"));
        QVERIFY(ran.ok());
        QCOMPARE(ran.data(), le(std::uint32_t{0}));
    }

    /// A length prefix has exactly four bytes: what follows a short value stays.
    void only_four_bytes_of_length_are_written() {
        const Ran ran = run("(i64.store (i32.const 5000) (i64.const -1))"
                            "(drop (call $load_storage (i32.const 1024) (i32.const 5000)))"
                            "(i32.store (i32.const 4996) (i32.const 8))"
                            "(call $give (i32.const 5000))",
                            buffer(1024, "none"));
        QCOMPARE(ran.given(), std::string(8, '\xff'));
    }

    void context_is_the_layout() {
        World world;
        world.put(self, contract("(drop (call $load_context (i32.const 5000)))"
                                 "(call $give (i32.const 5000))"));
        const Ran ran = world.call(self, {77, 0}, {{{2, 1}, 3}});
        const std::string context = alkanes::context_bytes(
            {self, {0, 0}, 4}, alkanes::Parcel{{{2, 1}, 3}}, std::vector<u128>{77, 0});
        QCOMPARE(ran.given(), context);
        world.put(self, contract("(call $give_word (call $request_context))"));
        QCOMPARE(world.call(self, {77, 0}, {{{2, 1}, 3}}).given(), le(std::uint32_t{16 * 11}));
    }

    void balances_are_sixteen_bytes_or_none() {
        World world;
        const std::string ids = buffer(1024, alkanes::id_bytes(other)) +
                                buffer(1200, alkanes::id_bytes({2, 0}) + "longer");
        world.put(self, contract("(call $balance (i32.const 1024) (i32.const 1200) (i32.const "
                                 "5000)) (call $give (i32.const 5000))",
                                 ids));
        const Ran none = world.call(self);
        QVERIFY(none.ok());
        QCOMPARE(none.data(), le(std::uint32_t{0}));
        world.put_balance(other, {2, 0}, 1'000);
        QCOMPARE(world.call(self).given(), u128_bytes(1'000));
        QVERIFY(world.call(self).reads(alkanes::balance_key(other, {2, 0})));
        world.put_balance(other, {2, 0}, 0);
        QCOMPARE(world.call(self).given(), u128_bytes(0));
        // An id of less than 32 bytes fails the call.
        world.put(self, contract("(call $balance (i32.const 1024) (i32.const 1200) (i32.const "
                                 "5000)) (call $empty)",
                                 buffer(1024, "short") + buffer(1200, "short")));
        QCOMPARE(world.call(self).status(), CallStatus::revert);
    }

    void numbers_of_the_surroundings() {
        QCOMPARE(run("(call $sequence (i32.const 5000)) (call $give (i32.const 5000))").given(),
                 u128_bytes(100));
        QCOMPARE(run("(call $height (i32.const 5000)) (call $give (i32.const 5000))").given(),
                 le(std::uint64_t{960'000}));
        const Ran fuel = run("(call $fuel (i32.const 5000)) (call $give (i32.const 5000))");
        // Before the call's own fee: two instructions were paid for.
        QCOMPARE(fuel.given(), le(std::uint64_t{10'000'000 - 2}));
        QVERIFY(fuel.fuel.fuel_read);
        QVERIFY(!run("(call $height (i32.const 5000)) (call $empty)").fuel.fuel_read);
    }

    void transaction_and_block_are_their_bytes() {
        World world;
        world.put(self, contract("(call $load_transaction (i32.const 5000))"
                                 "(call $give (i32.const 5000))"));
        QCOMPARE(as_bytes(world.call(self).given()).size(), world.transaction.size());
        const std::string given = world.call(self).given();
        QVERIFY(std::equal(world.transaction.begin(), world.transaction.end(),
                           as_bytes(given).begin()));
        world.put(self, contract("(call $load_block (i32.const 5000))"
                                 "(call $give (i32.const 5000))"));
        const std::string block = world.call(self).given();
        QVERIFY(std::equal(world.block.begin(), world.block.end(), as_bytes(block).begin()));
        QCOMPARE(run("(call $give_word (call $request_transaction))").given(),
                 le(std::uint32_t{90}));
        QCOMPARE(run("(call $give_word (call $request_block))").given(), le(std::uint32_t{200}));
    }

    void log_wants_utf8() {
        const Ran good = run("(call $log (i32.const 1024)) (call $empty)", key);
        QVERIFY(good.ok());
        QCOMPARE(good.printed, std::vector<std::string>{"key"});
        QCOMPARE(run("(call $log (i32.const 1024)) (call $empty)", buffer(1024, "\xff")).status(),
                 CallStatus::revert);
    }

    /// abort is no trap: the contract continues, and reverts at the end.
    void abort_lets_the_contract_continue() {
        World world;
        world.put(self, contract("(call $revert (i32.const 1024))",
                                 buffer(1024, alkanes::revert_data("Error: no"))));
        const Ran ran = world.call(self);
        QCOMPARE(ran.status(), CallStatus::revert);
        QCOMPARE(ran.outcome.verdict.text, std::string("Error: no"));
        QVERIFY(ran.fuel.drained);
        const Ran on = run("(call $stop) (drop (call $request_storage (i32.const 1024)))"
                           "(call $empty)",
                           key);
        QCOMPARE(on.status(), CallStatus::revert);
        QCOMPARE(on.host_calls.size(), std::size_t{2});
        QVERIFY(on.reads(alkanes::storage_key(self, "key")));
    }

    void failures_answer_minus_one_and_go_on_data() {
        QTest::addColumn<QString>("call");
        for (const char* call :
             {"(call $request_storage (i32.const 3))", "(call $request_storage (i32.const -1))",
              "(call $request_storage (i32.const 33554437))",
              "(call $load_storage (i32.const 1024) (i32.const 33554430))",
              "(call $load_storage (i32.const 1024) (i32.const 2))",
              "(call $load_context (i32.const 33554400))",
              "(call $call (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0))"})
            QTest::newRow(call) << QString::fromLatin1(call);
    }

    void failures_answer_minus_one_and_go_on() {
        QFETCH(QString, call);
        const Ran ran = run("(i32.store (i32.const 6000) " + call.toStdString() +
                                ") (call $height (i32.const 5000)) (call $empty)",
                            key);
        QCOMPARE(ran.status(), CallStatus::revert);
        QCOMPARE(ran.host_calls.size(), std::size_t{2});
        QVERIFY(*ran.host_calls[0].result < 0);
        QVERIFY(!ran.outcome.verdict.text.empty());
    }

    /// The length is written before the bytes that do not fit.
    void a_value_that_does_not_fit_leaves_its_length() {
        const Ran ran = run("(drop (call $load_storage (i32.const 1024) (i32.const 33554428)))"
                            "(call $give_word (i32.load (i32.const 33554424)))",
                            key);
        QCOMPARE(ran.status(), CallStatus::revert);
        QCOMPARE(ran.given(), le(std::uint32_t{5}));
    }

    void fees_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<quint64>("fee");
        const Fee rows[] = {
            {"(drop (call $request_storage (i32.const 1024)))", 3 + 5},
            {"(drop (call $load_storage (i32.const 1024) (i32.const 5000)))", 2 * (3 + 5)},
            {"(drop (call $request_context))", 96 + 16},
            {"(drop (call $load_context (i32.const 5000)))", 2 * (96 + 16)},
            {"(call $sequence (i32.const 5000))", 5},
            {"(call $fuel (i32.const 5000))", 5},
            {"(call $height (i32.const 5000))", 10},
            {"(call $returndatacopy (i32.const 5000))", 0},
            {"(drop (call $request_transaction))", 50},
            {"(call $load_transaction (i32.const 5000))", 500},
            {"(drop (call $request_block))", 100},
            {"(call $load_block (i32.const 5000))", 1000},
            {"(call $log (i32.const 1024))", 0},
            {"(drop (call $is_dry_run))", 0},
        };
        for (const Fee& row : rows)
            QTest::newRow(row.body) << QString::fromLatin1(row.body) << quint64{row.fee};
    }

    void fees() {
        QFETCH(QString, body);
        QFETCH(quint64, fee);
        World world;
        world.surroundings.rules.watched_imports = true;
        world.put(self, contract(body.toStdString() + "(call $empty)", key));
        world.put_storage(self, "key", "value");
        const Ran late = world.call(self, {77});
        QVERIFY(late.ok());
        QCOMPARE(late.host_calls.at(0).fee, std::uint64_t{fee});
        QCOMPARE(late.outcome.call.gas, late.steps + fee + 160);
        // Below 943,500 fees are checked only, and a map of four bytes costs 8 each below 899,087.
        world.surroundings.rules = alkanes::rules_at(alkanes::Network::mainnet, 890'000);
        world.surroundings.rules.watched_imports = true;
        const Ran early = world.call(self, {77});
        QCOMPARE(early.outcome.call.gas, early.steps + 32);
        QCOMPARE(early.steps, late.steps);
        // A fee that is not there: −1 (or nothing), and the message fails though the contract goes
        // on.
        if (fee < 100) return;
        world.fuel = late.steps + fee / 2;
        const Ran poor = world.call(self, {77});
        QCOMPARE(poor.status(), CallStatus::out_of_fuel);
        QVERIFY(poor.fuel.ran_out);
        QCOMPARE(poor.steps, late.steps);
    }

    void traps_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("text");
        QTest::newRow("unreachable") << "unreachable"
                                     << "unreachable";
        QTest::newRow("bounds") << "(i32.load (i32.const 33554432))"
                                << "out of bounds memory access";
        QTest::newRow("divide") << "(i32.div_u (i32.const 1) (i32.const 0))"
                                << "integer divide by zero";
    }

    void traps() {
        QFETCH(QString, body);
        QFETCH(QString, text);
        const Ran ran = run(body.toStdString());
        QCOMPARE(ran.status(), CallStatus::trap);
        QCOMPARE(QString::fromStdString(ran.outcome.verdict.text), text);
        QVERIFY(ran.fuel.drained);
    }

    void out_of_fuel_ends_it() {
        World world;
        world.fuel = 5'000;
        world.put(self, contract("(loop (br 0)) (call $empty)"));
        const Ran ran = world.call(self);
        QCOMPARE(ran.status(), CallStatus::out_of_fuel);
        QVERIFY(ran.fuel.ran_out && ran.fuel.drained);
    }

    /// 512 pages before the contract runs, 664 at most.
    void memory_is_grown_and_bounded() {
        QCOMPARE(run("(call $give_word (memory.size))").given(), le(std::uint32_t{512}));
        QCOMPARE(run("(call $give_word (memory.grow (i32.const 152)))").given(),
                 le(std::uint32_t{512}));
        QCOMPARE(run("(call $give_word (memory.grow (i32.const 153)))").given(),
                 le(~std::uint32_t{0}));
    }

    /// Each run finds memory as new.
    void nothing_is_left_between_calls() {
        World world;
        world.put(self, contract("(i32.store (i32.const 6000) (i32.add (i32.const 1) (i32.load "
                                 "(i32.const 6000)))) (call $give_word (i32.load (i32.const "
                                 "6000)))"));
        for (int i = 0; i < 3; ++i) QCOMPARE(world.call(self).given(), le(std::uint32_t{1}));
    }

    void modules_that_no_contract_may_be_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("no memory") << "(module (func (export \"__execute\") (result i32) "
                                      "(i32.const 8)))";
        QTest::newRow("no execute") << "(module (memory (export \"memory\") 1))";
        QTest::newRow("type") << "(module (memory (export \"memory\") 1) (func (export "
                                 "\"__execute\")))";
        QTest::newRow("start") << "(module (memory (export \"memory\") 1) (func $s) (start $s) "
                                  "(func (export \"__execute\") (result i32) (i32.const 8)))";
        QTest::newRow("import") << "(module (import \"env\" \"__more\" (func)) (memory (export "
                                   "\"memory\") 1) (func (export \"__execute\") (result i32) "
                                   "(i32.const 8)))";
        QTest::newRow("import type")
            << "(module (import \"env\" \"__height\" (func)) (memory (export \"memory\") 1) "
               "(func (export \"__execute\") (result i32) (i32.const 8)))";
        QTest::newRow("pages") << "(module (memory (export \"memory\") 665) (func (export "
                                  "\"__execute\") (result i32) (i32.const 8)))";
        QTest::newRow("response") << "(module (memory (export \"memory\") 1) (func (export "
                                     "\"__execute\") (result i32) (i32.const 1)))";
    }

    void modules_that_no_contract_may_be() {
        QFETCH(QString, text);
        World world;
        world.put(self, assemble(text.toStdString()));
        const Ran ran = world.call(self);
        QCOMPARE(ran.status(), CallStatus::error);
        QVERIFY(!ran.outcome.verdict.text.empty());
        // The module is only looked at when it is to run: the fuel is gone.
        QVERIFY(ran.fuel.reached_tank && ran.fuel.drained);
    }

    void dry_runs_are_told() {
        const std::string body = "(call $record_get (i32.const 1024)) (call $record_put (i32.const "
                                 "1100)) (call $give_word (call $is_dry_run))";
        const std::string keys = key + buffer(1100, "put");
        World world;
        world.put(self, contract(body, keys));
        // No part of the protocol: only the generated network has them.
        const Ran strict = world.call(self);
        QCOMPARE(strict.status(), CallStatus::error);
        QCOMPARE(strict.outcome.verdict.text,
                 std::string("import \"env\" \"__is_dry_run\": unknown import"));
        QVERIFY(strict.fuel.reached_tank && strict.fuel.drained);
        world.surroundings.rules = rules_at(alkanes::Network::blockloom, 960'000);
        const Ran real = world.call(self);
        QCOMPARE(real.given(), le(std::uint32_t{0}));
        QVERIFY(!real.reads(alkanes::storage_key(self, "key")));
        QVERIFY(real.log.tasks.at(0).attempted.empty());
        world.surroundings.dry_run = true;
        const Ran dry = world.call(self);
        QCOMPARE(dry.given(), le(std::uint32_t{1}));
        QVERIFY(dry.reads(alkanes::storage_key(self, "key")));
        QCOMPARE(dry.log.tasks.at(0).attempted,
                 FlatList<state::Key>{alkanes::storage_key(self, "put")});
        QVERIFY(dry.log.writes.empty());
    }
};

QTEST_GUILESS_MAIN(TestHostFunctions)
#include "test_host_functions.moc"
