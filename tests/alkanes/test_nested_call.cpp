// Contracts that call contracts: checkpoints, transfers, failures before and after 950,000, depth,
// creation, precompiles (docs/alkanes-protocol.md#nested-calls).
#include "alkanes/envelope.h"
#include "alkanes/message_world.h"

#include <QtTest>

using namespace calls;
using alkanes::CallStatus;

namespace {

constexpr AlkaneId self{2, 5}, callee{2, 6}, token{2, 9};

std::string storage_map(const alkanes::StorageMap& map) {
    return alkanes::storage_map_bytes(map);
}

/// Cellpack at 1024, parcel at 1200, checkpoint map at 1400.
std::string arguments(const AlkaneId& target, const std::vector<u128>& inputs = {},
                      const alkanes::Parcel& parcel = {}, const alkanes::StorageMap& map = {}) {
    return buffer(1024, alkanes::plain_cellpack_bytes({target, inputs})) +
           buffer(1200, alkanes::parcel_bytes(parcel)) + buffer(1400, storage_map(map));
}

std::string nested(const char* kind = "call") {
    return "(call $" + std::string(kind) +
           " (i32.const 1024) (i32.const 1200) (i32.const 1400) (i64.const 7))";
}

/// A contract that makes the call and gives what it returned.
Bytes caller(const std::string& arguments_data, const char* kind = "call") {
    return contract("(drop " + nested(kind) +
                        ") (call $returndatacopy (i32.const 5000)) (call $give (i32.const 5000))",
                    arguments_data);
}

/// A contract that returns these bytes as its response.
Bytes answering(const alkanes::Parcel& transfers, const alkanes::StorageMap& map,
                const std::string& data, const char* before = "") {
    const std::string response = alkanes::parcel_bytes(transfers) + storage_map(map) + data;
    return contract(std::string(before) + "(i32.const 3000)", buffer(3000, response));
}

std::string storage_of(const Ran& ran, const AlkaneId& id, const std::string& key) {
    const auto value = ran.written(alkanes::storage_key(id, key));
    return value ? std::string(value->bytes()) : "-";
}

} // namespace

class TestNestedCall : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void a_call_commits_what_both_did() {
        World world;
        world.put(self, caller(arguments(callee, {1, 2}, {}, {{"mine", "a"}})));
        world.put(callee, answering({}, {{"his", "b"}}, "data"));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.given(), alkanes::call_response_bytes({}, "data"));
        QCOMPARE(storage_of(ran, self, "mine"), std::string("a"));
        QCOMPARE(storage_of(ran, callee, "his"), std::string("b"));
        QCOMPARE(*ran.host_calls.at(0).result, 16 + 4);
        // 500, 40 a byte of the buffer of 17, the callee's instructions, 40 a byte of its map.
        const std::uint64_t map_size = 4 + 8 + 3 + 1;
        QVERIFY(ran.host_calls[0].fee > 500 + 40 * (4 + 8 + 4 + 1) + 40 * map_size);
    }

    void contexts_of_the_kinds_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("as_caller");
        QTest::newRow("call") << QStringLiteral("call") << false;
        QTest::newRow("static") << QStringLiteral("staticcall") << false;
        QTest::newRow("delegate") << QStringLiteral("delegatecall") << true;
    }

    void contexts_of_the_kinds() {
        QFETCH(QString, kind);
        QFETCH(bool, as_caller);
        World world;
        const std::string name = kind.toStdString();
        world.put(self, caller(arguments(callee, {1, 2}, {{self, 3}}), name.c_str()));
        // The callee's response: no transfers, no entries, its context from 68 bytes on.
        world.put(callee, contract("(drop (call $load_context (i32.const 5000)))"
                                   "(call $give (i32.const 5000))"));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        const alkanes::ContextFields fields = as_caller ? alkanes::ContextFields{self, {0, 0}, 4}
                                                        : alkanes::ContextFields{callee, self, 4};
        const std::string context =
            alkanes::context_bytes(fields, alkanes::Parcel{{self, 3}}, std::vector<u128>{1, 2});
        QCOMPARE(ran.given().substr(16 + 4), context);
    }

    void a_delegate_writes_its_callers_storage() {
        World world;
        world.put(self,
                  caller(arguments(callee, {}, {{self, 3}}, {{"mine", "a"}}), "delegatecall"));
        world.put(callee, answering({{token, 5}}, {{"key", "b"}}, ""));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(storage_of(ran, self, "key"), std::string("b"));
        QCOMPARE(storage_of(ran, self, "mine"), std::string("a"));
        QCOMPARE(storage_of(ran, callee, "key"), std::string("-"));
        // Nothing was transferred in either direction.
        QVERIFY(!ran.reads(alkanes::balance_key(self, self)));
        QVERIFY(!ran.reads(alkanes::balance_key(callee, token)));
    }

    void a_static_call_leaves_nothing() {
        World world;
        world.put(self, caller(arguments(callee, {}, {{self, 3}}, {{"mine", "a"}}), "staticcall"));
        world.put(callee, answering({}, {{"his", "b"}}, "data"));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.given(), alkanes::call_response_bytes({}, "data"));
        QVERIFY(ran.log.writes.empty());
        // What it tried is shown, and what it read is logged.
        QVERIFY(!ran.log.tasks.at(0).attempted.empty());
        QVERIFY(ran.reads(alkanes::balance_key(callee, self)));
    }

    /// The callee, called back, sees what the caller wrote before the call.
    void a_callee_sees_the_flushed_map() {
        World world;
        world.put(self, contract("(if (i32.eq (call $request_context) (i32.const 96)) (then "
                                 "(drop " +
                                     nested() +
                                     ")"
                                     "(call $returndatacopy (i32.const 5000))"
                                     "(return (call $give (i32.const 5000)))))"
                                     "(call $give (call $load_storage (i32.const 1700) (i32.const "
                                     "5000)))",
                                 arguments(self, {1}, {}, {{"k", "new"}}) + buffer(1700, "k")));
        world.put_storage(self, "k", "old");
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.given().substr(16 + 4), std::string("new"));
    }

    void tokens_move_with_calls() {
        World world;
        world.put(self, caller(arguments(callee, {}, {{token, 30}, {self, 7}})));
        world.put(callee, answering({{token, 10}, {callee, 99}}, {}, ""));
        world.put_balance(self, token, 100);
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        const auto held = [&](const AlkaneId& who, const AlkaneId& what) {
            const auto value = ran.written(alkanes::balance_key(who, what));
            return value ? state::counter_of(*value) : ~u128{0};
        };
        QVERIFY(held(self, token) == 80);
        QVERIFY(held(callee, token) == 20);
        // Own tokens are minted: the caller's into the callee, the callee's into the caller.
        QVERIFY(held(self, self) == 0);
        QVERIFY(held(callee, self) == 7);
        QVERIFY(held(callee, callee) == 0);
        QVERIFY(held(self, callee) == 99);
    }

    void who_has_not_enough_is_doomed() {
        World world;
        world.put(self, caller(arguments(callee, {}, {{token, 30}})));
        world.put(callee, answering({}, {}, ""));
        world.put_balance(self, token, 29);
        const Ran ran = world.call(self);
        // Before the callee runs an error is the caller's own, at every height.
        QCOMPARE(ran.status(), CallStatus::revert);
        QVERIFY(ran.outcome.verdict.text.find("balance underflow") != std::string::npos);
        QVERIFY(ran.log.writes.empty());
    }

    /// A callee that reverts: below 950,000 the message is lost whatever the caller does; from
    /// there the caller continues without fuel.
    void a_failed_callee() {
        World world;
        const char* const body = "(call $stop)";
        world.put(callee, contract(std::string(body) + "(call $revert (i32.const 1500))",
                                   buffer(1500, alkanes::revert_data("no"))));
        const std::string data = arguments(callee, {}, {}, {{"mine", "a"}});
        world.put(self, contract("(i32.store (i32.const 6000) " + nested() +
                                     ") (call $height (i32.const 5000)) (call $empty)",
                                 data));
        const Ran contained = world.call(self);
        QCOMPARE(contained.status(), CallStatus::out_of_fuel);
        QCOMPARE(contained.outcome.call.gas, world.fuel);
        const std::string text = alkanes::revert_data("ALKANES: revert: no");
        const auto length = static_cast<std::int32_t>(16 + text.size());
        QCOMPARE(*contained.host_calls.at(0).result, -length);

        world.surroundings.height = 949'999;
        world.surroundings.rules = alkanes::rules_at(alkanes::Network::mainnet, 949'999);
        const Ran doomed = world.call(self);
        QCOMPARE(doomed.status(), CallStatus::revert);
        QCOMPARE(*doomed.host_calls.at(0).result, -length);
        // The caller went on, and could copy the callee's error.
        QCOMPARE(doomed.host_calls.back().name, std::string("__height"));
        QVERIFY(doomed.log.writes.empty());
        world.put(self, contract("(drop " + nested() +
                                     ") (call $returndatacopy (i32.const 5000))"
                                     "(call $give (i32.const 5000))",
                                 data));
        QCOMPARE(world.call(self).given(), alkanes::call_response_bytes({}, text));
    }

    /// What a caller may copy of a failed callee: its revert text, hexadecimal where that is none,
    /// and nothing of the host's own words where it gave no revert data.
    void words_of_a_failed_callee() {
        World world(949'999);
        world.put(self, caller(arguments(callee)));
        const auto copied = [&](const std::string& revert) {
            world.put(callee, contract("(call $stop) (i32.const 3000)",
                                       buffer(3000, std::string(20, '\0') + revert)));
            return world.call(self).given();
        };
        const auto answer = [](const std::string& text) {
            return alkanes::call_response_bytes({}, alkanes::revert_data(text));
        };
        QCOMPARE(copied(alkanes::revert_data("Error: no")), answer("ALKANES: revert: Error: no"));
        QCOMPARE(copied(alkanes::revert_data("")), answer("ALKANES: revert: "));
        QCOMPARE(copied(alkanes::revert_data("\xff\x01")), answer("ALKANES: revert: ff01"));
        QCOMPARE(copied(""), answer("ALKANES: revert"));
        QCOMPARE(copied("\x08\xc3\x79"), answer("ALKANES: revert"));
    }

    /// What a callee's failure rolled back does not show, and what it read does.
    void a_failed_callees_writes_are_attempts() {
        World world(949'999);
        world.put(callee, answering({}, {{"his", "b"}}, "", "(call $stop)"));
        world.put(self, caller(arguments(callee, {}, {}, {{"mine", "a"}})));
        const Ran ran = world.call(self);
        QCOMPARE(ran.status(), CallStatus::revert);
        QCOMPARE(ran.log.tasks.at(0).attempted,
                 FlatList<state::Key>{alkanes::storage_key(self, "mine")});
        QVERIFY(ran.reads(alkanes::code_key(callee)));
    }

    /// 4 + 3 × level checkpoints are open: level 24 is refused, 23 is not.
    void depth_is_bounded() {
        World world;
        world.put(self, contract("(drop " + nested() + ") (call $empty)", arguments(self)));
        const Ran ran = world.call(self);
        std::uint32_t deepest = 0;
        for (const auto& call : ran.host_calls) deepest = std::max(deepest, call.level);
        QCOMPARE(deepest, 24u);
        QVERIFY(!ran.ok());
        // A chain of exactly as many levels ends well.
        const std::string deeper =
            "(drop (call $load_context (i32.const 5000)))"
            "(if (i64.lt_u (i64.load (i32.const 5096)) (i64.const LAST)) (then"
            " (i64.store (i32.const 1056) (i64.add (i64.load (i32.const 5096)) (i64.const 1)))"
            " (drop " +
            nested() + "))) (call $empty)";
        const auto with_last = [&](const char* last) {
            std::string body = deeper;
            body.replace(body.find("LAST"), 4, last);
            world.put(self, contract(body, arguments(self, {0})));
            return world.call(self, {0});
        };
        const Ran good = with_last("24");
        QVERIFY2(good.ok(), good.outcome.verdict.text.c_str());
        QVERIFY(!with_last("25").ok());
    }

    void precompiles_answer_from_the_block_data() {
        QTest::addColumn<int>("number");
        for (int number = 0; number < 4; ++number)
            QTest::newRow(std::to_string(number).c_str()) << number;
    }

    void precompiles_answer_from_the_block() {
        QFETCH(int, number);
        World world;
        const std::string data =
            arguments({800'000'000, static_cast<unsigned>(number)}, {}, {}, {{"mine", "a"}});
        world.put(self, caller(data, "staticcall"));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        const std::string block(world.block.begin(), world.block.end());
        const std::array<std::string, 4> expected{block.substr(0, 80), block.substr(80, 60),
                                                  u128_bytes(4), u128_bytes(315'409'091)};
        QCOMPARE(ran.given(),
                 alkanes::call_response_bytes({}, expected[static_cast<std::size_t>(number)]));
        // No checkpoint, no map, no fuel.
        QVERIFY(ran.log.writes.empty() && ran.log.tasks.at(0).attempted.empty());
        QCOMPARE(ran.host_calls.at(0).fee, std::uint64_t{0});
        // 315,409,091 as the real block has it.
        QCOMPARE(to_hex(as_bytes(expected[3]).first(4)), std::string("c3c2cc12"));
    }

    void other_precompiles_doom() {
        World world;
        world.put(self, caller(arguments({800'000'000, 4})));
        QCOMPARE(world.call(self).status(), CallStatus::revert);
        // A message to one finds no code.
        QCOMPARE(world.call({800'000'000, 2}).status(), CallStatus::error);
    }

    void prepared_answers_stand_for_callees() {
        World world;
        world.put(self, caller(arguments({4, 1}, {}, {{token, 3}})));
        std::map<AlkaneId, std::string> answers{
            {{4, 1}, alkanes::call_response_bytes({{token, 2}}, "x")}};
        world.surroundings.answers = &answers;
        const Ran ran = world.call(self, {}, {{token, 3}});
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.given(), answers.at({4, 1}));
        QVERIFY(state::counter_of(*ran.written(alkanes::balance_key(self, token))) == 2);
    }

    void targets_data() {
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("number");
        QTest::addColumn<bool>("reaches_tank");
        QTest::newRow("not yet created") << 2 << 100 << true;
        QTest::newRow("nothing there") << 2 << 50 << false;
        QTest::newRow("4 without code") << 4 << 1 << false;
        QTest::newRow("32 without code") << 32 << 0 << false;
        QTest::newRow("42 without code") << 42 << 0 << true; // as released
        QTest::newRow("create without envelope") << 1 << 0 << false;
        QTest::newRow("no create") << 1 << 1 << true;
        QTest::newRow("reserve without envelope") << 3 << 7 << false;
        QTest::newRow("clone of nothing") << 5 << 50 << false;
        QTest::newRow("prefix") << 8 << 8 << true; // as released
        QTest::newRow("7") << 7 << 0 << true;
        QTest::newRow("0") << 0 << 0 << true;
    }

    /// What cannot be resolved costs no fuel; what resolves to no code is drained.
    void targets() {
        QFETCH(int, block);
        QFETCH(int, number);
        QFETCH(bool, reaches_tank);
        World world;
        const Ran ran = world.call({static_cast<unsigned>(block), static_cast<unsigned>(number)});
        QCOMPARE(ran.status(), CallStatus::error);
        QCOMPARE(ran.fuel.reached_tank, reaches_tank);
        QVERIFY(ran.log.writes.empty());
    }

    void clones_and_creates_number_themselves() {
        World world;
        world.put({4, 33}, answering({}, {{"k", "v"}}, "here"));
        const Ran clone = world.call({6, 33});
        QVERIFY2(clone.ok(), clone.outcome.verdict.text.c_str());
        QVERIFY(clone.outcome.myself == (AlkaneId{2, 100}));
        QCOMPARE(std::string(clone.written(alkanes::code_key({2, 100}))->bytes()),
                 alkanes::id_bytes({4, 33}));
        QVERIFY(state::counter_of(*clone.written(alkanes::sequence_key())) == 101);
        QCOMPARE(storage_of(clone, {2, 100}, "k"), std::string("v"));
        QVERIFY(clone.reads(alkanes::sequence_key()));

        const auto payload = alkanes::deflate_code(answering({}, {}, "made"));
        QVERIFY(payload.ok());
        world.surroundings.deployed = &*payload;
        const Ran create = world.call({1, 0});
        QVERIFY2(create.ok(), create.outcome.verdict.text.c_str());
        QCOMPARE(create.data(), std::string("made"));
        QVERIFY(state::counter_of(*create.written(alkanes::sequence_key())) == 101);
        const Ran reserved = world.call({3, 7});
        QVERIFY(reserved.ok());
        QVERIFY(reserved.outcome.myself == (AlkaneId{4, 7}));
        QVERIFY(!reserved.written(alkanes::sequence_key()));
        world.state.apply(alkanes::clone_entries({4, 7}, {4, 33}));
        QCOMPARE(world.call({3, 7}).status(), CallStatus::error);
        // A payload that is no gzip, or a gzip of what is no module.
        const Bytes nonsense(40, 7);
        world.surroundings.deployed = &nonsense;
        QVERIFY(!world.call({1, 0}).fuel.reached_tank);
        const auto other = alkanes::deflate_code(nonsense);
        world.surroundings.deployed = &*other;
        QVERIFY(world.call({1, 0}).fuel.reached_tank);
    }

    void a_create_inside_a_call_is_rolled_back_with_it() {
        World world(943'499);
        world.put({4, 33}, answering({}, {}, "", "(call $stop)"));
        world.put(self, contract("(drop " + nested() + ") (call $empty)", arguments({6, 33})));
        const Ran ran = world.call(self);
        QVERIFY(!ran.ok());
        QVERIFY(ran.log.writes.empty());
        // Deploying inside a call costs 100,000, checked only at this height.
        QCOMPARE(ran.host_calls.at(0).fee, std::uint64_t{0});
        World later;
        later.put({4, 33}, answering({}, {}, ""));
        later.put(self, contract("(drop " + nested() + ") (call $empty)", arguments({6, 33})));
        QVERIFY(later.call(self).host_calls.at(0).fee > 100'000 + 500);
    }

    /// A template of itself, which [5, next] makes, ends.
    void templates_in_a_circle_end() {
        World world;
        const Ran ran = world.call({5, 100});
        QCOMPARE(ran.status(), CallStatus::error);
        QVERIFY(!ran.fuel.reached_tank);
    }

    void existence_is_a_predicate_above_the_window() {
        World world;
        world.put(self, answering({}, {}, ""));
        QVERIFY(world.call(self).log.predicates.empty());
        world.surroundings.window_sequence = 3;
        const Ran ran = world.call(self);
        QCOMPARE(ran.log.predicates,
                 (FlatList<state::CounterAbove>{{alkanes::sequence_key(), 5, false}}));
        QVERIFY(!ran.reads(alkanes::sequence_key()));
        // That it is not there is a read of the counter.
        QVERIFY(world.call({2, 100}).reads(alkanes::sequence_key()));
    }

    void messages_pay_from_their_balances() {
        World world;
        world.put(self, answering({{token, 4}, {self, 5}}, {}, ""));
        const Ran ran = world.call(self, {}, {{token, 6}});
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QVERIFY(state::counter_of(*ran.written(alkanes::balance_key(self, token))) == 2);
        QVERIFY(state::counter_of(*ran.written(alkanes::balance_key(self, self))) == 0);
        const Ran poor = world.call(self, {}, {{token, 3}});
        QVERIFY(!poor.ok());
        QVERIFY(poor.fuel.drained && poor.log.writes.empty());
        // Own tokens that came in are spent before any are minted.
        const Ran back = world.call(self, {}, {{token, 6}, {self, 9}});
        QVERIFY(state::counter_of(*back.written(alkanes::balance_key(self, self))) == 4);
        // Sums of one token must fit.
        world.put(self, answering({{self, ~u128{0}}, {self, 1}}, {}, ""));
        QVERIFY(!world.call(self).ok());
    }

    /// With exactly its demand a message goes the same way, with one less it does not: fees that
    /// are only checked and fuel of a nested call that is not taken count too.
    void demand_is_the_least_budget_data() {
        QTest::addColumn<quint64>("height");
        QTest::addColumn<bool>("fails");
        for (const quint64 height : {890'000, 945'000, 960'000})
            for (const bool fails : {false, true})
                if (height < 950'000 || !fails)
                    QTest::addRow("%llu %d", height, fails) << height << fails;
    }

    void demand_is_the_least_budget() {
        QFETCH(quint64, height);
        QFETCH(bool, fails);
        World world(height);
        const char* const works = "(local $i i32) (loop (local.set $i (i32.add (local.get $i) "
                                  "(i32.const 1))) (br_if 0 (i32.lt_u (local.get $i) (i32.const "
                                  "90))))";
        world.put(callee, answering({}, {{"his", "b"}}, "",
                                    (std::string(works) + (fails ? "(call $stop)" : "")).c_str()));
        world.put(self, contract("(drop " + nested() +
                                     ") (call $load_block (i32.const 5000))"
                                     "(call $empty)",
                                 arguments(callee, {}, {}, {{"mine", "a"}})));
        const Ran ran = world.call(self);
        QCOMPARE(ran.ok(), !fails);
        QVERIFY(!ran.fuel.ran_out);
        world.fuel = ran.fuel.demand;
        const Ran same = world.call(self);
        QCOMPARE(same.status(), ran.status());
        QCOMPARE(same.log.writes, ran.log.writes);
        QVERIFY(same.fuel.holds_for(10'000'000) && ran.fuel.holds_for(world.fuel));
        world.fuel = ran.fuel.demand - 1;
        QVERIFY(world.call(self).fuel.ran_out);
        QVERIFY(!ran.fuel.holds_for(world.fuel));
    }

    void frbtc_runs_without_a_budget_in_development() {
        World world;
        world.surroundings.rules =
            alkanes::rules_at(alkanes::Network::mainnet, 950'000, alkanes::RuleLine::develop);
        world.fuel = 3;
        world.put({32, 0}, answering({}, {}, "free"));
        const Ran ran = world.call({32, 0});
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.fuel.gas, std::uint64_t{0});
        world.put(self, answering({}, {}, ""));
        QVERIFY(!world.call(self).ok());
    }
};

QTEST_GUILESS_MAIN(TestNestedCall)
#include "test_nested_call.moc"
