// Why attempts are repeated: each reason, as the check and the rounds record it.
#include "execute/predict/predicted_values.h"
#include "execute/round_strategies.h"
#include "execute/scripted_window.h"

#include <QTest>

#include <numeric>

using namespace blockloom;
using namespace scripted;
using execute::AbortedAttempt;
using execute::Hints;
using trace::AbortReason;

namespace {

/// Rounds that are given.
class GivenRounds final : public execute::RoundStrategy {
public:
    using Plan = std::function<bool(int number, const execute::WindowNow& now,
                                    execute::Round& round, execute::PredictedValues& values)>;
    explicit GivenRounds(Plan plan) : plan_(std::move(plan)) {}

    bool next(const execute::WindowNow& now, execute::Round& round) override {
        values_.clear();
        return plan_(rounds_++, now, round, values_);
    }

private:
    Plan plan_;
    int rounds_ = 0;
    execute::PredictedValues values_;
};

/// A block of a few transactions, numbered from 0, each of which is a script.
class Block {
public:
    using Scripts = std::vector<Script>;

    explicit Block(Scripts scripts, std::uint32_t blocks = 1)
        : contexts(contexts_of(blocks, static_cast<std::uint32_t>(scripts.size()))), pool(2),
          executor(pool) {
        for (std::uint32_t i = 0; i < contexts[0]->block->transactions.size(); ++i)
            if (*alkanes::concerns_alkanes(*contexts[0], i, before)) transactions.push_back(i);
        executor.script = [this, scripts = std::move(scripts)](const alkanes::BlockContext& context,
                                                               std::uint32_t transaction) {
            const std::size_t at = number_of(transaction);
            if (at < scripts.size() && context.height == contexts.back()->height)
                return scripts[at];
            return Script([](state::Overlay&, alkanes::FuelUse&) { return false; });
        };
    }

    [[nodiscard]] std::size_t number_of(std::uint32_t transaction) const {
        return static_cast<std::size_t>(
            std::find(transactions.begin(), transactions.end(), transaction) -
            transactions.begin());
    }

    /// Of the last block.
    execute::AbortedAttempts run(execute::StrategyOptions how, GivenRounds::Plan plan = {},
                                 const std::function<void(Hints&)>& distort = {}) {
        how.batch_min = 0;
        execute::WindowRun window(contexts, before, how, {}, executor, executor, pool, check);
        if (!window.list()) qFatal("list");
        auto hints = window.find_hints();
        if (!hints) qFatal("hints");
        if (distort) distort(*hints);
        SilentProgress silent;
        GivenRounds given(plan);
        const auto own = execute::make_rounds(how, *hints, memory);
        auto done = window.perform(
            *hints, plan ? static_cast<execute::RoundStrategy&>(given) : *own, silent);
        if (!done) qFatal("%s", done.error().message.c_str());
        const std::string differs =
            difference(done->blocks, serial_run(contexts, before, executor));
        if (!differs.empty()) qFatal("%s", differs.c_str());
        repeated = done->rounds.back().executions - done->blocks.back().tasks;
        return done->rounds.back().aborted;
    }

    Contexts contexts;
    execute::WorkerPool pool;
    ScriptExecutor executor;
    execute::AcceptanceCheck check;
    execute::StrategyMemory memory;
    state::MemoryState before;
    std::vector<std::uint32_t> transactions; ///< that concern Alkanes, by number
    std::uint64_t repeated = 0;              ///< executions of the last run, by the counts
};

Script nothing() {
    return [](state::Overlay&, alkanes::FuelUse&) { return false; };
}
Script writes(const char* key, std::uint64_t value) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        write(overlay, key, value);
        return false;
    };
}
/// Adds one to what is there.
Script adds(const char* key) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        write(overlay, key, read(overlay, key) + 1);
        return false;
    };
}

/// All that are not accepted, in as many rounds as it takes.
bool everything(int, const execute::WindowNow& now, execute::Round& round,
                execute::PredictedValues&) {
    for (std::uint32_t task = now.accepted; task < now.tasks.size(); ++task)
        if (now.check == nullptr || !now.check->consistent(task)) round.tasks.push_back(task);
    return !round.tasks.empty();
}

/// The same once; the rest is left to block order.
bool everything_once(int number, const execute::WindowNow& now, execute::Round& round,
                     execute::PredictedValues& values) {
    return number == 0 && everything(number, now, round, values);
}

constexpr execute::StrategyOptions speculative{.strategy = execute::Strategy::speculative};

} // namespace

class TestAborts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void an_outdated_read_names_the_write_that_it_missed() {
        Block block({writes("a", 1), nothing(), adds("a"), nothing()});
        const auto aborted = block.run(speculative);
        QCOMPARE(aborted.count(AbortReason::outdated_read), std::uint64_t{1});
        QCOMPARE(aborted.listed.size(), std::size_t{1});
        const AbortedAttempt& only = aborted.listed.front();
        QCOMPARE(block.number_of(only.transaction), std::size_t{2});
        QCOMPARE(only.key, std::string("a"));
        QVERIFY(only.writer.has_value());
        QCOMPARE(only.writer->height, block.contexts[0]->height);
        QCOMPARE(block.number_of(only.writer->transaction), std::size_t{0});
        QCOMPARE(std::uint64_t{only.executions}, block.repeated);
        QVERIFY(only.at > 0);
    }

    void a_predicate_is_a_read() {
        Block block({writes("n", 5),
                     [](state::Overlay& overlay, alkanes::FuelUse&) {
                         if (*overlay.is_above("n", 6)) write(overlay, "b", 1);
                         return false;
                     },
                     [](state::Overlay& overlay, alkanes::FuelUse&) {
                         if (*overlay.is_above("n", 3)) write(overlay, "c", 1);
                         return false;
                     }});
        block.before.put("n", number(9));
        const auto aborted = block.run(speculative, everything);
        // Only the first of the two gets another answer.
        QCOMPARE(aborted.count(AbortReason::outdated_read), std::uint64_t{1});
        QCOMPARE(block.number_of(aborted.listed.at(0).transaction), std::size_t{1});
    }

    /// Each execution of a chain is rejected until the one before it is right: every time because
    /// of the value that this one left.
    void an_attempt_is_listed_as_often_as_it_is_repeated() {
        Block block({adds("a"), adds("a"), adds("a"), adds("a")});
        const auto aborted = block.run(speculative, everything);
        QCOMPARE(aborted.count(AbortReason::outdated_read), std::uint64_t{3 + 2 + 1});
        std::array<int, 4> times{};
        for (const AbortedAttempt& each : aborted.listed) {
            const std::size_t at = block.number_of(each.transaction);
            ++times.at(at);
            QCOMPARE(block.number_of(each.writer->transaction), at - 1);
        }
        QVERIFY((times == std::array{0, 1, 2, 3}));
        QVERIFY(std::is_sorted(aborted.listed.begin(), aborted.listed.end(),
                               [](const auto& a, const auto& b) { return a.at < b.at; }));
    }

    /// What ran in block order is known only there: an execution that the check let pass, because
    /// the one before it was as wrong as itself.
    void in_block_order_the_last_writer_is_found() {
        Block block({writes("a", 1), adds("a"), adds("a"), nothing()});
        const auto aborted = block.run(speculative, everything_once);
        QCOMPARE(aborted.listed.size(), std::size_t{2});
        for (const AbortedAttempt& each : aborted.listed) {
            QVERIFY(each.reason == AbortReason::outdated_read);
            QCOMPARE(each.key, std::string("a"));
            QCOMPARE(block.number_of(each.writer->transaction),
                     block.number_of(each.transaction) - 1);
        }
    }

    /// The one that wrote it lies in the block before.
    void a_writer_may_be_of_an_earlier_block() {
        Block block({adds("a"), nothing()}, 2);
        const auto scripts = block.executor.script;
        const std::uint64_t first = block.contexts[0]->height;
        block.executor.script = [&](const alkanes::BlockContext& context, std::uint32_t at) {
            if (context.height == first && block.number_of(at) == 1) return writes("a", 7);
            return scripts(context, at);
        };
        for (const bool in_order : {false, true}) {
            const auto aborted = block.run(speculative, in_order ? everything_once : everything);
            QCOMPARE(aborted.listed.size(), std::size_t{1});
            QCOMPARE(aborted.listed[0].writer->height, first);
            QCOMPARE(block.number_of(aborted.listed[0].writer->transaction), std::size_t{1});
        }
    }

    void a_wrong_prediction_is_none_of_an_outdated_value() {
        Block block({writes("a", 1), adds("a"), adds("b"), writes("b", 2), adds("b")});
        const state::Key a("a");
        const auto aborted = block.run(
            speculative, [&](int number_of_round, const auto& now, auto& round, auto& values) {
                if (number_of_round != 0) return everything(number_of_round, now, round, values);
                for (std::uint32_t task = 0; task < now.tasks.size(); ++task) {
                    if (task == 1) values.give(a, number(5));
                    values.end_task(3'500'000);
                    round.tasks.push_back(task);
                }
                round.predicted = &values;
                return true;
            });
        QCOMPARE(aborted.count(AbortReason::wrong_prediction), std::uint64_t{1});
        QCOMPARE(aborted.count(AbortReason::outdated_read), std::uint64_t{1});
        for (const AbortedAttempt& each : aborted.listed) {
            const bool predicted = block.number_of(each.transaction) == 1;
            QVERIFY((each.reason == AbortReason::wrong_prediction) == predicted);
            QCOMPARE(each.key, std::string(predicted ? "a" : "b"));
        }
    }

    /// Nothing refuted them: the first one had not run.
    void what_is_run_again_although_it_holds_was_replanned() {
        Block block({writes("a", 1), writes("b", 1), writes("c", 1)});
        const auto aborted = block.run(speculative, [](int number_of_round, const auto& now,
                                                       auto& round, auto&) {
            for (std::uint32_t task = number_of_round == 0 ? 1 : 0; task < now.tasks.size(); ++task)
                round.tasks.push_back(task);
            return number_of_round < 2;
        });
        QCOMPARE(aborted.listed.size(), block.transactions.size() - 1);
        for (const AbortedAttempt& each : aborted.listed) {
            QVERIFY(each.reason == AbortReason::replanned);
            QVERIFY(each.key.empty() && !each.writer);
        }
    }

    void a_wrong_budget() {
        Block block({nothing(), [](state::Overlay& overlay, alkanes::FuelUse& fuel) {
                         fuel.reached_tank = fuel.fuel_read = true;
                         write(overlay, "fuel", fuel.assumed_budget % 1009 + 1);
                         return false;
                     }});
        const auto aborted = block.run(
            speculative, [&](int number_of_round, const auto& now, auto& round, auto& values) {
                if (number_of_round != 0) return everything(number_of_round, now, round, values);
                for (std::uint32_t task = 0; task < now.tasks.size(); ++task) {
                    round.tasks.push_back(task);
                    round.budgets.push_back(1234);
                }
                return true;
            });
        QCOMPARE(aborted.count(AbortReason::wrong_budget), std::uint64_t{1});
        QCOMPARE(aborted.listed.size(), std::size_t{1});
        QCOMPARE(block.number_of(aborted.listed[0].transaction), std::size_t{1});
        QVERIFY(aborted.listed[0].key.empty());
    }

    void a_blind_write_of_what_is_there_already() {
        Block block({writes("a", 1), writes("a", 1)});
        const auto aborted = block.run(speculative, everything);
        QCOMPARE(aborted.count(AbortReason::silent_write), std::uint64_t{1});
        QCOMPARE(aborted.listed.at(0).key, std::string("a"));
        QCOMPARE(block.number_of(aborted.listed[0].writer->transaction), std::size_t{0});
    }

    void a_void_transaction_compared_what_it_dropped() {
        Block block({writes("a", 1), [](state::Overlay& overlay, alkanes::FuelUse&) {
                         write(overlay, "a", 1);
                         if (overlay.end_task()) overlay.begin_task();
                         return true;
                     }});
        const auto aborted = block.run(speculative, everything);
        QCOMPARE(aborted.count(AbortReason::outdated_comparison), std::uint64_t{1});
        QCOMPARE(aborted.listed.at(0).key, std::string("a"));
    }

    void those_that_left_their_sets() {
        Block block({adds("a"), writes("b", 1), nothing()});
        execute::StrategyOptions how = speculative;
        how.access = execute::Access::declared;
        how.sets = execute::SetsFrom::truth;
        const auto aborted = block.run(how, {}, [](Hints& hints) {
            hints.declared[0] = {};
            hints.declared[1] = {{state::Key("b")}, {}};
        });
        QCOMPARE(aborted.count(AbortReason::undeclared_read), std::uint64_t{1});
        QCOMPARE(aborted.count(AbortReason::undeclared_write), std::uint64_t{1});
        for (const AbortedAttempt& each : aborted.listed) {
            const bool reads = each.reason == AbortReason::undeclared_read;
            QCOMPARE(each.key, std::string(reads ? "a" : "b"));
            QCOMPARE(block.number_of(each.transaction), std::size_t{reads ? 0U : 1U});
            QCOMPARE(each.executions, reads ? 0U : 1U);
        }
    }

    void those_that_a_device_passed_on() {
        Block block({nothing(), adds("a"), nothing()});
        block.executor.ejects = {block.transactions[1]};
        const auto aborted = block.run(speculative, everything);
        QCOMPARE(aborted.count(AbortReason::ejected), std::uint64_t{1});
        QCOMPARE(block.number_of(aborted.listed.at(0).transaction), std::size_t{1});
        QCOMPARE(aborted.listed[0].executions, 0U);
    }

    void a_block_without_aborts_lists_none() {
        Block block({adds("a"), adds("b"), adds("c")});
        for (const execute::Strategy strategy : execute::all_strategies) {
            if (strategy == execute::Strategy::serial) continue;
            const auto aborted = block.run({.strategy = strategy});
            QVERIFY2(aborted.listed.empty(), name_of(strategy));
        }
    }

    /// The list ends, the counts do not.
    void more_than_are_listed_are_counted() {
        execute::AbortedAttempts aborted;
        constexpr std::uint32_t more = 10;
        for (std::uint32_t i = 0; i < execute::AbortedAttempts::most_listed + more; ++i)
            aborted.add(
                {.transaction = i, .reason = AbortReason::estimate, .key = {}, .writer = {}});
        QCOMPARE(aborted.listed.size(), execute::AbortedAttempts::most_listed);
        QCOMPARE(aborted.count(AbortReason::estimate),
                 std::uint64_t{execute::AbortedAttempts::most_listed + more});
        QCOMPARE(aborted.listed.back().transaction,
                 std::uint32_t{execute::AbortedAttempts::most_listed - 1});
    }
};

QTEST_GUILESS_MAIN(TestAborts)
#include "test_aborts.moc"
