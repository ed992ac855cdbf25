// Random modules on the interpreter and as machine code: the same results, traps (kind, function,
// offset), fuel, steps, memory, globals and touched pages, with any budget of fuel.
// BLOCKLOOM_WASM_MODULES sets how many modules (default 200), BLOCKLOOM_WASM_SEED where to begin.
#include "native/runner.h"
#include "wasm/instance_state.h"
#include "wasm/linked_instance.h"

#include <QtTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;
using tests::GeneratedModule;
using tests::LinkedInstance;

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    bool ok = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? value : otherwise;
}

std::string cells_text(const std::vector<Cell>& cells) {
    QStringList text;
    for (const Cell cell : cells) text.append(QString::number(cell, 16));
    return text.join(QLatin1Char(' ')).toStdString();
}

/// What differs; empty: nothing.
std::string difference(const RunResult& a, const RunResult& b) {
    if (a.outcome != b.outcome) return "outcome";
    if (a.trap.kind != b.trap.kind)
        return std::string("trap ") + name_of(a.trap.kind) + " and " + name_of(b.trap.kind);
    if (a.trap.function != b.trap.function) return "function of the trap";
    if (a.trap.offset != b.trap.offset) return "offset of the trap";
    if (a.results != b.results) return "results";
    if (a.fuel_used != b.fuel_used) return "fuel";
    if (a.steps != b.steps) return "steps";
    return {};
}

std::string difference(Instance& a, Instance& b) {
    const auto x = a.memory(), y = b.memory();
    if (x->size() != y->size()) return "memory size";
    if (std::memcmp(x->data(), y->data(), x->size()) != 0) return "memory";
    if (x->touched_pages() != y->touched_pages()) return "touched pages";
    for (std::size_t g = 0; g < a.state().global_cells.size(); ++g)
        if (*a.state().global_cells[g] != *b.state().global_cells[g]) return "globals";
    const auto &s = a.state().tables, &t = b.state().tables;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i]->cells.size() != t[i]->cells.size()) return "table size";
        for (std::size_t e = 0; e < s[i]->cells.size(); ++e) {
            const auto *p = referenced(s[i]->cells[e]), *q = referenced(t[i]->cells[e]);
            if ((p == nullptr) != (q == nullptr)) return "table";
            if (p != nullptr && p->function != q->function) return "table";
        }
    }
    return {};
}

struct Counts {
    std::uint64_t modules = 0, calls = 0, trapped = 0, out_of_fuel = 0, exhausted = 0, host = 0,
                  steps = 0;

    void add(const RunResult& run) {
        ++calls;
        trapped += run.outcome == Outcome::trapped;
        out_of_fuel += run.trap.kind == TrapKind::out_of_fuel;
        exhausted += run.trap.kind == TrapKind::call_stack_exhausted;
        host += run.trap.kind == TrapKind::host;
        steps += run.steps;
    }
};

/// All kinds of modules in turn.
tests::GeneratorOptions options_of(std::uint64_t seed) {
    tests::GeneratorOptions options;
    options.nan_bits = true;
    options.linked = seed % 2 == 1;
    options.endless = seed % 4 >= 2;
    return options;
}

/// Calls each function some times on both; an empty text if they agree.
std::string difference(const GeneratedModule& generated, std::uint64_t seed, Counts& counts) {
    InstanceLimits most;
    most.start_fuel = 20'000;
    const FuelRule rule = seed / 12 % 2 == 0 ? FuelRule::counted : FuelRule::exact;
    const LinkedInstance first = tests::instantiate(generated, most, rule);
    const LinkedInstance second = tests::instantiate(generated, most, rule);
    if (!first.refused.empty()) return first.refused;
    if (!first.instance) return {}; // its segments or its start function trap
    const auto code =
        native::compile(second.instance->shared_program(), {},
                        seed % 3 == 0 ? native::Tier::quick : native::Tier::optimised);
    if (!code) return code.error().message;
    native::Runner runner(*second.instance, *code);
    ++counts.modules;
    std::mt19937_64 random(seed ^ 0x5a5a);
    RunResult found;
    for (int round = 0; round < 8; ++round) {
        for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
            const std::uint32_t index = LinkedInstance::index_of(generated, f);
            std::vector<Cell> arguments;
            for (const ValueType parameter : generated.functions[f].parameters)
                arguments.push_back(tests::interesting_cell(parameter, random()));
            RunLimits limits;
            limits.fuel = round % 2 == 0 ? 200'000 : random() % 3'000;
            const RunResult expected =
                Interpreter(*first.instance).invoke(index, arguments, limits);
            if (const Status ran = runner.invoke(index, arguments, limits, found); !ran)
                return ran.error().message;
            counts.add(expected);
            std::string why = difference(expected, found);
            if (why.empty()) why = difference(*first.instance, *second.instance);
            if (why.empty() && first.provider) why = difference(*first.provider, *second.provider);
            if (!why.empty())
                return "f" + std::to_string(f) + "(" + cells_text(arguments) + ") round " +
                       std::to_string(round) + ": " + why + ": " + cells_text(expected.results) +
                       " and " + cells_text(found.results);
        }
        if (round != 3) continue;
        for (const LinkedInstance* linked : {&first, &second}) {
            if (linked->provider) linked->provider->reset();
            linked->instance->reset();
        }
    }
    return {};
}

} // namespace

class TestDifferential : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Found by a long run: a select that took the low halves of cells for the cells.
    void seeds_that_once_differed() {
        Counts counts;
        for (const std::uint64_t seed : {5'081'528, 5'151'090, 5'020'560}) {
            const std::string why =
                difference(tests::generate_module(seed, options_of(seed)), seed, counts);
            QVERIFY2(why.empty(), why.c_str());
        }
    }

    void agrees_with_the_interpreter() {
        const std::uint64_t first = setting("BLOCKLOOM_WASM_SEED", 1);
        const std::uint64_t count = setting("BLOCKLOOM_WASM_MODULES", 200);
        Counts counts;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const GeneratedModule generated = tests::generate_module(seed, options_of(seed));
            const std::string why = difference(generated, seed, counts);
            if (why.empty()) continue;
            const QString kept =
                QDir::temp().filePath(QStringLiteral("blockloom-native-%1.wasm").arg(seed));
            std::ofstream(kept.toStdString(), std::ios::binary)
                .write(reinterpret_cast<const char*>(generated.bytes.data()),
                       static_cast<std::streamsize>(generated.bytes.size()));
            QFAIL(qPrintable(QStringLiteral("seed %1: %2 (kept as %3)")
                                 .arg(seed)
                                 .arg(QString::fromStdString(why), kept)));
        }
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        qInfo("%llu modules, %llu calls compared, %llu traps (%llu out of fuel, %llu out of stack, "
              "%llu of the host), %llu steps",
              number(counts.modules), number(counts.calls), number(counts.trapped),
              number(counts.out_of_fuel), number(counts.exhausted), number(counts.host),
              number(counts.steps));
        QVERIFY(counts.modules >= count / 2 && counts.calls >= counts.modules * 30);
        QVERIFY(counts.trapped > 0 && counts.trapped < counts.calls);
        QVERIFY(counts.out_of_fuel > 0 && counts.steps > counts.calls * 20);
    }
};

QTEST_GUILESS_MAIN(TestDifferential)
#include "test_differential.moc"
