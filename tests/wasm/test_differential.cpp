// Random modules on our interpreter and on wabt's: the same results, traps, memory and globals;
// in slices the same as in one go; and every budget of fuel leaves a consistent remainder.
// BLOCKLOOM_WASM_MODULES sets how many modules (default 3,000), BLOCKLOOM_WASM_SEED where to begin.
#include "wasm/instance_state.h"
#include "wasm/module_generator.h"
#include "wasm/run.h"
#ifdef BLOCKLOOM_HAVE_WABT
#include "wabt/interpreter.h"
#endif

#include <QtTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;
using tests::GeneratedModule;

namespace {

constexpr std::uint64_t most_fuel = 300'000;

std::shared_ptr<const Program> load(const GeneratedModule& generated) {
    const auto module = load_module(generated.bytes, "generated");
    if (!module) {
        qWarning("%s", module.error().message.c_str());
        return nullptr;
    }
    const auto program = lower(*module);
    return program ? *program : nullptr;
}

std::shared_ptr<Instance> make(const std::shared_ptr<const Program>& program) {
    auto made = Instance::make(program, {});
    auto* instance = std::get_if<std::shared_ptr<Instance>>(&made);
    return instance == nullptr ? nullptr : *instance;
}

std::vector<Cell> arguments_for(const FunctionType& type, std::mt19937_64& random) {
    std::vector<Cell> arguments;
    for (const ValueType parameter : type.parameters)
        arguments.push_back(tests::interesting_cell(parameter, random()));
    return arguments;
}

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    bool ok = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? value : otherwise;
}

bool same(const RunResult& a, const RunResult& b) {
    return a.outcome == b.outcome && a.results == b.results && a.trap.kind == b.trap.kind &&
           a.trap.function == b.trap.function && a.trap.offset == b.trap.offset &&
           a.fuel_used == b.fuel_used && a.steps == b.steps;
}

bool same_memory(const Instance& a, const Instance& b) {
    const auto x = a.memory(), y = b.memory();
    return x->size() == y->size() && std::memcmp(x->data(), y->data(), x->size()) == 0;
}

#ifdef BLOCKLOOM_HAVE_WABT
bool same_trap(TrapKind kind, const std::string& reference) {
    const char* word = name_of(kind);
    if (kind == TrapKind::undefined_element) word = "undefined table index";
    if (kind == TrapKind::uninitialized_element) word = "uninitialized table element";
    if (kind == TrapKind::indirect_call_type_mismatch) word = "indirect call signature mismatch";
    return reference.rfind(word, 0) == 0;
}

struct Counts {
    std::uint64_t calls = 0, trapped = 0, steps = 0;
};

/// Calls each function a few times on both; an empty text if they agree.
std::string difference(const GeneratedModule& generated, std::uint64_t seed, Counts& counts) {
    const auto program = load(generated);
    if (!program) return "our engine refuses the module";
    reference::Interpreter theirs(generated.bytes.data(), generated.bytes.size());
    if (!theirs.error().empty()) return "wabt refuses the module: " + theirs.error();
    const auto ours = make(program);
    if (!ours) return "not instantiated";
    std::mt19937_64 random(seed ^ 0xa5a5);
    for (int round = 0; round < 4; ++round) {
        for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
            const auto arguments = arguments_for(generated.functions[f], random);
            RunLimits limits;
            limits.fuel = most_fuel;
            const RunResult run = Interpreter(*ours).invoke(f, arguments, limits);
            if (run.trap.kind == TrapKind::out_of_fuel) return {}; // wabt has no fuel
            const auto other = theirs.call("f" + std::to_string(f), arguments);
            ++counts.calls;
            counts.trapped += run.outcome == Outcome::trapped;
            counts.steps += run.steps;
            const std::string where = "f" + std::to_string(f) + " round " + std::to_string(round);
            if (run.outcome == Outcome::trapped) {
                if (!same_trap(run.trap.kind, other.trap))
                    return where + ": ours traps with \"" + name_of(run.trap.kind) +
                           "\", wabt: \"" + other.trap + "\"";
            } else if (!other.trap.empty() || run.results != other.results) {
                return where + ": results differ; wabt: " + other.trap;
            }
            const auto memory = ours->memory();
            if (memory->size() != theirs.memory_size() ||
                std::memcmp(memory->data(), theirs.memory(), memory->size()) != 0)
                return where + ": memory differs";
            for (std::size_t g = 0; g < generated.globals; ++g)
                if (*ours->state().global_cells[g] != theirs.global(g))
                    return where + ": global " + std::to_string(g) + " differs";
        }
    }
    return {};
}
#endif

} // namespace

class TestDifferential : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agrees_with_wabt() {
#ifndef BLOCKLOOM_HAVE_WABT
        QSKIP("built without wabt (package wabt)");
#else
        const std::uint64_t first = setting("BLOCKLOOM_WASM_SEED", 1);
        const std::uint64_t count = setting("BLOCKLOOM_WASM_MODULES", 3'000);
        Counts counts;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed);
            const std::string why = difference(generated, seed, counts);
            if (why.empty()) continue;
            const QString kept =
                QDir::temp().filePath(QStringLiteral("blockloom-wasm-%1.wasm").arg(seed));
            std::ofstream(kept.toStdString(), std::ios::binary)
                .write(reinterpret_cast<const char*>(generated.bytes.data()),
                       static_cast<std::streamsize>(generated.bytes.size()));
            QFAIL(qPrintable(QStringLiteral("seed %1: %2 (kept as %3)")
                                 .arg(seed)
                                 .arg(QString::fromStdString(why), kept)));
        }
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        qInfo("%llu modules, %llu calls compared, %llu of them traps, %llu steps", number(count),
              number(counts.calls), number(counts.trapped), number(counts.steps));
        QVERIFY(counts.calls >= count * 5); // most modules end within the fuel
        QVERIFY(counts.steps >= counts.calls * 50);
        QVERIFY(counts.trapped > 0 && counts.trapped < counts.calls / 2);
#endif
    }

    void slices_change_nothing() {
        std::uint64_t paused = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed);
            const auto program = load(generated);
            QVERIFY(program != nullptr);
            const auto whole = make(program), sliced = make(program);
            std::mt19937_64 random(seed);
            for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
                const auto arguments = arguments_for(generated.functions[f], random);
                RunLimits limits;
                limits.fuel = 20'000;
                const RunResult once = Interpreter(*whole).invoke(f, arguments, limits);
                limits.steps = 1 + random() % 50;
                Interpreter interpreter(*sliced);
                RunResult parts = interpreter.invoke(f, arguments, limits);
                std::uint64_t pauses = 0;
                while (parts.outcome == Outcome::paused) {
                    QVERIFY(++pauses <= 20'000);
                    parts = interpreter.resume(limits);
                }
                QVERIFY2(same(once, parts),
                         qPrintable(QStringLiteral("seed %1 f%2").arg(seed).arg(f)));
                paused += pauses;
                QVERIFY(same_memory(*whole, *sliced));
            }
        }
        QVERIFY(paused > 1'000);
    }

    /// With each budget the run either ends as it does with plenty, or stops out of fuel having
    /// used no more than the budget, and a larger budget never gets less far.
    void every_budget_is_consistent() {
        std::uint64_t looked_at = 0;
        for (std::uint64_t seed = 1; seed <= 400 && looked_at < 40; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed);
            const auto program = load(generated);
            QVERIFY(program != nullptr);
            const auto instance = make(program);
            std::mt19937_64 random(seed);
            const auto arguments = arguments_for(generated.functions[4], random);
            RunLimits limits;
            limits.fuel = 1'500;
            const RunResult full = Interpreter(*instance).invoke(4, arguments, limits);
            if (full.trap.kind == TrapKind::out_of_fuel || full.fuel_used < 50) continue;
            ++looked_at;
            std::uint64_t before = 0;
            for (std::uint64_t fuel = 0; fuel <= full.fuel_used + 1; ++fuel) {
                instance->reset();
                limits.fuel = fuel;
                const RunResult run = Interpreter(*instance).invoke(4, arguments, limits);
                if (fuel >= full.fuel_used) {
                    QVERIFY(same(run, full));
                    continue;
                }
                QCOMPARE(run.outcome, Outcome::trapped);
                QCOMPARE(run.trap.kind, TrapKind::out_of_fuel);
                QVERIFY(run.fuel_used <= fuel && run.steps <= run.fuel_used);
                QVERIFY(run.fuel_used >= before);
                before = run.fuel_used;
            }
        }
        QVERIFY(looked_at >= 10);
    }

    void reset_is_a_new_instance() {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed);
            const auto program = load(generated);
            QVERIFY(program != nullptr);
            const auto used = make(program), fresh = make(program);
            std::mt19937_64 random(seed);
            RunLimits limits;
            limits.fuel = 20'000;
            for (std::uint32_t f = 0; f < generated.functions.size(); ++f)
                (void)Interpreter(*used).invoke(f, arguments_for(generated.functions[f], random),
                                                limits);
            used->reset();
            QVERIFY(same_memory(*used, *fresh));
            QCOMPARE(used->memory()->touched_pages(), std::size_t{0});
            for (std::size_t g = 0; g < generated.globals; ++g)
                QCOMPARE(*used->state().global_cells[g], *fresh->state().global_cells[g]);
            const auto arguments = arguments_for(generated.functions[0], random);
            QVERIFY(same(Interpreter(*used).invoke(0, arguments, limits),
                         Interpreter(*fresh).invoke(0, arguments, limits)));
            QVERIFY(same_memory(*used, *fresh));
        }
    }
};

QTEST_GUILESS_MAIN(TestDifferential)
#include "test_differential.moc"
