// When waves and lanes ran: the clock they tell it by, and what a device says.
#include "gpuvm/batch.h"
#include "gpuvm/device.h"
#include "gpuvm/machine.h"
#include "gpuvm/module_text.h"
#include "gpuvm/wave_clock.h"
#include "gpuvm/wave_ticks.h"

#include <QtTest>

#include <optional>
#include <random>
#include <set>

using namespace blockloom;
using gpuvm::ClockBracket;
using gpuvm::WaveClock;

namespace {

const char* const text = R"((module (memory 1)
 (func (export "trap") (param i32) (result i32) unreachable)
 (func (export "spin") (param i32) (result i32) (local i32)
  (loop
   (i32.store (i32.const 64) (local.tee 1 (i32.add (local.get 1) (local.get 0))))
   (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  (local.get 1))))";

/// A device whose ticks are known: what the clock has to find out.
struct KnownClock {
    double ns_per_tick = 1;
    std::uint64_t origin = 0; ///< the tick at the host's 0
    [[nodiscard]] std::uint64_t tick(Nanoseconds at) const {
        return origin + static_cast<std::uint64_t>(static_cast<double>(at) / ns_per_tick);
    }
};

} // namespace

class TestWaves : public QObject {
    Q_OBJECT

    compute::ProviderPtr provider_;
    std::shared_ptr<wasm::Instance> instance_;

    /// With the submissions' times, as they are reported.
    std::unique_ptr<gpuvm::Machine> machine(bool tells,
                                            std::vector<gpuvm::SubmissionTimes>& submissions) {
        gpuvm::Options options;
        options.wave_times = tells;
        options.submitted = [&submissions](const gpuvm::SubmissionTimes& times) {
            submissions.push_back(times);
        };
        auto made = gpuvm::Machine::make(provider_, tests::without_time_out(options));
        if (!made) qFatal("%s", made.error().message.c_str());
        if (!(*made)->add(gpuvm::image_of(*instance_), {})) qFatal("the program does not fit");
        return *std::move(made);
    }

private Q_SLOTS:
    void initTestCase() {
        std::string why;
        provider_ = tests::gpuvm_device(why);
        if (provider_ && tests::can_assemble()) instance_ = tests::instance_of(text);
    }

    void any_rate_and_origin_are_found_data() {
        QTest::addColumn<double>("rate");
        QTest::addColumn<quint64>("origin");
        QTest::newRow("nanoseconds") << 1.0 << quint64{0};
        QTest::newRow("processor ticks") << 0.47 << (quint64{1} << 60);
        QTest::newRow("100 MHz") << 10.0 << quint64{12345};
        QTest::newRow("steps of a microsecond") << 1024.0 << quint64{7};
    }
    void any_rate_and_origin_are_found() {
        QFETCH(double, rate);
        QFETCH(quint64, origin);
        const KnownClock known{rate, origin};
        std::mt19937_64 random(5);
        WaveClock clock;
        QCOMPARE(clock.ns_per_tick(), 0.0);
        Nanoseconds at = 40'000'000'000;
        for (int i = 0; i < 200; ++i) {
            const Nanoseconds before = 1'000 + static_cast<Nanoseconds>(random() % 9'000);
            const Nanoseconds after = 1'000 + static_cast<Nanoseconds>(random() % 9'000);
            const Nanoseconds length = 20'000 + static_cast<Nanoseconds>(random() % 20'000'000);
            const ClockBracket bracket{at, at + before + length + after, known.tick(at + before),
                                       known.tick(at + before + length)};
            clock.anchor(bracket);
            // Half of what the bracket leaves free, and a tick; the first one cannot tell a slower
            // clock from waves that began late.
            const auto free = static_cast<double>(before + after);
            const double allowed = (i == 0 ? free : free / 2 + 10'000) + 2 * rate;
            Nanoseconds last = bracket.begin;
            for (int k = 0; k <= 10; ++k) {
                const Nanoseconds truth = at + before + length * k / 10;
                const Nanoseconds found = clock.to_host(known.tick(truth));
                QVERIFY(found >= last && found <= bracket.end);
                QVERIFY2(std::abs(static_cast<double>(found - truth)) <= allowed,
                         qPrintable(QStringLiteral("%1: %2 ns off, %3 allowed")
                                        .arg(i)
                                        .arg(found - truth)
                                        .arg(allowed)));
                last = found;
            }
            at = bracket.end + static_cast<Nanoseconds>(random() % 5'000'000);
        }
        QVERIFY(std::abs(clock.ns_per_tick() / rate - 1) < 1e-4);
        QCOMPARE(clock.clamped(), std::uint64_t{0});
    }

    void what_lies_outside_is_brought_in_and_counted() {
        WaveClock clock;
        clock.anchor({1'000'000, 2'000'000, 500, 1'000'500});
        QCOMPARE(clock.to_host(500), Nanoseconds{1'000'000});
        QCOMPARE(clock.to_host(1'000'500), Nanoseconds{2'000'000});
        QCOMPARE(clock.clamped(), std::uint64_t{0});
        QCOMPARE(clock.to_host(9), Nanoseconds{1'000'000});
        QCOMPARE(clock.to_host(7'000'000), Nanoseconds{2'000'000});
        QCOMPARE(clock.clamped(), std::uint64_t{2});
        // A clock that was set back starts over.
        clock.anchor({5'000'000, 6'000'000, 100, 2'000'100});
        QCOMPARE(clock.to_host(1'000'100), Nanoseconds{5'500'000});
        QCOMPARE(clock.ns_per_tick(), 0.5);
    }

    void ticks_of_32_bits_are_extended() {
        std::mt19937_64 random(5);
        for (int round = 0; round < 200; ++round) {
            constexpr std::uint32_t waves = 3, lanes_a_wave = 4, slices = 5;
            std::vector<gpuvm::Ticks> truth;
            std::vector<std::uint64_t> stops(std::size_t{waves} * lanes_a_wave);
            std::uint64_t at = random();
            for (std::uint32_t slice = 0; slice < slices; ++slice) {
                std::uint64_t last = at;
                for (std::uint32_t wave = 0; wave < waves; ++wave) {
                    if (random() % 5 == 0) {
                        truth.push_back({});
                        continue;
                    }
                    const std::uint64_t begin = at + 1 + random() % 100'000'000;
                    const std::uint64_t length = 1 + random() % 1'000'000'000;
                    truth.push_back({begin, begin + length});
                    last = std::max(last, begin + length);
                    std::uint64_t& stop = stops[wave * lanes_a_wave + slice % lanes_a_wave];
                    if (stop == 0) stop = begin + random() % length;
                }
                at = last;
            }
            std::vector<gpuvm::Ticks> ran = truth;
            std::vector<std::uint64_t> found = stops;
            for (gpuvm::Ticks& wave : ran) wave = {wave.begin & ~0U, wave.end & ~0U};
            for (std::uint64_t& stop : found) stop &= ~0U;
            gpuvm::extend_ticks(ran, found, waves, lanes_a_wave);
            std::optional<std::uint64_t> origin;
            const auto same = [&](std::uint64_t extended, std::uint64_t true_tick) {
                if (true_tick == 0) return extended == 0;
                if (!origin) origin = extended - true_tick;
                return extended - true_tick == *origin;
            };
            for (std::size_t i = 0; i < ran.size(); ++i) {
                QVERIFY(same(ran[i].begin, truth[i].begin));
                QVERIFY(same(ran[i].end, truth[i].end));
            }
            for (std::size_t i = 0; i < found.size(); ++i) QVERIFY(same(found[i], stops[i]));
        }
    }

    void brackets_with_origins_of_their_own_share_the_rate() {
        WaveClock clock;
        clock.anchor({1'000, 2'000, 100, 500, true});
        QCOMPARE(clock.ns_per_tick(), 2.5);
        clock.anchor({9'000, 10'000, 40, 540, true});
        QCOMPARE(clock.ns_per_tick(), 2.0);
        clock.anchor({20'000, 22'000, 10, 110, true});
        QCOMPARE(clock.ns_per_tick(), 2.0);
        // Laid into the middle.
        QCOMPARE(clock.to_host(10), Nanoseconds{20'900});
        QCOMPARE(clock.to_host(110), Nanoseconds{21'100});
        QCOMPARE(clock.clamped(), std::uint64_t{0});
    }

    void lanes_lie_in_their_waves_and_waves_in_their_kernels() {
        if (!instance_) QSKIP("no Vulkan device, or wat2wasm is not installed (package wabt)");
        std::vector<gpuvm::SubmissionTimes> submissions;
        const auto on = machine(true, submissions);
        if (!on->tells_wave_times()) QSKIP("the device has no clock that its shaders read");
        // A wave and a half; each lane turns more often than the one before it, and one traps.
        std::vector<wasm::Cell> turns(on->wave() + on->wave() / 2);
        for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = 1 + i * 1'500;
        std::vector<gpuvm::Invocation> calls(turns.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            calls[i].function = tests::function_of(*instance_, i == 3 ? "trap" : "spin");
            calls[i].arguments = std::span(&turns[i], 1);
            calls[i].fuel = 100'000'000;
        }
        const auto batch = on->batch();
        QVERIFY(batch->start(calls, {}));
        QVERIFY(batch->wave_times().empty());
        std::set<std::uint32_t> running, ended;
        for (std::uint32_t i = 0; i < calls.size(); ++i) running.insert(i);
        std::vector<Nanoseconds> end(calls.size());
        for (bool more = true; more;) {
            const auto advanced = batch->advance();
            QVERIFY(advanced);
            more = *advanced;
            QCOMPARE(submissions.size(), static_cast<std::size_t>(batch->times().submissions));
            const gpuvm::SubmissionTimes& kernels = submissions.back();
            std::set<std::uint32_t> reported;
            for (const gpuvm::WaveTime& wave : batch->wave_times()) {
                QVERIFY(kernels.uploaded <= wave.begin && wave.begin < wave.end);
                QVERIFY(wave.end <= kernels.executed);
                Nanoseconds last = 0;
                for (const gpuvm::LaneTime& lane : batch->lane_times(wave)) {
                    QCOMPARE(lane.invocation / on->wave(), wave.wave);
                    QVERIFY(wave.begin <= lane.end && lane.end <= wave.end);
                    QVERIFY(end[lane.invocation] <= wave.begin); // of the slice before
                    end[lane.invocation] = lane.end;
                    last = std::max(last, lane.end);
                    reported.insert(lane.invocation);
                }
                QVERIFY(last >= wave.begin); // of one lane at least
            }
            QCOMPARE(reported, running);
            for (const gpuvm::Stop& stop : batch->stops()) running.erase(stop.invocation);
        }
        QVERIFY(running.empty());
        QCOMPARE(batch->times().clamped, std::uint64_t{0});
        QVERIFY(on->ns_per_tick() > 0);
        // Lowest code first: the lane that traps is done before the others of its wave begin.
        QVERIFY(end[3] < end[0]);
    }

    void without_the_wish_nothing_is_told_and_results_are_the_same() {
        if (!instance_) QSKIP("no Vulkan device, or wat2wasm is not installed (package wabt)");
        std::vector<gpuvm::SubmissionTimes> submissions;
        const wasm::Cell turns = 100;
        gpuvm::Invocation call;
        call.function = tests::function_of(*instance_, "spin");
        call.arguments = std::span(&turns, 1);
        call.fuel = 100'000'000;
        std::vector<wasm::RunResult> results;
        for (const bool tells : {false, true}) {
            const auto on = machine(tells, submissions);
            const auto batch = on->batch();
            QVERIFY(batch->start({&call, 1}, {}));
            for (auto more = batch->advance(); more && *more;) {
                more = batch->advance();
                QVERIFY(more);
            }
            if (!tells) QVERIFY(batch->wave_times().empty() && !on->tells_wave_times());
            results.push_back(batch->ended(0).run);
        }
        QCOMPARE(results[0].results, results[1].results);
        QCOMPARE(results[0].steps, results[1].steps);
        QCOMPARE(results[0].results.at(0), wasm::Cell{5050});
    }
};

QTEST_APPLESS_MAIN(TestWaves)
#include "test_waves.moc"
