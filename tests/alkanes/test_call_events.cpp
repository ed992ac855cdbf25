// The events of a message's calls, in the order in which an indexer notes them; expected lists are
// written by hand (docs/metashrew.md#traces).
#include "alkanes/envelope.h"
#include "alkanes/message_world.h"

#include <QtTest>

using namespace calls;
using alkanes::CallEvent;
using alkanes::CallStatus;
using alkanes::NestedKind;

namespace {

constexpr AlkaneId self{2, 5}, callee{2, 6}, token{2, 9};

/// Cellpack at 1024, parcel at 1200, checkpoint map at 1400.
std::string arguments(const AlkaneId& target, const std::vector<u128>& inputs = {},
                      const alkanes::Parcel& parcel = {}, const alkanes::StorageMap& map = {}) {
    return buffer(1024, alkanes::plain_cellpack_bytes({target, inputs})) +
           buffer(1200, alkanes::parcel_bytes(parcel)) +
           buffer(1400, alkanes::storage_map_bytes(map));
}

std::string nested(const char* kind = "call") {
    return "(call $" + std::string(kind) +
           " (i32.const 1024) (i32.const 1200) (i32.const 1400) (i64.const 7))";
}

Bytes caller(const std::string& arguments_data, const char* kind = "call") {
    return contract("(drop " + nested(kind) + ") (call $empty)", arguments_data);
}

/// A contract that returns these bytes as its response.
Bytes answering(const alkanes::Parcel& transfers, const alkanes::StorageMap& map,
                const std::string& data) {
    const std::string response =
        alkanes::parcel_bytes(transfers) + alkanes::storage_map_bytes(map) + data;
    return contract("(i32.const 3000)", buffer(3000, response));
}

CallEvent enters(const AlkaneId& myself, const AlkaneId& by, std::uint64_t fuel,
                 std::vector<u128> inputs = {}, std::vector<alkanes::Transfer> incoming = {},
                 NestedKind kind = NestedKind::call) {
    CallEvent event;
    event.call = kind;
    event.myself = myself;
    event.caller = by;
    event.inputs = std::move(inputs);
    event.vout = 4; // of the world's messages
    event.fuel = fuel;
    event.transfers = std::move(incoming);
    return event;
}

CallEvent leaves(std::string data = {}, std::vector<alkanes::Transfer> transfers = {},
                 std::vector<std::pair<std::string, std::string>> storage = {}) {
    CallEvent event;
    event.kind = CallEvent::Kind::exit;
    event.ok = true;
    event.data = std::move(data);
    event.transfers = std::move(transfers);
    event.storage = std::move(storage);
    return event;
}

CallEvent fails(const std::string& text) {
    CallEvent event;
    event.kind = CallEvent::Kind::exit;
    event.data = "\x08\xc3\x79\xa0" + text;
    return event;
}

CallEvent creates(const AlkaneId& id) {
    CallEvent event;
    event.kind = CallEvent::Kind::created;
    event.myself = id;
    return event;
}

QByteArray described(const std::vector<CallEvent>& events) {
    QByteArray text;
    for (const CallEvent& event : events)
        text += QByteArray::number(int(event.kind)) + ' ' +
                QByteArray::fromStdString(alkanes::id_text(event.myself)) + ' ' +
                QByteArray::number(qulonglong(event.fuel)) + ' ' +
                QByteArray::fromStdString(event.data) + "; ";
    return text;
}

#define COMPARE_EVENTS(ran, ...)                                                                   \
    do {                                                                                           \
        const std::vector<CallEvent> expected_events{__VA_ARGS__};                                 \
        QVERIFY2((ran).events == expected_events, described((ran).events).constData());            \
    } while (false)

/// What a callee's contract has when it begins, which it answers with `__fuel` after a fixed number
/// of instructions.
Bytes asking_for_fuel() {
    return contract("(call $fuel (i32.const 5000)) (call $give (i32.const 5000))");
}
std::uint64_t answered(const std::string& data) {
    return data.size() < 12 ? 0 : read_le<std::uint64_t>(as_bytes(data).data() + 4);
}

} // namespace

class TestCallEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void a_message() {
        World world;
        world.put(self, answering({{self, 7}}, {{"a", "1"}, {"b", "2"}}, "data"));
        const Ran ran = world.call(self, {77, 1}, {{token, 3}});
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        COMPARE_EVENTS(ran, enters(self, {}, world.fuel, {77, 1}, {{token, 3}}),
                       leaves("data", {{self, 7}}, {{"a", "1"}, {"b", "2"}}));
        world.surroundings.events = false;
        QVERIFY(world.call(self).events.empty());
    }

    void a_message_that_fails_after_it_ran() {
        World world;
        world.put(self, answering({{token, 7}}, {{"a", "1"}}, "data"));
        const Ran ran = world.call(self); // it has no such token
        QVERIFY(!ran.ok());
        COMPARE_EVENTS(ran, enters(self, {}, world.fuel), fails(ran.outcome.verdict.text));
        // No module: entered all the same.
        const Ran empty = world.call({2, 100});
        COMPARE_EVENTS(empty, enters({2, 100}, {}, world.fuel), fails(empty.outcome.verdict.text));
    }

    void a_message_that_did_not_come_to_run() {
        World world;
        QVERIFY(world.call({4, 1}).events.empty());  // no code
        QVERIFY(world.call({5, 50}).events.empty()); // a clone of nothing
        world.put(self, answering({}, {}, ""));
        world.put_balance(self, token, ~u128{0});
        QVERIFY(world.call(self, {}, {{token, 1}}).events.empty()); // it cannot be credited
    }

    void kinds_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind");
        QTest::newRow("call") << QStringLiteral("call") << int(NestedKind::call);
        QTest::newRow("delegate") << QStringLiteral("delegatecall") << int(NestedKind::delegate);
        QTest::newRow("static") << QStringLiteral("staticcall") << int(NestedKind::fixed);
    }
    /// Fuel at entry: what the callee itself reads, and what reading it costs as a message.
    void kinds() {
        QFETCH(QString, name);
        QFETCH(int, kind);
        World world;
        world.put(callee, asking_for_fuel());
        const Ran alone = world.call(callee);
        QVERIFY2(alone.ok(), alone.outcome.verdict.text.c_str());
        const std::uint64_t until_read = world.fuel - answered(alone.data());
        const std::string word = name.toStdString();
        world.put(self, contract("(drop " + nested(word.c_str()) +
                                     ") (call $returndatacopy (i32.const 6000))"
                                     "(call $give (i32.const 6000))",
                                 arguments(callee, {8, 9}, {{self, 3}}, {{"mine", "a"}})));
        const Ran ran = world.call(self, {1});
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        const std::string returned = ran.given().substr(16);
        const std::uint64_t fuel = answered(returned) + until_read;
        QVERIFY(fuel < world.fuel && fuel > world.fuel - 2'000);
        const bool delegate = NestedKind(kind) == NestedKind::delegate;
        COMPARE_EVENTS(ran, enters(self, {}, world.fuel, {1}),
                       enters(delegate ? self : callee, delegate ? AlkaneId{} : self, fuel, {8, 9},
                              {{self, 3}}, NestedKind(kind)),
                       leaves(returned), leaves(ran.data()));
    }

    void what_a_callee_returns() {
        World world;
        world.put(callee, answering({{callee, 5}}, {{"his", "b"}}, "data"));
        world.put(self, caller(arguments(callee)));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(ran.events.size(), std::size_t{4});
        QVERIFY(ran.events[2] == leaves("data", {{callee, 5}}, {{"his", "b"}}));
    }

    /// An exit without an entry.
    void a_precompile() {
        World world;
        world.put(self, caller(arguments({800'000'000, 0}), "staticcall"));
        const Ran ran = world.call(self);
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        const std::string header(world.block.begin(), world.block.begin() + 80);
        COMPARE_EVENTS(ran, enters(self, {}, world.fuel), leaves(header), leaves(ran.data()));
        world.put(self, caller(arguments({800'000'000, 4})));
        const Ran unknown = world.call(self);
        COMPARE_EVENTS(unknown, enters(self, {}, world.fuel),
                       fails("Unknown precompiled contract: [800000000, 4]"),
                       fails(unknown.outcome.verdict.text));
    }

    /// Before the callee runs: a failure without an entry.
    void a_call_that_does_not_come_to_run() {
        World world;
        world.put(callee, answering({}, {}, ""));
        world.put(self, caller(arguments(callee, {}, {{token, 30}})));
        const Ran ran = world.call(self);
        QVERIFY(!ran.ok());
        QCOMPARE(ran.events.size(), std::size_t{3});
        QVERIFY(ran.events[1] == fails(ran.outcome.verdict.text));
        QVERIFY(ran.events[2] == fails(ran.outcome.verdict.text));
    }

    void a_callee_that_fails_data() {
        QTest::addColumn<int>("height");
        QTest::newRow("dooms its caller") << 949'999;
        QTest::newRow("is contained") << 950'000;
    }
    void a_callee_that_fails() {
        QFETCH(int, height);
        World world(static_cast<std::uint64_t>(height));
        world.put(callee, contract("(call $stop) (call $revert (i32.const 1500))",
                                   buffer(1500, alkanes::revert_data("no"))));
        world.put(self, caller(arguments(callee)));
        const Ran ran = world.call(self);
        QVERIFY(!ran.ok());
        QCOMPARE(ran.events.size(), std::size_t{4});
        QVERIFY(ran.events[1].kind == CallEvent::Kind::enter);
        QVERIFY2(ran.events[2] == fails("ALKANES: revert: no"), described(ran.events).constData());
        QVERIFY(ran.events[3].kind == CallEvent::Kind::exit && !ran.events[3].ok);
    }

    void creations() {
        World world;
        world.put({4, 33}, answering({}, {}, "here"));
        const Ran clone = world.call({6, 33});
        QVERIFY2(clone.ok(), clone.outcome.verdict.text.c_str());
        COMPARE_EVENTS(clone, creates({2, 100}), enters({2, 100}, {}, world.fuel), leaves("here"));
        world.put(self, caller(arguments({6, 33})));
        const Ran inside = world.call(self);
        QVERIFY2(inside.ok(), inside.outcome.verdict.text.c_str());
        QCOMPARE(inside.events.size(), std::size_t{5});
        QVERIFY(inside.events[1] == creates({2, 100}));
        QVERIFY(inside.events[2].myself == (AlkaneId{2, 100}));
        const auto payload = alkanes::deflate_code(answering({}, {}, "made"));
        QVERIFY(payload.ok());
        world.surroundings.deployed = &*payload;
        COMPARE_EVENTS(world.call({3, 7}), creates({4, 7}), enters({4, 7}, {}, world.fuel),
                       leaves("made"));
    }
};

QTEST_GUILESS_MAIN(TestCallEvents)
#include "test_call_events.moc"
