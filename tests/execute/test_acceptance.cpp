// The parallel check beside the rule applied one by one, on random logs and with hashes that
// collide; and the workers that run it.
#include "execute/acceptance.h"
#include "recipes/random.h"
#include "state/block_changes.h"
#include "state/memory_state.h"

#include <QTest>

#include <array>
#include <atomic>
#include <set>

using namespace blockloom;

namespace {

using ExecutionResults = std::vector<std::unique_ptr<execute::ExecutionResult>>;

state::Value number(std::uint64_t value) {
    return value == 0 ? state::Value() : state::Value(u128_bytes(u128{value}));
}

std::string key(std::uint64_t i) {
    return "a key that is not kept inside " + std::to_string(i);
}

/// Executions that read and write few keys, most with the values that are there in block
/// order; with `all_right` all of them.
struct RandomRound {
    RandomRound(std::uint64_t seed, std::uint32_t count, std::uint32_t keys,
                bool all_right = false) {
        recipes::Random random(seed);
        for (std::uint32_t i = 0; i < keys; i += 2) before.put(key(i), number(random.below(3)));
        state::BlockState now(before);
        for (std::uint32_t task = 0; task < count; ++task) {
            alkanes::TransactionResult result;
            result.transaction = task;
            std::set<std::uint64_t> touched;
            std::map<std::string, state::Value> writes;
            for (std::uint64_t n = 1 + random.below(6); n-- > 0;) {
                const std::uint64_t which = random.below(keys);
                if (!touched.insert(which).second) continue;
                const state::Value there = *now.get(key(which));
                const bool wrong = random.below(2ULL * count) == 0 && !all_right;
                result.log.reads.push_back({key(which), wrong ? number(77) : there, false});
                const state::Value left = number(random.below(4));
                if (random.below(2) == 0 && !(left == there)) writes[key(which)] = left;
            }
            result.log.writes.assign(writes.begin(), writes.end());
            result.log.tasks.push_back({result.log.reads, {}, result.log.writes, {}});
            now.apply(result.log.writes);
            claims.push_back({0, 100, {}});
            auto execution = execute::make_execution_result(std::move(result), before);
            executions.push_back(
                random.below(4ULL * count) == 0 && !all_right ? nullptr : *std::move(execution));
        }
        tanks.emplace_back(alkanes::rules_at(alkanes::Network::mainnet, 960'000), 100ULL * count);
    }

    /// The rule, one after the other: every candidate on what all candidates below it wrote.
    [[nodiscard]] std::vector<bool> one_by_one() const {
        state::BlockState now(before);
        std::vector<bool> consistent;
        for (const auto& execution : executions) {
            consistent.push_back(execution != nullptr && *execute::holds_on(*execution, now, 0));
            if (execution != nullptr) now.apply(execution->result.log.writes);
        }
        return consistent;
    }

    /// As if these keys' hashes were one.
    void collide(std::uint64_t mask) {
        for (const auto& execution : executions)
            if (execution != nullptr)
                for (execute::Probe& probe : execution->probes) probe.hash &= mask;
    }

    state::MemoryState before;
    ExecutionResults executions;
    std::vector<execute::FuelClaim> claims;
    execute::Tanks tanks;
};

} // namespace

class TestAcceptance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stages_run_each_piece_once_and_in_their_order_data() {
        QTest::addColumn<unsigned>("workers");
        for (const unsigned workers : {1U, 2U, 3U, 8U}) QTest::addRow("%u", workers) << workers;
    }
    void stages_run_each_piece_once_and_in_their_order() {
        QFETCH(unsigned, workers);
        execute::WorkerPool pool(workers);
        recipes::Random random(workers);
        for (int round = 0; round < 300; ++round) {
            std::array<std::size_t, 3> counts{}, grains{};
            std::array<std::vector<int>, 3> seen;
            std::array<std::atomic<std::size_t>, 3> done{};
            std::atomic<bool> too_early{false};
            int beside_runs = 0;
            for (std::size_t s = 0; s < 3; ++s) {
                counts[s] = random.below(200);
                grains[s] = 1 + random.below(20);
                seen[s].resize(counts[s]);
            }
            const auto stage = [&](std::size_t s) {
                return [&, s](unsigned worker, std::size_t begin, std::size_t end) {
                    if (s > 0 && done[s - 1] != counts[s - 1]) too_early = true;
                    if (worker >= workers || end > counts[s]) too_early = true;
                    for (std::size_t i = begin; i < end; ++i) ++seen[s][i];
                    done[s] += end - begin;
                };
            };
            const auto first = stage(0), second = stage(1), third = stage(2);
            const auto beside = [&](unsigned, std::size_t, std::size_t) { ++beside_runs; };
            const execute::Work at_the_side(beside);
            const std::array<execute::WorkerPool::Stage, 3> stages{{{counts[0], grains[0], first},
                                                                    {counts[1], grains[1], second},
                                                                    {counts[2], grains[2], third}}};
            pool.stages(stages, round % 2 == 0 ? &at_the_side : nullptr);
            QVERIFY(!too_early);
            QCOMPARE(beside_runs, round % 2 == 0 ? 1 : 0);
            for (std::size_t s = 0; s < 3; ++s)
                QVERIFY(std::all_of(seen[s].begin(), seen[s].end(), [](int n) { return n == 1; }));
        }
    }

    void the_check_says_what_the_rule_says_one_by_one_data() {
        QTest::addColumn<quint64>("mask");
        QTest::addRow("hashes as they are") << ~quint64{0};
        QTest::addRow("equal tags") << (quint64{0xff} << 56U);
        QTest::addRow("few tags, one part") << quint64{3};
        QTest::addRow("all equal") << quint64{0};
    }
    void the_check_says_what_the_rule_says_one_by_one() {
        QFETCH(quint64, mask);
        // One check for all rounds: what it kept of one must not matter for the next.
        execute::AcceptanceCheck check;
        execute::WorkerPool one(1), four(4);
        int inconsistent = 0;
        const std::uint64_t seeds = mask == 0 ? 12 : 60; // all in one place: long searches
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const std::uint32_t count = seed % 3 == 0 ? 1500 : 1 + 7 * static_cast<unsigned>(seed);
            RandomRound round(seed, count, seed % 2 == 0 ? 12 : 900);
            round.collide(mask);
            const std::vector<bool> expected = round.one_by_one();
            for (execute::WorkerPool* pool : {&one, &four}) {
                check.run(round.executions, round.claims, round.tanks, 0, *pool);
                for (std::uint32_t task = 0; task < count; ++task)
                    if (check.consistent(task) != expected[task])
                        QFAIL(qPrintable(QString::number(task)));
                const auto bad = std::find(expected.begin(), expected.end(), false);
                QCOMPARE(check.accepted(), static_cast<std::uint32_t>(bad - expected.begin()));
            }
            inconsistent += static_cast<int>(std::count(expected.begin(), expected.end(), false));
        }
        QVERIFY(inconsistent > 10);
    }

    /// A window that is executed and accepted bit by bit: what is wrong is executed again. What the
    /// accepted ones wrote is not collected again, and is seen as before.
    void windows_are_accepted_bit_by_bit_data() {
        QTest::addColumn<quint64>("mask");
        QTest::addColumn<quint32>("keys");
        QTest::addRow("many keys") << ~quint64{0} << quint32{3000};
        QTest::addRow("few keys") << ~quint64{0} << quint32{40};
        QTest::addRow("equal tags") << (quint64{0xff} << 56U) << quint32{40};
        QTest::addRow("few tags, one part") << quint64{3} << quint32{40};
    }
    void windows_are_accepted_bit_by_bit() {
        QFETCH(quint64, mask);
        QFETCH(quint32, keys);
        execute::AcceptanceCheck check; // for all windows
        execute::WorkerPool pool(4);
        std::size_t kept = 0, again = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const std::uint32_t count = seed % 3 == 0 ? 900 : 4000;
            RandomRound round(seed, count, keys), right(seed, count, keys, true);
            const RandomRound truth(seed, count, keys, true);
            round.collide(mask);
            right.collide(mask);
            recipes::Random random(seed);
            std::uint32_t accepted = 0, ran = 0;
            while (accepted < count) {
                ran = std::min(count, ran + 1 + static_cast<std::uint32_t>(random.below(1500)));
                check.run(std::span(round.executions).first(ran), round.claims, round.tanks,
                          accepted, pool);
                QVERIFY(check.accepted() >= accepted);
                accepted = check.accepted();
                kept += check.versions().first() != 0;
                // The serial state after what is accepted, and each key's last writer there.
                state::BlockState now(round.before);
                std::map<std::string, std::uint32_t> writers;
                for (std::uint32_t task = 0; task < accepted; ++task) {
                    const state::WriteSet& writes = truth.executions[task]->result.log.writes;
                    for (const auto& [name, value] : writes)
                        writers[std::string(name.bytes())] = task;
                    now.apply(writes);
                }
                const execute::VersionIndex& versions = check.versions();
                for (std::uint64_t i = 0; i < keys; i += 1 + keys / 50) {
                    const std::string name = key(i);
                    const state::KeyView at(name, state::hash_of_key(name) & mask);
                    const state::Value* const found =
                        versions.latest_below(accepted, at.hash, [&] { return at.bytes; });
                    QVERIFY((found ? *found : *round.before.get(name)) == *now.get(name));
                    const auto last = writers.find(name);
                    QCOMPARE(versions.latest_writer_below(accepted, at),
                             last == writers.end() ? execute::VersionIndex::nobody : last->second);
                    QVERIFY(last == writers.end() ||
                            !versions.surely_none_below(accepted, at.hash));
                }
                if (accepted == ran) continue;
                again += round.executions[accepted] != nullptr;
                round.executions[accepted] = std::move(right.executions[accepted]);
            }
        }
        QVERIFY(kept > 10);
        QVERIFY(again >= 4);
    }

    /// However acceptance proceeds, the tank is that of settling the block from its begin.
    void accepted_fuel_is_settled_once() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            recipes::Random random(seed);
            std::vector<execute::FuelClaim> claims;
            execute::Tanks tanks;
            for (std::uint32_t block = 0; block < 4; ++block) {
                std::uint64_t size = 0;
                for (std::uint64_t left = 1 + random.below(40); left > 0; --left) {
                    execute::FuelClaim& claim = claims.emplace_back();
                    claim.block = block;
                    size += claim.vfsize = 100 + random.below(900);
                    claim.use.reached_tank = random.chance(0.8);
                    claim.use.gas = random.below(3'000'000);
                    claim.use.drained = random.chance(0.1);
                }
                tanks.emplace_back(alkanes::rules_at(alkanes::Network::mainnet, 892'614), size);
            }
            execute::AcceptedFuel fuel;
            for (int window = 0; window < 2; ++window) {
                fuel.reset();
                for (std::size_t task = 0; task < claims.size(); task += random.below(9)) {
                    std::size_t first = task;
                    while (first > 0 && claims[first - 1].block == claims[task].block) --first;
                    alkanes::FuelTank expected = tanks[claims[task].block];
                    for (; first < task; ++first)
                        expected.settle(claims[first].vfsize, claims[first].use);
                    for (const std::uint64_t vfsize : {std::uint64_t{1}, claims[task].vfsize})
                        QCOMPARE(fuel.before(task, claims, tanks).budget_for(vfsize),
                                 expected.budget_for(vfsize));
                }
                claims.front().use.gas += 1'000'000; // another window's
            }
        }
    }

    void a_view_sees_the_latest_candidate_below() {
        RandomRound round(5, 700, 40);
        execute::WorkerPool pool(4);
        execute::AcceptanceCheck check;
        check.run(round.executions, round.claims, round.tanks, 0, pool);
        state::BlockState now(round.before);
        for (std::uint32_t task = 0; task < round.executions.size(); ++task) {
            const execute::WindowView view(check.versions(), round.before, task);
            for (std::uint64_t i = 0; i < 41; ++i) QVERIFY(*view.get(key(i)) == *now.get(key(i)));
            if (round.executions[task] != nullptr)
                now.apply(round.executions[task]->result.log.writes);
        }
    }
};

QTEST_GUILESS_MAIN(TestAcceptance)
#include "test_acceptance.moc"
