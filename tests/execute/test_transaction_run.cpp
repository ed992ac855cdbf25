// Transactions that stop at their contract calls, many at once and continued in any order, have the
// results of those that run through.
#include "alkanes/host_functions.h"
#include "alkanes/transaction_run.h"
#include "chain/block_source.h"
#include "execute/first_difference.h"
#include "execute/layered_state.h"
#include "execute/replayed_recipes.h"
#include "recipes/random.h"

#include <QTest>

#include <vector>

using namespace blockloom;

namespace {

alkanes::BlockExecution alone(Result<alkanes::TransactionResult> result) {
    alkanes::BlockExecution block;
    block.transactions.push_back(*std::move(result));
    return block;
}

/// The transactions of a block, each on the state before it.
class Transactions {
public:
    Transactions(const alkanes::BlockContext& context, const state::StateView& before,
                 const alkanes::TransactionOptions& options)
        : context_(context), before_(before), options_(options) {
        for (std::uint32_t i = 0; i < context.block->transactions.size(); ++i)
            if (*alkanes::concerns_alkanes(context, i, before)) concerned_.push_back(i);
    }
    [[nodiscard]] std::size_t size() const noexcept { return concerned_.size(); }
    [[nodiscard]] Result<alkanes::TransactionResult> through(alkanes::Runtime& runtime,
                                                             std::size_t place) const {
        return alkanes::execute_transaction(runtime, context_, concerned_[place], before_,
                                            budget(place), options_);
    }
    [[nodiscard]] std::unique_ptr<alkanes::TransactionRun> stopping(alkanes::Runtime& runtime,
                                                                    std::size_t place) const {
        return std::make_unique<alkanes::TransactionRun>(runtime, context_, concerned_[place],
                                                         before_, budget(place), options_);
    }

private:
    /// Every seventh has too little.
    static std::uint64_t budget(std::size_t place) { return place % 7 == 3 ? 2'000 : 3'500'000; }

    const alkanes::BlockContext& context_;
    const state::StateView& before_;
    const alkanes::TransactionOptions& options_;
    std::vector<std::uint32_t> concerned_;
};

/// Lets every run that waits make its call, in a random order; some are dropped at a stop.
class Interleaved {
public:
    Interleaved(alkanes::Runtime& runtime, std::uint64_t seed) : runtime_(runtime), random_(seed) {}

    void compare(const Transactions& all) {
        struct Waiting {
            std::size_t place;
            std::unique_ptr<alkanes::TransactionRun> run;
        };
        std::vector<Waiting> waiting;
        const auto look = [&](std::size_t place, std::unique_ptr<alkanes::TransactionRun> run,
                              const Result<bool>& stopped) {
            QVERIFY(stopped.ok());
            if (*stopped) {
                ++stops;
                most = std::max(most, waiting.size() + 1);
                waiting.push_back({place, std::move(run)});
                return;
            }
            const std::string text =
                execute::first_difference(alone(run->take()), alone(all.through(runtime_, place)));
            QVERIFY2(text.empty(), text.c_str());
            ++ended;
        };
        for (std::size_t place = 0; place < all.size(); ++place) {
            auto run = all.stopping(runtime_, place);
            const auto stopped = run->begin();
            look(place, std::move(run), stopped);
        }
        while (!waiting.empty()) {
            std::swap(waiting[random_.below(waiting.size())], waiting.back());
            Waiting next = std::move(waiting.back());
            waiting.pop_back();
            if (random_.below(9) == 0) {
                ++dropped;
                continue;
            }
            auto end = next.run->run_call();
            QVERIFY(end.ok());
            const auto stopped = next.run->answer(*std::move(end));
            look(next.place, std::move(next.run), stopped);
        }
    }

    std::uint64_t stops = 0, ended = 0, dropped = 0;
    std::size_t most = 0; ///< that waited at once

private:
    alkanes::Runtime& runtime_;
    recipes::Random random_;
};

} // namespace

class TestTransactionRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void in_any_order_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* name : {"demo", "independent", "mixed", "amm", "chained", "mainnet-2025",
                                 "mainnet-2026", "adversarial"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void in_any_order() {
        QFETCH(QString, recipe);
        const auto sources = tests::sources_of(recipe.toLatin1().constData(), 40, 3);
        const auto contracts = std::make_shared<alkanes::Contracts>();
        alkanes::Runtime runtime(alkanes::host_imports, contracts);
        Interleaved interleaved(runtime, 18);
        execute::LayeredState state(nullptr);
        for (const execute::ReplaySource& source : sources) {
            auto block = chain::load_block(source.block);
            QVERIFY(block.ok());
            const auto context = alkanes::open_block(
                std::make_shared<const chain::Block>(*std::move(block)), {}, state);
            QVERIFY(context.ok());
            alkanes::TransactionOptions options;
            options.record = &source != &sources.front(); // its own path at the end
            interleaved.compare(Transactions(*context, state, options));
            SilentProgress silent;
            const auto done = alkanes::execute_block(runtime, *context, state, {}, silent);
            QVERIFY(done.ok());
            state.apply(done->changes);
        }
        qInfo("%llu stops, at most %zu waiting; %llu ended, %llu dropped",
              static_cast<unsigned long long>(interleaved.stops), interleaved.most,
              static_cast<unsigned long long>(interleaved.ended),
              static_cast<unsigned long long>(interleaved.dropped));
        QVERIFY(interleaved.most > 10);
        QVERIFY(interleaved.ended > 20);
        QVERIFY(interleaved.dropped > 0);
    }
};

QTEST_GUILESS_MAIN(TestTransactionRun)
#include "test_transaction_run.moc"
