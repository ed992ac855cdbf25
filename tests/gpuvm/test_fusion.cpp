// Instructions that become one on the device: the same results, traps, places and fuel, and never
// where the register between them is read again.
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/fusion.h"
#include "gpuvm/machine.h"
#include "gpuvm/module_text.h"
#include "wasm/run.h"

#include <QtTest>

#include <algorithm>

using namespace blockloom;

namespace {

const char* const text = R"((module (memory 1)
 (data (i32.const 996) "\81\92\a3\b4\c5\d6\e7\f8\09\1a\2b\3c\4d\5e\6f\70")
 (func (export "load_at_sum") (param i32) (result i32)
  (i32.load (i32.add (local.get 0) (i32.const -4))))
 (func (export "load_at_sum_with_offset") (param i32) (result i32)
  (i32.load offset=4 (i32.add (local.get 0) (i32.const -4))))
 (func (export "load_wide_at_sum") (param i32) (result i64)
  (i64.load (i32.add (local.get 0) (i32.const 3))))
 (func (export "load_masked") (param i32) (result i32)
  (i32.and (i32.load8_s (i32.add (local.get 0) (i32.const 1))) (i32.const 0xfffffff0)))
 (func (export "load_at_constant") (param i32) (result i32)
  (i32.add (local.get 0) (i32.load offset=6 (i32.const 992))))
 (func (export "load_past_the_end") (param i32) (result i32)
  (i32.add (local.get 0) (i32.load offset=0xffffffff (i32.const 992))))
 (func (export "store_at_sum") (param i32) (result i32)
  (i32.store16 (i32.add (local.get 0) (i32.const -2)) (local.get 0))
  (i32.store (i32.add (local.get 0) (i32.const 1021)) (i32.const -77))
  (i64.load (i32.const 1000)) (i32.wrap_i64))
 (func (export "store_at_constant") (param i32) (result i32)
  (i32.store8 (i32.const 2047) (local.get 0))
  (i32.store offset=1 (i32.const 2045) (i32.const 0x01020304))
  (i32.load (i32.const 2044)))
 (func (export "store_own_address") (param i32) (result i32) (local i32)
  (i32.store (local.tee 1 (i32.add (local.get 0) (i32.const 8))) (local.get 1))
  (i32.load offset=8 (local.get 0)))
 (func (export "sum_of_three") (param i32) (result i32)
  (i32.add (i32.add (local.get 0) (i32.mul (local.get 0) (i32.const 3))) (i32.const -9)))
 (func (export "sum_turned") (param i32) (result i32)
  (i32.add (i32.mul (local.get 0) (i32.const 5)) (i32.add (local.get 0) (i32.const 17))))
 (func (export "turned") (param i32) (result i32)
  (i32.xor (i32.rotl (local.get 0) (i32.const 7)) (local.get 0)))
 (func (export "twice_turned") (param i32) (result i32)
  (i32.xor (i32.rotl (local.get 0) (i32.const 32))
           (i32.xor (local.get 0) (i32.rotl (local.get 0) (i32.const 19)))))
 (func (export "load_at_two_registers") (param i32) (result i32)
  (i32.load16_u (i32.add (local.get 0) (i32.shr_u (local.get 0) (i32.const 8)))))
 (func (export "load_at_two_registers_with_offset") (param i32) (result i32)
  (i32.and (i32.load offset=7 (i32.add (local.get 0) (i32.shl (local.get 0) (i32.const 1))))
           (i32.const 0xffffff)))
 (func (export "load_at_three") (param i32) (result i64)
  (i64.load (i32.add (i32.add (local.get 0) (i32.shr_u (local.get 0) (i32.const 4)))
                     (i32.const -8))))
 (func (export "store_at_two_registers") (param i32) (result i32)
  (i32.store offset=3 (i32.add (local.get 0) (i32.shr_u (local.get 0) (i32.const 5)))
                      (local.get 0))
  (i32.load offset=3 (i32.add (local.get 0) (i32.shr_u (local.get 0) (i32.const 5)))))
 (func (export "load_and_add") (param i32) (result i32)
  (i32.add (i32.load8_s offset=2 (local.get 0)) (local.get 0)))
 (func (export "load_mask_and_add") (param i32) (result i32)
  (i32.and (i32.add (i32.and (i32.load (local.get 0)) (i32.const 0xff)) (local.get 0))
           (i32.const 0xfff0)))
 (func (export "add_to_itself") (param i32) (result i32) (local i32)
  (i32.add (local.tee 1 (i32.load (local.get 0))) (local.get 1)))
 (func (export "both_turned") (param i32) (result i32)
  (i32.xor (i32.xor (i32.rotl (local.get 0) (i32.const 30)) (i32.rotl (local.get 0) (i32.const 19)))
           (i32.rotr (local.get 0) (i32.const 22))))
 (func (export "turned_and_read_again") (param i32) (result i32) (local i32)
  (i32.add (i32.xor (local.tee 1 (i32.rotl (local.get 0) (i32.const 30)))
                    (i32.rotl (local.get 0) (i32.const 19))) (local.get 1)))
 (func (export "shifted_sum") (param i32) (result i32)
  (i32.mul (i32.add (i32.shr_s (local.get 0) (i32.const 3)) (i32.const -12345678))
           (i32.add (i32.rotr (local.get 0) (i32.const 9)) (i32.const 40))))
 (func (export "xor_with_minus_one") (param i32) (result i32)
  (i32.xor (local.get 0) (i32.const -1)))
 (func (export "return_sum") (param i32) (result i32)
  (i32.add (local.get 0) (i32.const 0x12345678)))
 (func (export "count_down") (param i32) (result i32) (local i32)
  (local.set 0 (i32.and (local.get 0) (i32.const 15)))
  (block (br_if 0 (i32.eqz (local.tee 0 (i32.add (local.get 0) (i32.const -3)))))
   (loop (local.set 1 (i32.add (local.get 1) (i32.const 7)))
    (br_if 0 (i32.and (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 0x1f)))))
  (i32.add (local.get 0) (local.get 1)))
 (func (export "count_by_much") (param i32) (result i32)
  (block (br_if 0 (local.tee 0 (i32.add (local.get 0) (i32.const 32768))))
   (return (i32.const 5)))
  (block (br_if 0 (i32.and (local.get 0) (i32.const 0x18000))) (return (i32.const 6)))
  (local.get 0))
 (func (export "sum_read_again") (param i32) (result i32) (local i32)
  (i32.add (i32.load (local.tee 1 (i32.add (local.get 0) (i32.const 4)))) (local.get 1)))
 (func (export "sum_read_after_a_loop") (param i32) (result i32) (local i32 i32)
  (local.set 2 (i32.load8_u (local.tee 1 (i32.add (local.get 0) (i32.const 5)))))
  (loop (br_if 0 (i32.and (local.tee 2 (i32.add (local.get 2) (i32.const 1))) (i32.const 15))))
  (i32.add (local.get 1) (local.get 2)))
 (func (export "load_read_again") (param i32) (result i32) (local i32)
  (i32.add (i32.and (local.tee 1 (i32.load16_u (local.get 0))) (i32.const 255)) (local.get 1)))))";

constexpr std::uint32_t arguments[] = {
    0,     1,     3,     4,        8,          990,        992,       995,   996,
    997,   1000,  1019,  1020,     1021,       1022,       1023,      1024,  2043,
    64508, 64512, 65530, 65531,    65532,      65533,      65535,     65536, 65537,
    65540, 70000, 77777, 1u << 31, 0xfffffff8, 0xfffffffc, 0xffffffff};

} // namespace

class TestFusion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void joined_instructions_do_the_same() {
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        std::string why;
        const compute::ProviderPtr provider = tests::gpuvm_device(why);
        if (!provider) QSKIP(why.c_str());
        const auto instance = tests::instance_of(text);
        const auto made = gpuvm::Machine::make(provider, tests::without_time_out());
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
        QVERIFY((*made)->add(gpuvm::image_of(*instance), {}).ok());
        std::vector<wasm::Cell> cells(std::begin(arguments), std::end(arguments));
        std::vector<gpuvm::Invocation> calls;
        const auto functions = static_cast<std::uint32_t>(instance->program().functions.size());
        for (std::uint32_t function = 0; function < functions; ++function)
            for (const wasm::Cell& cell : cells) {
                gpuvm::Invocation call;
                call.function = function;
                call.arguments = {&cell, 1};
                call.fuel = 1'000;
                calls.push_back(call);
            }
        const auto batch = (*made)->batch();
        QVERIFY(batch->start(calls, {}).ok());
        for (bool running = true; running;) {
            const auto advanced = batch->advance();
            QVERIFY2(advanced.ok(), advanced.ok() ? "" : advanced.error().message.c_str());
            running = *advanced;
            for (const gpuvm::Stop& stop : batch->stops())
                QVERIFY(stop.kind != gpuvm::StopKind::ejected);
        }
        unsigned trapped = 0;
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            instance->reset();
            wasm::RunLimits limits;
            limits.fuel = calls[i].fuel;
            const wasm::RunResult expected =
                wasm::Interpreter(*instance).invoke(calls[i].function, calls[i].arguments, limits);
            const wasm::RunResult found = batch->ended(i).run;
            const QByteArray where = QByteArray("function ") +
                                     QByteArray::number(calls[i].function) + ", argument " +
                                     QByteArray::number(qulonglong(calls[i].arguments[0]));
            QVERIFY2(found.outcome == expected.outcome, where);
            QVERIFY2(found.results == expected.results, where);
            QVERIFY2(found.trap.kind == expected.trap.kind, where);
            QVERIFY2(found.trap.offset == expected.trap.offset, where);
            QVERIFY2(found.trap.function == expected.trap.function, where);
            QVERIFY2(found.fuel_used == expected.fuel_used, where);
            trapped += expected.outcome == wasm::Outcome::trapped;
        }
        QVERIFY(trapped > 20 && trapped < calls.size() / 2);
    }

    void what_is_joined() {
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        const auto instance = tests::instance_of(text);
        const wasm::Program& program = instance->program();
        const gpuvm::FusedProgram fused = gpuvm::fuse(program);
        QCOMPARE(fused.moved.size(), program.code.size() + 1);
        QCOMPARE(fused.arrivals.size(), fused.lines.size() + 1);
        const auto gone = [&](const char* name) {
            const wasm::ProgramFunction& function =
                program.functions[tests::function_of(*instance, name)];
            return static_cast<int>(function.end - function.entry) -
                   static_cast<int>(fused.moved[function.end] - fused.moved[function.entry]);
        };
        QCOMPARE(gone("load_at_sum"), 1);
        QCOMPARE(gone("load_at_sum_with_offset"), 0);
        QCOMPARE(gone("load_wide_at_sum"), 1);
        QCOMPARE(gone("load_masked"), 2);
        QCOMPARE(gone("load_at_constant"), 2);
        QCOMPARE(gone("load_past_the_end"), 1);
        QCOMPARE(gone("store_at_sum"), 3);
        QCOMPARE(gone("store_at_constant"), 3);
        QCOMPARE(gone("store_own_address"), 0);
        QCOMPARE(gone("sum_of_three"), 1);
        QCOMPARE(gone("turned"), 1);
        QCOMPARE(gone("load_at_two_registers"), 1);
        QCOMPARE(gone("load_at_two_registers_with_offset"), 2);
        QCOMPARE(gone("load_at_three"), 2);
        QCOMPARE(gone("store_at_two_registers"), 2);
        QCOMPARE(gone("load_and_add"), 1);
        QCOMPARE(gone("load_mask_and_add"), 2);
        QCOMPARE(gone("add_to_itself"), 0);
        QCOMPARE(gone("both_turned"), 2);
        QCOMPARE(gone("turned_and_read_again"), 1);
        QCOMPARE(gone("shifted_sum"), 2);
        QCOMPARE(gone("xor_with_minus_one"), 0);
        QCOMPARE(gone("return_sum"), 1);
        QCOMPARE(gone("count_down"), 2);
        QCOMPARE(gone("count_by_much"), 0);
        QCOMPARE(gone("sum_read_again"), 1);
        QCOMPARE(gone("sum_read_after_a_loop"), 1);
        QCOMPARE(gone("load_read_again"), 0);
    }
};

QTEST_GUILESS_MAIN(TestFusion)
#include "test_fusion.moc"
