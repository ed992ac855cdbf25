// Random modules on the device and on the interpreter, packed as different programs of one
// dispatch: the same results, traps with their places, fuel, steps, memory and globals.
// BLOCKLOOM_WASM_MODULES sets how many modules (default 192), BLOCKLOOM_WASM_SEED where to begin,
// BLOCKLOOM_GPUVM_CALLS how often each function is called (default 4), BLOCKLOOM_GPUVM_VARIANT and
// BLOCKLOOM_GPUVM_SLICE the kernel's variant and slice.
#include "gpuvm/comparison.h"
#include "gpuvm/device.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace blockloom;
using namespace blockloom::tests;

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    bool ok = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? value : otherwise;
}

constexpr std::uint64_t at_once = 48;

std::vector<ComparedCall> calls_of(const std::vector<std::unique_ptr<ComparedModule>>& modules,
                                   std::uint64_t seed) {
    std::mt19937_64 random(seed ^ 0x1234);
    std::vector<ComparedCall> calls;
    for (std::size_t m = 0; m < modules.size(); ++m) {
        for (std::size_t f = 0; f < modules[m]->generated.functions.size(); ++f) {
            for (std::uint64_t round = 0; round < setting("BLOCKLOOM_GPUVM_CALLS", 4); ++round) {
                ComparedCall call;
                call.module = m;
                call.function = LinkedInstance::index_of(modules[m]->generated, f);
                for (const wasm::ValueType type : modules[m]->generated.functions[f].parameters)
                    call.arguments.push_back(interesting_cell(type, random()));
                call.fuel = round % 2 == 0 ? 20'000 : random() % 2'000;
                calls.push_back(std::move(call));
            }
        }
    }
    // Neighbours are of different programs.
    std::shuffle(calls.begin(), calls.end(), random);
    return calls;
}

} // namespace

class TestDifferential : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data() { add_machines(); }

    void agrees_with_the_interpreter() {
        QFETCH_GLOBAL(QString, machine);
        const bool compiled = machine != QStringLiteral("kernel");
        const std::uint64_t first = setting("BLOCKLOOM_WASM_SEED", 1);
        const std::uint64_t count = setting("BLOCKLOOM_WASM_MODULES", 192);
        gpuvm::Options options;
        options.variant =
            static_cast<std::uint32_t>(setting("BLOCKLOOM_GPUVM_VARIANT", options.variant));
        options.slice = static_cast<std::uint32_t>(setting("BLOCKLOOM_GPUVM_SLICE", 0));
        std::string why;
        const auto made = machine_of(machine, why, options);
        if (!made) QSKIP(why.c_str());
        ComparisonCounts counts;
        std::vector<std::uint64_t> seeds;
        for (std::uint64_t seed = first; seed < first + count; seed += at_once)
            seeds.push_back(seed);
        // Here a block without fuel began with two instructions that the device has as one.
        constexpr std::uint64_t once_wrong = 72'001'104;
        seeds.push_back(once_wrong);
        for (const std::uint64_t seed : seeds) {
            made->clear();
            const std::uint64_t some =
                seed == once_wrong ? at_once : std::min(at_once, first + count - seed);
            auto modules = modules_of(*made, seed, some);
            counts.modules += modules.size();
            const std::string differs = difference(*made, modules, calls_of(modules, seed), counts);
            QVERIFY2(differs.empty(), qPrintable(QStringLiteral("modules from seed %1: %2")
                                                     .arg(seed)
                                                     .arg(QString::fromStdString(differs))));
        }
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        qInfo(
            "%llu modules, %llu calls compared, %llu traps (%llu out of fuel, %llu out of stack), "
            "%llu host calls, %llu steps; %llu ejected; runs of compiled code on a device: %llu",
            number(counts.modules), number(counts.calls), number(counts.trapped),
            number(counts.out_of_fuel), number(counts.exhausted), number(counts.host_calls),
            number(counts.steps), number(counts.ejected), number(counts.compiled));
        for (std::size_t i = 1; i < std::size(counts.ejections); ++i)
            if (counts.ejections[i] != 0)
                qInfo("  ejected, %s: %llu", name_of(static_cast<gpuvm::Ejection>(i)),
                      number(counts.ejections[i]));
        QVERIFY(counts.host_calls > 0 && counts.steps > counts.calls * 20);
        if (machine == QStringLiteral("cuda")) QVERIFY(counts.compiled > 0);
        if (compiled) { // it leaves where the kernel traps
            QVERIFY(counts.calls * 4 > counts.ejected && counts.calls >= counts.modules);
            return;
        }
        QVERIFY(counts.calls > 2 * counts.ejected && counts.calls >= counts.modules * 8);
        QVERIFY(counts.trapped > 0 && counts.out_of_fuel > 0);
    }
};

QTEST_GUILESS_MAIN(TestDifferential)
#include "test_differential.moc"
