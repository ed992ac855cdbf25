// Why attempts are repeated, as flows report it.
#include "execute/flow/block_order_flow.h"
#include "execute/flow/optimistic_flow.h"
#include "execute/scripted_window.h"

#include <QTest>

#include <array>

using namespace blockloom;
using namespace scripted;
using trace::AbortReason;

namespace {

Script nothing() {
    return [](state::Overlay&, alkanes::FuelUse&) { return false; };
}
/// Adds one to what is there.
Script adds(const char* key) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        write(overlay, key, read(overlay, key) + 1);
        return false;
    };
}

Script reads(const char* key) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        (void)read(overlay, key);
        return false;
    };
}

/// Takes part in a flow by hand, one attempt at a time.
class HandRound final : public execute::FlowRound {
public:
    struct Seen {
        std::uint32_t place;
        AbortReason reason;
        std::string key;
        std::uint32_t writer;
    };

    explicit HandRound(std::uint32_t tasks) : made_(tasks) {}

    [[nodiscard]] std::uint32_t task(std::uint32_t place) const noexcept override { return place; }
    [[nodiscard]] execute::Attempt attempt(std::uint32_t place,
                                           const state::StateView& view) override {
        execute::Attempt attempt;
        attempt.task = place;
        attempt.view = &view;
        return attempt;
    }
    void settle(std::uint32_t) override {}
    [[nodiscard]] const execute::ExecutionResult*
    take(unsigned, std::uint32_t place, Result<execute::Attempted> attempted) override {
        replaced_.push_back(std::move(made_[place]));
        made_[place] = std::make_unique<execute::ExecutionResult>();
        made_[place]->result = std::move(attempted->result);
        return made_[place].get();
    }
    [[nodiscard]] bool make_probes(std::uint32_t place, bool) override {
        return execute::make_probes(*made_[place], below).ok();
    }
    void aborted(unsigned, std::uint32_t place, const execute::Rejection& why) override {
        seen.push_back({place, why.reason, std::string(why.key), why.writer});
    }

    std::vector<Seen> seen;
    state::MemoryState below;

private:
    std::vector<std::unique_ptr<execute::ExecutionResult>> made_, replaced_;
};

/// What an attempt makes of its view.
Result<execute::Attempted> attempted(const execute::Attempt& attempt, const Script& script) {
    state::Overlay overlay(*attempt.view);
    alkanes::TransactionResult result;
    overlay.begin_task();
    if (const auto value = overlay.get("a"); !value) return value.error();
    (void)script(overlay, result.fuel);
    auto log = overlay.finish();
    if (!log) return log.error();
    result.log = *std::move(log);
    return execute::Attempted{std::move(result), {}};
}

} // namespace

class TestFlowAborts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The second transaction has read before the first one writes.
    void the_optimistic_flow_reports_what_it_aborts() {
        using Next = execute::Flow::Next;
        HandRound round(2);
        execute::WorkerPool pool(2);
        execute::LiveVersions versions;
        execute::KeyReaders readers;
        const std::vector<std::unique_ptr<execute::ExecutionResult>> none(2);
        execute::OptimisticFlow flow(versions, readers, {{{}}, {0, 0}}, {});
        flow.begin({round, 2, round.below, 0, none, pool});
        std::array<execute::Attempt, 2> attempts;
        QVERIFY(flow.next(0, attempts[0]) == Next::attempt);
        QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
        QCOMPARE(attempts[1].task, 1U);
        flow.done(1, attempted(attempts[1], nothing()));
        QVERIFY(round.seen.empty());
        flow.done(0, attempted(attempts[0], adds("a")));
        QVERIFY(flow.next(0, attempts[0]) == Next::attempt);
        QCOMPARE(attempts[0].task, 1U);
        QCOMPARE(round.seen.size(), std::size_t{1});
        QCOMPARE(round.seen[0].place, 1U);
        QVERIFY(round.seen[0].reason == AbortReason::outdated_read);
        QCOMPARE(round.seen[0].key, std::string("a"));
        QCOMPARE(round.seen[0].writer, 0U);
        flow.abandon(); // the other worker has not validated what it ran
    }

    /// The first one is expected to write what the second one reads.
    void the_optimistic_flow_reports_estimates() {
        using Next = execute::Flow::Next;
        HandRound round(2);
        execute::WorkerPool pool(2);
        execute::LiveVersions versions;
        execute::KeyReaders readers;
        const std::vector<std::unique_ptr<execute::ExecutionResult>> none(2);
        const state::Key a("a");
        execute::OptimisticFlow flow(versions, readers, {{{&a}, {}}, {0, 1}}, {});
        flow.begin({round, 2, round.below, 0, none, pool});
        std::array<execute::Attempt, 2> attempts;
        QVERIFY(flow.next(0, attempts[0]) == Next::attempt);
        QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
        flow.done(1, attempted(attempts[1], nothing()));
        QCOMPARE(round.seen.size(), std::size_t{1});
        QCOMPARE(round.seen[0].place, 1U);
        QVERIFY(round.seen[0].reason == AbortReason::estimate);
        QCOMPARE(round.seen[0].key, std::string("a"));
        QCOMPARE(round.seen[0].writer, 0U);
        flow.done(0, attempted(attempts[0], adds("a")));
        QVERIFY(flow.next(0, attempts[0]) == Next::attempt);
        QCOMPARE(attempts[0].task, 1U);
        flow.done(0, attempted(attempts[0], nothing()));
        QVERIFY(flow.next(0, attempts[0]) == Next::over);
        QCOMPARE(round.seen.size(), std::size_t{1});
    }

    /// Of two earlier executions, one read what is still there, and one what the first transaction
    /// has changed since.
    void block_order_repeats_what_no_longer_holds() {
        using Next = execute::Flow::Next;
        HandRound round(3);
        execute::WorkerPool pool(2);
        execute::LiveVersions versions;
        std::vector<std::unique_ptr<execute::ExecutionResult>> earlier(3);
        for (const std::uint32_t task : {1U, 2U}) {
            const execute::Attempt alone{.task = task, .view = &round.below};
            earlier[task] = std::make_unique<execute::ExecutionResult>();
            earlier[task]->result = attempted(alone, task == 1 ? nothing() : reads("b"))->result;
            QVERIFY(execute::make_probes(*earlier[task], round.below).ok());
        }
        execute::BlockOrderFlow flow(versions, {false, true, true});
        flow.begin({round, 3, round.below, 0, earlier, pool});
        std::array<execute::Attempt, 2> attempts;
        QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
        QCOMPARE(attempts[1].task, 0U);
        QVERIFY(flow.next(0, attempts[0]) == Next::over); // one worker runs all
        flow.done(1, attempted(attempts[1], adds("b")));
        QVERIFY(!flow.is_complete());
        QVERIFY(flow.next(1, attempts[1]) == Next::attempt);
        QCOMPARE(attempts[1].task, 2U);
        QCOMPARE(round.seen.size(), std::size_t{1});
        QCOMPARE(round.seen[0].place, 2U);
        QVERIFY(round.seen[0].reason == AbortReason::outdated_read);
        QCOMPARE(round.seen[0].key, std::string("b"));
        QCOMPARE(round.seen[0].writer, 0U);
        flow.done(1, attempted(attempts[1], reads("b")));
        QVERIFY(flow.next(1, attempts[1]) == Next::over);
        QVERIFY(flow.is_complete());
    }
};

QTEST_GUILESS_MAIN(TestFlowAborts)
#include "test_flow_aborts.moc"
