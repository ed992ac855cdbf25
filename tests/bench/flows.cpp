// What it costs to order tasks while they run: the flows of dag and optimistic beside a pool that
// makes the same executions in any order, and the graph of a large block. Executions are a loop of
// a fixed number of steps with the reads of a mint; nothing of a contract is measured.
//
// bench_flows [--tasks=N] [--steps=N] [--turns=N]
#include "execute/execution_result.h"
#include "execute/flow/expected_tasks.h"
#include "execute/flow/graph_flow.h"
#include "execute/flow/optimistic_flow.h"
#include "execute/worker_pool.h"
#include "state/memory_state.h"

#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>
#include <thread>

using namespace blockloom;
using namespace blockloom::execute;

namespace {

/// Tasks of a block: each reads eight keys and writes four. Task i also reads and writes the
/// counter of chain i % `chains`; 0: there is none, and all are independent.
struct Tasks {
    Tasks(std::uint32_t count, std::uint32_t chains) : sets(count), fuel(count) {
        const auto own = [](std::uint32_t task, std::uint32_t i) {
            return fmt::format("\x01{:016x}-contract-{:08x}/account", task * 0x9e3779b9U, i);
        };
        for (std::uint32_t task = 0; task < count; ++task) {
            alkanes::TransactionResult result;
            result.transaction = task;
            state::TransactionLog& log = result.log;
            for (std::uint32_t i = 0; i < 8; ++i) {
                before.put(own(task, i), u128_bytes(u128{task + 1}));
                log.reads.push_back({own(task, i), u128_bytes(u128{task + 1}), false});
                if (i % 2 == 1) log.writes.emplace_back(own(task, i), u128_bytes(u128{task + 2}));
            }
            if (chains != 0) {
                const std::string key = fmt::format("\x01 chain {}", task % chains);
                const state::Value found =
                    task < chains ? state::Value() : u128_bytes(u128{task - chains + 1});
                log.reads.push_back({key, found, false});
                log.writes.emplace_back(key, u128_bytes(u128{task + 1}));
            }
            std::sort(log.writes.begin(), log.writes.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            log.tasks.push_back({log.reads, {}, log.writes, {}});
            sets[task] = sets_of(log);
            fuel[task].gas = 100'000;
            auto made = make_execution_result(std::move(result), before);
            executions.push_back(*std::move(made));
            numbers.push_back(task);
        }
    }

    state::MemoryState before;
    std::vector<std::unique_ptr<ExecutionResult>> executions;
    std::vector<DeclaredSets> sets;
    std::vector<alkanes::FuelUse> fuel;
    std::vector<std::uint32_t> numbers;
};

std::uint64_t execute_steps(std::uint64_t steps) {
    std::uint64_t value = steps;
    for (std::uint64_t i = 0; i < steps; ++i) value = value * 6364136223846793005U + i;
    return value;
}

/// An execution of a task on the state that it is given. False: it met an estimate. What an
/// execution has just made is in its worker's cache: so is the result here.
bool run_on(const state::StateView& view, const ExecutionResult& wanted, std::uint64_t steps) {
    for (const state::Read& read : wanted.result.log.reads)
        if (!view.get(read.key)) return false;
    std::uint64_t made = execute_steps(steps);
    for (const auto& [key, value] : wanted.result.log.writes)
        made += key.hash() + static_cast<std::uint8_t>(key.bytes().back()) + value.size();
    for (const Probe& probe : wanted.probes) made += probe.hash;
    volatile std::uint64_t sink = made;
    (void)sink;
    return true;
}

/// The window's side, with results that are there already.
class Round final : public FlowRound {
public:
    explicit Round(const Tasks& tasks) : tasks_(tasks) {}
    [[nodiscard]] std::uint32_t task(std::uint32_t place) const noexcept override { return place; }
    [[nodiscard]] Attempt attempt(std::uint32_t place, const state::StateView& view) override {
        Attempt attempt;
        attempt.task = place;
        attempt.view = &view;
        return attempt;
    }
    void settle(std::uint32_t) override {}
    [[nodiscard]] const ExecutionResult* take(unsigned, std::uint32_t place,
                                              Result<Attempted>) override {
        return tasks_.executions[place].get();
    }
    [[nodiscard]] bool make_probes(std::uint32_t, bool) override { return true; }

private:
    const Tasks& tasks_;
};

Nanoseconds time_of_pool(WorkerPool& pool, const Tasks& tasks, std::uint64_t steps) {
    const Nanoseconds begin = now_ns();
    pool.each(tasks.executions.size(), 1, [&](unsigned, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            (void)run_on(tasks.before, *tasks.executions[i], steps);
    });
    return now_ns() - begin;
}

/// The number of executions is returned in `executed`.
Nanoseconds time_of_flow(WorkerPool& pool, const Tasks& tasks, Flow& flow, std::uint64_t steps,
                         std::uint64_t& executed) {
    std::atomic<std::uint64_t> count{0};
    Round round(tasks);
    const std::vector<std::unique_ptr<ExecutionResult>> none(tasks.executions.size());
    const Nanoseconds begin = now_ns();
    flow.begin({round, static_cast<std::uint32_t>(none.size()), tasks.before, 0, none, pool});
    pool.open([&](unsigned worker) {
        std::uint64_t own = 0;
        Flow::Next next;
        for (Attempt attempt; (next = flow.next(worker, attempt)) == Flow::Next::attempt; ++own) {
            if (run_on(*attempt.view, *tasks.executions[attempt.task], steps))
                flow.done(worker, Attempted{});
            else
                flow.done(worker, Error{ErrorCode::bad_input, "an estimate"});
        }
        count += own;
        return next == Flow::Next::over;
    });
    executed = count;
    return now_ns() - begin;
}

std::uint64_t argument(int count, char** values, std::string_view name, std::uint64_t otherwise) {
    for (int i = 1; i < count; ++i) {
        const std::string_view text(values[i]);
        if (!text.starts_with(name)) continue;
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + name.size(), end, value);
        if (read.ec == std::errc() && read.ptr == end) return value;
        fmt::print(stderr, "{}: expected a number, found {}\n", name, text.substr(name.size()));
        std::exit(2);
    }
    return otherwise;
}

Nanoseconds median(std::vector<Nanoseconds> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace

int main(int count, char** values) {
    const auto tasks_wanted =
        static_cast<std::uint32_t>(argument(count, values, "--tasks=", 10'000));
    const std::uint64_t steps = argument(count, values, "--steps=", 20'000);
    const std::uint64_t turns = argument(count, values, "--turns=", 9);
    fmt::print("{} tasks, medians of {} turns; ns a task: (wall time - the pool's) x workers / "
               "tasks\n",
               tasks_wanted, turns);
    fmt::print("{:>12} {:>8} {:>10} {:>10} {:>8} {:>14} {:>8} {:>10}\n", "chains", "workers",
               "pool, ms", "dag, ms", "ns", "optimistic, ms", "ns", "repeated");
    LiveVersions versions;
    KeyReaders readers;
    for (const std::uint32_t chains : {0U, 256U}) {
        const Tasks tasks(tasks_wanted, chains);
        const TaskGraph graph = graph_of(tasks.sets, tasks.fuel, tasks.numbers);
        ExpectedWrites expected; // the chains, as learned sets would name them
        std::vector<state::Key> keys;
        for (std::uint32_t chain = 0; chain < chains; ++chain)
            keys.emplace_back(fmt::format("\x01 chain {}", chain));
        expected.lists.resize(chains + std::size_t{1});
        for (std::uint32_t chain = 0; chain < chains; ++chain)
            expected.lists[chain].push_back(&keys[chain]);
        for (std::uint32_t task = 0; task < tasks_wanted; ++task)
            expected.list_of.push_back(chains == 0 ? 0 : task % chains);
        for (unsigned workers = 1; workers <= std::thread::hardware_concurrency(); workers *= 2) {
            WorkerPool pool(workers);
            std::vector<Nanoseconds> pools, dags, optimistics;
            std::uint64_t executed = 0, repeated = 0;
            for (std::uint64_t turn = 0; turn <= turns; ++turn) {
                GraphFlow dag(graph, versions);
                OptimisticFlow optimistic(versions, readers, expected, {});
                const Nanoseconds of_pool = time_of_pool(pool, tasks, steps);
                const Nanoseconds of_dag = time_of_flow(pool, tasks, dag, steps, executed);
                const Nanoseconds of_optimistic =
                    time_of_flow(pool, tasks, optimistic, steps, executed);
                if (!dag.is_complete() || !optimistic.is_complete()) {
                    fmt::print(stderr, "a flow is not complete\n");
                    return 1;
                }
                if (turn == 0) continue; // memory is kept from turn to turn
                repeated = std::max(repeated, executed - tasks_wanted);
                pools.push_back(of_pool);
                dags.push_back(of_dag);
                optimistics.push_back(of_optimistic);
            }
            const auto beside = [&](const std::vector<Nanoseconds>& times) {
                return static_cast<double>(median(times) - median(pools)) * workers / tasks_wanted;
            };
            const auto ms = [](const std::vector<Nanoseconds>& times) {
                return static_cast<double>(median(times)) / 1e6;
            };
            fmt::print("{:>12} {:>8} {:>10.2f} {:>10.2f} {:>8.0f} {:>14.2f} {:>8.0f} {:>10}\n",
                       chains == 0 ? "independent" : std::to_string(chains), workers, ms(pools),
                       ms(dags), beside(dags), ms(optimistics), beside(optimistics), repeated);
        }
        std::vector<Nanoseconds> times;
        for (std::uint64_t turn = 0; turn < turns; ++turn) {
            const Nanoseconds begin = now_ns();
            const TaskGraph made = graph_of(tasks.sets, tasks.fuel, tasks.numbers);
            times.push_back(now_ns() - begin);
            if (made.tasks() != tasks_wanted) return 1;
        }
        fmt::print("graph of {} tasks, {} edges: {:.2f} ms on one thread\n", tasks_wanted,
                   graph.edges(), static_cast<double>(median(times)) / 1e6);
    }
}
