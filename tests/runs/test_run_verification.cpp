// A run is verified against the serial reference: equal results are, one changed figure is found,
// and a source or state that is gone or changed is named. Progress counts the whole work.
#include "execute/recording.h"
#include "range/executed.h"
#include "range/sources.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "runs/measured_run.h"
#include "runs/run_json.h"
#include "runs/run_notes.h"
#include "runs/run_verification.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace blockloom;
using namespace blockloom::runs;

namespace {

class Reports final : public ProgressSink {
public:
    void report(const Progress& progress) override { all.push_back(progress); }
    std::vector<Progress> all;
};

void write_some_blocks(const std::string& folder, std::uint64_t seed) {
    recipes::RecipeChanges changes;
    changes.blocks = 2;
    changes.tasks = 30;
    changes.contracts = 2;
    changes.seed = seed;
    SilentProgress silent;
    if (!recipes::write_blocks(
            folder, recipes::with_changes(*recipes::find_recipe("mixed"), changes), silent))
        qFatal("no blocks were written");
}

} // namespace

class TestRunVerification : public QObject {
    Q_OBJECT

    const QTemporaryDir dir_;
    std::string blocks_ = dir_.filePath(QStringLiteral("blocks")).toStdString();
    Reports reports_;
    std::optional<MeasuredRun> measured_;

    [[nodiscard]] KeptRun kept() const {
        auto run = read_run(run_json(measured_->record, {}), "run");
        if (!run) qFatal("%s", run.error().message.c_str());
        return *std::move(run);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", dir_.path().toUtf8());
        write_some_blocks(blocks_, 5);
        range::RangeOptions listing;
        listing.sources = {blocks_};
        listing.chain = "bitcoin";
        SilentProgress silent;
        const auto sources = range::gather_sources(listing, silent, {});
        QVERIFY(sources);
        std::vector<execute::ReplaySource> all;
        for (const range::Pending& pending : sources->pending)
            all.push_back(range::replay_source(pending));
        MeasuredRunPlan plan{.blocks = all, .how = {}, .device = {}};
        plan.device.backend = "cpu";
        plan.how.network = sources->manifest->network;
        plan.how.engine = alkanes::Engine::native; // so the reference is the interpreter's: quick
        plan.how.strategy.strategy = execute::Strategy::speculative;
        plan.how.strategy.workers = 2;
        plan.how.recording = std::make_shared<execute::Recording>();
        plan.sources = {blocks_};
        plan.repetitions = 3;
        plan.baseline = true;
        plan.usage = false;
        plan.reference = true;
        auto run = measure_run(plan, {}, reports_, {});
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        measured_.emplace(*std::move(run));
    }

    void a_run_is_compared_with_the_serial_reference() {
        const auto& by = measured_->record.verification;
        QVERIFY(by && by->equal());
        QCOMPARE(by->blocks, std::uint64_t{2});
        QCOMPARE(by->engine, std::string("interpreter")); // not the one that the run used
        QCOMPARE(measured_->record.verified(), std::optional(true));
        QVERIFY(!measured_->record.verify);
        const KeptRun run = kept();
        QVERIFY(run.verification && run.verified == true && !run.looked_closer);
        const std::string words = verification_words(run);
        QVERIFY2(words.find("2 blocks") != std::string::npos &&
                     words.find("interpreter") != std::string::npos,
                 words.c_str());
        // Its times do not include the reference.
        QCOMPARE(run.phases[execute::Phase::verify], Nanoseconds{0});
    }

    /// 3 repetitions and 3 baselines of 2 blocks, and the verification: one total, never backwards,
    /// never complete before the end.
    void progress_counts_the_whole_work() {
        const std::vector<Progress>& all = reports_.all;
        QVERIFY(!all.empty());
        std::set<std::string> phases;
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            QCOMPARE(all[i].total, std::uint64_t{2 * (3 + 3 + 1)});
            QVERIFY2(all[i].done >= before, all[i].phase.c_str());
            before = all[i].done;
            phases.insert(all[i].phase);
            if (all[i].done == all[i].total) QCOMPARE(all[i].phase, all.back().phase);
        }
        QCOMPARE(all.back().done, all.back().total);
        for (const char* phase : {"Serial baseline · repetition 1 of 3",
                                  "Replaying blocks · repetition 3 of 3", "Verifying blocks"})
            QVERIFY2(phases.count(phase) == 1, phase);
    }

    /// The run can be kept before it is verified; a cancelled verification then takes nothing away.
    void a_run_is_complete_before_its_verification() {
        range::RangeOptions listing;
        listing.sources = {blocks_};
        listing.chain = "bitcoin";
        SilentProgress silent;
        const auto sources = range::gather_sources(listing, silent, {});
        QVERIFY(sources);
        std::vector<execute::ReplaySource> all;
        for (const range::Pending& pending : sources->pending)
            all.push_back(range::replay_source(pending));
        MeasuredRunPlan plan{.blocks = all, .how = {}, .device = {}};
        plan.how.network = sources->manifest->network;
        plan.usage = false;
        plan.reference = true;
        std::stop_source stop;
        std::optional<RunRecord> record;
        MeasuredRunEvents events;
        events.measured = [&](RunRecord& made, const std::optional<profile::Trace>& spans) {
            if (!spans) qFatal("the run has no spans");
            record = made;
            stop.request_stop();
            return Status();
        };
        const auto run = measure_run(plan, events, silent, stop.get_token());
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::cancelled);
        QVERIFY(record && !record->id.empty() && !record->date.empty());
        QCOMPARE(record->blocks.size(), std::size_t{2});
        QVERIFY(!record->verified());
    }

    /// The run's own document has the busy time of its stages, of the repetition with spans.
    void busy_time_is_in_the_document() {
        const auto& busy = measured_->record.busy;
        QVERIFY(busy);
        QCOMPARE(busy->workers, 2U);
        for (const auto stage : {execute::Phase::execute, execute::Phase::decode}) {
            QVERIFY(busy->busy[stage] > 0);
            QVERIFY(busy->beside[stage] <= busy->busy[stage]);
        }
        const QJsonObject shown =
            QJsonDocument::fromJson(QByteArray::fromStdString(run_json(measured_->record, {})))
                .object()[QStringLiteral("totals")]
                .toObject()[QStringLiteral("busy")]
                .toObject();
        QCOMPARE(shown[QStringLiteral("workers")].toInteger(), 2);
        QCOMPARE(
            shown[QStringLiteral("stages_ns")].toObject()[QStringLiteral("execute")].toInteger(),
            busy->busy[execute::Phase::execute]);
        RunRecord without = measured_->record;
        without.busy.reset();
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(run_json(without, {})))
                    .object()[QStringLiteral("totals")]
                    .toObject()[QStringLiteral("busy")]
                    .isNull());
    }

    void each_figure_of_a_block_is_compared() {
        const KeptRun good = kept();
        SilentProgress silent;
        const auto verify = [&](const KeptRun& run) { return verify_run(run, {}, silent, {}); };
        const auto equal = verify(good);
        QVERIFY2(equal, equal ? "" : equal.error().message.c_str());
        QVERIFY(equal->equal());
        const auto broken = [&](auto change) {
            KeptRun run = good;
            change(run.blocks[1]);
            const auto found = verify(run);
            return found && !found->equal() && found->blocks == 1 &&
                   found->difference.starts_with("block " + std::to_string(run.blocks[1].height));
        };
        QVERIFY(
            broken([](KeptBlock& block) { block.digest[5] = block.digest[5] == '0' ? '1' : '0'; }));
        QVERIFY(broken([](KeptBlock& block) { ++block.tasks; }));
        QVERIFY(broken([](KeptBlock& block) { ++block.succeeded; }));
        QVERIFY(broken([](KeptBlock& block) { ++block.reverted; }));
        QVERIFY(broken([](KeptBlock& block) { ++block.fuel; }));
    }

    void what_is_gone_or_changed_is_named() {
        SilentProgress silent;
        const auto why = [&](const KeptRun& run, const std::string& source = {}) {
            VerificationPlan plan;
            if (!source.empty()) plan.sources = {source};
            const auto made = verify_run(run, plan, silent, {});
            return made ? std::string() : made.error().message;
        };
        KeptRun run = kept();
        QVERIFY(why_not_verifiable(run).empty());
        const std::string others = dir_.filePath(QStringLiteral("others")).toStdString();
        write_some_blocks(others, 6);
        QVERIFY(why(run, others).find("the source has changed") != std::string::npos);
        KeptRun gone = run;
        gone.sources = {blocks_ + "-gone"};
        QCOMPARE(why_not_verifiable(gone), "Its source is gone: " + blocks_ + "-gone");
        QVERIFY(!why(gone).empty());
        gone = run;
        gone.workspace = blocks_ + "-state";
        QVERIFY(why_not_verifiable(gone).find("state") != std::string::npos);
        gone = run;
        gone.blocks[0].digest.clear();
        QVERIFY(why_not_verifiable(gone).find("no digest") != std::string::npos);
        KeptRun other_rules = run;
        other_rules.rules.fuel = other_rules.rules.fuel.empty() ? "exact" : "";
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = verify_run(run, {}, silent, stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::cancelled);
    }

    void it_is_kept_in_the_document() {
        const std::string document = run_json(measured_->record, {});
        const Verification bad{"2026-11-23 06:00:00 UTC", "1.2", "native", 1,
                               "block 8: \"quoted\""};
        const auto with = with_verification(document, bad, "run");
        QVERIFY(with);
        const auto run = read_run(*with, "run");
        QVERIFY(run && run->verified == false && run->verification);
        QCOMPARE(run->verification->difference, bad.difference);
        QVERIFY(verification_words(*run).starts_with("Mismatch with the serial reference"));
        // Nothing else changes, and the newest verification counts.
        const auto again = with_verification(*with, *measured_->record.verification, "run");
        QVERIFY(again);
        const auto equal = read_run(*again, "run");
        QVERIFY(equal && equal->verified == true);
        QCOMPARE(equal->phases.sum(), kept().phases.sum());
    }

    void every_state_has_its_words() {
        KeptRun run = kept();
        run.verification.reset();
        run.verified.reset();
        QVERIFY(verification_words(run).starts_with("Not verified"));
        run.verified = true;
        QVERIFY(verification_words(run).find("committed before") != std::string::npos);
        run.verify = true;
        QVERIFY(verification_words(run).starts_with("Verified during the run"));
        run.verified = false;
        run.blocks[1].difference = "the status";
        QVERIFY(verification_words(run).ends_with("the status"));
    }
};

QTEST_GUILESS_MAIN(TestRunVerification)
#include "test_run_verification.moc"
