// Rounds on a device in flights of the workers: several are with the device at once, and whatever
// happens to one of them, the answer is the serial one.
#include "compute/cpu/cpu_provider.h"
#include "compute/faults/faulty_provider.h"
#include "execute/device/access_prediction.h"
#include "execute/device/host_reasons.h"
#include "execute/recording.h"
#include "execute/replayed_recipes.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <new>
#include <set>

using namespace blockloom;
using execute::ReplayOptions;
using execute::Strategy;

namespace {

/// Counts the submissions that nobody has waited for yet.
class CountingProvider final : public compute::Provider {
public:
    /// `throwing`: the submission that throws; 0: none does.
    explicit CountingProvider(compute::ProviderPtr inner, std::uint64_t throwing = 0)
        : inner_(std::move(inner)), throwing_(throwing) {}

    const compute::Description& description() const noexcept override {
        return inner_->description();
    }
    compute::MemoryUse memory() const override { return inner_->memory(); }
    Result<compute::BufferPtr> allocate(std::uint64_t bytes, compute::BufferUse use) override {
        return inner_->allocate(bytes, use);
    }
    Result<compute::KernelPtr> kernel(const compute::KernelSource& source) override {
        return inner_->kernel(source);
    }
    Result<compute::CommandListPtr> commands(compute::Lane lane) override {
        return inner_->commands(lane);
    }
    Result<compute::Ticket> submit(const compute::CommandListPtr& list,
                                   std::span<const compute::Ticket> after) override {
        const std::lock_guard lock(mutex_);
        if (++submissions_ == throwing_) throw std::bad_alloc();
        auto ticket = inner_->submit(list, after);
        if (ticket) open_.insert(ticket->value);
        return ticket;
    }
    Status wait(compute::Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override {
        Status done = inner_->wait(ticket, timeout, stop);
        const std::lock_guard lock(mutex_);
        open_.erase(ticket.value);
        return done;
    }
    bool done(compute::Ticket ticket) override { return inner_->done(ticket); }

    [[nodiscard]] std::size_t left() const { return open_.size(); }
    [[nodiscard]] std::uint64_t submissions() const { return submissions_; }
    /// Some of the submissions, from the first to the last.
    [[nodiscard]] std::set<std::uint64_t> some() const {
        constexpr std::uint64_t steps = 6;
        std::set<std::uint64_t> numbers;
        for (std::uint64_t i = 0; i <= steps; ++i)
            numbers.insert(1 + (submissions_ - 1) * i / steps);
        return numbers;
    }

private:
    compute::ProviderPtr inner_;
    std::mutex mutex_;
    std::uint64_t throwing_, submissions_ = 0;
    std::set<std::uint64_t> open_;
};

std::size_t spans_named(const profile::Trace& trace, std::string_view name) {
    std::size_t count = 0;
    for (const profile::Lane& lane : trace.lanes)
        for (const profile::Span& span : lane.spans) count += trace.names[span.name] == name;
    return count;
}

/// How often some worker began transactions after some worker had laid out calls, and before an
/// answer was accepted.
int times_begun_after_layout(const profile::Trace& trace) {
    std::map<Nanoseconds, std::string> stages; // by beginning
    for (const profile::Lane& lane : trace.lanes)
        for (const profile::Span& span : lane.spans)
            if (const std::string& name = trace.names[span.name];
                name == "begin transactions" || name == "lay out calls" || name == "accept answers")
                stages.emplace(span.begin, name);
    int times = 0;
    std::string before;
    for (const auto& [at, name] : stages) {
        times += before == "lay out calls" && name == "begin transactions" ? 1 : 0;
        before = name;
    }
    return times;
}

} // namespace

class TestFlights : public QObject {
    Q_OBJECT

    /// Large enough for several flights of each worker.
    const std::vector<execute::ReplaySource> sources_ = tests::sources_of("independent", 520, 3);
    const compute::ProviderPtr lanes_ = compute::open_lanes();
    ReplayOptions options_;
    tests::ReplayedBlocks truth_;

    /// From the serial run.
    std::string difference(const tests::ReplayedBlocks& found) const {
        return tests::difference(found, truth_);
    }

private Q_SLOTS:
    void initTestCase() {
        options_.engine = alkanes::Engine::interpreter;
        options_.contracts = std::make_shared<alkanes::Contracts>();
        const auto truth = tests::replay(sources_, options_);
        QVERIFY(truth.ok());
        truth_ = *truth;
        options_.strategy.strategy = Strategy::speculative;
        options_.strategy.workers = 2;
    }

    /// A worker begins the transactions of its second flight when the first one was laid out,
    /// before any of its answers is accepted; and no flight has more than 128 calls.
    void several_flights_are_in_the_air() {
        for (const Strategy strategy : {Strategy::speculative, Strategy::predict}) {
            ReplayOptions options = options_;
            options.strategy.strategy = strategy;
            const auto begun_meanwhile = [&](std::span<const execute::ReplaySource> sources,
                                             tests::ReplayedBlocks& found) {
                const auto device = std::make_shared<CountingProvider>(lanes_);
                options.device = device;
                options.recording = std::make_shared<execute::Recording>();
                auto blocks = tests::replay(sources, options);
                if (!blocks) qFatal("%s", blocks.error().message.c_str());
                if (device->left() != 0) qFatal("a submission was not waited for");
                if (device->submissions() < 2 * 520 / 128) qFatal("the flights are too large");
                found = *std::move(blocks);
                return times_begun_after_layout(options.recording->finish());
            };
            tests::ReplayedBlocks found;
            QVERIFY(begun_meanwhile(sources_, found) >= 1);
            const std::string text = difference(found);
            QVERIFY2(text.empty(), text.c_str());
        }
    }

    /// They show what the others read, so that these are launched once and stop nowhere.
    void the_first_of_a_kind_run_on_the_workers() {
        ReplayOptions options = options_;
        options.recording = std::make_shared<execute::Recording>();
        const auto device = std::make_shared<CountingProvider>(lanes_);
        options.device = device;
        const auto blocks = tests::replay(sources_, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        const std::string text = difference(*blocks);
        QVERIFY2(text.empty(), text.c_str());
        std::map<execute::CallKind, std::size_t> shown;
        for (const auto& block : *blocks) {
            std::vector<const alkanes::MessageRecord*> records;
            for (const auto& transaction : block->execution->transactions)
                for (const auto& record : transaction.records) records.push_back(&record);
            const auto first = block->rounds.on_host.find(execute::host_reasons::first_of_kind);
            if (first == block->rounds.on_host.end()) continue;
            for (const std::uint32_t task : first->second) {
                QVERIFY(task < records.size() && records[task]->engine == options.engine);
                ++shown[{records[task]->code, records[task]->opcode.value_or(0)}];
            }
        }
        QVERIFY(!shown.empty());
        for (const auto& [kind, count] : shown) QVERIFY(count <= 4);
        const auto trace = options.recording->finish();
        QVERIFY(device->submissions() <= spans_named(trace, "lay out calls"));
    }

    /// Where hardly any lane of a flight would continue after a host call, the host runs the
    /// message.
    void few_lanes_do_not_continue() {
        const auto sources = tests::sources_of("mixed", 520, 5);
        ReplayOptions options = options_;
        options.strategy.strategy = Strategy::serial;
        const auto truth = tests::replay(sources, options);
        QVERIFY(truth.ok());
        options.device = lanes_;
        options.strategy.strategy = Strategy::speculative;
        for (const bool hybrid : {false, true}) {
            options.strategy.hybrid = hybrid; // the device has the second to the fourth round
            const auto found = tests::replay(sources, options);
            QVERIFY2(found.ok(), found ? "" : found.error().message.c_str());
            const std::string text = tests::difference(*found, *truth);
            QVERIFY2(text.empty(), text.c_str());
            std::uint64_t few = 0;
            for (const auto& block : *found)
                if (const auto here = block->rounds.ejected.find(execute::host_reasons::few_lanes);
                    here != block->rounds.ejected.end())
                    few += here->second;
            QCOMPARE(few != 0, hybrid);
        }
    }

    /// With any number of workers, blocks of any size and calls of many kinds, whatever waits for
    /// kinds and programs that are not known yet, and whatever part of the rounds goes there.
    void any_round_gives_the_serial_answer() {
        for (const char* recipe : {"mixed", "amm", "mainnet-2026"})
            for (const std::uint32_t tasks : {1U, 33U, 150U}) {
                const auto sources = tests::sources_of(recipe, tasks, 3);
                ReplayOptions options = options_;
                options.strategy.strategy = Strategy::serial;
                const auto truth = tests::replay(sources, options);
                QVERIFY2(truth.ok(), truth ? "" : truth.error().message.c_str());
                options.device = lanes_;
                for (const Strategy strategy : {Strategy::predict, Strategy::speculative})
                    for (const unsigned workers : {1U, 2U, 5U}) {
                        options.strategy.strategy = strategy;
                        options.strategy.workers = workers;
                        options.strategy.hybrid = workers == 5;
                        const auto found = tests::replay(sources, options);
                        QVERIFY2(found.ok(), found ? "" : found.error().message.c_str());
                        const std::string text = tests::difference(*found, *truth);
                        QVERIFY2(text.empty(), fmt::format("{}, {} tasks, {} workers: {}", recipe,
                                                           tasks, workers, text)
                                                   .c_str());
                    }
            }
    }

    /// Whichever flight the submission belongs to.
    void faults_data() {
        QTest::addColumn<QString>("note");
        QTest::newRow("lost") << QStringLiteral("the device is lost");
        QTest::newRow("timeout") << QStringLiteral("a submission never ends");
    }
    void faults() {
        QFETCH(QString, note);
        const auto counted = std::make_shared<CountingProvider>(lanes_);
        ReplayOptions options = options_;
        options.device = counted;
        QVERIFY(tests::replay(sources_, options).ok());
        int met = 0;
        for (const std::uint64_t at : counted->some()) {
            const auto faults =
                compute::parse_faults(fmt::format("{}@{}", QTest::currentDataTag(), at));
            QVERIFY(faults.ok());
            options.device = compute::with_faults(lanes_, *faults);
            const auto outside = std::make_shared<CountingProvider>(std::move(options.device));
            options.device = outside;
            const auto blocks = tests::replay(sources_, options);
            QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
            const std::string text = difference(*blocks);
            QVERIFY2(text.empty(), text.c_str());
            // How the rounds are cut into flights depends on when the flights land.
            if (outside->submissions() < at) continue;
            ++met;
            const bool noted = std::ranges::any_of(*blocks, [&](const auto& block) {
                return std::ranges::any_of(block->notes, [&](const std::string& line) {
                    return line.find(note.toStdString()) != std::string::npos;
                });
            });
            QVERIFY2(noted, qPrintable(QString::number(at)));
        }
        QVERIFY2(met >= 3, qPrintable(QString::number(met)));
    }

    /// An exception ends the replay with an error, waits for the wave that the device still runs,
    /// and leaves nothing behind.
    void exceptions() {
        const auto counted = std::make_shared<CountingProvider>(lanes_);
        ReplayOptions options = options_;
        options.device = counted;
        QVERIFY(tests::replay(sources_, options).ok());
        int met = 0; // as above
        for (const std::uint64_t at : counted->some()) {
            const auto device = std::make_shared<CountingProvider>(lanes_, at);
            options.device = device;
            const auto blocks = tests::replay(sources_, options);
            if (device->submissions() < at) continue;
            ++met;
            QVERIFY2(!blocks.ok(), qPrintable(QString::number(at)));
            QCOMPARE(device->left(), std::size_t{0});
            const auto again =
                tests::replay(sources_, options); // the next submissions do not throw
            QVERIFY2(again.ok(), again ? "" : again.error().message.c_str());
            const std::string text = difference(*again);
            QVERIFY2(text.empty(), text.c_str());
        }
        QVERIFY2(met >= 3, qPrintable(QString::number(met)));
    }
};

QTEST_GUILESS_MAIN(TestFlights)
#include "test_flights.moc"
