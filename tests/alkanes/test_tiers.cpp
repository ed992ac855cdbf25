// A runtime that does not wait for machine code: its calls go from the interpreter to quick code
// and on to optimised code, and each gives the interpreter's answer.
#include "alkanes/host_functions.h"
#include "alkanes/runtime.h"
#include "alkanes/wat_contract.h"
#include "native/attached.h"

#include <QtTest>

#include <cstring>

using namespace blockloom;
using alkanes::Contract;
using alkanes::Contracts;
using alkanes::Engine;
using alkanes::Runtime;

namespace {

/// Writes over a page's end, grows the memory and continues there; many blocks, so that optimising
/// takes longer than a call.
std::shared_ptr<const Contract> writing_contract() {
    std::string body = "(local $at i32) (local.set $at (i32.const 4000))";
    for (int i = 0; i < 150; ++i)
        body += "(i64.store (local.get $at) (i64.const " + std::to_string(i * 7919) +
                ")) (i32.store offset=8 (local.get $at) (i32.load (i32.const 4000)))"
                "(if (i32.and (local.get $at) (i32.const 16)) (then (drop (memory.grow "
                "(i32.const 0))))) (local.set $at (i32.add (local.get $at) (i32.const 24)))";
    body += "(i32.store (i32.shl (memory.grow (i32.const 1)) (i32.const 16)) (local.get $at))"
            "(i32.load (i32.const 4000))";
    return *alkanes::load_contract({}, alkanes::CodeForm::plain, calls::contract(body));
}

Runtime::Machine machine_of(Runtime& runtime, const std::shared_ptr<const Contract>& contract) {
    return std::get<Runtime::Machine>(*runtime.acquire(contract));
}

/// What differs between a call here and on the interpreter; empty: nothing.
QString difference(Runtime& runtime, Runtime& peer, const std::shared_ptr<const Contract>& contract,
                   std::uint64_t fuel) {
    Runtime::Machine ours = machine_of(runtime, contract), theirs = machine_of(peer, contract);
    wasm::RunLimits limits;
    limits.fuel = fuel;
    const wasm::RunResult found = **ours.invoke(contract->execute, limits);
    const wasm::RunResult expected = **theirs.invoke(contract->execute, limits);
    if (found.outcome != expected.outcome || found.results != expected.results)
        return QStringLiteral("results");
    if (found.trap.kind != expected.trap.kind || found.trap.offset != expected.trap.offset)
        return QStringLiteral("trap");
    if (found.fuel_used != expected.fuel_used || found.steps != expected.steps)
        return QStringLiteral("fuel");
    const auto memory = ours.instance().memory(), other = theirs.instance().memory();
    if (memory->size() != other->size() || memory->touched_pages() != other->touched_pages() ||
        std::memcmp(memory->data(), other->data(), memory->size()) != 0)
        return QStringLiteral("memory");
    return {};
}

} // namespace

class TestTiers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// As when a contract that calls itself is being interpreted: the call that has begun keeps its
    /// own result.
    void the_first_code_comes_during_a_call() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        const auto contract = writing_contract();
        const auto contracts = std::make_shared<Contracts>();
        Runtime runtime(alkanes::host_imports, contracts, Engine::native,
                        Runtime::MachineCode::when_ready);
        Runtime::Machine outer = machine_of(runtime, contract);
        QCOMPARE(outer.engine(), Engine::interpreter);
        QVERIFY(contracts->machine_code(*contract, true).code != nullptr);
        Runtime::Machine inner = machine_of(runtime, contract);
        QCOMPARE(inner.engine(), Engine::native);
        wasm::RunLimits limits;
        limits.fuel = 4'000;
        const auto within = inner.invoke(contract->execute, limits);
        const auto around = outer.invoke(contract->execute, limits);
        QVERIFY(within && around);
        QVERIFY(*within != *around);
        QCOMPARE((*within)->fuel_used, (*around)->fuel_used);
        QVERIFY((*within)->results == (*around)->results);
    }

    void calls_cross_to_better_code() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        const auto contract = writing_contract();
        QVERIFY2(contract->program != nullptr, contract->module_error.c_str());
        const auto contracts = std::make_shared<Contracts>();
        Runtime runtime(alkanes::host_imports, contracts, Engine::native,
                        Runtime::MachineCode::when_ready),
            peer(alkanes::host_imports, contracts);
        const auto tier_of = [](const Runtime::Machine& machine) {
            return native::attached_to(machine.instance())->code->tier();
        };
        std::uint64_t fuel = 0;
        const auto agrees = [&] {
            return difference(runtime, peer, contract, (fuel += 331) % 4'000);
        };

        // Just asked for: nobody has compiled it yet.
        QCOMPARE(machine_of(runtime, contract).engine(), Engine::interpreter);
        for (int i = 0; i < 20; ++i) QCOMPARE(agrees(), QString());
        QVERIFY(contracts->machine_code(*contract, true).code != nullptr);
        {
            const Runtime::Machine held = machine_of(runtime, contract);
            QCOMPARE(held.engine(), Engine::native);
            const native::Tier tier = tier_of(held);
            QCOMPARE(agrees(), QString());
            // Better code is there, but waits while somebody works with this.
            contracts->wait_until_optimised(*contract);
            for (int i = 0; i < 40; ++i) {
                QCOMPARE(agrees(), QString());
                QVERIFY(tier_of(machine_of(runtime, contract)) == tier);
            }
        }
        for (int i = 0; i < 40; ++i) QCOMPARE(agrees(), QString());
        QVERIFY(tier_of(machine_of(runtime, contract)) == native::Tier::optimised);
    }
};

QTEST_GUILESS_MAIN(TestTiers)
#include "test_tiers.moc"
