// Programs that want too much: every budget of fuel, endless loops, deep calls, an empty pool.
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/machine.h"
#include "gpuvm/module_text.h"
#include "wasm/run.h"

#include <QtTest>

using namespace blockloom;
using gpuvm::Ejection;
using gpuvm::StopKind;

namespace {

const char* const text = R"((module (memory 80 200)
 (func $deep (export "deep") (param i32) (result i32)
  (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 7))
   (else (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))))
 (func (export "endless") (loop (br 0)))
 (func (export "pages") (param i32)
  (loop (i32.store8 (i32.mul (local.get 0) (i32.const 1024)) (i32.const 1))
   (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
 (func (export "work") (param i32) (result i64) (local i64)
  (loop
   (i64.store offset=1021 (i32.mul (local.get 0) (i32.const 3)) (local.get 1))
   (local.set 1 (i64.add (i64.mul (local.get 1) (i64.const 31)) (i64.extend_i32_u (call $deep (local.get 0)))))
   (memory.copy (i32.const 2000) (i32.const 1000) (i32.const 200))
   (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  (drop (memory.grow (i32.const 1)))
  (i64.add (local.get 1) (i64.load (i32.const 2005))))))";

} // namespace

class TestLimits : public QObject {
    Q_OBJECT

    compute::ProviderPtr provider_;
    std::shared_ptr<wasm::Instance> instance_;

    std::unique_ptr<gpuvm::Machine> machine(const gpuvm::Options& options = {}) {
        auto made = gpuvm::Machine::make(provider_, tests::without_time_out(options));
        if (!made) qFatal("%s", made.error().message.c_str());
        if (!(*made)->add(gpuvm::image_of(*instance_), {})) qFatal("the program does not fit");
        return *std::move(made);
    }
    gpuvm::Invocation call(const char* name, std::span<const wasm::Cell> arguments,
                           std::uint64_t fuel = 100'000'000) {
        gpuvm::Invocation invocation;
        invocation.function = tests::function_of(*instance_, name);
        invocation.arguments = arguments;
        invocation.fuel = fuel;
        return invocation;
    }
    /// Runs to the end; how each lane stopped.
    static std::vector<gpuvm::Stop> all_stops(gpuvm::Batch& batch,
                                              std::span<const gpuvm::Invocation> calls) {
        const Status begun = batch.start(calls, {});
        if (!begun) qFatal("%s", begun.error().message.c_str());
        std::vector<gpuvm::Stop> stops(calls.size());
        for (bool running = true; running;) {
            const auto advanced = batch.advance();
            if (!advanced) qFatal("%s", advanced.error().message.c_str());
            running = *advanced;
            for (const gpuvm::Stop& stop : batch.stops()) stops[stop.invocation] = stop;
        }
        return stops;
    }

private Q_SLOTS:
    void initTestCase() {
        std::string why;
        provider_ = tests::gpuvm_device(why);
        if (!provider_) QSKIP(why.c_str());
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        instance_ = tests::instance_of(text);
    }

    void every_budget_ends_as_on_the_interpreter() {
        const auto on = machine();
        const wasm::Cell argument = 5;
        instance_->reset();
        const std::uint64_t whole =
            wasm::Interpreter(*instance_)
                .invoke(tests::function_of(*instance_, "work"), {&argument, 1}, {})
                .fuel_used;
        QVERIFY(whole > 100);
        std::vector<gpuvm::Invocation> calls;
        for (std::uint64_t fuel = 0; fuel <= whole + 1; ++fuel)
            calls.push_back(call("work", {&argument, 1}, fuel));
        calls.push_back(call("work", {&argument, 1}, ~std::uint64_t{0}));
        calls.push_back(call("work", {&argument, 1}, (std::uint64_t{1} << 32) + 3));
        const auto batch = on->batch();
        (void)all_stops(*batch, calls);
        std::size_t out = 0;
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            instance_->reset();
            wasm::RunLimits limits;
            limits.fuel = calls[i].fuel;
            const wasm::RunResult expected =
                wasm::Interpreter(*instance_).invoke(calls[i].function, {&argument, 1}, limits);
            const wasm::RunResult found = batch->ended(i).run;
            QCOMPARE(found.outcome, expected.outcome);
            QCOMPARE(found.trap.kind, expected.trap.kind);
            QCOMPARE(found.trap.function, expected.trap.function);
            QCOMPARE(found.trap.offset, expected.trap.offset);
            QCOMPARE(found.fuel_used, expected.fuel_used);
            QCOMPARE(found.steps, expected.steps);
            QVERIFY(found.results == expected.results);
            out += found.trap.kind == wasm::TrapKind::out_of_fuel;
        }
        QCOMPARE(out, std::size_t{whole});
    }

    void endless_loops_are_cancelled_and_dropped() {
        const auto on = machine();
        const std::vector<gpuvm::Invocation> calls(9, call("endless", {}, ~std::uint64_t{0}));
        const auto batch = on->batch();
        QVERIFY(batch->start(calls, {}).ok());
        const auto first = batch->advance();
        QVERIFY(first.ok() && *first && batch->stops().empty());
        const std::uint64_t steps = batch->so_far(3).steps;
        QVERIFY(steps > 0);
        for (std::uint32_t i = 0; i < 8; ++i) batch->drop(i);
        const auto second = batch->advance();
        QVERIFY(second.ok() && *second);
        QVERIFY(batch->so_far(8).steps > steps);
        std::stop_source stop;
        stop.request_stop();
        const auto third = batch->advance(stop.get_token());
        QVERIFY(!third.ok());
        QCOMPARE(third.error().code, ErrorCode::cancelled);
        batch->drop(8);
        const auto last = batch->advance();
        QVERIFY(last.ok() && !*last);
    }

    void deep_calls_are_ejected_or_trap() {
        const wasm::Cell depths[] = {10, 60, 70, 1022, 1023, 1024, 5000};
        std::vector<gpuvm::Invocation> calls;
        for (const wasm::Cell& depth : depths) calls.push_back(call("deep", {&depth, 1}));
        const auto narrow = machine();
        const auto first = narrow->batch();
        const auto stops = all_stops(*first, calls);
        QCOMPARE(stops[0].kind, StopKind::returned);
        QCOMPARE(stops[1].kind, StopKind::returned);
        for (std::size_t i = 2; i < std::size(depths); ++i)
            QCOMPARE(stops[i].ejection, Ejection::depth);
        gpuvm::Options options;
        options.frames = 1024;
        options.registers = 131'072;
        const auto wide = machine(options);
        const auto second = wide->batch();
        (void)all_stops(*second, calls);
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            instance_->reset();
            wasm::RunLimits limits;
            limits.fuel = calls[i].fuel;
            const wasm::RunResult expected =
                wasm::Interpreter(*instance_).invoke(calls[i].function, {&depths[i], 1}, limits);
            const wasm::RunResult found = second->ended(i).run;
            QCOMPARE(found.trap.kind, expected.trap.kind);
            QCOMPARE(found.trap.offset, expected.trap.offset);
            QCOMPARE(found.fuel_used, expected.fuel_used);
            QVERIFY(found.results == expected.results);
        }
        QCOMPARE(second->ended(6).run.trap.kind, wasm::TrapKind::call_stack_exhausted);
    }

    void an_empty_pool_ejects_who_wants_more() {
        const auto on = machine();
        const wasm::Cell many = 5'000, few = 3;
        std::vector<gpuvm::Invocation> calls{call("pages", {&many, 1})};
        const auto batch = on->batch();
        QCOMPARE(all_stops(*batch, calls)[0].ejection, Ejection::pages);
        // The batch is as good as new afterwards.
        calls = {call("pages", {&few, 1}), call("pages", {&few, 1})};
        for (const gpuvm::Stop& stop : all_stops(*batch, calls))
            QCOMPARE(stop.kind, StopKind::returned);
        QCOMPARE(batch->resident(1).size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "test_limits.moc"
