// Recipes with their contracts as compiled lanes of a CUDA device, whose driver is a fake one that
// runs the lanes on this processor: the provider, its lists and its errors are those of a GPU.
// Whatever the driver does, the answer is the serial one.
#include "compute/fake_cuda/fake_device.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace blockloom;
using execute::ReplayOptions;
using execute::Strategy;

class TestCuda : public QObject {
    Q_OBJECT

    std::vector<execute::ReplaySource> sources_;
    tests::ReplayedBlocks truth_;
    /// The same for all replays: code for the host's lanes is compiled once.
    const std::shared_ptr<alkanes::Contracts> contracts_ = std::make_shared<alkanes::Contracts>();

    ReplayOptions serial() const {
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        options.contracts = contracts_;
        return options;
    }
    /// A launch that hung keeps its context; there is none before that.
    fake_cuda::Live left_;

    ReplayOptions
    on_device(const std::string& faults,
              Nanoseconds longest_wait = std::numeric_limits<Nanoseconds>::max()) const {
        ReplayOptions options = serial();
        const fake_cuda::WithFaults set(faults);
        auto opened = fake_cuda::open({}, 0, longest_wait);
        if (!opened) qFatal("%s", opened.error().message.c_str());
        options.device = *std::move(opened);
        options.device_options.wait_for_code = true;
        options.strategy.strategy = Strategy::speculative;
        options.strategy.workers = 2;
        return options;
    }
    /// From the serial run.
    std::string difference(const tests::ReplayedBlocks& found) const {
        return tests::difference(found, truth_);
    }
    static bool noted(const tests::ReplayedBlocks& blocks, const char* words) {
        for (const auto& block : blocks)
            for (const std::string& line : block->notes)
                if (line.find(words) != std::string::npos) return true;
        return false;
    }
    static std::uint64_t ejected(const tests::ReplayedBlocks& blocks, const char* code) {
        std::uint64_t count = 0;
        for (const auto& block : blocks)
            if (const auto found = block->rounds.ejected.find(code);
                found != block->rounds.ejected.end())
                count += found->second;
        return count;
    }

private Q_SLOTS:
    void initTestCase() {
        sources_ = tests::sources_of("independent", 64, 3);
        auto truth = tests::replay(sources_, serial());
        QVERIFY(truth.ok());
        truth_ = *std::move(truth);
    }
    void cleanup() {
        QVERIFY(fake_cuda::control().live() == left_); // the device is closed
        const auto mistakes = fake_cuda::control().mistakes();
        QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes.front().c_str());
    }

    void lanes_run_on_the_device() {
        const auto blocks = tests::replay(sources_, on_device(""));
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        const std::string text = difference(*blocks);
        QVERIFY2(text.empty(), text.c_str());
        std::uint64_t ran = 0;
        for (const auto& block : *blocks)
            for (const auto& tx : block->execution->transactions)
                ran += static_cast<std::uint64_t>(
                    std::ranges::count_if(tx.records, [](const auto& record) {
                        return record.engine == alkanes::Engine::cuda;
                    }));
        QVERIFY(ran > 0);
    }

    /// Every call that was given to the device is counted under its module, and what was compiled
    /// for it is recorded as spans beside the run.
    void the_summary_has_the_code() {
        ReplayOptions options = on_device("");
        options.recording = std::make_shared<execute::Recording>();
        execute::ReplaySummary summary;
        const auto blocks = tests::replay(sources_, options, &summary);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        QVERIFY(!summary.code.empty());
        std::uint64_t lanes = 0, on_processor = 0;
        std::size_t compilations = 0;
        for (const execute::ContractCode& code : summary.code) {
            QVERIFY(code.module != Hash256{});
            QVERIFY(!code.contracts.empty());
            QCOMPARE(code.interpreted, 0U);
            QCOMPARE(code.code.size(), 1U);
            const gpuvm::CodeFacts& facts = code.code.front();
            QVERIFY(facts.state == gpuvm::CodeState::ready);
            QVERIFY(facts.lane_bytes > 0 && facts.windows > 0);
            QVERIFY(facts.refusal.empty());
            for (const gpuvm::Compilation& made : facts.compilations)
                QVERIFY(made.begin > 0 && made.end > made.begin);
            lanes += code.compiled, on_processor += code.on_processor;
            compilations += facts.compilations.size();
        }
        QVERIFY(lanes > 0 && compilations >= summary.code.size());
        std::uint64_t ran = 0, native = 0;
        for (const auto& block : *blocks)
            for (const auto& tx : block->execution->transactions)
                for (const auto& record : tx.records) {
                    ran += record.engine == alkanes::Engine::cuda;
                    native += record.engine == alkanes::Engine::native;
                }
        QVERIFY(lanes >= ran && on_processor >= native); // also those of aborted attempts

        const profile::Trace trace = options.recording->finish();
        std::size_t spans = 0;
        std::uint64_t waves = 0, profiled = 0; // messages in them, each time that they ran on
        for (const profile::Lane& lane : trace.lanes) {
            for (const profile::Span& span : lane.spans) {
                const std::string& name = trace.names[span.name];
                QVERIFY(name != "run");
                if (name == "compiled lanes") {
                    QVERIFY(lane.kind == profile::LaneKind::device);
                    waves += span.detail;
                } else if (name == "profiled lanes") {
                    QVERIFY(lane.kind == profile::LaneKind::beside);
                    profiled += span.detail;
                }
            }
            if (!lane.name.starts_with("compilation ")) continue;
            QVERIFY(lane.kind == profile::LaneKind::beside);
            for (const profile::Span& span : lane.spans) {
                QVERIFY(trace.names[span.name].starts_with("compile "));
                QVERIFY(span.end <= trace.duration && span.duration() > 0);
            }
            spans += lane.spans.size();
        }
        QCOMPARE(spans, compilations);
        QVERIFY(waves >= lanes && profiled > 0);
    }

    void a_refusal_is_told() {
        execute::ReplaySummary summary;
        const auto blocks = tests::replay(sources_, on_device("cuLinkAddData_v2=218"), &summary);
        QVERIFY(blocks.ok());
        std::uint64_t refused = 0;
        for (const execute::ContractCode& code : summary.code) {
            QCOMPARE(code.compiled, 0U);
            QVERIFY(code.code.front().state == gpuvm::CodeState::refused);
            QVERIFY(!code.code.front().refusal.empty());
            if (const auto found = code.ejected.find("program"); found != code.ejected.end())
                refused += found->second;
        }
        QCOMPARE(refused, ejected(*blocks, "program"));
    }

    /// The log names the driver's error; without a fallback it ends the replay, which is exit
    /// status 4.
    void faults_data() {
        QTest::addColumn<QString>("note");
        const auto row = [](const char* faults, const char* note) {
            QTest::newRow(faults) << QString::fromLatin1(note);
        };
        row("lost@1", "CUDA_ERROR_LAUNCH_FAILED");
        row("lost@3", "CUDA_ERROR_LAUNCH_FAILED");
        row("cuLaunchKernel@2=719", "CUDA: a launch: CUDA_ERROR_LAUNCH_FAILED");
        row("cuLaunchKernel@1=701", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
        row("cuMemAlloc_v2=2", "the device has none left");
        row("cuMemHostAlloc@2=700", "CUDA: memory: CUDA_ERROR_ILLEGAL_ADDRESS");
        row("cuLinkComplete@1=719", "CUDA: a kernel: CUDA_ERROR_LAUNCH_FAILED");
    }
    void faults() {
        QFETCH(QString, note);
        ReplayOptions options = on_device(QTest::currentDataTag());
        const auto blocks = tests::replay(sources_, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        const std::string text = difference(*blocks);
        QVERIFY2(text.empty(), text.c_str());
        QVERIFY(noted(*blocks, note.toLatin1().constData()));

        options = on_device(QTest::currentDataTag());
        options.fallback = false;
        const auto refused = tests::replay(sources_, options);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().code == ErrorCode::unavailable ||
                compute::is_device_error(refused.error().code));
        QVERIFY2(QString::fromStdString(refused.error().message).contains(note),
                 refused.error().message.c_str());
    }

    /// Bits that change on their way are found lane by lane; such a lane runs on the host.
    void damaged_downloads() {
        const auto blocks = tests::replay(sources_, on_device("damaged@1"));
        QVERIFY(blocks.ok());
        const std::string text = difference(*blocks);
        QVERIFY2(text.empty(), text.c_str());
        QVERIFY(ejected(*blocks, "fault") > 0);
    }

    /// A contract that the driver does not compile runs on the host.
    void refused_code() {
        const auto blocks = tests::replay(sources_, on_device("cuLinkAddData_v2=218"));
        QVERIFY(blocks.ok());
        const std::string text = difference(*blocks);
        QVERIFY2(text.empty(), text.c_str());
        QVERIFY(ejected(*blocks, "program") > 0);
    }

    /// Its context and what it uses is left to the driver, and the replay does not wait for it.
    void a_launch_that_does_not_end_data() {
        QTest::addColumn<QString>("fault");
        QTest::newRow("the first one") << QStringLiteral("hung@1");
        QTest::newRow("one of a kernel that ran") << QStringLiteral("hung@2");
        QTest::newRow("the driver does not return from it") << QStringLiteral("stuck@1");
    }
    void a_launch_that_does_not_end() {
        constexpr Nanoseconds soon = 20'000'000;
        QFETCH(QString, fault);
        {
            const auto blocks = tests::replay(sources_, on_device(fault.toStdString(), soon));
            QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
            const std::string text = difference(*blocks);
            QVERIFY2(text.empty(), text.c_str());
            QVERIFY(noted(*blocks, "CUDA: a submission did not finish within 20 ms"));
            ReplayOptions options = on_device(fault.toStdString(), soon);
            options.fallback = false;
            QVERIFY(!tests::replay(sources_, options).ok());
        }
        left_ = fake_cuda::control().live();
    }
};

QTEST_APPLESS_MAIN(TestCuda)
#include "test_cuda.moc"
