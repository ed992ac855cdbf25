// The pool gives instances that cannot be distinguished from new ones, and keeps them without
// allocating.
#include "wasm/instance_pool.h"
#include "wasm/instance_state.h"
#include "wasm/instantiate.h"
#include "wasm/module_generator.h"

#include <QtTest>

#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <random>

using namespace blockloom;
using namespace blockloom::wasm;

namespace {
thread_local std::size_t allocations = 0; // of this thread: Qt Test has one of its own
}

void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* made = std::malloc(bytes)) return made;
    throw std::bad_alloc();
}
void operator delete(void* made) noexcept {
    std::free(made);
}
void operator delete(void* made, std::size_t) noexcept {
    std::free(made);
}

namespace {

std::shared_ptr<const Program> program_of(const Bytes& bytes) {
    const auto module = load_module(bytes, "test");
    const auto program = module ? lower(*module) : module.error();
    return program ? *program : nullptr;
}

// clang-format off
/// A module with a page of memory, a global of 5 and two functions.
const Bytes touching{
    0, 'a', 's', 'm', 1, 0, 0, 0,
    1, 4, 1, 0x60, 0, 0,                  // type 0: nothing to nothing
    3, 3, 2, 0, 0,                        // two functions of it
    5, 3, 1, 0, 1,                        // memory: one page
    6, 6, 1, 0x7f, 1, 0x41, 5, 0x0b,      // global 0: mutable i32 5
    10, 25, 2,
    15, 0, 0x41, 0x80, 0x80, 0x02, 0x41, 7, 0x36, 2, 0, // function 0: memory[0x8000] = 7,
    0x41, 9, 0x24, 0, 0x0b,                             // global 0 = 9
    7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b};             // function 1: loops for ever
// clang-format on

std::optional<InstancePool::Lease> take(InstancePool& pool) {
    auto taken = pool.acquire();
    if (auto* lease = std::get_if<InstancePool::Lease>(&taken)) return std::move(*lease);
    return std::nullopt;
}

} // namespace

class TestInstancePool : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_returned_instance_is_as_new() {
        const auto program = program_of(touching);
        QVERIFY(program != nullptr);
        InstancePool pool(program, {});
        Instance* first = nullptr;
        {
            const auto lease = take(pool);
            QVERIFY(lease.has_value());
            first = &lease->instance();
            QCOMPARE(lease->interpreter().invoke(0, {}).outcome, Outcome::returned);
            QCOMPARE(int{first->memory()->data()[0x8000]}, 7);
            QCOMPARE(*first->state().global_cells[0], Cell{9});
            QCOMPARE(pool.idle(), std::size_t{0});
        }
        QCOMPARE(pool.idle(), std::size_t{1});
        const auto again = take(pool);
        QVERIFY(again.has_value());
        QCOMPARE(&again->instance(), first);
        QCOMPARE(int{first->memory()->data()[0x8000]}, 0);
        QCOMPARE(*first->state().global_cells[0], Cell{5});
        QCOMPARE(first->memory()->touched_pages(), std::size_t{0});
    }

    void a_paused_invocation_is_forgotten() {
        InstancePool pool(program_of(touching), {});
        RunLimits limits;
        limits.steps = 100;
        {
            const auto lease = take(pool);
            QCOMPARE(lease->interpreter().invoke(1, {}, limits).outcome, Outcome::paused);
        }
        const auto lease = take(pool);
        QCOMPARE(lease->interpreter().resume(limits).outcome, Outcome::trapped);
        QCOMPARE(lease->interpreter().invoke(0, {}).outcome, Outcome::returned);
    }

    void those_held_at_a_time_are_apart() {
        InstancePool pool(program_of(touching), {});
        {
            auto one = take(pool), two = take(pool);
            QVERIFY(&one->instance() != &two->instance());
            (void)one->interpreter().invoke(0, {});
            QCOMPARE(int{two->instance().memory()->data()[0x8000]}, 0);
            QCOMPARE(pool.made(), std::size_t{2});
            std::swap(*one, *two); // a lease gives back what it holds, once
        }
        QCOMPARE(pool.idle(), std::size_t{2});
        const auto lease = take(pool);
        QCOMPARE(pool.made(), std::size_t{2});
    }

    void warm_calls_do_not_allocate() {
        InstancePool pool(program_of(touching), {});
        for (int round = 0; round < 3; ++round) {
            const std::size_t before = allocations;
            {
                auto one = pool.acquire(), two = pool.acquire();
                (void)std::get<InstancePool::Lease>(one).interpreter().invoke(0, {});
                (void)std::get<InstancePool::Lease>(two).interpreter().invoke(0, {});
            }
            if (round > 0) QCOMPARE(allocations, before);
        }
    }

    void what_cannot_be_linked_is_told() {
        Bytes importing{0, 'a', 's', 'm', 1, 0, 0,   0, 1,   4, 1, 0x60,
                        0, 0,   2,   7,   1, 1, 'e', 1, 'f', 0, 0};
        const auto program = program_of(importing);
        QVERIFY(program != nullptr);
        InstancePool pool(program, {});
        const auto taken = pool.acquire();
        const auto* error = std::get_if<LinkError>(&taken);
        QVERIFY(error != nullptr);
        QVERIFY(error->text.find("unknown import") != std::string::npos);
        QCOMPARE(pool.made(), std::size_t{0});
    }

    void random_modules_run_as_on_new_instances() {
        std::uint64_t compared = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const auto generated = tests::generate_module(seed);
            const auto program = program_of(generated.bytes);
            QVERIFY(program != nullptr);
            InstancePool pool(program, {});
            std::mt19937_64 random(seed);
            RunLimits limits;
            limits.fuel = 20'000;
            for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
                std::vector<Cell> arguments;
                for (const ValueType type : generated.functions[f].parameters)
                    arguments.push_back(tests::interesting_cell(type, random()));
                const auto lease = take(pool);
                auto fresh = instantiate(program, {});
                Instance& other = *std::get<std::shared_ptr<Instance>>(fresh);
                const RunResult a = lease->interpreter().invoke(f, arguments, limits);
                const RunResult b = Interpreter(other).invoke(f, arguments, limits);
                QCOMPARE(a.outcome, b.outcome);
                QCOMPARE(a.results, b.results);
                QCOMPARE(a.steps, b.steps);
                QCOMPARE(std::memcmp(lease->instance().memory()->data(), other.memory()->data(),
                                     other.memory()->size()),
                         0);
                ++compared;
            }
            QCOMPARE(pool.made(), std::size_t{1});
        }
        QVERIFY(compared >= 300);
    }
};

QTEST_GUILESS_MAIN(TestInstancePool)
#include "test_instance_pool.moc"
