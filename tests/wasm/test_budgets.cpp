// Random modules in slices, with every budget of fuel, after a reset: the same as in one go.
#include "wasm/instance_state.h"
#include "wasm/linked_instance.h"
#include "wasm/run.h"

#include <QtTest>

#include <cstring>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;
using tests::GeneratedModule;
using tests::LinkedInstance;

namespace {

constexpr tests::GeneratorOptions all_kinds{true, true, true};

/// Modules that do not instantiate tell nothing here.
LinkedInstance make(const GeneratedModule& generated) {
    InstanceLimits limits;
    limits.start_fuel = 20'000;
    return tests::instantiate(generated, limits);
}

std::vector<Cell> arguments_for(const FunctionType& type, std::mt19937_64& random) {
    std::vector<Cell> arguments;
    for (const ValueType parameter : type.parameters)
        arguments.push_back(tests::interesting_cell(parameter, random()));
    return arguments;
}

bool same(const RunResult& a, const RunResult& b) {
    return a.outcome == b.outcome && a.results == b.results && a.trap.kind == b.trap.kind &&
           a.trap.function == b.trap.function && a.trap.offset == b.trap.offset &&
           a.fuel_used == b.fuel_used && a.steps == b.steps;
}

bool same_memory(const LinkedInstance& a, const LinkedInstance& b) {
    const auto x = a.instance->memory(), y = b.instance->memory();
    return x->size() == y->size() && std::memcmp(x->data(), y->data(), x->size()) == 0;
}

bool same_globals(const LinkedInstance& a, const LinkedInstance& b) {
    const auto &x = a.instance->state().global_cells, &y = b.instance->state().global_cells;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Cell* left, const Cell* right) { return *left == *right; });
}

RunResult run(const LinkedInstance& linked, const GeneratedModule& generated, std::size_t function,
              const std::vector<Cell>& arguments, const RunLimits& limits) {
    return Interpreter(*linked.instance)
        .invoke(LinkedInstance::index_of(generated, function), arguments, limits);
}

} // namespace

class TestBudgets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slices_change_nothing() {
        std::uint64_t paused = 0, looked_at = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed, all_kinds);
            const LinkedInstance whole = make(generated), sliced = make(generated);
            QVERIFY2(whole.refused.empty(), whole.refused.c_str());
            if (!whole.instance) continue;
            ++looked_at;
            std::mt19937_64 random(seed);
            for (std::size_t f = 0; f < generated.functions.size(); ++f) {
                const auto arguments = arguments_for(generated.functions[f], random);
                RunLimits limits;
                limits.fuel = 20'000;
                const RunResult once = run(whole, generated, f, arguments, limits);
                limits.steps = 1 + random() % 50;
                Interpreter interpreter(*sliced.instance);
                RunResult parts =
                    interpreter.invoke(LinkedInstance::index_of(generated, f), arguments, limits);
                std::uint64_t pauses = 0;
                while (parts.outcome == Outcome::paused) {
                    QVERIFY(++pauses <= 20'000);
                    parts = interpreter.resume(limits);
                }
                QVERIFY2(same(once, parts),
                         qPrintable(QStringLiteral("seed %1 f%2").arg(seed).arg(f)));
                paused += pauses;
                QVERIFY(same_memory(whole, sliced) && same_globals(whole, sliced));
            }
        }
        QVERIFY(paused > 1'000 && looked_at > 300);
    }

    /// With each budget the run either ends as it does with plenty, or stops out of fuel having
    /// used no more than the budget, and a larger budget never gets less far.
    void every_budget_is_consistent() {
        std::uint64_t looked_at = 0;
        for (std::uint64_t seed = 1; seed <= 400 && looked_at < 40; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed);
            const LinkedInstance linked = make(generated);
            if (!linked.instance) continue;
            std::mt19937_64 random(seed);
            const auto arguments = arguments_for(generated.functions[4], random);
            RunLimits limits;
            limits.fuel = 1'500;
            const RunResult full = run(linked, generated, 4, arguments, limits);
            if (full.trap.kind == TrapKind::out_of_fuel || full.fuel_used < 50) continue;
            ++looked_at;
            std::uint64_t before = 0;
            for (std::uint64_t fuel = 0; fuel <= full.fuel_used + 1; ++fuel) {
                linked.instance->reset();
                limits.fuel = fuel;
                const RunResult part = run(linked, generated, 4, arguments, limits);
                if (fuel >= full.fuel_used) {
                    QVERIFY(same(part, full));
                    continue;
                }
                QCOMPARE(part.outcome, Outcome::trapped);
                QCOMPARE(part.trap.kind, TrapKind::out_of_fuel);
                QVERIFY(part.fuel_used <= fuel && part.steps <= part.fuel_used);
                QVERIFY(part.fuel_used >= before);
                before = part.fuel_used;
            }
        }
        QVERIFY(looked_at >= 10);
    }

    void reset_is_a_new_instance() {
        std::uint64_t looked_at = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            GeneratedModule generated = tests::generate_module(seed, {false, true, true});
            const LinkedInstance used = make(generated), fresh = make(generated);
            if (!used.instance) continue;
            ++looked_at;
            std::mt19937_64 random(seed);
            RunLimits limits;
            limits.fuel = 20'000;
            for (std::size_t f = 0; f < generated.functions.size(); ++f)
                (void)run(used, generated, f, arguments_for(generated.functions[f], random),
                          limits);
            used.instance->reset();
            QVERIFY(same_memory(used, fresh) && same_globals(used, fresh));
            QCOMPARE(used.instance->memory()->touched_pages(), std::size_t{0});
            for (std::size_t f = 0; f < generated.functions.size(); ++f) {
                const auto arguments = arguments_for(generated.functions[f], random);
                QVERIFY(same(run(used, generated, f, arguments, limits),
                             run(fresh, generated, f, arguments, limits)));
                QVERIFY(same_memory(used, fresh) && same_globals(used, fresh));
            }
        }
        QVERIFY(looked_at > 200);
    }
};

QTEST_GUILESS_MAIN(TestBudgets)
#include "test_budgets.moc"
