// Random runs of loads and stores at sums of a few addresses and constants, near the ends of memory
// and pages, with loops, branches and divisions between them: machine code, which checks several at
// once, beside the interpreter. BLOCKLOOM_WASM_MODULES sets how many modules (default 150).
#include "native/runner.h"
#include "wasm/instantiate.h"
#include "wasm/run.h"

#include <QtTest>

#include <cstring>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;

namespace {

/// A module of one function (i32, i32) -> i32 over two pages of memory.
class RangeModule {
public:
    explicit RangeModule(std::uint64_t seed) : random_(seed) {}

    Bytes make() {
        run(0);
        add({0x20, 2, 0x0b}); // local.get 2, end
        Bytes code{1, 2, 0x7f};
        code.insert(code.end(), body_.begin(), body_.end());
        Bytes section{1};
        unsigned_number(section, static_cast<std::uint32_t>(code.size()));
        section.insert(section.end(), code.begin(), code.end());
        Bytes module{0, 'a', 's', 'm', 1, 0, 0, 0, 1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f,
                     3, 2,   1,   0,   5, 3, 1, 0, 2, 7, 5, 1,    1, 'f',  0,    0, 0x0a};
        unsigned_number(module, static_cast<std::uint32_t>(section.size()));
        module.insert(module.end(), section.begin(), section.end());
        return module;
    }

private:
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    void add(std::initializer_list<Byte> bytes) { body_.insert(body_.end(), bytes); }
    static void unsigned_number(Bytes& to, std::uint32_t value) {
        for (; value >= 0x80; value >>= 7) to.push_back(static_cast<Byte>(value | 0x80));
        to.push_back(static_cast<Byte>(value));
    }
    void constant(std::int32_t value) {
        add({0x41});
        while (value < -64 || value > 63) {
            add({static_cast<Byte>((value & 0x7f) | 0x80)});
            value >>= 7;
        }
        add({static_cast<Byte>(value & 0x7f)});
    }
    std::int32_t distance() {
        static constexpr std::int32_t far[] = {4096, -4096, 4090, 65'535, -65'536, 70'000};
        return below(8) == 0 ? far[below(6)] : static_cast<std::int32_t>(below(65)) - 32;
    }
    void sum() {
        add({0x20, static_cast<Byte>(below(2))});
        if (below(3) == 0) return;
        constant(distance());
        add({below(4) == 0 ? Byte{0x6b} : Byte{0x6a}}); // i32.sub, i32.add
    }
    void place() { // alignment and offset
        add({0});
        unsigned_number(body_, below(3) != 0 ? below(24) : below(5'000));
    }
    void load() {
        static constexpr Byte loads[] = {0x28, 0x2c, 0x2d, 0x2f};
        sum();
        add({loads[below(4)]});
        place();
        add({0x20, 2, 0x73, 0x21, 2}); // xor into local 2
    }
    void store() {
        static constexpr Byte stores[] = {0x36, 0x3a, 0x3b};
        sum();
        if (below(2) == 0)
            add({0x20, 2});
        else
            constant(static_cast<std::int32_t>(random_()));
        add({stores[below(3)]});
        place();
    }
    void run(int depth) {
        for (std::uint32_t left = 2 + below(9); left > 0; --left) {
            const std::uint32_t what = below(24);
            const auto local = static_cast<Byte>(below(2));
            if (what < 8) {
                load();
            } else if (what < 18) {
                store();
            } else if (what < 21) {
                add({0x20, local});
                constant(distance());
                add({0x6a, 0x21, local});
            } else if (what == 21) { // local 2 divided by some of its bits
                add({0x20, 2, 0x20, 2, 0x41, 31, 0x71, 0x6e, 0x21, 2});
            } else if (depth == 2) {
                add({0x20, local, 0x21, static_cast<Byte>(1 - local)});
            } else if (what == 22 || depth == 1) {
                add({0x20, local, 0x41, 4, 0x71, 0x04, 0x40}); // if
                run(2);
                add({0x0b});
            } else { // a loop of a few rounds
                constant(static_cast<std::int32_t>(1 + below(5)));
                add({0x21, 3, 0x03, 0x40});
                run(1);
                add({0x20, 3, 0x41, 1, 0x6b, 0x22, 3, 0x0d, 0, 0x0b});
            }
        }
    }

    std::mt19937_64 random_;
    Bytes body_;
};

Cell address(std::mt19937_64& random) {
    static constexpr std::uint32_t ends[] = {0, 131'072, 4096, 65'536, 8192, 126'976, 131'040};
    const std::uint32_t end = ends[random() % 7];
    return (end + static_cast<std::uint32_t>(random() % 97) - 48) & 0xffff'ffff;
}

std::shared_ptr<Instance> instance_of(const std::shared_ptr<const Program>& program) {
    return std::get<std::shared_ptr<Instance>>(instantiate(program, {}));
}

std::string difference(const RunResult& a, const RunResult& b, Instance& x, Instance& y) {
    if (a.outcome != b.outcome || a.trap.kind != b.trap.kind) return "outcome";
    if (a.trap.offset != b.trap.offset) return "place of the trap";
    if (a.results != b.results) return "result";
    if (a.fuel_used != b.fuel_used || a.steps != b.steps) return "fuel";
    if (std::memcmp(x.memory()->data(), y.memory()->data(), x.memory()->size()) != 0)
        return "memory";
    if (x.memory()->touched_pages() != y.memory()->touched_pages()) return "touched pages";
    return {};
}

} // namespace

class TestRanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agree_with_the_interpreter() {
        bool given = false;
        const int wished = qEnvironmentVariable("BLOCKLOOM_WASM_MODULES").toInt(&given);
        const std::uint64_t first = qEnvironmentVariable("BLOCKLOOM_WASM_SEED").toULongLong();
        const auto count = static_cast<std::uint64_t>(given ? wished : 150);
        std::uint64_t calls = 0, trapped = 0;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const auto module = load_module(RangeModule(seed).make(), "ranges");
            QVERIFY2(module.ok(), module.ok() ? "" : module.error().message.c_str());
            const auto program = *lower(*module);
            const auto expected_on = instance_of(program), found_on = instance_of(program);
            const auto code = *native::compile(
                program, {}, seed % 8 == 0 ? native::Tier::quick : native::Tier::optimised);
            native::Runner runner(*found_on, code);
            std::mt19937_64 random(seed);
            for (int call = 0; call < 60; ++call) {
                const Cell arguments[] = {address(random), address(random)};
                expected_on->reset(), found_on->reset();
                const RunResult expected = Interpreter(*expected_on).invoke(0, arguments);
                const RunResult found = *runner.invoke(0, arguments);
                const std::string why = difference(expected, found, *expected_on, *found_on);
                QVERIFY2(why.empty(), qPrintable(QStringLiteral("seed %1, (%2, %3): %4")
                                                     .arg(seed)
                                                     .arg(arguments[0])
                                                     .arg(arguments[1])
                                                     .arg(QString::fromStdString(why))));
                ++calls;
                trapped += expected.outcome == Outcome::trapped;
            }
        }
        qInfo("%llu calls, %llu traps", static_cast<unsigned long long>(calls),
              static_cast<unsigned long long>(trapped));
        QVERIFY(trapped > calls / 10 && trapped < calls);
    }
};

QTEST_GUILESS_MAIN(TestRanges)
#include "test_ranges.moc"
