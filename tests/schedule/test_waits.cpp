// Why a task did not start earlier: the parts of a wait add up, and each names what was really
// there.
#include "conflict/index_conflicts.h"
#include "random_graphs.h"
#include "schedule/waits.h"

#include <QTest>

#include <algorithm>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;
using conflict::ConflictModel;

namespace {

constexpr std::array strategies{Strategy::levels, Strategy::list, Strategy::optimistic};

ConflictIndex index_of(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model) {
    auto index = conflict::index_conflicts(std::move(trace), model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return std::move(index).value();
}

std::uint64_t sum_of(const TaskWait& wait) {
    std::uint64_t sum = 0;
    for (const WaitPart& part : wait.parts) sum += part.length;
    return sum;
}

std::optional<Slot> counting(const Schedule& schedule, TaskId task) {
    for (const Slot& slot : schedule.slots)
        if (slot.task == task && !slot.aborted) return slot;
    return std::nullopt;
}

/// What a part says is so, where it lies in time: [from, to).
void check_part(const ConflictIndex& index, const Schedule& schedule, const TaskWait& wait,
                TaskId task, const WaitPart& part, std::uint64_t from) {
    const std::uint64_t to = from + part.length;
    switch (part.reason) {
    case WaitFor::task: {
        const auto before = index.predecessors_of(task);
        QVERIFY(std::binary_search(before.begin(), before.end(), *part.task));
        const auto slot = counting(schedule, *part.task);
        QVERIFY(slot && slot->end == to);
        for (const TaskId other : before) QVERIFY(counting(schedule, other)->end <= to);
        if (part.key != conflict::no_key)
            for (const TaskId both : {task, *part.task}) {
                const auto of = index.trace->access_sets().of(both);
                QVERIFY(std::any_of(of.begin(), of.end(),
                                    [&](trace::Access a) { return a.key() == part.key; }));
            }
        break;
    }
    case WaitFor::barrier:
        QCOMPARE(schedule.strategy, Strategy::levels);
        QVERIFY(index.level[*part.task] < index.level[task]);
        QCOMPARE(counting(schedule, *part.task)->end, to);
        break;
    case WaitFor::worker: {
        std::uint64_t busy = 0;
        for (const Slot& slot : schedule.slots)
            if (slot.worker == wait.worker && slot.end > from && slot.start < to)
                busy += std::min(slot.end, to) - std::max(slot.start, from);
        if (wait.aborted == 0) QCOMPARE(busy, part.length);
        break;
    }
    case WaitFor::attempt:
        QVERIFY(wait.aborted > 0);
        QCOMPARE(schedule.strategy, Strategy::optimistic);
        break;
    case WaitFor::other:
        break;
    }
}

/// Each aborted attempt names a write that ended after the attempt had begun: the first of those
/// that it reads.
void check_attempts(const ConflictIndex& index, const Schedule& schedule, const TaskWait& wait,
                    TaskId task, std::uint64_t& named, std::uint64_t& all) {
    const auto attempts = aborted_attempts(index, schedule, task);
    QCOMPARE(attempts.size(), std::size_t{wait.aborted});
    const auto reasons = conflict::waits_for(index, task);
    all += attempts.size();
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const AbortedAttempt& attempt = attempts[i];
        QVERIFY(attempt.slot.aborted && attempt.slot.task == task);
        QVERIFY(i == 0 || attempts[i - 1].slot.start <= attempt.slot.start);
        if (!attempt.by) { // nothing is blamed that had ended before
            for (const conflict::Reason& other : reasons)
                QVERIFY(counting(schedule, other.task)->end <= attempt.slot.start);
            continue;
        }
        ++named;
        const auto reason =
            std::find_if(reasons.begin(), reasons.end(),
                         [&](const conflict::Reason& r) { return r.task == *attempt.by; });
        QVERIFY(reason != reasons.end());
        QVERIFY(reason->key == attempt.key && reason->kinds == attempt.kinds);
        const auto end = counting(schedule, *attempt.by)->end;
        QVERIFY(end > attempt.slot.start);
        for (const conflict::Reason& other : reasons) {
            const auto later = counting(schedule, other.task)->end;
            if (later > attempt.slot.start && (other.kinds & 1U) == (attempt.kinds & 1U))
                QVERIFY(later >= end);
            if ((other.kinds & 1U) != 0 && (attempt.kinds & 1U) == 0)
                QVERIFY(later <= attempt.slot.start);
        }
    }
}

} // namespace

class TestWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parts_add_up_and_are_true() {
        Random random(11);
        std::array<std::uint64_t, 5> seen{};
        std::uint64_t named = 0, attempts = 0;
        for (int round = 0; round < 150; ++round) {
            const auto trace = random_trace(random, random_shape(random));
            for (const auto model : {ConflictModel::single_version, ConflictModel::multi_version}) {
                const ConflictIndex index = index_of(trace, model);
                for (const std::uint32_t workers : {1u, 2u, 7u})
                    for (const Strategy strategy : strategies) {
                        const Schedule schedule = make_schedule(index, strategy, workers);
                        for (TaskId task = 0; task < index.tasks(); ++task) {
                            const auto wait = wait_of(index, schedule, task);
                            QVERIFY(wait);
                            check_attempts(index, schedule, *wait, task, named, attempts);
                            if (QTest::currentTestFailed()) return;
                            QCOMPARE(sum_of(*wait), wait->start - wait->ready);
                            const auto slot = counting(schedule, task);
                            QVERIFY(slot && slot->start == wait->start && slot->end == wait->end);
                            std::uint64_t at = wait->ready;
                            for (const WaitPart& part : wait->parts) {
                                QVERIFY(part.length > 0);
                                check_part(index, schedule, *wait, task, part, at);
                                if (QTest::currentTestFailed()) return;
                                at += part.length;
                                ++seen[static_cast<std::size_t>(part.reason)];
                            }
                        }
                    }
            }
        }
        QVERIFY2(named > 1000 && named * 10 > attempts * 9,
                 qPrintable(QStringLiteral("%1 of %2").arg(named).arg(attempts)));
        for (const WaitFor reason :
             {WaitFor::task, WaitFor::attempt, WaitFor::barrier, WaitFor::worker})
            QVERIFY2(seen[static_cast<std::size_t>(reason)] > 0, name_of(reason).data());
    }

    /// Three tasks: 0 and 1 write key 0 one after the other; 2 touches nothing.
    void a_chain_and_a_bystander() {
        auto block = std::make_shared<trace::BlockTrace>();
        block->sets.key_count = 1;
        block->sets.accesses = {{0, trace::Mode::write}, {0, trace::Mode::read_write}};
        block->sets.begin = {0, 1, 2, 2};
        block->cost = {5, 3, 4};
        auto policed = std::make_shared<trace::PolicedTrace>();
        policed->original = block;
        policed->cost = block->cost;
        const ConflictIndex index = index_of(policed, ConflictModel::single_version);
        Schedule measured;
        measured.strategy = Strategy::optimistic;
        measured.workers = 2;
        // 1 was tried on worker 1 beside 0 and aborted; then 2 ran there, then nothing, then 1
        // again.
        measured.slots = {
            {0, 0, 0, 5, false}, {1, 1, 2, 4, true}, {2, 1, 6, 10, false}, {1, 1, 12, 15, false}};
        measured.makespan = 15;
        const auto wait = wait_of(index, measured, 1);
        QVERIFY(wait);
        QCOMPARE(wait->aborted, 1U);
        QCOMPARE(sum_of(*wait), std::uint64_t{12});
        std::vector<std::pair<WaitFor, std::uint64_t>> parts;
        for (const WaitPart& part : wait->parts) parts.emplace_back(part.reason, part.length);
        const std::vector<std::pair<WaitFor, std::uint64_t>> expected{{WaitFor::other, 2},
                                                                      {WaitFor::attempt, 3},
                                                                      {WaitFor::other, 1},
                                                                      {WaitFor::worker, 4},
                                                                      {WaitFor::other, 2}};
        QVERIFY(parts == expected);
        QCOMPARE(wait->parts[1].task, std::optional<TaskId>(0));
        QCOMPARE(wait->parts[1].key, conflict::KeyId{0});
        QCOMPARE(wait->parts[3].task, std::optional<TaskId>(2));

        // With 0 and 1 in one transaction, what ran stands under 0.
        const std::vector<TaskId> under{0, 0, 2};
        const auto together = wait_of(index, measured, 1, under);
        QVERIFY(together && together->start == 0 && together->parts.empty());
        QVERIFY(!wait_of(index, Schedule(), 0));
        QVERIFY(!wait_of(index, measured, 3));
    }
};

QTEST_GUILESS_MAIN(TestWaits)
#include "test_waits.moc"
