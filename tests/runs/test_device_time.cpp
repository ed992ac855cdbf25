// What devices did, and the host while they were idle, compared with a look at each nanosecond.
#include "execute/strategy.h"
#include "runs/device_time.h"
#include "runs/gap_waterfall.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::runs;
using execute::Phase;
using profile::Category;
using profile::LaneKind;

namespace {

enum Name : std::uint16_t { up, run, down, message, begins, lays_out, takes, accepts };

profile::Trace named_trace() {
    profile::Trace made;
    made.names = {"upload",       "compiled lanes",     "download",
                  "message",      "begin transactions", "lay out calls",
                  "take results", "accept answers"};
    return made;
}

profile::Span span(std::uint16_t name, Nanoseconds begin, Nanoseconds end) {
    const Category category = name <= down      ? Category::slice
                              : name == message ? Category::message
                                                : Category::other;
    return {begin, end, profile::none, profile::none, 1, name, category, 0};
}

/// Streams of several devices, overlapping at will, and workers.
profile::Trace random_trace(std::uint64_t seed, unsigned devices) {
    std::mt19937_64 random(seed);
    profile::Trace made = named_trace();
    const auto lane = [&](const std::string& name, LaneKind kind, std::uint16_t first,
                          std::uint16_t last) {
        profile::Lane to{name, kind, {}};
        Nanoseconds at = 0;
        for (auto count = random() % 8; count > 0; --count) {
            const Nanoseconds begin = at + static_cast<Nanoseconds>(random() % 30);
            at = begin + static_cast<Nanoseconds>(random() % 30);
            to.spans.push_back(span(
                static_cast<std::uint16_t>(first + random() % (last - first + 1U)), begin, at));
        }
        made.lanes.push_back(std::move(to));
    };
    for (unsigned d = 0; d < devices; ++d)
        for (const std::uint16_t name : {up, run, run, down})
            lane("device " + std::to_string(d), LaneKind::device, name, name);
    for (int w = 0; w < 3; ++w) lane("worker", LaneKind::worker, message, accepts);
    return made;
}

/// The sums over the devices.
DeviceTime looked_at(const profile::Trace& spans, Nanoseconds until) {
    DeviceTime found;
    for (Nanoseconds at = 0; at < until; ++at) {
        std::map<std::string, std::array<bool, 2>> devices; // a kernel runs, something is moved
        bool prepares = false, takes_back = false, runs = false;
        for (const profile::Lane& lane : spans.lanes) {
            if (lane.kind == LaneKind::device && !lane.spans.empty()) devices[lane.name];
            for (const profile::Span& each : lane.spans) {
                if (at < each.begin || at >= each.end) continue;
                if (lane.kind == LaneKind::device)
                    devices[lane.name][each.name == run ? 0 : 1] = true;
                prepares |= each.name == begins || each.name == lays_out;
                takes_back |= each.name == takes || each.name == accepts;
                runs |= each.name == message;
            }
        }
        found.devices = static_cast<unsigned>(devices.size());
        if (devices.empty()) devices[""] = {}; // one that did nothing was idle all the time
        for (const auto& [name, does] : devices) {
            if (does[0])
                ++found.kernels;
            else if (does[1])
                ++found.transfer;
            else if (prepares)
                ++found.preparing;
            else if (takes_back)
                ++found.accepting;
            else if (runs)
                ++found.on_workers;
        }
    }
    return found;
}

const GapStep* step_of(const GapWaterfall& gap, std::string_view name) {
    for (const GapStep& step : gap.steps)
        if (step.name == name) return &step;
    return nullptr;
}

Nanoseconds part_of(const GapStep& step, std::string_view name) {
    for (const GapPart& part : step.parts)
        if (part.name == name) return part.ns;
    return -1;
}

} // namespace

class TestDeviceTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_a_look_at_each_moment() {
        Nanoseconds seen = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const profile::Trace spans = random_trace(seed, static_cast<unsigned>(seed % 4));
            const DeviceTime made = device_time(spans), all = looked_at(spans, 500);
            QCOMPARE(made.devices, all.devices);
            const auto mean = [&](Nanoseconds sum) {
                return sum / static_cast<Nanoseconds>(std::max(all.devices, 1U));
            };
            QCOMPARE(made.kernels, mean(all.kernels));
            QCOMPARE(made.transfer, mean(all.transfer));
            QCOMPARE(made.preparing, mean(all.preparing));
            QCOMPARE(made.accepting, mean(all.accepting));
            QCOMPARE(made.on_workers, mean(all.on_workers));
            seen += std::min({made.transfer, made.preparing, made.accepting, made.on_workers});
        }
        QVERIFY(seen > 0); // else the samples say nothing
    }

    /// A transfer beside a kernel costs nothing; what is left of the executions, the device waited.
    void transfer_and_device_idle() {
        profile::Trace spans = named_trace();
        spans.lanes = {{"a device", LaneKind::device, {span(up, 10, 20), span(up, 30, 50)}},
                       {"a device", LaneKind::device, {span(run, 20, 40), span(run, 50, 70)}},
                       {"a device", LaneKind::device, {span(down, 40, 44), span(down, 70, 76)}},
                       {"worker 0",
                        LaneKind::worker,
                        {span(begins, 0, 6), span(lays_out, 6, 10), span(takes, 45, 60),
                         span(accepts, 76, 84), span(message, 84, 90)}}};
        KeptRun kept;
        kept.backend = "cuda";
        kept.strategy = "speculative";
        kept.workers = 1;
        kept.last_phases[Phase::execute] = 70;
        kept.last_phases[Phase::pack] = 4;
        kept.last_phases[Phase::upload] = 16;
        kept.last_phases[Phase::download] = 10;
        kept.last_phases[Phase::decode] = 5;
        kept.last_phases[Phase::commit] = 7;
        const GapWaterfall gap = gap_of(kept, &spans, nullptr, nullptr);
        QVERIFY(gap.missing.empty());
        QCOMPARE(gap.measured, Nanoseconds{112});
        QCOMPARE(step_of(gap, "ideal time")->ns, Nanoseconds{40});
        QVERIFY(!step_of(gap, "ideal time")->predicted);
        QCOMPARE(step_of(gap, "transfer")->ns, Nanoseconds{10 + 10 + 6}); // one hides 10 of 20
        const GapStep& idle = *step_of(gap, "device idle");
        QCOMPARE(idle.ns, Nanoseconds{100 - 40 - 26});
        QCOMPARE(part_of(idle, "preparing"), Nanoseconds{10});
        QCOMPARE(part_of(idle, "accepting"), Nanoseconds{8}); // the other 15 while it worked
        QCOMPARE(part_of(idle, "messages on workers"), Nanoseconds{6});
        QCOMPARE(part_of(idle, "rest"), Nanoseconds{10});
        QCOMPARE(step_of(gap, "bookkeeping")->ns, Nanoseconds{5});
        QCOMPARE(step_of(gap, "commit")->ns, Nanoseconds{7});
        QVERIFY(step_of(gap, "imbalance") == nullptr && step_of(gap, "repeated work") == nullptr);
        Nanoseconds sum = 0;
        for (const GapStep& step : gap.steps) sum += step.ns;
        QCOMPARE(sum, gap.measured);
        // A run on the processor has no device that could be idle.
        kept.backend = "cpu";
        KeptRun alone = kept;
        alone.blocks.emplace_back().work_and_path = {20, 10};
        const GapWaterfall on_cpu = gap_of(kept, &spans, &alone, nullptr);
        QVERIFY(on_cpu.missing.empty() && step_of(on_cpu, "device idle") == nullptr);
    }

    /// Whatever the spans and the phases are, the steps add up, and so do their parts.
    void every_gap_of_a_device_adds_up() {
        std::mt19937_64 random(8);
        std::size_t divided = 0;
        for (std::uint64_t seed = 0; seed < 500; ++seed) {
            const profile::Trace spans = random_trace(seed, 1 + static_cast<unsigned>(seed % 3));
            KeptRun kept;
            kept.backend = "vulkan";
            for (Nanoseconds& ns : kept.last_phases.ns)
                ns = static_cast<Nanoseconds>(random() % 300);
            const GapWaterfall gap = gap_of(kept, &spans, nullptr, nullptr);
            Nanoseconds sum = 0;
            for (const GapStep& step : gap.steps) {
                sum += step.ns;
                Nanoseconds parts = 0;
                for (const GapPart& part : step.parts) parts += part.ns;
                if (!step.parts.empty()) QCOMPARE(parts, step.ns);
                divided += step.name == "device idle" && !step.parts.empty();
            }
            QCOMPARE(sum, gap.measured);
            QCOMPARE(gap.measured, kept.last_phases.sum());
        }
        QVERIFY(divided > 100);
    }
};

QTEST_APPLESS_MAIN(TestDeviceTime)
#include "test_device_time.moc"
