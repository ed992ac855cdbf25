// The background cache: not yet, then ready; bounded; failures kept; closed while it works.
#include "headers/waiting.h"
#include "native/cache.h"
#include "native/runner.h"
#include "wasm/module_generator.h"

#include <QtTest>

#include <thread>

using namespace blockloom;
using namespace blockloom::native;

namespace {

std::shared_ptr<const wasm::Program> program_of(std::uint64_t seed) {
    const auto module = wasm::load_module(tests::generate_module(seed).bytes, "generated");
    if (!module) return nullptr;
    const auto program = wasm::lower(*module);
    return program ? *program : nullptr;
}

} // namespace

class TestCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void first_not_yet_then_ready() {
        Cache cache;
        const auto program = program_of(1);
        const Hash256 id = module_id(*program);
        QVERIFY(cache.find(id, program).state == Cache::State::waiting); // it takes milliseconds
        const Cache::Answer ready = cache.wait(id, program);
        QVERIFY(ready.state == Cache::State::ready);
        QCOMPARE(&ready.code->program(), program.get());
        QVERIFY(ready.code->bytes() > 0);
        QCOMPARE(cache.find(id, program).code.get(), ready.code.get());
        QCOMPARE(cache.modules(), std::size_t{1});
    }

    /// Quick code serves at once; the optimised one takes its place, also in what `find` says.
    void quick_first_then_optimised() {
        Cache cache;
        const auto program = program_of(3);
        const Hash256 id = module_id(*program);
        const auto quick = cache.wait(id, program, Tier::quick);
        QVERIFY(quick.code != nullptr);
        const auto optimised = cache.wait(id, program);
        QVERIFY(optimised.code->tier() == Tier::optimised);
        QCOMPARE(cache.find(id, program).code.get(), optimised.code.get());
    }

    void another_program_of_the_same_module_shares_the_code() {
        Cache cache;
        const auto first = program_of(2), second = program_of(2);
        QVERIFY(first != second);
        const auto code = cache.wait(module_id(*first), first).code;
        QCOMPARE(cache.wait(module_id(*second), second).code.get(), code.get());
    }

    void the_least_used_are_forgotten() {
        Cache cache(2);
        std::vector<std::shared_ptr<const wasm::Program>> programs;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) programs.push_back(program_of(seed));
        const auto ask = [&](std::size_t i) {
            return cache.wait(module_id(*programs[i]), programs[i]).code;
        };
        const auto first = ask(0), second = ask(1);
        QCOMPARE(ask(0).get(), first.get()); // now the second is the least used
        QVERIFY(ask(2) != nullptr);
        QCOMPARE(cache.modules(), std::size_t{2});
        QCOMPARE(ask(0).get(), first.get());
        QVERIFY(ask(1) != second);
        QVERIFY(second != nullptr); // lives on here
    }

    void more_requests_than_places() {
        Cache cache(2);
        std::vector<std::shared_ptr<const wasm::Program>> programs;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) programs.push_back(program_of(seed));
        for (const auto& program : programs) (void)cache.find(module_id(*program), program);
        QCOMPARE(cache.modules(), std::size_t{2});
        QVERIFY(cache.wait(module_id(*programs[7]), programs[7]).state == Cache::State::ready);
    }

    void many_threads_ask() {
        Cache cache;
        const auto program = program_of(5);
        const Hash256 id = module_id(*program);
        std::vector<std::shared_ptr<const NativeCode>> found(4);
        {
            std::vector<std::jthread> threads;
            for (auto& place : found)
                threads.emplace_back([&] { place = cache.wait(id, program).code; });
        }
        for (const auto& place : found) QCOMPARE(place.get(), found.front().get());
        QVERIFY(found.front() != nullptr);
    }

    void closing_does_not_wait_for_the_queue() {
        std::vector<std::shared_ptr<const wasm::Program>> programs;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) programs.push_back(program_of(seed));
        std::weak_ptr<const wasm::Program> last = programs.back();
        {
            Cache cache;
            for (const auto& program : programs) (void)cache.find(module_id(*program), program);
            programs.clear();
            QVERIFY(!last.expired()); // the queue has it
        }
        // At once, but where it is just being compiled: nobody waits for that.
        WAIT_UNTIL(last.expired());
    }

    void quick_code_of_many_and_then_optimised() {
        Cache cache;
        std::vector<std::shared_ptr<const wasm::Program>> programs;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) programs.push_back(program_of(seed));
        for (const auto& program : programs)
            QVERIFY(cache.wait(module_id(*program), program, Tier::quick).code != nullptr);
        for (const auto& program : programs) {
            const auto answer = cache.wait(module_id(*program), program);
            QVERIFY(answer.code != nullptr && answer.code->tier() == Tier::optimised);
        }
    }

    /// What is asked for most often is compiled next, however late it came.
    void the_most_asked_is_next() {
        std::vector<std::shared_ptr<const wasm::Program>> programs;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) programs.push_back(program_of(seed));
        bool in_time = false; // the last one was asked for before the first was compiled
        for (int attempt = 0; attempt < 200 && !in_time; ++attempt) {
            Cache cache;
            const auto ask = [&](std::size_t i) {
                return cache.find(module_id(*programs[i]), programs[i]).state;
            };
            for (std::size_t i = 0; i < programs.size(); ++i) (void)ask(i);
            for (int more = 0; more < 3; ++more) (void)ask(programs.size() - 1);
            in_time = ask(0) == Cache::State::waiting;
            if (!in_time) continue;
            QVERIFY(cache.wait(module_id(*programs[1]), programs[1], Tier::quick).code != nullptr);
            QVERIFY(ask(programs.size() - 1) == Cache::State::ready);
        }
        QVERIFY(in_time);
    }

    /// Caches that are closed while they work leave nothing behind that hinders the next one.
    void many_caches_are_closed_at_work() {
        const auto program = program_of(4);
        for (int i = 0; i < 50; ++i) {
            Cache cache;
            QVERIFY(cache.find(module_id(*program), program).state == Cache::State::waiting);
            if (i % 5 == 0) QVERIFY(cache.wait(module_id(*program), program, Tier::quick).code);
        }
        Cache cache;
        QVERIFY(cache.wait(module_id(*program), program).state == Cache::State::ready);
    }
};

QTEST_GUILESS_MAIN(TestCache)
#include "test_cache.moc"
