// PTX of compiled lanes: no driver compiles it here, but LLVM verifies the module that it comes
// from, and what a kernel must have is looked for in the text.
#include "gpuvm/module_text.h"
#include "native/lanes/lane_ptx.h"
#include "simt/device_kernel.h"
#include "simt/kernel/layout.h"

#include <QtTest>

using namespace blockloom;

class TestLanePtx : public QObject {
    Q_OBJECT

    static Result<std::string> ptx_of(wasm::Instance& instance, const char* function,
                                      std::span<const native::AddressRange> ranges) {
        const auto plan = native::plan_lanes(instance, ranges);
        if (!plan) return plan.error();
        return native::lane_ptx(*plan, tests::function_of(instance, function),
                                simt::device_kernel());
    }

private Q_SLOTS:
    void initTestCase() {
        if (!tests::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void kernel_of_a_program() {
        const auto instance = tests::instance_of(R"((module
          (import "env" "ask" (func $ask (param i32) (result i32)))
          (memory 1)
          (func $other (param i32) (result i32) (i32.load (local.get 0)))
          (func (export "work") (param i32) (result i32)
            (i32.store (i32.const 40) (call $ask (local.get 0)))
            (i32.add (call $other (i32.const 40)) (i32.const 1)))
          (func (export "unused") (result i64) (i64.const 81985529216486895))))");
        const std::vector<native::AddressRange> ranges{{0, 1024}};
        const auto ptx = ptx_of(*instance, "work", ranges);
        QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().message.c_str());
        const QByteArray text = QByteArray::fromStdString(*ptx);
        QVERIFY(text.contains(".target sm_70"));
        QVERIFY(text.contains(".visible .entry lanes("));
        QCOMPARE(text.count(".param .u64 lanes_param"), static_cast<int>(simt::LANE_BUFFERS));
        QCOMPARE(text.count(".param .u32 lanes_param"), static_cast<int>(simt::LANE_PUSH_WORDS));
        QVERIFY(text.contains("exit;"));              // a lane leaves
        QVERIFY(text.contains("st.local"));           // its memory is local
        QVERIFY(!text.contains("81985529216486895")); // what it cannot reach is not there
    }
    /// What LLVM 14 makes of a rotation of 64 bits shifts by the amount as it is.
    void rotations_are_by_less_than_the_width() {
        const auto instance = tests::instance_of(
            "(module (memory 1) (func (export \"turn\") (param i64 i64) (result i64)"
            " (i64.rotl (local.get 0) (local.get 1))))");
        const std::vector<native::AddressRange> ranges{{0, 1024}};
        const auto ptx = ptx_of(*instance, "turn", ranges);
        QVERIFY(ptx.ok());
        const std::size_t masks = ptx->find("and.b64"), shifts = ptx->find("%amt2");
        QVERIFY(masks != std::string::npos && shifts != std::string::npos && masks < shifts);
    }
    /// Two shifts of which LLVM makes such a rotation.
    void rotations_of_shifts_are_by_less_than_the_width() {
        const auto instance = tests::instance_of(
            "(module (memory 1) (func (export \"turn\") (param i64 i64) (result i64)"
            " (i64.or (i64.shl (local.get 0) (local.get 1))"
            "  (i64.shr_u (local.get 0) (i64.sub (i64.const 64) (local.get 1))))))");
        const std::vector<native::AddressRange> ranges{{0, 1024}};
        const auto ptx = ptx_of(*instance, "turn", ranges);
        QVERIFY(ptx.ok());
        const std::size_t masks = ptx->find("and.b64"), shifts = ptx->find("%amt2");
        QVERIFY(masks != std::string::npos && shifts != std::string::npos && masks < shifts);
    }
    /// A function with a loop stays one, so that threads meet again where it ends; one without is
    /// inlined. Both are called once.
    void loops_are_not_inlined() {
        const auto functions_of = [](const char* callee) {
            const auto instance = tests::instance_of(
                std::string("(module (memory 1) (func $callee (param i32) (result i32) ") + callee +
                ") (func (export \"work\") (param i32) (result i32)"
                " (i32.add (call $callee (local.get 0)) (i32.const 1))))");
            const std::vector<native::AddressRange> ranges{{0, 1024}};
            const auto ptx = ptx_of(*instance, "work", ranges);
            if (!ptx) qFatal("%s", ptx.error().message.c_str());
            return QByteArray::fromStdString(*ptx).count("\n.func");
        };
        const auto plain = functions_of("(i32.mul (local.get 0) (local.get 0))");
        QCOMPARE(functions_of("(loop (br_if 0 (local.tee 0 (i32.load (local.get 0)))))"
                              " (local.get 0)"),
                 plain + 1);
    }
    void key_depends_on_what_determines_the_text() {
        const auto instance =
            tests::instance_of("(module (memory 1) (func (export \"a\") (result i32) (i32.const 1))"
                               " (func (export \"b\") (result i32) (i32.const 2)))");
        const auto key = [&](const char* function, std::uint32_t bytes) {
            const std::vector<native::AddressRange> ranges{{0, bytes}};
            const auto plan = native::plan_lanes(*instance, ranges);
            return native::lane_ptx_key(*plan, tests::function_of(*instance, function),
                                        simt::device_kernel());
        };
        QCOMPARE(key("a", 1024), key("a", 1024));
        QVERIFY(key("a", 1024) != key("b", 1024));
        QVERIFY(key("a", 1024) != key("a", 2048));
        QCOMPARE(key("a", 1024).size(), std::size_t{64});
    }
};

QTEST_GUILESS_MAIN(TestLanePtx)
#include "test_lane_ptx.moc"
