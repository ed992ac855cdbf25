// Two kept runs against each other: refusals, ratios with intervals, digests, the gate.
#include "report/run_comparison_json.h"
#include "runs/run_comparison.h"
#include "runs/run_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <random>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;
using execute::Phase;

namespace {

/// Two blocks; `repeat` repetitions whose `execute` is `execute_ns` a block with 2 % of noise.
runs::RunRecord record(const std::string& id, Nanoseconds execute_ns, int repeat,
                       std::uint64_t seed = 1) {
    runs::RunRecord run;
    run.id = id;
    run.network = "regtest";
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1, 0.02);
    for (std::uint64_t height = 7; height < 9; ++height) {
        runs::RunBlock block;
        block.height = height;
        block.hash[0] = static_cast<std::uint8_t>(height);
        block.digest[0] = static_cast<std::uint8_t>(height + 100);
        block.tasks = block.messages = 10;
        block.succeeded = 9;
        block.reverted = 1;
        block.phases[Phase::decode] = 1'000'000;
        block.phases[Phase::execute] = execute_ns;
        run.blocks.push_back(block);
    }
    for (int i = 0; i < repeat; ++i) {
        runs::Repetition repetition;
        for (const runs::RunBlock& block : run.blocks) {
            execute::Phases phases = block.phases;
            phases[Phase::execute] =
                static_cast<Nanoseconds>(static_cast<double>(execute_ns) * noise(random));
            repetition.blocks.push_back(phases.sum());
            repetition.phases += phases;
        }
        run.walls.push_back(repetition.phases.sum());
        run.repetitions.push_back(repetition);
    }
    run.summary.state_digest = Hash256{};
    return run;
}

KeptRun kept(const runs::RunRecord& run) {
    Provenance made;
    made.machine.processor = "a processor";
    made.version = "1";
    auto read = read_run(run_json(run, made), "test");
    return read ? *std::move(read) : KeptRun();
}

const ComparedTime* phase(const RunComparison& comparison, const char* name) {
    for (const ComparedTime& time : comparison.phases)
        if (time.name == name) return &time;
    return nullptr;
}

} // namespace

class TestRunComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_repetition_is_kept() {
        runs::RunRecord made = record("a", 9'000'000, 12);
        const KeptRun run = kept(made);
        QCOMPARE(run.walls, made.walls);
        QCOMPARE(run.phase_samples[static_cast<std::size_t>(Phase::execute)].size(),
                 std::size_t{12});
        QCOMPARE(run.blocks[1].samples.size(), std::size_t{12});
        QCOMPARE(run.blocks[1].samples[3], made.repetitions[3].blocks[1]);
        QCOMPARE(run.blocks[0].reverted, std::uint64_t{1});
        QCOMPARE(run.succeeded, std::uint64_t{18});
        QCOMPARE(run.warm_up, std::size_t{0});
    }

    /// An even number of repetitions has two in the middle: a run shows one time everywhere, and
    /// the ratio is of these.
    void the_ratio_is_of_the_times_shown() {
        const KeptRun a = kept(record("a", 9'000'000, 6)), b = kept(record("b", 4'000'000, 12));
        const RunComparison found = runs::compare_runs(a, b);
        QCOMPARE(found.wall.a, a.wall);
        QCOMPARE(found.wall.b, b.wall);
        QCOMPARE(*found.wall.ratio, static_cast<double>(a.wall) / static_cast<double>(b.wall));
        QCOMPARE(found.percentiles[0].a, a.wall); // the median, nearest rank
        QVERIFY(found.wall.interval && found.wall.interval->low <= *found.wall.ratio &&
                *found.wall.ratio <= found.wall.interval->high);
    }

    void a_faster_run_is_faster() {
        const RunComparison found =
            compare_runs(kept(record("a", 9'000'000, 12)), kept(record("b", 3'000'000, 12, 2)));
        QVERIFY(found.refusal.empty());
        QCOMPARE(found.digests, Equality::equal);
        QVERIFY(found.wall.interval && !found.wall.no_difference());
        QVERIFY(found.wall.interval->holds(*found.wall.ratio));
        QVERIFY(found.wall.interval->holds(2.5)); // (1 + 9) against (1 + 3) ms a block
        const ComparedTime* const execute = phase(found, "execute");
        QVERIFY(execute != nullptr && execute->interval);
        QVERIFY(execute->interval->holds(3));
        // The same time in both: sure, and no difference.
        QVERIFY(phase(found, "decode")->no_difference());
        QVERIFY(phase(found, "upload") == nullptr);
        QCOMPARE(found.blocks.size(), std::size_t{2});
        QVERIFY(found.blocks[0].time.interval && !found.blocks[0].time.no_difference());
        QCOMPARE(found.blocks[0].digests_equal, std::optional(true));
        QVERIFY(verdict_text(found).starts_with("B is 2."));
    }

    /// Swapped runs have the inverse ratio, and intervals that say the same.
    void swapping_inverts() {
        const KeptRun a = kept(record("a", 9'000'000, 12)), b = kept(record("b", 3'000'000, 12, 2));
        const RunComparison one = compare_runs(a, b), other = compare_runs(b, a);
        QVERIFY(std::abs(*one.wall.ratio * *other.wall.ratio - 1) < 1e-9);
        QVERIFY(std::abs(one.wall.interval->low * other.wall.interval->high - 1) < 0.02);
        QVERIFY(one.wall.interval == compare_runs(a, b).wall.interval);
    }

    void noise_is_no_difference() {
        const RunComparison found =
            compare_runs(kept(record("a", 9'000'000, 12)), kept(record("b", 9'000'000, 12, 5)));
        QVERIFY(found.wall.no_difference());
        QVERIFY(verdict_text(found).starts_with("no significant difference"));
    }

    void few_repetitions_have_no_interval() {
        const RunComparison found =
            compare_runs(kept(record("a", 9'000'000, 1)), kept(record("b", 3'000'000, 12)));
        QVERIFY(!found.wall.interval && found.wall.ratio);
        QVERIFY(!found.notes.empty());
        QCOMPARE(gate(found, 0.05).outcome, Gate::Outcome::undecided);
    }

    void warm_up_is_left_out_of_all() {
        runs::RunRecord slow_start = record("a", 3'000'000, 14);
        for (int i = 0; i < 2; ++i) slow_start.walls[static_cast<std::size_t>(i)] *= 20;
        const KeptRun run = kept(slow_start);
        QCOMPARE(run.warm_up, std::size_t{2});
        const RunComparison found = compare_runs(run, kept(record("b", 3'000'000, 12, 3)));
        QCOMPARE(found.wall.a_samples, std::size_t{12});
        QCOMPARE(phase(found, "execute")->a_samples, std::size_t{12});
        QVERIFY(found.wall.no_difference());
    }

    void other_inputs_are_refused() {
        const KeptRun a = kept(record("a", 1'000'000, 6));
        runs::RunRecord other = record("b", 1'000'000, 6);
        other.network = "mainnet";
        QVERIFY(compare_runs(a, kept(other)).refusal.find("mainnet") != std::string::npos);
        other = record("b", 1'000'000, 6);
        other.blocks.pop_back();
        QVERIFY(compare_runs(a, kept(other)).refusal.find("2 blocks") != std::string::npos);
        other = record("b", 1'000'000, 6);
        other.blocks[1].hash[0] = 77;
        const RunComparison refused = compare_runs(a, kept(other));
        QVERIFY(refused.refusal.find("block 8 is") != std::string::npos);
        QCOMPARE(refused.digests, Equality::other_input);
        QVERIFY(!refused.ranks() && !refused.wall.ratio);
        other = record("b", 1'000'000, 6);
        other.rules.fuel = "exact"; // a run that does not say was counted
        QVERIFY(compare_runs(a, kept(other)).refusal.find("was executed by") != std::string::npos);
        other = record("b", 1'000'000, 6);
        other.rules.line = "own";
        const RunComparison unknown = compare_runs(a, kept(other));
        QVERIFY(unknown.refusal.empty());
        QVERIFY(unknown.notes.front().find("the rule set of A was not recorded") == 0);
        other = record("b", 1'000'000, 6);
        other.blocks[0].height = 6;
        QVERIFY(compare_runs(a, kept(other)).refusal.find("block 1 of the range") !=
                std::string::npos);
    }

    void unequal_results_lead_to_the_first() {
        runs::RunRecord wrong = record("b", 1'000'000, 12);
        wrong.blocks[1].digest[5] = 1;
        wrong.blocks[1].verified = false;
        wrong.blocks[1].difference = "block 8, transaction 3: write of balance 2:0";
        const RunComparison found = compare_runs(kept(record("a", 9'000'000, 12)), kept(wrong));
        QCOMPARE(found.digests, Equality::unequal);
        QVERIFY(!found.ranks());
        QVERIFY(found.divergence.has_value());
        QCOMPARE(found.divergence->height, std::uint64_t{8});
        QVERIFY(found.divergence->text.find("transaction 3: write of") != std::string::npos);
        QCOMPARE(found.blocks[0].digests_equal, std::optional(true));
        QCOMPARE(found.blocks[1].digests_equal, std::optional(false));
        QVERIFY(verdict_text(found).starts_with("MISMATCH"));
        QCOMPARE(gate(found, 10).outcome, Gate::Outcome::unequal);

        runs::RunRecord state = record("b", 1'000'000, 12);
        state.summary.state_digest = Hash256{1};
        const RunComparison states = compare_runs(kept(record("a", 1'000'000, 12)), kept(state));
        QCOMPARE(states.digests, Equality::unequal);
        QVERIFY(!states.divergence);
    }

    /// The gate closes only where the whole interval is beyond the limit.
    void gates() {
        const KeptRun base = kept(record("a", 9'000'000, 30));
        const auto outcome = [&](Nanoseconds execute_ns, double limit) {
            return gate(compare_runs(base, kept(record("b", execute_ns, 30, 9))), limit).outcome;
        };
        QCOMPARE(outcome(9'000'000, 0.05), Gate::Outcome::passed);
        QCOMPARE(outcome(4'000'000, 0), Gate::Outcome::passed);
        QCOMPARE(outcome(12'000'000, 0.05), Gate::Outcome::slower);
        QCOMPARE(outcome(12'000'000, 0.5), Gate::Outcome::passed);
        // 5 % slower in truth: within the noise of a limit of 5 %.
        QCOMPARE(outcome(9'500'000, 0.05), Gate::Outcome::passed);
    }

    void runs_of_before_samples_were_kept() {
        const auto old = [](const char* id, Nanoseconds low, Nanoseconds high) {
            KeptRun run = kept(record(id, 9'000'000, 1));
            run.walls.clear();
            run.wall = (low + high) / 2;
            run.interval = {low, high};
            run.repetitions = 20;
            return run;
        };
        const RunComparison apart = compare_runs(old("a", 90, 110), old("b", 40, 60));
        QVERIFY(apart.wall.interval.has_value());
        QCOMPARE(apart.wall.interval->low, 1.5);
        QCOMPARE(apart.wall.interval->high, 2.75);
        QCOMPARE(apart.wall.a_samples, std::size_t{20});
    }

    void document() {
        const KeptRun a = kept(record("a", 9'000'000, 12)), b = kept(record("b", 3'000'000, 12, 2));
        const RunComparison found = compare_runs(a, b);
        const Gate passed = gate(found, 0.05);
        const auto text = comparison_json(found, a, b, &passed);
        const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(json[QStringLiteral("schema")].toString(),
                 QStringLiteral("blockloom.comparison/1"));
        QVERIFY(json[QStringLiteral("same_inputs")].toBool());
        const QJsonObject wall = json[QStringLiteral("wall")].toObject();
        QCOMPARE(wall[QStringLiteral("ratio")].toDouble(), *found.wall.ratio);
        QCOMPARE(wall[QStringLiteral("ci95")].toArray()[0].toDouble(), found.wall.interval->low);
        QCOMPARE(json[QStringLiteral("gate")].toObject()[QStringLiteral("outcome")].toString(),
                 QStringLiteral("passed"));
        QCOMPARE(json[QStringLiteral("blocks")].toArray().size(), 2);
        KeptRun other = b;
        other.network = "mainnet";
        const auto refused = comparison_json(compare_runs(a, other), a, other, nullptr);
        const QJsonObject none =
            QJsonDocument::fromJson(QByteArray::fromStdString(refused)).object();
        QVERIFY(none[QStringLiteral("wall")].isNull());
        QVERIFY(!none[QStringLiteral("refusal")].toString().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestRunComparison)
#include "test_run_comparison.moc"
