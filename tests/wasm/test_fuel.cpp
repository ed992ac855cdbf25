// Random modules on our interpreter and on the plain machine, which counts fuel from the bytes:
// results, memory, globals, fuel, steps and places of traps are the same, with plenty of fuel and
// with every budget. BLOCKLOOM_WASM_MODULES and BLOCKLOOM_WASM_SEED as in test_differential.
#include "wasm/generator/module_bytes.h"
#include "wasm/instance_state.h"
#include "wasm/linked_instance.h"
#include "wasm/plain/plain_machine.h"
#include "wasm/run.h"

#include <QtTest>

#include <cstring>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;
using plain::Machine;
using plain::PlainResult;
using tests::GeneratedModule;
using tests::LinkedInstance;

namespace {

constexpr std::uint64_t most_fuel = 60'000;

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

GeneratedModule module_of(std::uint64_t seed) {
    return tests::generate_module(seed, {seed % 2 == 0, seed % 4 >= 2, seed % 3 == 0});
}

/// Both rules, each with all kinds of modules.
FuelRule rule_of(std::uint64_t seed) {
    return seed / 12 % 2 == 0 ? FuelRule::counted : FuelRule::exact;
}

/// A generated module and its provider on the plain machine.
struct Plain {
    std::unique_ptr<Machine> provider, machine;

    Plain(const GeneratedModule& generated, std::uint64_t fuel, FuelRule rule) {
        plain::PlainLimits limits;
        limits.fuel = fuel;
        limits.rule = rule;
        plain::Exports exports;
        if (generated.provider) {
            provider = std::make_unique<Machine>(*load_module(generated.provider->bytes, "p"),
                                                 nullptr, limits);
            if (provider->start().trap != TrapKind::none) return;
            exports = provider->exports();
        }
        machine = std::make_unique<Machine>(*load_module(generated.bytes, "m"), &exports, limits);
    }
    [[nodiscard]] const PlainResult& start() const {
        return machine ? machine->start() : provider->start();
    }
};

/// What differs in how they ended, or nothing. Out of fuel at a block: ours stands at the first
/// instruction of the register program, which lies within the block.
std::string difference(const Trap& trap, const PlainResult& theirs) {
    if (trap.kind != theirs.trap)
        return std::string("ours: ") + name_of(trap.kind) + ", plain: " + name_of(theirs.trap);
    if (trap.kind == TrapKind::none) return {};
    const bool there = theirs.until != 0
                           ? trap.offset >= theirs.offset && trap.offset <= theirs.until
                           : trap.offset == theirs.offset;
    if (trap.function == theirs.function && there) return {};
    return "place of \"" + std::string(name_of(trap.kind)) + "\": ours f" +
           std::to_string(trap.function) + " +" + std::to_string(trap.offset) + ", plain f" +
           std::to_string(theirs.function) + " +" + std::to_string(theirs.offset) + " until " +
           std::to_string(theirs.until);
}

std::string difference(const RunResult& ours, const PlainResult& theirs) {
    if (ours.fuel_used != theirs.fuel_used || ours.steps != theirs.steps)
        return "ours: fuel " + std::to_string(ours.fuel_used) + ", steps " +
               std::to_string(ours.steps) + "; plain: " + std::to_string(theirs.fuel_used) + ", " +
               std::to_string(theirs.steps) + ", " + name_of(ours.trap.kind) + ", " +
               name_of(theirs.trap);
    if (std::string why = difference(ours.trap, theirs); !why.empty()) return why;
    return ours.results == theirs.results ? "" : "results differ";
}

std::string state_difference(const LinkedInstance& ours, const Machine& theirs) {
    const auto memory = ours.instance->memory();
    const Bytes& other = theirs.memory();
    if (memory->size() != other.size() ||
        std::memcmp(memory->data(), other.data(), other.size()) != 0)
        return "memory differs";
    const auto& globals = ours.instance->state().global_cells;
    for (std::size_t g = 0; g < globals.size(); ++g)
        if (*globals[g] != theirs.global(g)) return "global " + std::to_string(g) + " differs";
    return {};
}

LinkedInstance make(const GeneratedModule& generated, std::uint64_t fuel, FuelRule rule) {
    InstanceLimits limits;
    limits.start_fuel = fuel;
    limits.stack_cells = 200'000; // frames are what ends here
    return tests::instantiate(generated, limits, rule);
}

struct Counts {
    std::uint64_t calls = 0, out_of_fuel = 0, exhausted = 0, started = 0;
};

std::string difference(const GeneratedModule& generated, std::uint64_t seed, Counts& counts) {
    const FuelRule rule = rule_of(seed);
    const LinkedInstance ours = make(generated, most_fuel, rule);
    if (!ours.refused.empty()) return "refused: " + ours.refused;
    Plain theirs(generated, most_fuel, rule);
    if (!ours.instance) {
        // Segments trap outside of functions: only the kind has a meaning.
        if (ours.trap.kind == theirs.start().trap) return {};
        return "instantiation: " + difference(ours.trap, theirs.start());
    }
    if (theirs.start().trap != TrapKind::none) return "the plain machine does not instantiate";
    counts.started += generated.has_start;
    if (ours.instance->start_fuel_used() != theirs.start().fuel_used) return "start fuel differs";
    std::mt19937_64 random(seed ^ 0x5a5a);
    for (std::size_t f = 0; f < 2 * generated.functions.size(); ++f) {
        const std::size_t which = f % generated.functions.size();
        const auto arguments = arguments_for(generated.functions[which], random);
        const std::uint32_t index = LinkedInstance::index_of(generated, which);
        RunLimits limits;
        limits.fuel = f < generated.functions.size() ? most_fuel : random() % 3'000;
        const RunResult run = Interpreter(*ours.instance).invoke(index, arguments, limits);
        const PlainResult other = theirs.machine->invoke(index, arguments, limits.fuel);
        ++counts.calls;
        counts.out_of_fuel += run.trap.kind == TrapKind::out_of_fuel;
        counts.exhausted += run.trap.kind == TrapKind::call_stack_exhausted;
        std::string why = difference(run, other);
        if (why.empty()) why = state_difference(ours, *theirs.machine);
        if (!why.empty()) return "f" + std::to_string(which) + ": " + why;
    }
    return {};
}

/// Every budget from nothing to what the call needs; fresh instances for each.
std::string budgets_difference(const GeneratedModule& generated, std::uint64_t seed,
                               std::uint64_t& looked_at) {
    std::mt19937_64 random(seed);
    const std::size_t f = random() % generated.functions.size();
    const auto arguments = arguments_for(generated.functions[f], random);
    const std::uint32_t index = LinkedInstance::index_of(generated, f);
    const FuelRule rule = rule_of(seed);
    const LinkedInstance first = make(generated, most_fuel, rule);
    if (!first.instance) return {};
    RunLimits limits;
    limits.fuel = 400;
    const RunResult full = Interpreter(*first.instance).invoke(index, arguments, limits);
    if (full.fuel_used < 30) return {};
    for (std::uint64_t fuel = 0; fuel <= full.fuel_used + 1; ++fuel, ++looked_at) {
        const LinkedInstance ours = make(generated, most_fuel, rule);
        Plain theirs(generated, most_fuel, rule);
        limits.fuel = fuel;
        const RunResult run = Interpreter(*ours.instance).invoke(index, arguments, limits);
        const PlainResult other = theirs.machine->invoke(index, arguments, fuel);
        std::string why = difference(run, other);
        if (why.empty()) why = state_difference(ours, *theirs.machine);
        if (!why.empty())
            return "f" + std::to_string(f) + " fuel " + std::to_string(fuel) + ": " + why;
    }
    return {};
}

} // namespace

class TestFuel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agrees_with_the_plain_machine() {
        const std::uint64_t first = setting("BLOCKLOOM_WASM_SEED", 1);
        const std::uint64_t count = setting("BLOCKLOOM_WASM_MODULES", 500);
        Counts counts;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const std::string why = difference(module_of(seed), seed, counts);
            QVERIFY2(why.empty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) +
                                             QString::fromStdString(why)));
        }
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        qInfo("%llu modules, %llu calls, %llu out of fuel, %llu out of stack, %llu start functions",
              number(count), number(counts.calls), number(counts.out_of_fuel),
              number(counts.exhausted), number(counts.started));
        QVERIFY(counts.calls > count * 8 && counts.out_of_fuel > count / 10);
        QVERIFY(counts.exhausted > 0 && counts.started > count / 50);
    }

    /// A block of more than 60,000 instructions is charged in parts.
    void large_blocks() {
        constexpr std::size_t nops = 130'000;
        tests::GeneratedModule generated;
        Bytes body(nops + 3, Byte{0x01});
        body[0] = 0, body[1] = 0x03, body[2] = 0x40;                     // no locals; loop
        for (const unsigned byte : {0x41u, 0u, 0x0du, 0u, 0x0bu, 0x0bu}) // i32.const 0, br_if 0
            body.push_back(static_cast<Byte>(byte));
        Bytes code{1};
        tests::append_unsigned(code, body.size());
        tests::append_bytes(code, body);
        generated.bytes = {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0};
        tests::append_section(generated.bytes, 10, code);
        generated.functions.resize(1);
        const LinkedInstance ours = make(generated, 0, FuelRule::counted);
        QVERIFY2(ours.instance != nullptr, ours.refused.c_str());
        Plain theirs(generated, 0, FuelRule::counted);
        for (const std::uint64_t fuel : {0u, 1u, 2u, 60'000u, 60'001u, 60'002u, 120'000u, 120'001u,
                                         130'002u, 130'003u, 200'000u}) {
            RunLimits limits;
            limits.fuel = fuel;
            const RunResult run = Interpreter(*ours.instance).invoke(0, {}, limits);
            const std::string why = difference(run, theirs.machine->invoke(0, {}, fuel));
            QVERIFY2(why.empty(), why.c_str());
            QCOMPARE(run.fuel_used, fuel >= 130'003   ? 130'003u
                                    : fuel >= 120'001 ? 120'001u
                                    : fuel >= 60'001  ? 60'001u
                                    : fuel >= 1       ? 1u
                                                      : 0u);
        }
    }

    /// A loop that costs more than a branch can carry.
    void large_scopes() {
        constexpr std::size_t sums = 70'000; // local.get 0, local.get 0, i32.add, drop
        Bytes body{1, 1, 0x7f, 0x03, 0x40};
        for (std::size_t i = 0; i < sums; ++i)
            tests::append_bytes(body, Bytes{0x20, 0, 0x20, 0, 0x6a, 0x1a});
        // The local goes up to 2: i32.const 1, i32.add, local.tee 0, i32.const 2, i32.ne, br_if 0.
        tests::append_bytes(
            body, Bytes{0x20, 0, 0x41, 1, 0x6a, 0x22, 0, 0x41, 2, 0x47, 0x0d, 0, 0x0b, 0x0b});
        Bytes code{1};
        tests::append_unsigned(code, body.size());
        tests::append_bytes(code, body);
        tests::GeneratedModule generated;
        generated.bytes = {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0};
        tests::append_section(generated.bytes, 10, code);
        generated.functions.resize(1);
        // 2, and twice: itself, the sums, one more, a comparison.
        constexpr std::uint64_t each = 1 + sums + 1 + 1;
        const LinkedInstance ours = make(generated, 0, FuelRule::exact);
        QVERIFY2(ours.instance != nullptr, ours.refused.c_str());
        Plain theirs(generated, 0, FuelRule::exact);
        for (const std::uint64_t fuel :
             {std::uint64_t{0}, std::uint64_t{2}, 1 + each, 2 + each, 1 + 2 * each, 2 + 2 * each}) {
            RunLimits limits;
            limits.fuel = fuel;
            const RunResult run = Interpreter(*ours.instance).invoke(0, {}, limits);
            const std::string why = difference(run, theirs.machine->invoke(0, {}, fuel));
            QVERIFY2(why.empty(), why.c_str());
            QCOMPARE(run.fuel_used, fuel < 2 ? 0 : 2 + (fuel - 2) / each * each);
        }
    }

    void with_every_budget() {
        for (const std::uint64_t first : {1u, 12u}) { // the first of each rule
            std::uint64_t looked_at = 0;
            for (std::uint64_t seed = first; looked_at < 600; ++seed) {
                if (rule_of(seed) != rule_of(first)) continue;
                const std::string why = budgets_difference(module_of(seed), seed, looked_at);
                QVERIFY2(why.empty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) +
                                                 QString::fromStdString(why)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestFuel)
#include "test_fuel.moc"
