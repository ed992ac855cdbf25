// Messages that ran on a device (lavapipe will do) as spans on the lanes of its waves.
#include "execute/device/host_reasons.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace blockloom;
using namespace blockloom::execute;
using profile::Category;
using profile::LaneKind;
using profile::Span;

namespace {

constexpr std::uint32_t tasks = 24; ///< of a block

/// First tasks of the transactions of a block with a message whose result is the device's.
std::set<std::uint32_t> accepted_from_device(const ReplayedBlock& block) {
    std::set<std::uint32_t> found;
    std::uint32_t task = 0;
    for (const alkanes::TransactionResult& result : block.execution->transactions) {
        if (std::any_of(result.records.begin(), result.records.end(), [](const auto& record) {
                return record.engine == alkanes::Engine::vulkan;
            }))
            found.insert(task);
        task += static_cast<std::uint32_t>(result.records.size());
    }
    return found;
}

std::vector<Span> spans_of(const profile::Trace& trace, LaneKind kind, const char* name) {
    std::vector<Span> found;
    for (const profile::Lane& lane : trace.lanes)
        for (const Span& span : lane.spans)
            if (lane.kind == kind && trace.names[span.name] == name) found.push_back(span);
    return found;
}

} // namespace

class TestWaves : public QObject {
    Q_OBJECT

    compute::ProviderPtr provider_;
    tests::ReplayedBlocks blocks_;
    profile::Trace trace_;

    profile::Trace record(bool waves) {
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        options.strategy.strategy = Strategy::speculative;
        options.strategy.workers = 2;
        options.device = provider_;
        options.device_options.wave_times = waves;
        options.recording = std::make_shared<Recording>();
        auto blocks = tests::replay(tests::sources_of("independent", tasks), options);
        if (!blocks) qFatal("%s", blocks.error().message.c_str());
        blocks_ = *std::move(blocks);
        return options.recording->finish();
    }

private Q_SLOTS:
    void initTestCase() {
        provider_ = tests::open_vulkan_device();
        if (provider_ == nullptr) QSKIP("no Vulkan device");
        if (!provider_->description().features.shader_device_clock)
            QSKIP("the device has no clock that its shaders read");
        trace_ = record(true);
    }

    void each_accepted_message_has_its_span() {
        std::map<std::uint32_t, std::set<std::uint32_t>> reported; // by block
        for (const Span& span : spans_of(trace_, LaneKind::wave, "message"))
            reported[span.block].insert(span.task);
        std::size_t accepted = 0; // from the device, or the first ones of a kind
        for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
            if (const auto first = blocks_[i]->rounds.on_host.find(host_reasons::first_of_kind);
                first != blocks_[i]->rounds.on_host.end())
                accepted += first->second.size();
            const auto from_device = accepted_from_device(*blocks_[i]);
            accepted += from_device.size();
            QVERIFY(std::includes(reported[i].begin(), reported[i].end(), from_device.begin(),
                                  from_device.end()));
        }
        QVERIFY(accepted >= tasks);
        QCOMPARE(trace_.dropped, std::uint64_t{0});
    }

    void spans_lie_in_their_waves_and_in_what_the_device_ran() {
        const auto runs = spans_of(trace_, LaneKind::device, "run");
        const auto waves = spans_of(trace_, LaneKind::wave, "wave");
        QVERIFY(!runs.empty() && waves.size() >= runs.size());
        for (const Span& wave : waves) {
            QVERIFY(wave.begin < wave.end);
            QCOMPARE(std::count_if(runs.begin(), runs.end(),
                                   [&](const Span& run) {
                                       return run.begin <= wave.begin && wave.end <= run.end;
                                   }),
                     std::ptrdiff_t{1});
        }
        std::size_t messages = 0, in_waves = 0;
        for (const Span& wave : waves) in_waves += wave.detail;
        for (const profile::Lane& lane : trace_.lanes) {
            if (lane.kind != LaneKind::wave) continue;
            QVERIFY(lane.name.starts_with("wave "));
            Span wave;
            for (const Span& span : lane.spans) {
                if (span.depth == 0) {
                    QVERIFY(span.category == Category::slice && span.begin >= wave.end);
                    wave = span;
                    continue;
                }
                ++messages;
                QVERIFY(span.category == Category::message);
                QVERIFY(wave.begin == span.begin && span.begin < span.end && span.end <= wave.end);
                QVERIFY(span.block != profile::none && span.task != profile::none);
            }
        }
        QCOMPARE(messages, in_waves);
    }

    void without_the_wish_there_are_no_waves() {
        const profile::Trace bare = record(false);
        QVERIFY(!spans_of(bare, LaneKind::device, "run").empty());
        for (const profile::Lane& lane : bare.lanes) QVERIFY(lane.kind != LaneKind::wave);
    }
};

QTEST_APPLESS_MAIN(TestWaves)
#include "test_waves.moc"
