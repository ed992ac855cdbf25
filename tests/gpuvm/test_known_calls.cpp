// Calls that lanes answer from a list (gpuvm::HostRule::Kind::known_call), and what they
// leave to the host.
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/module_text.h"
#include "wasm/run.h"

#include <QtTest>

using namespace blockloom;
using gpuvm::StopKind;

namespace {

// "go" calls with three pointers, copies what the call gave to 4096, and adds its second byte to
// 1000 times the answer. Bytes at a pointer have their number before them.
const char* const text = R"((module
 (import "env" "known" (func $known (param i32 i32 i32 i64) (result i32)))
 (import "env" "given" (func $given (param i32)))
 (memory 1)
 (data (i32.const 96) "\03\00\00\00abc\00\03\00\00\00abd")
 (data (i32.const 196) "\10\00\00\00")
 (data (i32.const 296) "\14\00\00\00")
 (data (i32.const 396) "\10\00\00\00\00\00\00\00\00\00\00\00\01")
 (data (i32.const 496) "\04\00\00\00")
 (data (i32.const 596) "\1e\00\00\00\02\00\00\00\01\00\00\00k\03\00\00\00vvv\00\00\00\00\02\00\00\00ww and")
 (data (i32.const 696) "\10\00\00\00\02\00\00\00\01\00\00\00k\03\00\00\00vvv")
 (data (i32.const 796) "\0b\00\00\00\01\00\00\00\01\00\00\00k\02\00")
 (data (i32.const 896) "\0c\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff")
 (data (i32.const 996) "\03\00\00\00")
 (func (export "go") (param i32 i32 i32) (result i32) (local i32)
  (local.set 3 (call $known (local.get 0) (local.get 1) (local.get 2) (i64.const 0)))
  (call $given (i32.const 4096))
  (i32.add (i32.mul (local.get 3) (i32.const 1000)) (i32.load8_u (i32.const 4097))))
 (func (export "twice") (param i32 i32 i32) (result i32)
  (drop (call $known (i32.const 108) (local.get 1) (local.get 2) (i64.const 0)))
  (call $known (local.get 0) (local.get 1) (local.get 2) (i64.const 0)))
 (func (export "between") (param i32 i32 i32) (result i32)
  (drop (call $known (local.get 0) (local.get 1) (local.get 2) (i64.const 0)))
  (drop (call $known (i32.const 108) (local.get 1) (local.get 2) (i64.const 0)))
  (call $given (i32.const 4096))
  (i32.load8_u (i32.const 4097))))
)";

constexpr std::uint32_t abc = 100, abd = 108;                                              // keys
constexpr std::uint32_t none = 200, twenty = 300, one = 400;                               // tokens
constexpr std::uint32_t empty = 500, two = 600, short_of_one = 700, cut = 800, many = 900, // maps
    three_bytes = 1000;

} // namespace

class TestKnownCalls : public QObject {
    Q_OBJECT

    static constexpr std::uint32_t owner = 5;
    QString row_;
    std::shared_ptr<wasm::Instance> instance_;
    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;

    StopKind run(std::uint32_t calls, std::uint32_t key, std::uint32_t tokens, std::uint32_t map,
                 const char* function = "go") {
        const std::string bytes = "abc: one, two"; // a key, and two answers
        const std::array values{gpuvm::KnownValue{owner, {0, 3}, {5, 3}, 77},
                                gpuvm::KnownValue{owner + 1, {0, 3}, {10, 3}, 78}};
        const std::array<wasm::Cell, 3> arguments{key, tokens, map};
        gpuvm::Invocation invocation;
        invocation.function = tests::function_of(*instance_, function);
        invocation.arguments = arguments;
        invocation.fuel = 1'000'000;
        invocation.values = false; // of storage: calls are apart
        invocation.calls = calls;
        if (!batch_->start({&invocation, 1}, {as_bytes(bytes), values})) qFatal("a batch failed");
        return advance();
    }
    StopKind advance() {
        for (bool running = true; running;) running = batch_->advance().value();
        return batch_->stops().front().kind;
    }
    std::vector<std::uint32_t> reads() {
        if (!batch_->fetch_reads()) qFatal("the read log is not there");
        std::vector<std::uint32_t> log;
        if (!batch_->read_log(0, log)) qFatal("the read log is damaged");
        return log;
    }
    std::uint64_t result() { return batch_->ended(0).run.results.front(); }

private Q_SLOTS:
    void initTestCase_data() { tests::add_machines(); }

    /// The machine of the row, with the program in it.
    void init() {
        QFETCH_GLOBAL(QString, machine);
        if (machine == row_) return;
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        batch_.reset();
        std::string why;
        machine_ = tests::machine_of(machine, why);
        if (!machine_) QSKIP(why.c_str());
        row_ = machine;
        instance_ = tests::instance_of(text);
        gpuvm::HostRule known, given;
        known.kind = gpuvm::HostRule::Kind::known_call;
        given.kind = gpuvm::HostRule::Kind::given_copy;
        QVERIFY(machine_->add(gpuvm::image_of(*instance_), std::vector{known, given}).ok());
        batch_ = machine_->batch();
    }

    void a_listed_call_is_answered() {
        QCOMPARE(run(owner, abc, none, empty), StopKind::returned);
        QCOMPARE(result(), std::uint64_t{3 * 1000 + 'n'});
        QCOMPARE(reads(), std::vector<std::uint32_t>{77});
        QCOMPARE(run(owner + 1, abc, none, two), StopKind::returned);
        QCOMPARE(result(), std::uint64_t{3 * 1000 + 'w'});
        QCOMPARE(reads(), std::vector<std::uint32_t>{78});
    }

    void anything_else_is_left_to_the_host_data() {
        QTest::addColumn<quint32>("calls");
        QTest::addColumn<quint32>("key");
        QTest::addColumn<quint32>("tokens");
        QTest::addColumn<quint32>("map");
        QTest::newRow("no owner") << quint32{gpuvm::no_owner} << abc << none << empty;
        QTest::newRow("another owner") << owner + 2 << abc << none << empty;
        QTest::newRow("another call") << owner << abd << none << empty;
        QTest::newRow("20 bytes of tokens") << owner << abc << twenty << empty;
        QTest::newRow("a token") << owner << abc << one << empty;
        QTest::newRow("one entry of two") << owner << abc << none << short_of_one;
        QTest::newRow("half a length") << owner << abc << none << cut;
        QTest::newRow("too many entries, too long a key") << owner << abc << none << many;
        QTest::newRow("no number of entries") << owner << abc << none << three_bytes;
        QTest::newRow("a pointer outside") << owner << abc << none << quint32{70'000};
    }
    void anything_else_is_left_to_the_host() {
        QFETCH(quint32, calls);
        QFETCH(quint32, key);
        QFETCH(quint32, tokens);
        QFETCH(quint32, map);
        QCOMPARE(run(calls, key, tokens, map), StopKind::host_call);
        QCOMPARE(batch_->stops().front().import, 0U);
        QVERIFY(reads().empty());
    }

    /// After an answer that forbids them, such as one that failed.
    void the_host_turns_them_off() {
        for (const bool calls : {true, false}) {
            QCOMPARE(run(owner, abc, none, empty, "twice"), StopKind::host_call);
            const wasm::Cell four = 4;
            gpuvm::HostReply reply;
            reply.results = {&four, 1};
            reply.calls = calls;
            batch_->answer(0, reply);
            QCOMPARE(advance(), calls ? StopKind::returned : StopKind::host_call);
        }
    }

    /// What the host gave takes the place of what a listed call gave. The kernel does not have it.
    void the_host_gives_other_bytes() {
        QCOMPARE(run(owner, abc, none, empty, "between"), StopKind::host_call);
        QCOMPARE(batch_->stops().front().import, 0U);
        const wasm::Cell four = 4;
        gpuvm::HostReply reply;
        reply.results = {&four, 1};
        reply.bytes = "host";
        batch_->answer(0, reply);
        if (row_ == QStringLiteral("kernel")) {
            QCOMPARE(advance(), StopKind::host_call);
            QCOMPARE(batch_->stops().front().import, 1U);
        } else {
            QCOMPARE(advance(), StopKind::returned);
            QCOMPARE(result(), std::uint64_t{'o'});
        }
    }
};

QTEST_GUILESS_MAIN(TestKnownCalls)
#include "test_known_calls.moc"
