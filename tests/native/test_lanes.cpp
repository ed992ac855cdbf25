// Random modules on the interpreter and as lane code for this machine: a lane that does not leave
// has the interpreter's results, fuel, memory and globals; one that would not return has left.
// BLOCKLOOM_WASM_MODULES sets how many modules (default 200), BLOCKLOOM_WASM_SEED where to begin.
#include "native/lanes/lane_code.h"
#include "wasm/instance_state.h"
#include "wasm/linked_instance.h"
#include "wasm/run.h"

#include <QtTest>

#include <array>
#include <cstring>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;
using native::Exit;
using tests::GeneratedModule;
using tests::LinkedInstance;

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    bool ok = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? value : otherwise;
}

struct Counts {
    std::uint64_t modules = 0, calls = 0;
    std::array<std::uint64_t, native::exit_kinds> exits{};
};

/// Kinds of modules in turn; half of them without floats, which leave at once.
tests::GeneratorOptions options_of(std::uint64_t seed) {
    tests::GeneratorOptions options;
    options.nan_bits = true;
    options.integers = seed % 2 == 0;
    options.linked = seed % 8 == 3;
    options.endless = seed % 4 >= 2;
    return options;
}

/// All of the memory, most of it, or two pieces that leave the rest outside.
std::vector<native::AddressRange> windows_of(std::uint64_t seed, std::uint64_t bytes) {
    const auto all = static_cast<std::uint32_t>(bytes);
    switch (seed % 3) {
    case 0:
        return {{0, all}};
    case 1:
        return {{48, all / 2 - 80}, {all / 2 + 16, all / 2 - 16}};
    default:
        return {{0, 4'096}, {8'192, 1'024}, {all - 1'024, 1'024}, {all + 4'096, 8'192}};
    }
}

/// One run of all functions; `records`: what ran is recorded there. `ran`: the code is only for
/// this.
std::string difference(const GeneratedModule& generated, const LinkedInstance& made,
                       std::uint64_t seed, bool pruned,
                       const std::shared_ptr<native::RanBlocks>& records, Counts& counts) {
    Instance& instance = *made.instance;
    if (made.provider) made.provider->reset();
    instance.reset();
    const std::uint64_t bytes = instance.memory()->size();
    auto plan = native::plan_lanes(instance, windows_of(seed, bytes),
                                   pruned ? records->so_far() : native::RanCode());
    if (!plan) return plan.error().message;
    if (!pruned) plan->records = records;
    const auto code = native::LaneCode::compile(*std::move(plan));
    if (!code) return code.error().message;
    const native::LanePlan& about = (*code)->plan();
    ++counts.modules;
    std::mt19937_64 random(seed ^ (pruned ? 0xa5a5 : 0x5a5a));
    std::vector<Cell> room(about.frame_bytes / sizeof(Cell) + 2);
    const std::size_t skew = reinterpret_cast<std::uintptr_t>(room.data()) % 16 / sizeof(Cell);
    const std::span<Byte> frame(reinterpret_cast<Byte*>(room.data() + skew), about.frame_bytes);
    for (int round = 0; round < 6; ++round)
        for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
            const std::uint32_t index = LinkedInstance::index_of(generated, f);
            const FunctionType& type = generated.functions[f];
            std::vector<Cell> arguments;
            for (const ValueType parameter : type.parameters)
                arguments.push_back(tests::interesting_cell(parameter, random()));
            RunLimits limits;
            limits.fuel = round % 2 == 0 ? 200'000 : random() % 3'000;

            if (made.provider) made.provider->reset();
            instance.reset();
            native::fill_frame(about, instance, frame);
            std::vector<Cell> cells = arguments;
            cells.resize(std::max({type.parameters.size(), type.results.size(), std::size_t{1}}));
            const native::LaneEnd end = (*code)->run(index, limits.fuel, frame, cells);
            ++counts.calls;
            ++counts.exits[static_cast<std::size_t>(end.exit)];

            const RunResult expected = Interpreter(instance).invoke(index, arguments, limits);
            const auto where = [&](const char* what) {
                return "f" + std::to_string(f) + " round " + std::to_string(round) + ": " + what;
            };
            if (end.exit != Exit::none) {
                if (end.exit == Exit::trap && expected.outcome != Outcome::trapped)
                    return where("left for a trap, but returned");
                continue;
            }
            if (expected.outcome != Outcome::returned) return where("returned, but trapped");
            cells.resize(type.results.size());
            if (cells != expected.results) return where("results");
            if (limits.fuel - end.left != expected.fuel_used) return where("fuel");
            if (end.steps != expected.steps) return where("steps");
            const std::uint64_t size = instance.memory()->size();
            if (end.memory_bytes != size) return where("memory size");
            // Outside the windows nothing may have changed, inside all is the same.
            std::vector<Byte> memory(std::max(size, bytes + 0x10000));
            std::vector<Byte> after(instance.memory()->data(), instance.memory()->data() + size);
            after.resize(memory.size());
            std::vector<Cell> globals;
            for (const Cell* global : instance.state().global_cells) globals.push_back(*global);
            instance.reset();
            std::memcpy(memory.data(), instance.memory()->data(), bytes);
            for (const native::Window& window : about.windows)
                std::memcpy(memory.data() + window.begin, frame.data() + window.at, window.bytes);
            if (memory != after) return where("memory");
            if (!globals.empty() && std::memcmp(globals.data(), frame.data() + about.globals_at,
                                                globals.size() * sizeof(Cell)) != 0)
                return where("globals");
        }
    return {};
}

/// Code of the whole module, and then code for what ran of it.
std::string difference(const GeneratedModule& generated, std::uint64_t seed, Counts& whole,
                       Counts& pruned) {
    InstanceLimits most;
    most.start_fuel = 20'000;
    const FuelRule rule = seed / 12 % 2 == 0 ? FuelRule::counted : FuelRule::exact;
    const LinkedInstance made = tests::instantiate(generated, most, rule);
    if (!made.refused.empty()) return made.refused;
    if (!made.instance) return {}; // its segments or its start function trap
    const auto records = std::make_shared<native::RanBlocks>(made.instance->program());
    if (std::string why = difference(generated, made, seed, false, records, whole); !why.empty())
        return why;
    std::string why = difference(generated, made, seed, true, records, pruned);
    return why.empty() ? why : "pruned: " + why;
}

} // namespace

class TestLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Addresses that are not as aligned as claimed, at the edges, and beyond 4 GiB, where the low
    /// 32 bits alone would be inside.
    void addresses_at_the_edges() {
        GeneratedModule module;
        module.bytes = {0x00, 'a',  's',  'm',  1,    0,    0, 0,    // header
                        1,    6,    1,    0x60, 1,    0x7f, 1, 0x7f, // type: i32 to i32
                        3,    3,    2,    0,    0,                   // two functions
                        5,    3,    1,    0,    1,                   // memory of one page
                        10,   0x15, 2,                               // i32.load of the argument
                        7,    0,    0x20, 0,    0x28, 2,    0, 0x0b, // align 4, offset 0
                        11,   0,    0x20, 0,    0x28, 0,             // align 1, offset 2^32 - 1
                        0xff, 0xff, 0xff, 0xff, 0x0f, 0x0b};
        module.functions.resize(2, {{ValueType::i32}, {ValueType::i32}});
        const LinkedInstance made = tests::instantiate(module, {});
        QVERIFY2(made.instance, made.refused.c_str());
        const std::vector<native::AddressRange> ranges{{16, 0x10000 - 16}};
        auto plan = native::plan_lanes(*made.instance, ranges);
        QVERIFY(plan);
        const auto code = native::LaneCode::compile(*std::move(plan));
        QVERIFY2(code, code ? "" : code.error().message.c_str());
        alignas(16) static std::array<Byte, 0x10000 + 128> frame;
        QVERIFY((*code)->plan().frame_bytes <= frame.size());
        native::fill_frame((*code)->plan(), *made.instance, frame);
        const auto exit = [&](std::uint32_t function, Cell address) {
            std::array<Cell, 1> cells{address};
            return (*code)->run(function, 1'000, frame, cells).exit;
        };
        QCOMPARE(exit(0, 16), Exit::none);
        QCOMPARE(exit(0, 0xfffc), Exit::none);
        for (const Cell address : {17, 18, 19}) QCOMPARE(exit(0, address), Exit::misaligned);
        for (const Cell address : {0u, 12u, 0xfffdu, 0x10000u, 0xffff'fff0u})
            QCOMPARE(exit(0, address), Exit::window);
        for (const Cell address : {0u, 1u, 17u, 0x1000u, 0xffff'ffffu})
            QCOMPARE(exit(1, address), Exit::window);
    }

    void agree_with_the_interpreter_or_leave() {
        const std::uint64_t first = setting("BLOCKLOOM_WASM_SEED", 1);
        const std::uint64_t count = setting("BLOCKLOOM_WASM_MODULES", 200);
        Counts whole, pruned;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const std::string why =
                difference(tests::generate_module(seed, options_of(seed)), seed, whole, pruned);
            QVERIFY2(why.empty(),
                     qPrintable(
                         QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(why))));
        }
        for (const Counts* const counts : {&whole, &pruned}) {
            QString exits;
            for (std::uint32_t e = 0; e < native::exit_kinds; ++e)
                exits += QStringLiteral(" %1 %2").arg(
                    QLatin1StringView(native::name_of(static_cast<Exit>(e))),
                    QString::number(counts->exits[e]));
            qInfo("%llu modules%s, %llu calls, by exit:%s",
                  static_cast<unsigned long long>(counts->modules),
                  counts == &pruned ? ", what ran of them" : "",
                  static_cast<unsigned long long>(counts->calls), qPrintable(exits));
            QVERIFY(counts->modules >= count / 2);
            QVERIFY(counts->exits[0] * 20 > counts->calls);
        }
    }
};

QTEST_GUILESS_MAIN(TestLanes)
#include "test_lanes.moc"
