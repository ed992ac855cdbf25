// What an invocation of machine code goes through: slices, yields, cancelling, limits of the call
// stack, fees; each beside the interpreter.
#include "native/runner.h"
#include "wasm/instance_state.h"
#include "wasm/instantiate.h"
#include "wasm/linked_instance.h"

#include <QtTest>

#include <cstring>
#include <random>
#include <thread>

using namespace blockloom;
using namespace blockloom::wasm;
using tests::LinkedInstance;

namespace {

std::shared_ptr<const Program> program_of(Bytes bytes) {
    const auto module = load_module(std::move(bytes), "test");
    if (!module) {
        qWarning("%s", module.error().message.c_str());
        return nullptr;
    }
    const auto program = lower(*module);
    return program ? *program : nullptr;
}

std::shared_ptr<Instance> make(const std::shared_ptr<const Program>& program,
                               const Imports& imports = {}, const InstanceLimits& limits = {}) {
    auto made = instantiate(program, imports, limits);
    auto* instance = std::get_if<std::shared_ptr<Instance>>(&made);
    return instance == nullptr ? nullptr : *instance;
}

/// A runner whose runs this machine has room for, with the interpreter's interface.
class Native {
public:
    explicit Native(Instance& instance)
        : runner_(instance, *native::compile(instance.shared_program())) {}

    RunResult invoke(std::uint32_t function, std::span<const Cell> arguments,
                     const RunLimits& limits = {}) {
        return *runner_.invoke(function, arguments, limits);
    }
    RunResult resume(const RunLimits& limits) { return *runner_.resume(limits); }

private:
    native::Runner runner_;
};

Native runner_of(Instance& instance) {
    return Native(instance);
}

bool same(const RunResult& a, const RunResult& b) {
    return a.outcome == b.outcome && a.results == b.results && a.trap.kind == b.trap.kind &&
           a.trap.function == b.trap.function && a.trap.offset == b.trap.offset &&
           a.trap.text == b.trap.text && a.fuel_used == b.fuel_used && a.steps == b.steps;
}

/// (module (func (export "loop") (loop (br 0))))
Bytes endless() {
    return {0, 'a', 's', 'm', 1,   0,   0, 0, 1,  4, 1, 0x60, 0, 0,    3,    2,    1, 0,    7,   8,
            1, 4,   'l', 'o', 'o', 'p', 0, 0, 10, 9, 1, 7,    0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b};
}

/// (module (func (param i32) (result i32) (if (result i32) (local.get 0) (then (i32.add (call 0
/// (i32.sub (local.get 0) (i32.const 1))) (i32.const 1))) (else (i32.const 0)))))
Bytes recursive() {
    return {0,    'a',  's', 'm',  1,    0,  0,    0, 1,    6,    1,    0x60, 1,    0x7f, 1,
            0x7f, 3,    2,   1,    0,    10, 22,   1, 20,   0,    0x20, 0,    0x04, 0x7f, 0x20,
            0,    0x41, 1,   0x6b, 0x10, 0,  0x41, 1, 0x6a, 0x05, 0x41, 0,    0x0b, 0x0b};
}

void put_leb(Bytes& to, std::size_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<Byte>(value | 0x80));
    to.push_back(static_cast<Byte>(value));
}

/// (module (func (param i32) (result i32) OPENING… end… (local.get 0))): so many times nested.
Bytes nested(const Bytes& opening, std::size_t times) {
    Bytes body{0};
    for (std::size_t i = 0; i < times; ++i) body.insert(body.end(), opening.begin(), opening.end());
    body.insert(body.end(), times, 0x0b);
    body.insert(body.end(), {0x20, 0, 0x0b});
    Bytes code{1};
    put_leb(code, body.size());
    code.insert(code.end(), body.begin(), body.end());
    Bytes module{0, 'a', 's', 'm', 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 10};
    put_leb(module, code.size());
    module.insert(module.end(), code.begin(), code.end());
    return module;
}

/// (module (import "h" "f" (func (param i32) (result i32)))
///   (func (param i32) (result i32) (i32.add (call 0 (local.get 0)) (call 0 (i32.const 5)))))
Bytes calling() {
    return {0,    'a', 's', 'm', 1,    0,   0,    0,   1,    6, 1,    0x60, 1,    0x7f, 1,
            0x7f, 2,   7,   1,   1,    'h', 1,    'f', 0,    0, 3,    2,    1,    0,    10,
            13,   1,   11,  0,   0x20, 0,   0x10, 0,   0x41, 5, 0x10, 0,    0x6a, 0x0b};
}

Imports host(std::function<HostAnswer(HostCall&)> call) {
    auto function = std::make_shared<HostFunction>();
    function->type = {{ValueType::i32}, {ValueType::i32}};
    function->call = std::move(call);
    FunctionReference reference;
    reference.type = function->type;
    reference.host = std::move(function);
    return {{{"h", "f"}, reference}};
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slices_change_nothing() {
        std::uint64_t paused = 0, looked_at = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const auto generated = tests::generate_module(seed, {true, true, true});
            InstanceLimits most;
            most.start_fuel = 20'000;
            const LinkedInstance first = tests::instantiate(generated, most);
            const LinkedInstance second = tests::instantiate(generated, most);
            if (!first.instance) continue;
            ++looked_at;
            Native runner = runner_of(*second.instance);
            Interpreter interpreter(*first.instance);
            std::mt19937_64 random(seed);
            for (std::size_t f = 0; f < generated.functions.size(); ++f) {
                std::vector<Cell> arguments;
                for (const ValueType type : generated.functions[f].parameters)
                    arguments.push_back(tests::interesting_cell(type, random()));
                const std::uint32_t index = LinkedInstance::index_of(generated, f);
                RunLimits limits;
                limits.fuel = 5'000;
                limits.steps = 1 + random() % 60;
                RunResult expected = interpreter.invoke(index, arguments, limits);
                RunResult found = runner.invoke(index, arguments, limits);
                QVERIFY(same(expected, found));
                while (expected.outcome == Outcome::paused) {
                    ++paused;
                    limits.steps = 1 + random() % 60;
                    expected = interpreter.resume(limits);
                    found = runner.resume(limits);
                    QVERIFY2(same(expected, found),
                             qPrintable(QStringLiteral("seed %1 f%2").arg(seed).arg(f)));
                }
                const auto a = first.instance->memory(), b = second.instance->memory();
                QVERIFY(a->size() == b->size() &&
                        std::memcmp(a->data(), b->data(), a->size()) == 0);
            }
        }
        QVERIFY(paused > 500 && looked_at > 40);
    }

    void blocks_of_any_depth_are_compiled_or_refused_by_name() {
        const Bytes block{0x02, 0x40}, loop{0x03, 0x40}, condition{0x20, 0, 0x04, 0x40};
        // On both sides of where the optimising compiler is given up; plain blocks are no code.
        for (const auto& [opening, times] : {std::pair(block, 100'000),
                                             {loop, 3'000},
                                             {loop, 5'000},
                                             {condition, 1'500},
                                             {condition, 2'500}}) {
            const auto program = program_of(nested(opening, static_cast<std::size_t>(times)));
            QVERIFY(program != nullptr);
            const auto first = make(program), second = make(program);
            Native runner = runner_of(*second);
            for (const Cell argument : {0, 1})
                QVERIFY(same(Interpreter(*first).invoke(0, {&argument, 1}),
                             runner.invoke(0, {&argument, 1})));
        }
        for (const Bytes& opening : {loop, condition}) {
            const auto program = program_of(nested(opening, 21'000));
            QVERIFY(program != nullptr);
            const auto refused = native::compile(program);
            QVERIFY(!refused.ok());
            QVERIFY(refused.error().code == ErrorCode::unavailable);
            QVERIFY2(refused.error().message.find("expected at most 20000 blocks") !=
                         std::string::npos,
                     refused.error().message.c_str());
            const auto instance = make(program);
            const Cell argument = 1;
            QCOMPARE(Interpreter(*instance).invoke(0, {&argument, 1}).results,
                     std::vector<Cell>{1});
        }
    }

    void a_yield_makes_the_same_call_again() {
        int asked = 0;
        const auto program = program_of(calling());
        QVERIFY(program != nullptr);
        const auto imports = host([&](HostCall& call) {
            if (++asked % 3 != 0) return HostAnswer::yield;
            call.results[0] = call.arguments[0] * 10;
            call.fee = 7;
            return HostAnswer::done;
        });
        const auto run = [&](auto&& engine, std::vector<RunResult>& seen) {
            asked = 0;
            const Cell argument = 4;
            seen.push_back(engine.invoke(1, {&argument, 1}));
            while (seen.back().outcome == Outcome::yielded) seen.push_back(engine.resume({}));
        };
        std::vector<RunResult> expected, found;
        const auto first = make(program, imports), second = make(program, imports);
        run(Interpreter(*first), expected);
        run(runner_of(*second), found);
        QCOMPARE(expected.size(), std::size_t{5});
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) QVERIFY(same(expected[i], found[i]));
        QCOMPARE(found.back().results, std::vector<Cell>{90});
    }

    void the_host_sees_exact_fuel_and_its_fee_is_charged() {
        const auto program = program_of(calling());
        std::vector<std::uint64_t> seen;
        const auto imports = host([&](HostCall& call) {
            seen.push_back(call.fuel_left);
            call.results[0] = 1;
            call.fee = 100;
            return HostAnswer::done;
        });
        const auto first = make(program, imports), second = make(program, imports);
        Native runner = runner_of(*second);
        for (std::uint64_t fuel = 0; fuel < 230; ++fuel) {
            RunLimits limits;
            limits.fuel = fuel;
            const Cell argument = 4;
            seen.clear();
            const RunResult expected = Interpreter(*first).invoke(1, {&argument, 1}, limits);
            const auto before = seen;
            seen.clear();
            QVERIFY(same(expected, runner.invoke(1, {&argument, 1}, limits)));
            QCOMPARE(seen, before);
        }
        QCOMPARE(seen.size(), std::size_t{2});
    }

    void a_host_function_that_says_no() {
        const auto program = program_of(calling());
        const auto imports = host([](HostCall& call) {
            call.error = "no " + std::to_string(call.arguments[0]);
            return HostAnswer::done;
        });
        const auto first = make(program, imports), second = make(program, imports);
        const Cell argument = 4;
        const RunResult found = runner_of(*second).invoke(1, {&argument, 1});
        QVERIFY(same(Interpreter(*first).invoke(1, {&argument, 1}), found));
        QCOMPARE(found.trap.text, std::string("no 4"));
        // The import itself may be invoked.
        QVERIFY(same(Interpreter(*first).invoke(0, {&argument, 1}),
                     runner_of(*second).invoke(0, {&argument, 1})));
    }

    void the_call_stack_ends_at_the_same_call() {
        const auto program = program_of(recursive());
        QVERIFY(program != nullptr);
        for (const auto& [depth, cells] :
             std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 100},
                                                                  {1, 100},
                                                                  {2, 100},
                                                                  {50, 1'000'000},
                                                                  {1024, 131'072},
                                                                  {1024, 1},
                                                                  {1024, 2},
                                                                  {1024, 3},
                                                                  {1024, 40},
                                                                  {100'000, 131'072},
                                                                  {1024, 0}}) {
            InstanceLimits limits;
            limits.call_depth = depth;
            limits.stack_cells = cells;
            const auto first = make(program, {}, limits), second = make(program, {}, limits);
            Native runner = runner_of(*second);
            for (const Cell argument : {Cell{0}, Cell{1}, Cell{2}, Cell{48}, Cell{49}, Cell{50},
                                        Cell{1023}, Cell{1024}, Cell{200'000}}) {
                const RunResult expected = Interpreter(*first).invoke(0, {&argument, 1});
                QVERIFY2(same(expected, runner.invoke(0, {&argument, 1})),
                         qPrintable(QStringLiteral("%1 frames, %2 cells, %3")
                                        .arg(depth)
                                        .arg(cells)
                                        .arg(argument)));
            }
        }
    }

    void a_stop_ends_an_endless_loop() {
        const auto instance = make(program_of(endless()));
        QVERIFY(instance != nullptr);
        Native runner = runner_of(*instance);
        std::stop_source source;
        RunLimits limits;
        limits.stop = source.get_token();
        std::jthread other([&] { source.request_stop(); });
        const RunResult result = runner.invoke(0, {}, limits);
        QCOMPARE(result.outcome, Outcome::trapped);
        QCOMPARE(result.trap.kind, TrapKind::cancelled);
        // The runner is as good as new.
        limits.stop = {};
        limits.fuel = 1000;
        QVERIFY(same(runner.invoke(0, {}, limits), Interpreter(*instance).invoke(0, {}, limits)));
    }

    void a_paused_run_may_be_given_up() {
        const auto instance = make(program_of(endless()));
        Native runner = runner_of(*instance);
        RunLimits limits;
        limits.steps = 10;
        QCOMPARE(runner.invoke(0, {}, limits).outcome, Outcome::paused);
        QCOMPARE(runner.invoke(0, {}, limits).outcome, Outcome::paused); // gives up the first
        QCOMPARE(runner.resume(limits).outcome, Outcome::paused);
        limits.fuel = 5;
        const RunResult ended = runner.invoke(0, {}, limits);
        QCOMPARE(ended.trap.kind, TrapKind::out_of_fuel);
        QCOMPARE(runner.resume(limits).trap.kind, TrapKind::host); // nothing to go on with
        limits.fuel = 1'000'000;
        QCOMPARE(runner.invoke(0, {}, limits).outcome, Outcome::paused);
    } // and the runner ends while it is paused

    void one_code_serves_many_instances_and_threads() {
        const auto program = program_of(recursive());
        const auto code = *native::compile(program);
        std::atomic<int> right = 0;
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&] {
                    const auto instance = make(program);
                    native::Runner runner(*instance, code);
                    for (Cell n = 0; n < 200; ++n)
                        right += runner.invoke(0, {&n, 1})->results == std::vector<Cell>{n};
                });
        }
        QCOMPARE(right.load(), 800);
    }
};

QTEST_GUILESS_MAIN(TestRuns)
#include "test_runs.moc"
