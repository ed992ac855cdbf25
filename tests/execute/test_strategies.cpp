// Every recipe by every strategy: digests, records, fuel and statuses of the serial run.
#include "execute/first_difference.h"
#include "execute/recording.h"
#include "execute/replay.h"
#include "recipes/recipe_blocks.h"

#include "recipes/random.h"
#include "recipes/recipe.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace blockloom;
using execute::ReplayedBlock;
using execute::ReplayOptions;
using execute::ReplaySource;

namespace {

using Blocks = std::vector<std::shared_ptr<const ReplayedBlock>>;

std::vector<ReplaySource> sources_of(const char* name, std::uint64_t seed, std::uint32_t tasks,
                                     std::uint32_t contracts = 4) {
    recipes::RecipeChanges changes;
    changes.blocks = 4;
    changes.tasks = tasks;
    changes.contracts = contracts;
    changes.seed = seed;
    auto blocks = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(name), changes));
    std::vector<ReplaySource> sources;
    for (Bytes& bytes : *blocks) {
        const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
        for (const chain::BlockRef& ref : listing.blocks) sources.push_back({ref, ref.height, {}});
    }
    return sources;
}

Blocks replay(std::span<const ReplaySource> sources, const ReplayOptions& options) {
    Blocks blocks;
    SilentProgress silent;
    const auto summary = execute::replay_on(nullptr, sources, options, false,
                                            [&](const std::shared_ptr<const ReplayedBlock>& block) {
                                                blocks.push_back(block);
                                                return Status();
                                            },
                                            silent, {});
    if (!summary) qFatal("%s", summary.error().message.c_str());
    return blocks;
}

/// The first difference, block by block.
std::string difference(const Blocks& blocks, const Blocks& truth) {
    for (std::size_t i = 0; i < blocks.size() && i < truth.size(); ++i)
        if (auto text = execute::first_difference(*blocks[i]->execution, *truth[i]->execution);
            !text.empty())
            return text;
    return blocks.size() == truth.size() ? std::string() : "number of blocks";
}

ReplayOptions serial() {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.record = true;
    return options;
}

/// Beside what `first_difference` holds against each other.
bool same_records(const alkanes::BlockExecution& a, const alkanes::BlockExecution& b) {
    for (std::size_t i = 0; i < a.transactions.size(); ++i)
        for (std::size_t k = 0; k < a.transactions[i].records.size(); ++k) {
            const auto& x = a.transactions[i].records[k];
            const auto& y = b.transactions[i].records[k];
            if (x.fuel_budget != y.fuel_budget || x.changes.size() != y.changes.size())
                return false;
            for (std::size_t c = 0; c < x.changes.size(); ++c)
                if (x.changes[c].key != y.changes[c].key ||
                    !(x.changes[c].before == y.changes[c].before) ||
                    !(x.changes[c].after == y.changes[c].after))
                    return false;
        }
    return a.fuel == b.fuel && a.steps == b.steps && a.succeeded == b.succeeded &&
           a.tasks == b.tasks;
}

/// As many spans of messages as executions, block by block; each names a task, each task has one.
void check_spans(const profile::Trace& trace, const Blocks& blocks) {
    QCOMPARE(trace.dropped, std::uint64_t{0});
    QCOMPARE(trace.heights.size(), blocks.size());
    std::vector<std::uint64_t> spans(blocks.size());
    std::vector<std::set<std::uint32_t>> tasks(blocks.size());
    for (const profile::Lane& lane : trace.lanes)
        for (const profile::Span& span : lane.spans) {
            if (span.category != profile::Category::message) continue;
            QVERIFY(span.block < blocks.size());
            QVERIFY2(span.task < blocks[span.block]->execution->tasks, "a span of no task");
            ++spans[span.block];
            tasks[span.block].insert(span.task);
        }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        QCOMPARE(trace.heights[i], blocks[i]->height());
        QCOMPARE(spans[i], blocks[i]->rounds.executions);
        QCOMPARE(tasks[i].size(), std::size_t{blocks[i]->execution->tasks});
    }
}

} // namespace

class TestStrategies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equal_to_serial_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* name : {"demo", "independent", "mixed", "amm", "chained", "mainnet-2025",
                                 "mainnet-2026", "adversarial"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void equal_to_serial() {
        QFETCH(QString, recipe);
        const QByteArray name = recipe.toLatin1();
        recipes::Random random(qHash(recipe, 1));
        const auto sources = sources_of(name.constData(), random.next(), 48);
        ReplayOptions plain = serial();
        plain.recording = std::make_shared<execute::Recording>();
        const Blocks truth = replay(sources, plain);
        check_spans(plain.recording->finish(), truth);
        std::uint64_t executions = 0, first = 0, tasks = 0, rounds = 0;
        using By = execute::Strategy;
        using Sets = execute::SetsFrom;
        constexpr std::array<std::pair<By, Sets>, 10> ways{{{By::speculative, Sets::truth},
                                                            {By::levels, Sets::truth},
                                                            {By::speculative, Sets::estimate},
                                                            {By::levels, Sets::estimate},
                                                            {By::levels, Sets::learned},
                                                            {By::dag, Sets::truth},
                                                            {By::dag, Sets::learned},
                                                            {By::optimistic, Sets::truth},
                                                            {By::predict, Sets::truth},
                                                            {By::automatic, Sets::truth}}};
        for (std::size_t round = 0; round < ways.size(); ++round) {
            ReplayOptions options = serial();
            std::tie(options.strategy.strategy, options.strategy.sets) = ways[round];
            options.strategy.workers = static_cast<unsigned>(1 + random.below(6));
            if (round == 2) options.strategy.access = execute::Access::declared;
            options.recording = std::make_shared<execute::Recording>();
            const Blocks blocks = replay(sources, options);
            QCOMPARE(blocks.size(), truth.size());
            check_spans(options.recording->finish(), blocks);
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                const std::string text =
                    execute::first_difference(*blocks[i]->execution, *truth[i]->execution);
                QVERIFY2(text.empty(), text.c_str());
                QVERIFY(same_records(*blocks[i]->execution, *truth[i]->execution));
                QVERIFY(blocks[i]->rounds.executions >= blocks[i]->execution->tasks);
                if (round != 0) continue;
                executions += blocks[i]->rounds.executions;
                first += blocks[i]->rounds.accepted_first;
                rounds += blocks[i]->rounds.rounds;
                tasks += blocks[i]->execution->tasks;
            }
        }
        qInfo("%s: %llu tasks, %llu executions, %llu accepted first, %llu rounds in %zu blocks",
              name.constData(), static_cast<unsigned long long>(tasks),
              static_cast<unsigned long long>(executions), static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(rounds), truth.size());
    }

    /// Several blocks in a round: committed one by one, the same digests, undo as ever.
    void windows_of_blocks() {
        for (const char* name : {"mixed", "chained"}) {
            const auto sources = sources_of(name, 11, 40);
            QTemporaryDir folder;
            // One block after the other: each is reported before the next one is committed.
            auto in_order =
                store::Workspace::open(folder.filePath(QStringLiteral("s")).toStdString());
            QVERIFY(in_order.ok());
            std::vector<Hash256> after{*(*in_order)->state_digest()};
            Blocks truth;
            SilentProgress silent;
            const auto reference = execute::replay_into(
                **in_order, sources, serial(), false,
                [&](const std::shared_ptr<const ReplayedBlock>& block) {
                    truth.push_back(block);
                    after.push_back(*(*in_order)->state_digest());
                    return Status();
                },
                silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
            QVERIFY2(reference.ok(), reference ? "" : reference.error().message.c_str());
            auto workspace =
                store::Workspace::open(folder.filePath(QStringLiteral("w")).toStdString());
            QVERIFY(workspace.ok());
            ReplayOptions options = serial();
            options.strategy.strategy = execute::Strategy::speculative;
            options.strategy.window = 3;
            options.strategy.workers = 3;
            options.verify = true;
            std::size_t done = 0;
            const auto summary = execute::replay_into(
                **workspace, sources, options, false,
                [&](const std::shared_ptr<const ReplayedBlock>& block) {
                    if (block->execution->digest != truth[done]->execution->digest ||
                        block->verified != true)
                        qFatal("block %zu: %s", done, block->difference.c_str());
                    ++done;
                    return Status();
                },
                silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
            QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
            QCOMPARE(summary->committed, std::uint64_t{sources.size()});
            for (std::size_t i = sources.size(); i-- > 0;) {
                QCOMPARE(*(*workspace)->undo(*sources[i].height), std::uint64_t{1});
                QCOMPARE(*(*workspace)->state_digest(), after[i]);
            }
        }
    }

    /// More tasks than a flow has at once.
    void flows_in_large_windows() {
        const auto sources = sources_of("chained", 13, 1400);
        ReplayOptions options = serial();
        options.strategy.window = 4;
        const Blocks truth = replay(sources, options);
        options.strategy.workers = 3;
        for (const auto by : {execute::Strategy::dag, execute::Strategy::optimistic,
                              execute::Strategy::automatic}) {
            options.strategy.strategy = by;
            const Blocks blocks = replay(sources, options);
            const std::string text = difference(blocks, truth);
            QVERIFY2(text.empty(), text.c_str());
        }
    }

    /// Where flows no longer pay off, or predictions, the rest of the window still runs side by
    /// side.
    void a_part_of_a_window_in_block_order_is_not_the_rest_of_it() {
        const auto sources = sources_of("mixed", 15, 2400);
        ReplayOptions options = serial();
        options.strategy.window = 4;
        const Blocks truth = replay(sources, options);
        options.strategy.workers = 3;
        for (const auto by : {execute::Strategy::dag, execute::Strategy::optimistic,
                              execute::Strategy::automatic}) {
            options.strategy.strategy = by;
            const Blocks blocks = replay(sources, options);
            const std::string text = difference(blocks, truth);
            QVERIFY2(text.empty(), text.c_str());
            std::uint64_t in_order = 0, tasks = 0;
            for (const auto& block : blocks) {
                in_order += block->rounds.serial;
                tasks += block->execution->tasks;
            }
            QVERIFY2(in_order * 10 < tasks,
                     qPrintable(QStringLiteral("%1 of %2 by %3")
                                    .arg(in_order)
                                    .arg(tasks)
                                    .arg(QLatin1String(execute::name_of(by)))));
            if (by != execute::Strategy::automatic) continue;
            const std::string& last = blocks.back()->rounds.choice;
            QVERIFY2(last.starts_with("optimistic: ") || last.starts_with("dag: "), last.c_str());
        }
    }

    /// Also where further parts of the window follow, it is recorded as block order.
    void a_part_that_is_a_chain_counts_as_block_order() {
        ReplayOptions options = serial();
        options.strategy.strategy = execute::Strategy::dag;
        options.strategy.window = 4;
        options.strategy.workers = 3;
        const Blocks blocks = replay(sources_of("mainnet-2026", 17, 1700), options);
        for (std::size_t i = 1; i < blocks.size(); ++i) {
            const ReplayedBlock& block = *blocks[i];
            QVERIFY2(2 * block.rounds.serial > block.execution->tasks,
                     qPrintable(QString::number(block.rounds.serial)));
            QVERIFY(block.phases.execute_serial > 0);
        }
    }

    /// Each block reads what the one before it wrote. What all of them together repeat shows that.
    void speculative_tries_fewer_blocks_where_they_depend_on_each_other() {
        const auto sources = sources_of("independent", 16, 150, 150);
        ReplayOptions options = serial();
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.window = 4;
        options.strategy.workers = 3;
        const Blocks blocks = replay(sources, options);
        // Once with all blocks, once with its own, and once where a wave of two was tried.
        for (const auto& block : blocks)
            QVERIFY2(block->rounds.executions <= 3 * block->execution->tasks,
                     qPrintable(QString::number(block->rounds.executions)));
        QCOMPARE(blocks.back()->rounds.serial, std::uint64_t{0});
    }

    /// Examples of its later blocks fail, since the contracts are not there yet: that says nothing
    /// of what depends on what.
    void a_first_window_of_blocks_repeats_little() {
        const auto executions_a_task = [](const char* recipe, execute::Strategy by) {
            ReplayOptions options = serial();
            options.strategy.strategy = by;
            options.strategy.window = 4;
            options.strategy.workers = 3;
            std::uint64_t executions = 0, tasks = 0;
            for (const auto& block : replay(sources_of(recipe, 14, 600), options)) {
                executions += block->rounds.executions;
                tasks += block->execution->tasks;
            }
            return static_cast<double>(executions) / static_cast<double>(tasks);
        };
        QVERIFY(executions_a_task("mainnet-2026", execute::Strategy::automatic) < 1.25);
        QVERIFY(executions_a_task("amm", execute::Strategy::dag) < 6);
    }

    /// Stopped between two blocks of a window: exactly the blocks that were reported are committed,
    /// and the next replay continues after them.
    void a_window_is_interrupted() {
        const auto sources = sources_of("mixed", 12, 40);
        const Blocks truth = replay(sources, serial());
        QTemporaryDir folder;
        auto workspace = store::Workspace::open(folder.filePath(QStringLiteral("w")).toStdString());
        ReplayOptions options = serial();
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.window = 4;
        options.strategy.workers = 2;
        std::stop_source stop;
        SilentProgress silent;
        std::uint64_t reported = 0;
        const auto cut = execute::replay_into(
            **workspace, sources, options, false,
            [&](const std::shared_ptr<const ReplayedBlock>&) {
                ++reported;
                stop.request_stop();
                return Status();
            },
            silent, stop.get_token(), execute::JoinOptions{.beginning = {.of_chain = true}});
        QVERIFY(!cut.ok());
        QCOMPARE(cut.error().code, ErrorCode::cancelled);
        Blocks rest;
        const auto summary =
            execute::replay_into(**workspace, sources, options, false,
                                 [&](const std::shared_ptr<const ReplayedBlock>& block) {
                                     rest.push_back(block);
                                     return Status();
                                 },
                                 silent, {});
        QVERIFY(summary.ok());
        QVERIFY(reported >= 1 && reported < sources.size());
        QCOMPARE(summary->skipped_committed, reported);
        QCOMPARE(rest.back()->execution->digest, truth.back()->execution->digest);
    }

    /// Below --batch-min: as the serial strategy does.
    void small_blocks_run_serially() {
        const auto sources = sources_of("independent", 5, 3);
        ReplayOptions options = serial();
        options.strategy.strategy = execute::Strategy::speculative;
        options.strategy.batch_min = 1000;
        for (const auto& block : replay(sources, options)) {
            QCOMPARE(block->rounds.serial, block->execution->tasks);
            QCOMPARE(block->rounds.rounds, std::uint64_t{1});
            QVERIFY(block->rounds.batches.empty());
            QCOMPARE(block->phases.execute_serial, block->phases[execute::Phase::execute]);
        }
    }
};

QTEST_APPLESS_MAIN(TestStrategies)
#include "test_strategies.moc"
