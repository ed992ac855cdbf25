// Compiled lanes: budgets, the tape of the host's answers, memory that grows out of the windows,
// and what they leave for.
#include "compute/cpu/cpu_provider.h"
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/module_text.h"
#include "simt/lane_machine.h"
#include "wasm/run.h"

#include <QtTest>

#include <cstring>
#include <set>

using namespace blockloom;
using gpuvm::Ejection;
using gpuvm::StopKind;

namespace {

constexpr std::uint64_t plenty = 100'000'000;

const char* const text = R"((module
 (import "env" "ask" (func $ask (param i32) (result i32)))
 (import "env" "fuel" (func $fuel (param i32)))
 (import "env" "given" (func $given (param i32) (result i32)))
 (memory 1 40)
 (global $count (mut i32) (i32.const 0))
 (data (i32.const 3000) "abcdefgh")
 (func (export "work") (param i32) (result i64) (local i64)
  (loop
   (i64.store offset=1016 (i32.mul (local.get 0) (i32.const 8)) (local.get 1))
   (local.set 1 (i64.add (i64.mul (local.get 1) (i64.const 31)) (i64.load (i32.const 3000))))
   (memory.copy (i32.const 2000) (i32.const 1000) (i32.const 200))
   (memory.fill (i32.const 2100) (local.get 0) (i32.const 70))
   (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  (drop (memory.grow (i32.const 1)))
  (i64.add (local.get 1) (i64.load (i32.const 2096))))
 (func (export "asks") (param i32) (result i32)
  (loop
   (i32.store (i32.const 500) (i32.add (i32.load (i32.const 500)) (call $ask (local.get 0))))
   (global.set $count (i32.add (global.get $count) (i32.load (i32.const 600))))
   (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  (i32.add (i32.load (i32.const 500)) (global.get $count)))
 (func (export "grows") (param i32) (result i32)
  (drop (memory.grow (local.get 0)))
  (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)) (i32.const 77))
  (i32.load (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4))))
 (func $down (export "down") (param i32) (result i32)
  (if (result i32) (local.get 0)
   (then (i32.add (i32.const 2) (call $down (i32.sub (local.get 0) (i32.const 1)))))
   (else (i32.const 0))))
 (func (export "fuel") (param i32) (result i64)
  (call $fuel (local.get 0)) (i64.load (local.get 0)))
 (func (export "given") (param i32) (result i32)
  (drop (call $ask (i32.const 1)))
  (drop (call $given (local.get 0)))
  (i32.load (local.get 0)))))";

/// What the host answers to `ask(n)`: 10 n + the bytes at 500; it writes n to 600.
std::uint32_t answer_to(std::uint32_t n, std::uint32_t at_500) {
    return 10 * n + at_500;
}

} // namespace

class TestCompiledLanes : public QObject {
    Q_OBJECT

    std::shared_ptr<wasm::Instance> instance_;

    std::unique_ptr<gpuvm::Machine> machine(const gpuvm::Options& options = {}) {
        auto made = simt::make_machine(compute::open_lanes(), options);
        gpuvm::HostRule fuel, given;
        fuel.kind = gpuvm::HostRule::Kind::fuel;
        fuel.fee = 5;
        given.kind = gpuvm::HostRule::Kind::given_copy;
        given.fee_per_byte = 2;
        given.answers_pointer = true;
        const std::vector<gpuvm::HostRule> rules{{}, fuel, given};
        instance_->reset();
        if (!made->add(gpuvm::image_of(*instance_), rules)) qFatal("the program does not fit");
        return made;
    }
    gpuvm::Invocation call(const char* name, const wasm::Cell& argument,
                           std::uint64_t fuel = plenty) {
        gpuvm::Invocation invocation;
        invocation.function = tests::function_of(*instance_, name);
        invocation.arguments = {&argument, 1};
        invocation.fuel = fuel;
        return invocation;
    }
    /// One call alone, to its first stop.
    gpuvm::Stop run(gpuvm::Batch& batch, const char* name, wasm::Cell argument,
                    std::uint64_t fuel = plenty) {
        const gpuvm::Invocation invocation = call(name, argument, fuel);
        if (const Status begun = batch.start({&invocation, 1}, {}); !begun)
            qFatal("%s", begun.error().message.c_str());
        return next(batch);
    }
    static gpuvm::Stop next(gpuvm::Batch& batch) {
        if (!batch.advance()) qFatal("a batch failed");
        return batch.stops().front();
    }
    static std::uint32_t word(gpuvm::Batch& batch, std::uint32_t address) {
        const gpuvm::PageRead page{0, address / 1024};
        std::array<Byte, 1024> bytes{};
        if (!batch.read_pages({&page, 1}, bytes)) qFatal("a page was not read");
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + address % 1024, sizeof value);
        return value;
    }
    /// Answers the call in which the lane waits.
    static void answer(gpuvm::Batch& batch, std::optional<std::string> bytes = {}) {
        const auto n = static_cast<std::uint32_t>(batch.arguments(0).front());
        const gpuvm::PageRead page{0, 0};
        std::array<Byte, 1024> first{};
        if (!batch.read_pages({&page, 1}, first)) qFatal("a page was not read");
        std::memcpy(first.data() + 600, &n, sizeof n);
        if (!batch.write_pages({&page, 1}, first)) qFatal("a page was not written");
        const wasm::Cell result = answer_to(n, word(batch, 500));
        gpuvm::HostReply reply;
        reply.results = {&result, 1};
        reply.fee = n;
        reply.bytes = std::move(bytes);
        batch.answer(0, reply);
    }

private Q_SLOTS:
    void initTestCase() {
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        instance_ = tests::instance_of(text);
    }

    /// A budget that is enough gives the interpreter's results, any other leaves.
    void every_budget() {
        const auto on = machine();
        const wasm::Cell argument = 5;
        const auto expected = [&](std::uint64_t fuel) {
            instance_->reset();
            wasm::RunLimits limits;
            limits.fuel = fuel;
            return wasm::Interpreter(*instance_)
                .invoke(tests::function_of(*instance_, "work"), {&argument, 1}, limits);
        };
        const std::uint64_t whole = expected(plenty).fuel_used;
        QVERIFY(whole > 100);
        std::vector<gpuvm::Invocation> calls;
        for (std::uint64_t fuel = 0; fuel <= whole + 1; ++fuel)
            calls.push_back(call("work", argument, fuel));
        const auto batch = on->batch();
        QVERIFY(batch->start(calls, {}).ok());
        QVERIFY(batch->advance().ok());
        QCOMPARE(batch->stops().size(), calls.size());
        for (std::uint64_t fuel = 0; fuel < calls.size(); ++fuel) {
            const gpuvm::Stop& stop = batch->stops()[fuel];
            QCOMPARE(stop.kind, fuel < whole ? StopKind::ejected : StopKind::returned);
            if (fuel < whole) {
                QCOMPARE(stop.ejection, Ejection::fuel);
                continue;
            }
            const wasm::RunResult there = expected(fuel);
            const gpuvm::Ended here = batch->ended(stop.invocation);
            QCOMPARE(here.run.results, there.results);
            QCOMPARE(here.run.fuel_used, there.fuel_used);
            QCOMPARE(here.run.steps, there.steps);
            QCOMPARE(here.least_left, fuel - whole);
            QCOMPARE(here.pages, 2u);
        }
        // What lies above what a lane is given at once is not lost.
        QCOMPARE(run(*batch, "work", argument, std::uint64_t{1} << 62).kind, StopKind::returned);
        QCOMPARE(batch->ended(0).run.fuel_used, whole);
        QCOMPARE(batch->fuel_left(0), (std::uint64_t{1} << 62) - whole);
        QCOMPARE(run(*batch, "fuel", 904, std::uint64_t{1} << 62).kind, StopKind::returned);
        const wasm::Cell reported = batch->ended(0).run.results.front();
        QVERIFY(reported < std::uint64_t{1} << 62 && reported > (std::uint64_t{1} << 62) - 20);
    }

    /// A lane runs again after each answer and finds what the host gave and wrote before.
    void answers_stay_on_the_tape() {
        gpuvm::Options options;
        options.tapes = 4;
        const auto on = machine(options);
        const auto batch = on->batch();
        QCOMPARE(run(*batch, "asks", 4).kind, StopKind::host_call);
        std::uint32_t sum = 0, count = 0;
        std::uint64_t fees = 0;
        for (std::uint32_t n = 4; n > 0; --n) {
            QCOMPARE(batch->stops().front().import, 0u);
            QCOMPARE(batch->arguments(0), (std::vector<wasm::Cell>{n}));
            QCOMPARE(word(*batch, 500), sum);
            answer(*batch);
            sum += answer_to(n, sum), count += n, fees += n;
            QCOMPARE(next(*batch).kind, n > 1 ? StopKind::host_call : StopKind::returned);
        }
        const gpuvm::Ended ended = batch->ended(0);
        QCOMPARE(ended.run.results.front(), wasm::Cell{sum + count});
        QCOMPARE(ended.run.fuel_used - ended.run.steps, fees);
        QCOMPARE(batch->globals(0).value().front(), wasm::Cell{count});
        QCOMPARE(word(*batch, 600), 1u);
        // One answer more than the tape may have.
        QCOMPARE(run(*batch, "asks", 5).kind, StopKind::host_call);
        for (int i = 0; i < 3; ++i) {
            answer(*batch);
            QCOMPARE(next(*batch).kind, StopKind::host_call);
        }
        answer(*batch);
        QCOMPARE(next(*batch).ejection, Ejection::tapes);
    }

    /// The host's error ends the lane at the place of the call, as on the interpreter.
    void an_error_is_a_trap_at_the_call() {
        const auto on = machine();
        const auto batch = on->batch();
        QCOMPARE(run(*batch, "asks", 2).kind, StopKind::host_call);
        const std::uint64_t left = batch->fuel_left(0);
        gpuvm::HostReply reply;
        reply.error = "no";
        batch->answer(0, reply);
        QCOMPARE(next(*batch).kind, StopKind::trapped);
        const wasm::Trap trap = batch->ended(0).run.trap;
        QCOMPARE(trap.kind, wasm::TrapKind::host);
        QCOMPARE(trap.text, std::string("no"));
        QCOMPARE(trap.function, tests::function_of(*instance_, "asks"));
        QCOMPARE(batch->ended(0).run.fuel_used, plenty - left);
        const wasm::Program& program = instance_->program();
        std::set<std::uint32_t> calls; // where the function calls
        for (std::uint32_t pc = program.functions[trap.function].entry;
             pc < program.functions[trap.function].end; ++pc)
            if (program.code[pc].op == static_cast<std::uint16_t>(wasm::Opcode::call_import))
                calls.insert(program.offset[pc]);
        QVERIFY(calls.contains(trap.offset));
    }

    /// A circle of calls is closed seven times; what closes it again leaves.
    void recursion() {
        const auto on = machine();
        const auto batch = on->batch();
        for (wasm::Cell rounds = 0; rounds < 8; ++rounds) {
            QCOMPARE(run(*batch, "down", rounds).kind, StopKind::returned);
            instance_->reset();
            const wasm::RunResult there =
                wasm::Interpreter(*instance_)
                    .invoke(tests::function_of(*instance_, "down"), {&rounds, 1});
            const gpuvm::Ended here = batch->ended(0);
            QCOMPARE(here.run.results, there.results);
            QCOMPARE(here.run.fuel_used, there.fuel_used);
            QCOMPARE(here.run.steps, there.steps);
        }
        QCOMPARE(run(*batch, "down", 8).ejection, Ejection::recursion);
    }

    /// Four pages of growth are there at once, sixteen after the program was compiled again; what
    /// lies beyond leaves.
    void growth() {
        const auto on = machine();
        const auto batch = on->batch();
        for (const wasm::Cell pages : {1u, 4u, 5u, 16u}) {
            QCOMPARE(run(*batch, "grows", pages).kind, StopKind::returned);
            QCOMPARE(batch->ended(0).run.results.front(), wasm::Cell{77});
            QCOMPARE(batch->ended(0).pages, static_cast<std::uint32_t>(pages) + 1);
            const auto resident = batch->resident(0);
            QCOMPARE(resident, (std::vector<std::uint32_t>{
                                   (static_cast<std::uint32_t>(pages) + 1) * 64 - 1}));
        }
        QCOMPARE(run(*batch, "grows", 17).ejection, Ejection::window);
        QCOMPARE(run(*batch, "grows", 40).ejection,
                 Ejection::bulk); // more than the memory may have
    }

    /// What a nested call returned is copied without asking the host again.
    void given_bytes() {
        const auto on = machine();
        const auto batch = on->batch();
        QCOMPARE(run(*batch, "given", 700).kind, StopKind::host_call);
        answer(*batch, std::string("\x05\x00\x00\x00rest", 8));
        QCOMPARE(next(*batch).kind, StopKind::returned);
        QCOMPARE(batch->ended(0).run.results.front(), wasm::Cell{5});
        QCOMPARE(word(*batch, 696), 8u);
        QCOMPARE(batch->ended(0).run.fuel_used - batch->ended(0).run.steps,
                 std::uint64_t{1 + 2 * 8});
        // Without such an answer the host is asked.
        QCOMPARE(run(*batch, "given", 700).kind, StopKind::host_call);
        answer(*batch);
        QCOMPARE(next(*batch).import, 2u);
    }

    void a_stop_ends_the_batch() {
        const auto on = machine();
        const auto batch = on->batch();
        const wasm::Cell argument = 5;
        const gpuvm::Invocation invocation = call("work", argument);
        QVERIFY(batch->start({&invocation, 1}, {}).ok());
        std::stop_source source;
        source.request_stop();
        const auto advanced = batch->advance(source.get_token());
        QVERIFY(!advanced.ok());
        QCOMPARE(advanced.error().code, ErrorCode::cancelled);
        QVERIFY(batch->stops().empty());
    }
};

QTEST_GUILESS_MAIN(TestCompiledLanes)
#include "test_compiled_lanes.moc"
