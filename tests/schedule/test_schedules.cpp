// Simulated schedules: the invariants of docs/definitions.md#simulated-schedules on random blocks,
// and the optimistic one against a simulation that looks at every pair of tasks.
#include "conflict/index_conflicts.h"
#include "random_graphs.h"
#include "schedule/rank_set.h"
#include "schedule/schedules.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;
using conflict::ConflictModel;

namespace {

constexpr std::array<Strategy, 3> strategies{Strategy::levels, Strategy::list,
                                             Strategy::optimistic};

ConflictIndex index_of(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model) {
    auto index = conflict::index_conflicts(std::move(trace), model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return std::move(index).value();
}

/// Calls `check(index, workers)` for many blocks, both models and several numbers of workers.
template <typename Check> void on_random_blocks(std::uint64_t seed, Check check) {
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const auto trace = random_trace(random, random_shape(random));
        for (const auto model : {ConflictModel::single_version, ConflictModel::multi_version}) {
            const ConflictIndex index = index_of(trace, model);
            for (const std::uint32_t workers : {1u, 2u, 3u, 8u, 100u}) {
                check(index, workers);
                if (QTest::currentTestFailed()) return;
            }
        }
    }
}

/// The slot that counts, for each task; fails where there is not exactly one.
std::vector<Slot> standing_slots(const Schedule& schedule, TaskId tasks) {
    std::vector<Slot> slots(tasks);
    std::vector<int> seen(tasks, 0);
    for (const Slot& slot : schedule.slots) {
        if (slot.aborted) continue;
        slots[slot.task] = slot;
        ++seen[slot.task];
    }
    if (std::count(seen.begin(), seen.end(), 1) != static_cast<std::ptrdiff_t>(tasks))
        QTest::qFail("a task has no or several standing executions", __FILE__, __LINE__);
    return slots;
}

/// Every strategy's schedule: order of slots, lengths, workers, the last end.
void check_form(const Schedule& schedule, const ConflictIndex& index) {
    std::uint64_t last = 0;
    std::vector<std::uint64_t> free(schedule.workers, 0);
    for (std::size_t i = 0; i < schedule.slots.size(); ++i) {
        const Slot& slot = schedule.slots[i];
        if (i > 0) {
            const Slot& before = schedule.slots[i - 1];
            QVERIFY(std::pair(before.start, before.worker) <= std::pair(slot.start, slot.worker));
        }
        QVERIFY(slot.worker < schedule.workers);
        QVERIFY(slot.start >= free[slot.worker]);
        free[slot.worker] = slot.end;
        if (slot.aborted)
            QVERIFY(slot.end - slot.start <= index.trace->cost_of(slot.task));
        else
            QCOMPARE(slot.end - slot.start, index.trace->cost_of(slot.task));
        last = std::max(last, slot.end);
    }
    QCOMPARE(schedule.makespan, last);
}

/// The optimistic schedule again, a time unit at a time, comparing all pairs. Starts and ends as
/// (task, start, end, aborted) in the order in which executions end.
struct NaiveRun {
    struct Execution {
        TaskId task;
        std::uint64_t start, end;
        bool aborted;
        friend auto operator<=>(const Execution&, const Execution&) = default;
    };
    std::vector<Execution> executions;
    std::uint64_t makespan = 0;

    NaiveRun(const trace::PolicedTrace& trace, std::uint32_t workers) {
        enum class State { waiting, running, done };
        const TaskId n = trace.tasks();
        std::vector<State> state(n, State::waiting);
        std::vector<std::uint64_t> start(n, 0), end(n, 0);
        std::uint64_t now = 0;
        const auto finish = [&](TaskId i) {
            state[i] = State::done;
            end[i] = now;
            makespan = now;
            for (TaskId j = i + 1; j < n; ++j) {
                if (state[j] == State::waiting || !reads_what_writes(trace, i, j)) continue;
                executions.push_back({j, start[j], state[j] == State::done ? end[j] : now, true});
                state[j] = State::waiting;
            }
        };
        while (true) {
            for (TaskId i = 0; i < n; ++i)
                if (state[i] == State::running && start[i] + trace.cost_of(i) == now) finish(i);
            for (TaskId i = 0; i < n; ++i) {
                if (state[i] != State::waiting) continue;
                if (std::count(state.begin(), state.end(), State::running) >= workers) break;
                state[i] = State::running;
                start[i] = now;
                if (trace.cost_of(i) == 0) finish(i);
            }
            if (std::count(state.begin(), state.end(), State::done) == n) break;
            ++now;
        }
        for (TaskId i = 0; i < n; ++i) executions.push_back({i, start[i], end[i], false});
        std::sort(executions.begin(), executions.end());
    }
};

} // namespace

class TestSchedules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slots_fit_on_their_workers() {
        on_random_blocks(1, [](const ConflictIndex& index, std::uint32_t workers) {
            for (const Strategy strategy : strategies) {
                const Schedule schedule = make_schedule(index, strategy, workers);
                QCOMPARE(schedule.strategy, strategy);
                QCOMPARE(schedule.workers, workers);
                check_form(schedule, index);
                standing_slots(schedule, index.tasks());
            }
        });
    }

    void makespan_lies_between_span_and_work() {
        on_random_blocks(2, [](const ConflictIndex& index, std::uint32_t workers) {
            for (const Strategy strategy : {Strategy::levels, Strategy::list}) {
                const std::uint64_t makespan = make_schedule(index, strategy, workers).makespan;
                QVERIFY(index.span <= makespan);
                QVERIFY(makespan <= index.work);
                QVERIFY(makespan >= (index.work + workers - 1) / workers);
                if (workers == 1) QCOMPARE(makespan, index.work);
            }
        });
    }

    void tasks_wait_for_their_predecessors() {
        on_random_blocks(3, [](const ConflictIndex& index, std::uint32_t workers) {
            for (const Strategy strategy : {Strategy::levels, Strategy::list}) {
                const auto slots =
                    standing_slots(make_schedule(index, strategy, workers), index.tasks());
                for (TaskId task = 0; task < index.tasks(); ++task)
                    for (const TaskId before : index.predecessors_of(task))
                        QVERIFY(slots[before].end <= slots[task].start);
            }
        });
    }

    void levels_have_a_barrier_and_start_the_costliest_first() {
        on_random_blocks(4, [](const ConflictIndex& index, std::uint32_t workers) {
            const auto slots = standing_slots(schedule_levels(index, workers), index.tasks());
            for (TaskId a = 0; a < index.tasks(); ++a)
                for (TaskId b = 0; b < index.tasks(); ++b) {
                    if (index.level[a] < index.level[b]) QVERIFY(slots[a].end <= slots[b].start);
                    if (index.level[a] != index.level[b] || slots[a].start >= slots[b].start)
                        continue;
                    const auto cost_a = index.trace->cost_of(a), cost_b = index.trace->cost_of(b);
                    QVERIFY(cost_a > cost_b || (cost_a == cost_b && a < b));
                }
        });
    }

    void list_keeps_grahams_bound_and_its_priorities() {
        on_random_blocks(5, [](const ConflictIndex& index, std::uint32_t workers) {
            const Schedule schedule = schedule_list(index, workers);
            // work / p + span · (p − 1) / p
            QVERIFY(schedule.makespan * workers <= index.work + index.span * (workers - 1));
            const auto slots = standing_slots(schedule, index.tasks());
            std::vector<std::uint64_t> path(index.tasks(), 0), ready(index.tasks(), 0);
            std::vector<bool> after_none(index.tasks(),
                                         false); // waits for a task that takes no time
            for (TaskId task = index.tasks(); task-- > 0;) {
                path[task] += index.trace->cost_of(task);
                for (const TaskId before : index.predecessors_of(task)) {
                    path[before] = std::max(path[before], path[task]);
                    ready[task] = std::max(ready[task], slots[before].end);
                    if (index.trace->cost_of(before) == 0) after_none[task] = true;
                }
            }
            // Nothing starts while something of a higher priority is ready and waits.
            for (TaskId a = 0; a < index.tasks(); ++a)
                for (TaskId b = 0; b < index.tasks(); ++b) {
                    if (path[a] < path[b] || (path[a] == path[b] && a >= b)) continue;
                    const bool waited = ready[a] + (after_none[a] ? 1 : 0) <= slots[b].start;
                    QVERIFY(!waited || slots[a].start <= slots[b].start);
                }
        });
    }

    void optimistic_equals_the_naive_simulation() {
        on_random_blocks(6, [](const ConflictIndex& index, std::uint32_t workers) {
            const Schedule schedule = schedule_optimistic(index, workers);
            const NaiveRun naive(*index.trace, workers);
            std::vector<NaiveRun::Execution> executions;
            for (const Slot& slot : schedule.slots)
                executions.push_back({slot.task, slot.start, slot.end, slot.aborted});
            std::sort(executions.begin(), executions.end());
            QCOMPARE(executions.size(), naive.executions.size());
            QVERIFY(executions == naive.executions);
            QCOMPARE(schedule.makespan, naive.makespan);
        });
    }

    void what_stands_at_the_end_read_nothing_stale() {
        on_random_blocks(7, [](const ConflictIndex& index, std::uint32_t workers) {
            const Schedule schedule = schedule_optimistic(index, workers);
            const auto slots = standing_slots(schedule, index.tasks());
            for (TaskId j = 0; j < index.tasks(); ++j)
                for (TaskId i = 0; i < j; ++i)
                    if (reads_what_writes(*index.trace, i, j))
                        QVERIFY(slots[i].end <= slots[j].start);
            QVERIFY(schedule.makespan <= index.work);
            if (index.model == ConflictModel::multi_version)
                QVERIFY(schedule.makespan >= index.span);
            if (workers == 1) {
                QCOMPARE(schedule.makespan, index.work);
                QCOMPARE(schedule.slots.size(), std::size_t{index.tasks()});
            }
        });
    }

    void a_chain_of_reads_runs_again_and_again() {
        // Every task reads and writes one key: with two workers every second start is aborted.
        auto block = std::make_shared<trace::BlockTrace>();
        block->sets.key_count = 1;
        for (std::uint32_t task = 1; task <= 5; ++task) {
            block->sets.accesses.emplace_back(0u, trace::Mode::read_write);
            block->sets.begin.push_back(task);
        }
        auto policed = std::make_shared<trace::PolicedTrace>();
        policed->original = block;
        const ConflictIndex index = index_of(policed, ConflictModel::multi_version);
        const Schedule schedule = schedule_optimistic(index, 2);
        QCOMPARE(schedule.makespan, 5u);
        QCOMPARE(std::count_if(schedule.slots.begin(), schedule.slots.end(),
                               [](const Slot& slot) { return slot.aborted; }),
                 4);
    }

    void a_rank_set_gives_the_smallest() {
        Random random(9);
        for (const std::uint32_t size : {1u, 63u, 64u, 65u, 4096u, 4097u, 300'000u}) {
            RankSet ranks(size);
            std::set<std::uint32_t> expected;
            for (int step = 0; step < 3000; ++step) {
                QCOMPARE(ranks.empty(), expected.empty());
                if (!expected.empty() && random() % 2 == 0) {
                    QCOMPARE(ranks.take_first(), *expected.begin());
                    expected.erase(expected.begin());
                } else {
                    const std::uint32_t rank = below(random, size);
                    ranks.insert(rank);
                    expected.insert(rank);
                }
            }
        }
        QVERIFY(RankSet(0).empty());
    }

    void empty_blocks_and_no_workers() {
        auto trace = std::make_shared<trace::PolicedTrace>();
        trace->original = std::make_shared<trace::BlockTrace>();
        const ConflictIndex empty = index_of(trace, ConflictModel::single_version);
        for (const Strategy strategy : strategies) {
            QCOMPARE(make_schedule(empty, strategy, 4).makespan, 0u);
            QVERIFY(make_schedule(empty, strategy, 4).slots.empty());
            QCOMPARE(make_schedule(empty, strategy, 0).workers, 1u);
        }
    }
};

QTEST_APPLESS_MAIN(TestSchedules)
#include "test_schedules.moc"
