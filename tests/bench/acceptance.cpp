// Acceptance of a round's executions: the parallel check beside the serial loop that it replaces
// (value by value on the state so far, then apply). All of them hold: the longest way.
#include "execute/acceptance.h"
#include "base/progress.h"
#include "state/acceptance.h"
#include "state/block_changes.h"
#include "state/memory_state.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

using namespace blockloom;

namespace {

/// Like a mint: four keys that all read and nobody writes, four own ones, three of them written
/// again and a new one.
struct Round {
    explicit Round(std::uint32_t count) : before() {
        const auto shared = [](std::uint32_t i) {
            return fmt::format("\x01shared-contract-{}/settings", i);
        };
        const auto own = [](std::uint32_t task, std::uint32_t i) {
            return fmt::format("\x01{:016x}-contract-{:08x}/account", task * 0x9e3779b9U, i);
        };
        for (std::uint32_t i = 0; i < 4; ++i) before.put(shared(i), u128_bytes(u128{i + 1}));
        const alkanes::Rules rules = alkanes::rules_at(alkanes::Network::mainnet, 960'000);
        tanks.emplace_back(rules, std::uint64_t{count} * 200);
        for (std::uint32_t task = 0; task < count; ++task) {
            alkanes::TransactionResult result;
            result.transaction = task;
            state::TransactionLog& log = result.log;
            for (std::uint32_t i = 0; i < 4; ++i) {
                log.reads.push_back({shared(i), u128_bytes(u128{i + 1}), false});
                if (i % 2 == 0) before.put(own(task, i), u128_bytes(u128{task + 1}));
                log.reads.push_back({own(task, i), *before.get(own(task, i)), false});
                log.writes.emplace_back(own(task, i + 1), u128_bytes(u128{task + 2}));
            }
            std::sort(log.writes.begin(), log.writes.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            log.tasks.push_back({log.reads, {}, log.writes, {}});
            result.fuel = {true, rules.minimum_fuel, 100'000, 120'000, false, false, false};
            claims.push_back({0, 200, result.fuel});
            auto execution = execute::make_execution_result(std::move(result), before);
            executions.push_back(*std::move(execution));
        }
    }

    state::MemoryState before;
    std::vector<std::unique_ptr<execute::ExecutionResult>> executions;
    std::vector<execute::FuelClaim> claims;
    execute::Tanks tanks;
};

const Round& round_of(std::uint32_t count) {
    static std::map<std::uint32_t, Round> known;
    return known.try_emplace(count, count).first->second;
}

void parallel_check(benchmark::State& bench) {
    const Round& round = round_of(static_cast<std::uint32_t>(bench.range(0)));
    execute::WorkerPool pool(static_cast<unsigned>(bench.range(1)));
    execute::AcceptanceCheck check;
    // Its memory is kept, as in a run.
    check.run(round.executions, round.claims, round.tanks, 0, pool);
    for (auto _ : bench) {
        check.run(round.executions, round.claims, round.tanks, 0, pool);
        if (check.accepted() != round.executions.size())
            bench.SkipWithError("not all were accepted");
    }
    bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

void serial_loop(benchmark::State& bench) {
    const Round& round = round_of(static_cast<std::uint32_t>(bench.range(0)));
    for (auto _ : bench) {
        state::BlockState now(round.before);
        alkanes::FuelTank tank = round.tanks.front();
        for (const auto& execution : round.executions) {
            const std::uint64_t budget = tank.settle(200, execution->result.fuel);
            if (!execution->result.fuel.holds_for(budget) ||
                !*state::accepts(execution->result.log, now)) {
                bench.SkipWithError("one was not accepted");
                break;
            }
            now.apply(execution->result.log.writes);
        }
    }
    bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

} // namespace

// Messages, workers. Wall time: asked are 3 ms for 65,536 on 16 cores.
BENCHMARK(parallel_check)
    ->ArgsProduct({{4096, 65'536}, {1, 2, 16}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(serial_loop)->Arg(4096)->Arg(65'536)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
