// Relaxed traces against edges that are made the slow way, and predicted times against the
// schedules they stand for.
#include "schedule/what_if.h"

#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "random_graphs.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace blockloom;
using namespace blockloom::testing;
using conflict::ConflictIndex;
using conflict::ConflictModel;
using conflict::KeyId;
using schedule::BatchLimits;
using schedule::ExecutionModel;
using schedule::Relaxation;
using schedule::RelaxedKey;
using trace::PolicedTrace;
using trace::TaskId;

namespace {

constexpr ConflictModel models[] = {ConflictModel::single_version, ConflictModel::multi_version};
constexpr ExecutionModel executions[] = {ExecutionModel::serial, ExecutionModel::levels,
                                         ExecutionModel::rounds, ExecutionModel::optimistic,
                                         ExecutionModel::list};

ConflictIndex index_of(PolicedTrace trace, ConflictModel model) {
    auto index = conflict::index_without_pairs(
        std::make_shared<const PolicedTrace>(std::move(trace)), model);
    if (!index) qFatal("%s", index.error().message.c_str());
    return *std::move(index);
}

std::uint64_t span_of(const PolicedTrace& trace, ConflictModel model) {
    return index_of(trace, model).span;
}

/// Distinct keys, each relaxed in some way.
std::vector<RelaxedKey> random_keys(Random& random, const PolicedTrace& trace, std::uint32_t most) {
    std::vector<KeyId> all(trace.access_sets().key_count);
    std::iota(all.begin(), all.end(), KeyId{0});
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min<std::size_t>(all.size(), 1 + below(random, most)));
    std::vector<RelaxedKey> keys;
    for (const KeyId key : all) {
        RelaxedKey relaxed{key, static_cast<Relaxation>(below(random, 4)), 1 + below(random, 4)};
        for (TaskId task = 0; task < trace.tasks(); ++task)
            if (below(random, 3) == 0) relaxed.misses.push_back(task);
        keys.push_back(std::move(relaxed));
    }
    return keys;
}

std::optional<trace::Access> access_to(const PolicedTrace& trace, TaskId task, KeyId key) {
    for (const trace::Access access : trace.access_sets().of(task))
        if (access.key() == key) return access;
    return std::nullopt;
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// No relaxation can make a chain longer; each lies between all conflicts and none.
    void relaxing_never_lengthens_a_chain() {
        Random random(71);
        std::size_t shorter = 0;
        for (int round = 0; round < 600; ++round) {
            const auto trace = random_trace(random, random_shape(random));
            if (trace->access_sets().key_count == 0) continue;
            const auto keys = random_keys(random, *trace, 4);
            std::vector<RelaxedKey> ignored;
            for (const RelaxedKey& key : keys) ignored.push_back({key.key});
            const bool blind = std::any_of(keys.begin(), keys.end(), [&](const RelaxedKey& key) {
                bool found = false;
                for (TaskId task = 0; task < trace->tasks(); ++task)
                    if (const auto access = access_to(*trace, task, key.key))
                        found |= access->writes() && !access->reads();
                return found && key.how != Relaxation::ignore;
            });
            for (const ConflictModel model : models) {
                const std::uint64_t all = span_of(*trace, model);
                const std::uint64_t some = span_of(schedule::relax(*trace, keys), model);
                const std::uint64_t none = span_of(schedule::relax(*trace, ignored), model);
                QVERIFY(none <= some);
                // A read of a blind write needs only that write; relaxed, it may need more.
                QVERIFY(some <= all || (model == ConflictModel::multi_version && blind));
                shorter += some < all;
                const PolicedTrace same = schedule::relax(*trace, {});
                QVERIFY(same.access_sets().accesses == trace->access_sets().accesses);
            }
        }
        QVERIFY(shorter > 100);
    }

    void ignoring_a_key_is_what_contention_says() {
        Random random(72);
        for (int round = 0; round < 300; ++round) {
            const auto trace = random_trace(random, random_shape(random));
            for (KeyId key = 0; key < std::min<KeyId>(trace->access_sets().key_count, 6); ++key)
                for (const ConflictModel model : models) {
                    const std::vector<RelaxedKey> ignored{{key}};
                    QCOMPARE(span_of(schedule::relax(*trace, ignored), model),
                             conflict::find_span(*trace, model, key));
                    PolicedTrace commutative = *trace;
                    commutative.commutative.resize(trace->access_sets().key_count);
                    commutative.commutative[key] = true;
                    const std::vector<RelaxedKey> updates{{key, Relaxation::commutative}};
                    QCOMPARE(span_of(schedule::relax(*trace, updates), model),
                             span_of(commutative, model));
                }
        }
    }

    /// The chain of one predicted key, with edges that are listed one by one.
    void predicted_keys_wait_for_misses_only() {
        Random random(73);
        std::size_t hits = 0;
        for (int round = 0; round < 800; ++round) {
            TraceShape shape = random_shape(random);
            shape.commutative = false; // the slow edges below have none
            const auto trace = random_trace(random, shape);
            RelaxedKey key{below(random, trace->access_sets().key_count), Relaxation::predicted};
            for (TaskId task = 0; task < trace->tasks(); ++task)
                if (below(random, 4) == 0) key.misses.push_back(task);
            for (const ConflictModel model : models) {
                const ConflictIndex others =
                    index_of(schedule::relax(*trace, std::vector<RelaxedKey>{{key.key}}), model);
                std::vector<std::uint64_t> finish(trace->tasks());
                std::optional<TaskId> writer, base;
                std::uint64_t span = 0;
                for (TaskId task = 0; task < trace->tasks(); ++task) {
                    std::uint64_t ready = 0;
                    for (const TaskId before : others.predecessors_of(task))
                        ready = std::max(ready, finish[before]);
                    const auto access = access_to(*trace, task, key.key);
                    const bool miss =
                        !base || std::count(key.misses.begin(), key.misses.end(), task) != 0;
                    if (access && access->reads() && writer) {
                        ready = std::max(ready, finish[miss ? *writer : *base]);
                        hits += !miss;
                    }
                    finish[task] = ready + trace->cost_of(task);
                    span = std::max(span, finish[task]);
                    if (!access || !access->writes()) continue;
                    if (writer && miss) base = task;
                    writer = task;
                }
                QCOMPARE(span_of(schedule::relax(*trace, std::vector<RelaxedKey>{key}), model),
                         span);
            }
        }
        QVERIFY(hits > 1000);
    }

    void split_keys_take_turns() {
        // Six updates of one key in two parts: two chains of three; a pure read needs both.
        auto block = std::make_shared<trace::BlockTrace>();
        block->sets.key_count = 1;
        const auto add = [&](trace::Mode mode) {
            block->sets.accesses.emplace_back(0, mode);
            block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
        };
        for (int i = 0; i < 6; ++i) add(trace::Mode::read_write);
        PolicedTrace trace;
        trace.original = block;
        for (const ConflictModel model : models) {
            const auto split = [&](std::uint32_t parts) {
                return span_of(
                    schedule::relax(trace, std::vector<RelaxedKey>{{0, Relaxation::split, parts}}),
                    model);
            };
            QCOMPARE(split(1), std::uint64_t{6});
            QCOMPARE(split(2), std::uint64_t{3});
            QCOMPARE(split(4), std::uint64_t{2});
            QCOMPARE(split(6), std::uint64_t{1});
        }
        add(trace::Mode::read);
        const auto index =
            index_of(schedule::relax(trace, std::vector<RelaxedKey>{{0, Relaxation::split, 2}}),
                     ConflictModel::multi_version);
        QCOMPARE(index.predecessors_of(6).size(), std::size_t{2});
    }

    void times_are_those_of_the_schedules() {
        Random random(74);
        for (int round = 0; round < 300; ++round) {
            const auto trace = random_trace(random, random_shape(random));
            for (const ConflictModel model : models) {
                const ConflictIndex index = index_of(*trace, model);
                for (const std::uint32_t workers : {1U, 2U, 5U}) {
                    const auto time = [&](ExecutionModel how, BatchLimits limits = {}) {
                        return schedule::predicted_time(index, how, workers, limits);
                    };
                    QCOMPARE(time(ExecutionModel::serial), index.work);
                    QCOMPARE(time(ExecutionModel::levels),
                             schedule::schedule_levels(index, workers).makespan);
                    QCOMPARE(time(ExecutionModel::list),
                             schedule::schedule_list(index, workers).makespan);
                    QCOMPARE(time(ExecutionModel::optimistic),
                             schedule::schedule_optimistic(index, workers).makespan);
                    for (const ExecutionModel how : executions)
                        QVERIFY(time(how) >= (index.work + workers - 1) / workers);
                    // Batches of one run one by one, and so does a block below the limit.
                    QCOMPARE(time(ExecutionModel::levels, {0, 1}), index.work);
                    for (const ExecutionModel how : executions)
                        if (has_barriers(how))
                            QCOMPARE(time(how, {index.tasks() + std::size_t{1}, 0}), index.work);
                    // A shorter batch can only add barriers.
                    if (trace->cost.empty())
                        QVERIFY(time(ExecutionModel::levels, {0, 3}) >=
                                time(ExecutionModel::levels));
                }
            }
        }
    }

    /// Rounds re-execute what read too early: all, then those of level 2 and above, and so on.
    void rounds_repeat_what_was_rejected() {
        const auto chains = [](std::uint32_t count, std::uint32_t length) {
            auto block = std::make_shared<trace::BlockTrace>();
            block->sets.key_count = count;
            for (std::uint32_t i = 0; i < length; ++i)
                for (KeyId key = 0; key < count; ++key) {
                    block->sets.accesses.emplace_back(key, trace::Mode::read_write);
                    block->sets.begin.push_back(
                        static_cast<std::uint32_t>(block->sets.accesses.size()));
                }
            PolicedTrace trace;
            trace.original = std::move(block);
            return index_of(std::move(trace), ConflictModel::multi_version);
        };
        const auto rounds = [](const ConflictIndex& index, std::uint32_t workers) {
            return schedule::predicted_time(index, ExecutionModel::rounds, workers);
        };
        // 8 chains of 2 on 4 workers: 16 tasks in 4, then 8 again in 2.
        QCOMPARE(rounds(chains(8, 2), 4), std::uint64_t{4 + 2});
        // 8 chains of 3: 24 in 6; the first accepts 8 ≥ 24 / 4, so 16 in 4, and 8 in 2.
        QCOMPARE(rounds(chains(8, 3), 4), std::uint64_t{6 + 4 + 2});
        // On 2 workers the first accepts 8 < 24 / 2: the other 16 run one by one.
        QCOMPARE(rounds(chains(8, 3), 2), std::uint64_t{12 + 16});
        QCOMPARE(rounds(chains(16, 1), 4), std::uint64_t{4});
    }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "test_what_if.moc"
