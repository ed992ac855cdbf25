// Predicted values: what a predictor makes of a value, and that chains really run at once on them.
#include "execute/predict/value_effect.h"
#include "execute/predict/value_predictors.h"
#include "execute/replayed_recipes.h"

#include "base/u128.h"
#include "execute/first_difference.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::tests;
using execute::ValueEffect;
using state::Value;

namespace {

Value number(u128 value) {
    return Value(u128_bytes(value));
}

/// The effect of a task that found one value and left another.
ValueEffect effect(const Value& found, const Value& left) {
    return ValueEffect::of(&found, &left);
}

struct Totals {
    std::uint64_t tasks = 0, executions = 0, in_order = 0, predicted = 0, mispredicted = 0;
};
Totals totals_of(std::span<const std::shared_ptr<const execute::ReplayedBlock>> blocks) {
    Totals all;
    for (const auto& block : blocks) {
        all.tasks += block->execution->tasks;
        all.executions += block->rounds.executions;
        all.in_order += block->rounds.serial;
        all.predicted += block->rounds.predicted;
        all.mispredicted += block->rounds.mispredicted;
    }
    return all;
}

execute::ReplayOptions by(execute::Strategy strategy, unsigned workers, std::uint32_t window = 1) {
    execute::ReplayOptions options;
    static const auto contracts = std::make_shared<alkanes::Contracts>();
    options.contracts = contracts; // compiled once
    options.await_code = true;
    options.trace = false;
    options.strategy.strategy = strategy;
    options.strategy.workers = workers;
    options.strategy.window = window;
    return options;
}

void compare(const ReplayedBlocks& blocks, const ReplayedBlocks& truth, int window = 1) {
    QCOMPARE(blocks.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
        QCOMPARE(blocks[i]->execution->digest, truth[i]->execution->digest);
        QCOMPARE(blocks[i]->execution->fuel, truth[i]->execution->fuel);
        QCOMPARE(blocks[i]->execution->succeeded, truth[i]->execution->succeeded);
        if (window != 1) continue; // more outpoints may be created inside the window: other reads
        const std::string text =
            execute::first_difference(*blocks[i]->execution, *truth[i]->execution);
        QVERIFY2(text.empty(), text.c_str());
    }
}

} // namespace

class TestPredict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void counters_add_up() {
        const ValueEffect plus = effect(number(100), number(107));
        QVERIFY(plus.kind() == ValueEffect::Kind::add);
        QVERIFY(plus.applied_to(number(1'000)) == number(1'007));
        QVERIFY(plus.applied_to(number(0xffff'ffff'ffff'fffeU)) == number((u128{1} << 64U) + 5));
        QVERIFY(effect(number(100), number(93)).applied_to(number(50)) == number(43));
        // Two fields in one value: the one grows, the other shrinks.
        const ValueEffect both = effect(Value(std::string_view("\x05\0\x09\0", 4)),
                                        Value(std::string_view("\x07\0\x06\0", 4)));
        QVERIFY(both.applied_to(Value(std::string_view("\xff\0\x06\0", 4))) ==
                Value(std::string_view("\x01\x01\x03\0", 4)));
    }

    /// Several predictors compete: a failed example does not unseat the one that was right, other
    /// behaviour does after a few.
    void the_one_that_was_right_is_chosen() {
        execute::ValuePredictors of;
        const auto take = [&](std::uint64_t found, std::optional<std::uint64_t> left) {
            const Value from = number(found), to = number(left.value_or(0));
            of.learn(1, &from, left ? &to : nullptr, {});
        };
        for (std::uint64_t at = 10; at < 50; at += 10) take(at, at + 10);
        QVERIFY(of.chosen().kind() == ValueEffect::Kind::add);
        QVERIFY(of.was_right());
        take(50, std::nullopt); // it failed before it came to the write
        QVERIFY(!of.was_right());
        QVERIFY(of.chosen().kind() == ValueEffect::Kind::add);
        QCOMPARE(*of.chosen().applied_to(number(50)), number(60));
        take(50, 53); // another block: another stride, which is taken at once
        QCOMPARE(*of.chosen().applied_to(number(53)), number(56));
        for (int i = 0; i < 4; ++i) take(53, std::nullopt);
        QVERIFY(of.chosen().kind() == ValueEffect::Kind::keep);
        for (std::uint64_t at = 0; at < 4; ++at)
            take(100 - at * at, 7); // the same, whatever was there
        QVERIFY(of.chosen().kind() == ValueEffect::Kind::set);
        QCOMPARE(*of.chosen().applied_to(number(1)), number(7));
    }

    /// A task that leaves at one key what it found at another.
    void copies_of_another_read() {
        execute::ValuePredictors of;
        for (const std::uint64_t other : {5u, 90u, 41u, 7u}) {
            const Value found = number(1000), there = number(other);
            const execute::ReadValue reads[] = {{1, &found}, {2, &there}};
            of.learn(1, &found, &there, reads);
        }
        QVERIFY(of.chosen().kind() == ValueEffect::Kind::copy);
        QCOMPARE(of.chosen().source(), 2u);
        QVERIFY(of.was_right());
        QVERIFY(!of.chosen().applied_to(number(1))); // it rests on the other key
        // Never a copy of itself.
        execute::ValuePredictors own;
        for (int i = 0; i < 3; ++i) {
            const Value found = number(3);
            const execute::ReadValue reads[] = {{1, &found}};
            own.learn(1, &found, &found, reads);
        }
        QVERIFY(own.chosen().kind() != ValueEffect::Kind::copy);
    }

    void other_lengths_are_not_predicted() {
        const ValueEffect plus = effect(number(1), number(2));
        QVERIFY(!plus.applied_to(Value()));
        QVERIFY(!plus.applied_to(Value("short")));
        QVERIFY(effect(number(1), Value("short")).kind() == ValueEffect::Kind::unknown);
        const std::string wide(ValueEffect::most_added + 1, 'a'), other(wide.size(), 'b');
        QVERIFY(effect(Value(wide), Value(other)).kind() == ValueEffect::Kind::unknown);
        QVERIFY(!effect(Value(wide), Value(other)).applied_to(Value(wide)));
    }

    void what_is_set_again_is_set() {
        const Value one = number(1), seven = number(7), nine = number(9);
        QVERIFY(ValueEffect::of(&one, nullptr).applied_to(seven) == seven);
        QVERIFY(ValueEffect::of(nullptr, &nine).applied_to(seven) == nine);
        QVERIFY(effect(Value(), nine).applied_to(seven) == nine);
        const ValueEffect twice = ValueEffect::after(&nine, &seven, &nine);
        QVERIFY(twice.kind() == ValueEffect::Kind::set);
        QVERIFY(twice.applied_to(Value()) == nine);
        // A write that no longer happens is no effect.
        QVERIFY(ValueEffect::after(&nine, &nine, nullptr).applied_to(one) == one);
    }

    /// Almost every message of these blocks depends on the one before it, and runs only once.
    void chains_run_at_once_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("window");
        QTest::newRow("mainnet-2026") << QStringLiteral("mainnet-2026") << 1;
        QTest::newRow("mainnet-2026, two blocks") << QStringLiteral("mainnet-2026") << 2;
        QTest::newRow("mainnet-2025") << QStringLiteral("mainnet-2025") << 1;
    }
    void chains_run_at_once() {
        QFETCH(QString, recipe);
        QFETCH(int, window);
        const auto sources = sources_of(recipe.toLatin1().constData(), 1'500, 6);
        const auto truth = replay(sources, by(execute::Strategy::serial, 1));
        QVERIFY(truth.ok());
        for (const unsigned workers : {2U, 4U}) {
            const auto done = replay(sources, by(execute::Strategy::predict, workers,
                                                 static_cast<std::uint32_t>(window)));
            QVERIFY(done.ok());
            compare(*done, *truth, window);
            // The first blocks are there to learn from.
            const Totals late = totals_of(std::span(*done).last(3));
            qInfo(
                "%llu tasks, %llu executions, %llu of them predicted, %llu wrongly, %llu in order",
                static_cast<unsigned long long>(late.tasks),
                static_cast<unsigned long long>(late.executions),
                static_cast<unsigned long long>(late.predicted),
                static_cast<unsigned long long>(late.mispredicted),
                static_cast<unsigned long long>(late.in_order));
            QVERIFY2(late.executions * 100 <= late.tasks * 103,
                     qPrintable(QString::number(late.executions)));
            QVERIFY(late.predicted * 10 >= late.tasks * 8);
            QVERIFY(late.mispredicted * 50 <= late.predicted);
            QCOMPARE(late.in_order, std::uint64_t{0});
            const auto tried = replay(sources, by(execute::Strategy::speculative, workers));
            QVERIFY(tried.ok());
            const Totals speculative = totals_of(std::span(*tried).last(3));
            QVERIFY(speculative.executions * 10 >= late.tasks * 17); // the chain is one
        }
    }

    /// The end of a block waits for no task whose fuel is unknown: those run as scouts first.
    void fuel_is_known_before_the_end_needs_it() {
        const auto sources = sources_of("mainnet-2026", 1'000, 14);
        const auto truth = replay(sources, by(execute::Strategy::serial, 1));
        const auto done = replay(sources, by(execute::Strategy::predict, 4));
        QVERIFY(truth.ok() && done.ok());
        compare(*done, *truth);
        std::uint64_t rounds = 0;
        const auto late = std::span(*done).last(8);
        for (const auto& block : late) rounds += block->rounds.rounds;
        qInfo("%llu rounds", static_cast<unsigned long long>(rounds));
        // Two for the pilots, one for nearly all others, and now and then one or two for tasks that
        // were predicted wrongly.
        QVERIFY(rounds < 5 * late.size());
        const Totals all = totals_of(late);
        QVERIFY(all.executions * 100 <= all.tasks * 101);
    }

    /// A contract that is called once in each block has a chain through the blocks of a window. The
    /// first window shows what it does; nothing more is learned of it, and nothing has to be.
    void settled_kinds_are_predicted() {
        constexpr std::size_t window = 8;
        const auto sources = sources_of("independent", 150, 2 * window);
        const auto truth = replay(sources, by(execute::Strategy::serial, 1));
        const auto done = replay(sources, by(execute::Strategy::predict, 2, window));
        QVERIFY(truth.ok() && done.ok());
        compare(*done, *truth, window);
        const Totals late = totals_of(std::span(*done).last(window));
        QCOMPARE(late.executions, late.tasks);
        QCOMPARE(late.mispredicted, std::uint64_t{0});
        QVERIFY(late.predicted * 10 >= late.tasks * 9);
        QCOMPARE(late.in_order, std::uint64_t{0});
    }

    /// Reserves that multiply cannot be predicted: that is noticed before much is wasted.
    void a_chain_without_luck_costs_little() {
        const auto sources = sources_of("amm", 400, 4);
        const auto truth = replay(sources, by(execute::Strategy::serial, 1));
        const auto done = replay(sources, by(execute::Strategy::predict, 4));
        QVERIFY(truth.ok() && done.ok());
        compare(*done, *truth);
        const Totals all = totals_of(std::span(*done).subspan(1));
        QVERIFY2(all.executions * 100 <= all.tasks * 130,
                 qPrintable(QString::number(all.executions)));
    }
};

QTEST_APPLESS_MAIN(TestPredict)
#include "test_predict.moc"
