// A range replayed in memory, into a workspace, interrupted, resumed, taken back, redone and on
// another branch: always the same digests.
#include "execute/first_difference.h"
#include "execute/replay.h"
#include "recipes/recipe_blocks.h"

#include "recipes/recipe.h"

#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using execute::ReplayedBlock;
using execute::ReplayOptions;
using execute::ReplaySource;
using execute::ReplaySummary;

namespace {

using Blocks = std::vector<std::shared_ptr<const ReplayedBlock>>;

std::vector<ReplaySource> sources_of(const recipes::Recipe& recipe) {
    auto blocks = recipes::make_blocks(recipe);
    std::vector<ReplaySource> sources;
    for (Bytes& bytes : *blocks) {
        const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
        for (const chain::BlockRef& ref : listing.blocks) sources.push_back({ref, ref.height, {}});
    }
    return sources;
}

recipes::Recipe small(const char* name, std::uint64_t seed = 7) {
    recipes::RecipeChanges changes;
    changes.blocks = 5;
    changes.tasks = 40;
    changes.contracts = 4;
    changes.seed = seed;
    return recipes::with_changes(*recipes::find_recipe(name), changes);
}

ReplayOptions how(alkanes::Engine engine = alkanes::Engine::interpreter) {
    ReplayOptions options;
    options.engine = engine;
    return options;
}

/// What a manifest says of a range that begins with its chain's first block.
const execute::JoinOptions first_of_chain{.beginning = {.of_chain = true}};

execute::BlockDone collect(Blocks& blocks) {
    return [&blocks](const std::shared_ptr<const ReplayedBlock>& block) {
        blocks.push_back(block);
        return Status();
    };
}

struct Digests {
    std::vector<Hash256> blocks;
    Hash256 state{};
    friend bool operator==(const Digests&, const Digests&) = default;
};

Digests in_memory(const std::vector<ReplaySource>& sources, const ReplayOptions& options) {
    Blocks blocks;
    SilentProgress silent;
    const auto summary =
        execute::replay_on(nullptr, sources, options, false, collect(blocks), silent, {});
    if (!summary) qFatal("%s", summary.error().message.c_str());
    Digests digests;
    for (const auto& block : blocks) digests.blocks.push_back(block->execution->digest);
    digests.state = *summary->state_digest;
    return digests;
}

class Store {
public:
    Store()
        : workspace_(*store::Workspace::open(folder_.filePath(QStringLiteral("w")).toStdString())) {
    }
    store::Workspace& operator*() { return *workspace_; }
    store::Workspace* operator->() { return workspace_.get(); }

    ReplaySummary replay(std::span<const ReplaySource> sources, Blocks& blocks,
                         const ReplayOptions& options = how(),
                         const execute::JoinOptions& join = first_of_chain) {
        SilentProgress silent;
        auto summary = execute::replay_into(*workspace_, sources, options, false, collect(blocks),
                                            silent, {}, join);
        if (!summary) qFatal("%s", summary.error().message.c_str());
        return *std::move(summary);
    }

private:
    QTemporaryDir folder_;
    std::unique_ptr<store::Workspace> workspace_;
};

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void same_digests_everywhere_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* name : {"mixed", "amm", "chained", "mainnet-2025", "adversarial"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    /// In memory, in a workspace, interrupted, taken back and redone, on both engines.
    void same_digests_everywhere() {
        QFETCH(QString, recipe);
        const auto sources = sources_of(small(recipe.toLatin1().constData()));
        const Digests digests = in_memory(sources, how());
        QCOMPARE(digests.blocks.size(), sources.size());

        Store whole;
        Blocks blocks;
        QCOMPARE(*whole.replay(sources, blocks).state_digest, digests.state);
        QVERIFY(blocks.back()->committed);
        std::uint64_t succeeded = 0;
        for (const auto& block : blocks) succeeded += block->execution->succeeded;
        QVERIFY2(succeeded > 0, "nothing ran: the comparison would be empty");

        // Interrupted after two blocks: the rest continues there.
        Store cut;
        std::stop_source stop;
        SilentProgress silent;
        std::size_t done = 0;
        const auto interrupted = execute::replay_into(
            *cut, sources, how(), false,
            [&](const std::shared_ptr<const ReplayedBlock>&) {
                if (++done == 2) stop.request_stop();
                return Status();
            },
            silent, stop.get_token(), first_of_chain);
        QVERIFY(!interrupted);
        QVERIFY(interrupted.error().code == ErrorCode::cancelled);
        blocks.clear();
        const ReplaySummary rest = cut.replay(sources, blocks);
        QCOMPARE(rest.skipped_committed, std::uint64_t{2});
        QCOMPARE(rest.committed, std::uint64_t{sources.size() - 2});
        QCOMPARE(*rest.state_digest, digests.state);

        // Three blocks taken back and redone.
        const std::uint64_t height = *sources[2].height;
        QCOMPARE(*cut->undo(height), std::uint64_t{3});
        blocks.clear();
        QCOMPARE(*cut.replay(sources, blocks).state_digest, digests.state);
        QCOMPARE(blocks.size(), std::size_t{3});
    }

    /// A stop that comes when the last block is done, while the state is digested, is one too: what
    /// was committed stays.
    void cancelled_while_the_state_is_digested() {
        class StopAtTheEnd final : public ProgressSink {
        public:
            void report(const Progress& progress) override {
                if (progress.done == progress.total) source.request_stop();
            }
            std::stop_source source;
        };
        const auto sources = sources_of(small("mixed"));
        for (const bool in_memory : {true, false}) {
            Store store;
            Blocks blocks;
            StopAtTheEnd sink;
            const auto summary =
                in_memory ? execute::replay_on(nullptr, sources, how(), false, collect(blocks),
                                               sink, sink.source.get_token())
                          : execute::replay_into(*store, sources, how(), false, collect(blocks),
                                                 sink, sink.source.get_token(), first_of_chain);
            QVERIFY(!summary);
            QVERIFY(summary.error().code == ErrorCode::cancelled);
            QCOMPARE(blocks.size(), sources.size());
            QCOMPARE(store->tip().has_value(), !in_memory);
        }
    }

    /// Undo restores the digest that was there before, block by block.
    void undo_restores() {
        const auto sources = sources_of(small("mixed"));
        Store store;
        std::vector<Hash256> after{*store->state_digest()};
        for (std::size_t i = 1; i <= sources.size(); ++i) {
            Blocks blocks;
            (void)store.replay(std::span(sources).first(i), blocks);
            after.push_back(*store->state_digest());
        }
        for (std::size_t i = sources.size(); i-- > 0;) {
            QCOMPARE(*store->undo(*sources[i].height), std::uint64_t{1});
            QCOMPARE(*store->state_digest(), after[i]);
        }
    }

    /// All committed: executed again on the state before, beside what is committed.
    void again() {
        const auto sources = sources_of(small("mixed"));
        Store store;
        Blocks first, second;
        const ReplaySummary before = store.replay(sources, first);
        const ReplaySummary again = store.replay(sources, second);
        QCOMPARE(again.committed, std::uint64_t{0});
        QCOMPARE(again.again, std::uint64_t{sources.size()});
        QCOMPARE(*again.state_digest, *before.state_digest);
        for (const auto& block : second) QVERIFY(block->verified == true);
        // Under other rules the digests differ, and that is said.
        ReplayOptions other = how();
        other.network = alkanes::Network::mainnet;
        other.height = 700'000; // before the protocol began: every message fails
        Blocks third;
        SilentProgress silent;
        const auto summary =
            execute::replay_on(nullptr, sources, other, false, collect(third), silent, {});
        QVERIFY(summary.ok());
        QVERIFY(*summary->state_digest != *before.state_digest);
    }

    /// An unrelated chain takes the place of what is committed only where that is asked for.
    void an_unrelated_branch_is_asked_for() {
        const auto sources = sources_of(small("mixed", 7)), other = sources_of(small("mixed", 8));
        const Digests digests = in_memory(other, how());
        Store store;
        Blocks blocks;
        (void)store.replay(sources, blocks);
        const auto tip = store->tip();
        blocks.clear();
        SilentProgress silent;
        const auto refused = execute::replay_into(*store, other, how(), false, collect(blocks),
                                                  silent, {}, first_of_chain);
        QVERIFY(!refused);
        for (const std::string& part :
             {std::string("--switch-branch"), std::to_string(sources.size()) + " committed blocks"})
            QVERIFY2(refused.error().message.find(part) != std::string::npos,
                     refused.error().message.c_str());
        QCOMPARE(store->tip(), tip);
        execute::JoinOptions join = first_of_chain;
        join.switch_branch = true;
        const ReplaySummary switched = store.replay(other, blocks, how(), join);
        QCOMPARE(switched.undone, std::uint64_t{sources.size()});
        QCOMPARE(*switched.state_digest, digests.state);
    }

    /// A block is executed on its parent only: gaps end the replay, wherever they are.
    void a_gap_is_an_error() {
        const auto all = sources_of(small("mixed"));
        const auto without = [&](std::size_t left_out) {
            auto blocks = all;
            blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(left_out));
            return blocks;
        };
        const auto names = [&](const Error& error, std::size_t child, std::size_t found) {
            for (const std::size_t at : {child, found})
                for (const std::string& part :
                     {std::to_string(*all[at].height), to_reversed_hex(all[at].block.hash)})
                    if (error.message.find(part) == std::string::npos) return false;
            return error.code == ErrorCode::bad_input;
        };
        SilentProgress silent;
        for (unsigned window : {1U, 8U}) {
            ReplayOptions options = how();
            options.strategy.window = window;
            // Inside the range, in memory and in a workspace: what comes before it is kept.
            const auto gap = without(2);
            Blocks blocks;
            const auto on =
                execute::replay_on(nullptr, gap, options, false, collect(blocks), silent, {});
            QVERIFY(!on && names(on.error(), 3, 1));
            QCOMPARE(blocks.size(), std::size_t{2});
            Store store;
            blocks.clear();
            const auto into = execute::replay_into(*store, gap, options, false, collect(blocks),
                                                   silent, {}, first_of_chain);
            QVERIFY(!into && names(into.error(), 3, 1));
            QCOMPARE(store->tip()->height, *all[1].height);
            // Leaving out what cannot be executed leaves out all that has no parent.
            blocks.clear();
            const auto kept =
                execute::replay_on(nullptr, gap, options, true, collect(blocks), silent, {});
            QVERIFY(kept.ok());
            QCOMPARE(kept->left_out.size(), gap.size() - 2);
            // Between the workspace and the range.
            const auto rest = std::span(all).subspan(3);
            const auto later =
                execute::replay_into(*store, rest, options, false, collect(blocks), silent, {});
            QVERIFY(!later && names(later.error(), 3, 1));
            QCOMPARE(store->tip()->height, *all[1].height);
        }
    }

    /// A start in the middle needs a state that says it is the parent's.
    void a_start_in_the_middle_is_declared() {
        const auto all = sources_of(small("mixed"));
        const auto rest = std::span(all).subspan(2);
        SilentProgress silent;
        Blocks blocks;
        const auto start = [&](store::Workspace& workspace) {
            return execute::replay_into(workspace, rest, how(), false, collect(blocks), silent, {});
        };
        const auto parent = all[1].block.hash;
        const std::uint64_t height = *all[1].height;
        Store empty;
        QVERIFY(!start(*empty));
        Store seeded;
        QVERIFY(seeded->put({{"key", "value"}}).ok());
        const auto undeclared = start(*seeded);
        QVERIFY(!undeclared &&
                undeclared.error().message.find("--after " + std::to_string(height) + ":" +
                                                to_reversed_hex(parent)) != std::string::npos);
        QVERIFY(seeded->set_base({height - 1, std::nullopt}).ok());
        QVERIFY(!start(*seeded));
        QVERIFY(seeded->set_base({height, all[0].block.hash}).ok());
        QVERIFY(!start(*seeded));
        QVERIFY(!seeded->tip());
        QVERIFY(seeded->set_base({height, parent}).ok());
        QVERIFY(start(*seeded).ok());
        Store by_height;
        QVERIFY(by_height->put({}, store::Base{height, std::nullopt}).ok());
        QVERIFY(start(*by_height).ok());
    }

    /// A longer branch from a committed block is followed; a shorter one is asked for.
    void a_branch_is_followed_where_it_is_longer() {
        const auto all = sources_of(small("mixed"));
        Store store;
        Blocks blocks;
        (void)store.replay(std::span(all).first(3), blocks);
        const auto digest_of_three = *store->state_digest();
        // Another block 3 is committed beside the true one: the true branch leaves at block 2.
        QCOMPARE(*store->undo(*all[2].height), std::uint64_t{1});
        QVERIFY(
            store
                ->commit(
                    {.height = *all[2].height, .hash = Hash256{7}, .previous = all[1].block.hash})
                .ok());
        SilentProgress silent;
        const auto shorter = execute::replay_into(*store, std::span(all).first(3), how(), false,
                                                  collect(blocks), silent, {}, first_of_chain);
        QVERIFY(!shorter && shorter.error().message.find("--switch-branch") != std::string::npos);
        QCOMPARE(store->tip()->hash, Hash256{7});
        execute::JoinOptions join = first_of_chain;
        join.switch_branch = true;
        QCOMPARE(store.replay(std::span(all).first(3), blocks, how(), join).undone,
                 std::uint64_t{1});
        QCOMPARE(*store->state_digest(), digest_of_three);
        QCOMPARE(*store->undo(*all[2].height), std::uint64_t{1});
        QVERIFY(
            store
                ->commit(
                    {.height = *all[2].height, .hash = Hash256{7}, .previous = all[1].block.hash})
                .ok());
        const ReplaySummary longer = store.replay(all, blocks);
        QCOMPARE(longer.undone, std::uint64_t{1});
        QCOMPARE(*longer.state_digest, in_memory(all, how()).state);
    }

    void engines_agree() {
        for (const char* name : {"mixed", "amm", "adversarial"}) {
            const auto sources = sources_of(small(name));
            ReplayOptions options = how(alkanes::Engine::native);
            options.verify = true;
            options.record = true;
            Blocks blocks;
            SilentProgress silent;
            const auto summary =
                execute::replay_on(nullptr, sources, options, false, collect(blocks), silent, {});
            QVERIFY2(summary.ok(), summary ? "" : summary.error().message.c_str());
            for (const auto& block : blocks)
                QVERIFY2(block->verified == true, block->difference.c_str());
        }
    }

    /// A difference between two executions is found and named.
    void differences_are_found() {
        const auto sources = sources_of(small("mixed"));
        Blocks blocks;
        SilentProgress silent;
        (void)execute::replay_on(nullptr, sources, how(), false, collect(blocks), silent, {});
        const alkanes::BlockExecution& truth = *blocks.back()->execution;
        QVERIFY(execute::first_difference(truth, truth).empty());
        alkanes::BlockExecution wrong = truth;
        for (alkanes::TransactionResult& tx : wrong.transactions)
            if (!tx.records.empty()) {
                ++tx.records.front().fuel_used;
                break;
            }
        QVERIFY(execute::first_difference(truth, wrong).find("fuel") != std::string::npos);
        wrong = truth;
        wrong.digest[0] ^= 1;
        QVERIFY(execute::first_difference(truth, wrong).find("digest") != std::string::npos);
    }

    void blocks_below_are_refused() {
        const auto sources = sources_of(small("mixed"));
        Store store;
        Blocks blocks;
        // As a workspace that began in the middle holds them.
        (void)store.replay(std::span(sources).subspan(2), blocks, how(),
                           {.beginning = {.declared = true}});
        SilentProgress silent;
        const auto refused =
            execute::replay_into(*store, sources, how(), false, collect(blocks), silent, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("below") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestReplay)
#include "test_replay.moc"
