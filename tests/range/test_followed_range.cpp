// A chain that is followed, and the range that grows with it.
#include "node/jumping_clock.h"
#include "range/core_rpc.h"
#include "range/fixtures.h"
#include "range/followed_place.h"
#include "range/followed_range.h"
#include "range/node_blocks.h"
#include "range/open_range.h"
#include "store/node_writer.h"

#include <QTemporaryDir>

#include <fmt/format.h>

#include <atomic>

using namespace blockloom;
using namespace blockloom::test;

namespace {

#define FOLLOWED_OK(result)                                                                        \
    do {                                                                                           \
        const auto& checked_result = (result);                                                     \
        QVERIFY2(checked_result.ok(),                                                              \
                 checked_result.ok() ? "" : checked_result.error().message.c_str());               \
    } while (false)

constexpr std::uint64_t first_height = 500;

Hash256 hash_of(const Bytes& block) {
    return chain::list_block_bytes(block, "block").blocks.front().hash;
}

/// The same block with another time: another hash, the same parent.
Bytes replaced(Bytes block, Byte by = 1) {
    block[68] ^= by;
    return block;
}

} // namespace

class TestFollowedRange : public QObject {
    Q_OBJECT

    std::vector<Bytes> blocks_;
    std::unique_ptr<CoreRpc> core_;
    std::unique_ptr<NodeServer> server_;
    SilentProgress silent_;

    [[nodiscard]] std::string source() const { return "core:" + server_->url(); }
    [[nodiscard]] Result<std::shared_ptr<const range::Range>> open(std::uint64_t from,
                                                                   std::uint64_t to) {
        range::RangeOptions options;
        options.sources = {source()};
        options.chain = "bitcoin";
        options.from = from;
        options.to = to;
        return range::open_range(options, silent_, {});
    }
    [[nodiscard]] std::vector<Bytes> first(std::size_t count) const {
        return {blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    static std::vector<std::string> texts(const range::Range& range) {
        std::vector<std::string> texts;
        for (const node::NodeBlock& block : range::node_blocks_of(range))
            texts.push_back(fmt::format("{} {}", block.height, to_reversed_hex(block.hash)));
        return texts;
    }
    static std::string text(std::uint64_t height, const Bytes& block) {
        return fmt::format("{} {}", height, to_reversed_hex(hash_of(block)));
    }

private Q_SLOTS:
    void initTestCase() {
        const recipes::Recipe recipe = small_recipe(3);
        const auto made = recipes::make_blocks(recipe);
        FOLLOWED_OK(made);
        blocks_ = *made;
        QVERIFY(blocks_.size() >= 3);
    }
    void init() {
        core_ = std::make_unique<CoreRpc>(first_height, first(1));
        server_ = std::make_unique<NodeServer>(
            [this](const ServedRequest& request) { return (*core_)(request); });
    }

    /// Blocks come, one is replaced, the node is away for a while: the events say so, and the range
    /// that grows by them is the one that the node has.
    void a_range_grows_as_the_chain_does() {
        const auto opened = open(first_height, first_height);
        FOLLOWED_OK(opened);
        std::shared_ptr<const range::Range> now = *opened;
        const auto node = range::open_node(source(), {});
        FOLLOWED_OK(node);
        JumpingClock clock;
        range::FollowPlan plan{.node = **node, .clock = clock};
        plan.interval = 1;
        plan.known = range::node_blocks_of(*now);
        plan.last = first_height + 2;
        core_->replace(first(2));
        std::vector<std::string> seen;
        range::FollowEvents events;
        events.open = [this](std::uint64_t height) { return open(height, height); };
        events.removed = [&](const node::NodeBlock& block) {
            seen.push_back("removed " + std::to_string(block.height));
            now = range::grown(*now, {{block}, {}});
            return Status();
        };
        events.added = [&](const node::NodeBlock& block,
                           const std::shared_ptr<const range::Range>& range) {
            seen.push_back("added " + std::to_string(block.height));
            now = range::grown(*now, {{}, {range}});
            std::vector<Bytes> next = first(3);
            next[1] = replaced(next[1]);
            if (seen.size() == 1) core_->replace({next[0], next[1]});
            if (seen.size() == 3) core_->replace(first(3));
            return Status();
        };
        events.unreachable = [&](const Error&) { seen.emplace_back("away"); };
        FOLLOWED_OK(range::follow_blocks(plan, events, {}));
        QCOMPARE(seen, (std::vector<std::string>{"added 501", "removed 501", "added 501",
                                                 "removed 501", "added 501", "added 502"}));
        QCOMPARE(texts(*now),
                 (std::vector<std::string>{text(500, blocks_[0]), text(501, blocks_[1]),
                                           text(502, blocks_[2])}));
        // The same as if it had been opened now; what was replaced is listed.
        const auto whole = open(first_height, first_height + 2);
        FOLLOWED_OK(whole);
        QCOMPARE(texts(*now), texts(**whole));
        QCOMPARE(now->title, (*whole)->title);
        QCOMPARE(now->chain, (*whole)->chain);
        QCOMPARE(now->totals.tasks, (*whole)->totals.tasks);
        QCOMPARE(now->totals.dependency_edges, (*whole)->totals.dependency_edges);
        QCOMPARE(now->totals.most_levels, (*whole)->totals.most_levels);
        QVERIFY(now->options.from == first_height && now->options.to == first_height + 2);
        QCOMPARE(now->left_out.size(), std::size_t{2});
        QVERIFY(now->left_out[0].stale);
        QCOMPARE(now->left_out[0].source, std::string("block 501"));
        QVERIFY(now->left_out[0].reason.ends_with(to_reversed_hex(hash_of(blocks_[1]))));
        // Records are shared: nothing was analysed again.
        QVERIFY(now->blocks.front() == (*opened)->blocks.front());
        QVERIFY((*opened)->blocks.size() == 1); // which has not changed
    }

    /// Another block than the one that was announced is not added: the next look finds it.
    void a_block_that_is_replaced_before_it_is_read() {
        const auto opened = open(first_height, first_height);
        FOLLOWED_OK(opened);
        const auto node = range::open_node(source(), {});
        FOLLOWED_OK(node);
        JumpingClock clock;
        range::FollowPlan plan{.node = **node, .clock = clock};
        plan.known = range::node_blocks_of(**opened);
        plan.last = first_height + 2;
        core_->replace(first(2));
        int opens = 0;
        std::vector<Hash256> removed, added;
        range::FollowEvents events;
        events.open = [&](std::uint64_t height) {
            if (++opens == 1) {
                std::vector<Bytes> next = first(2);
                next[1] = replaced(next[1]);
                core_->replace(next);
            }
            auto range = open(height, height);
            if (opens == 1) core_->replace(first(3));
            return range;
        };
        events.removed = [&](const node::NodeBlock& block) {
            removed.push_back(block.hash);
            return Status();
        };
        events.added = [&](const node::NodeBlock& block, const auto&) {
            added.push_back(block.hash);
            return Status();
        };
        events.unreachable = [](const Error&) {};
        // The block that was announced and not found is announced no more: it is the same again.
        const Status followed = range::follow_blocks(plan, events, {});
        FOLLOWED_OK(followed);
        QVERIFY(removed.empty());
        QVERIFY(!added.empty() && added.back() == hash_of(blocks_[2]));
    }

    void a_stop_and_an_error_end_it() {
        const auto node = range::open_node(source(), {});
        FOLLOWED_OK(node);
        JumpingClock clock;
        range::FollowPlan plan{.node = **node, .clock = clock};
        plan.first = first_height;
        std::stop_source stop;
        range::FollowEvents events;
        events.open = [this](std::uint64_t height) { return open(height, height); };
        events.removed = [](const node::NodeBlock&) { return Status(); };
        events.unreachable = [](const Error&) {};
        events.added = [&](const node::NodeBlock&, const auto&) {
            stop.request_stop();
            return Status();
        };
        const Status stopped = range::follow_blocks(plan, events, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
        events.open = [](std::uint64_t) -> Result<std::shared_ptr<const range::Range>> {
            return Error{ErrorCode::bad_input, "no state"};
        };
        const Status failed = range::follow_blocks(plan, events, {});
        QVERIFY(!failed);
        QCOMPARE(failed.error().message, std::string("no state"));
    }

    /// The oldest blocks go when it gets too long.
    void a_long_range_drops_its_oldest_blocks() {
        const auto opened = open(first_height, first_height);
        FOLLOWED_OK(opened);
        range::RangeGrowth growth;
        growth.added.assign(range::most_followed_blocks, *opened);
        const auto now = range::grown(**opened, growth);
        QCOMPARE(now->blocks.size(), range::most_followed_blocks);
        QCOMPARE(now->totals.blocks, std::uint64_t{range::most_followed_blocks});
    }

    /// Values that were not known count as long as the block that read them is of the range.
    void unknown_values_go_with_their_block() {
        core_->replace(first(3));
        std::vector<std::shared_ptr<const range::Range>> opened;
        for (std::uint64_t i = 0; i < 3; ++i) {
            const auto one = open(first_height + i, first_height + i);
            FOLLOWED_OK(one);
            auto with = std::make_shared<range::Range>(**one);
            with->unknown = {10 + i, 20 + i, 30 + i};
            with->notes = {range::unknown_text(with->unknown)};
            opened.push_back(with);
        }
        auto now = range::grown(*opened[0], {{}, {opened[1], opened[2]}});
        QVERIFY((now->unknown == range::UnknownValues{33, 63, 93}));
        const auto blocks = range::node_blocks_of(*now);
        now = range::grown(*now, {{blocks[2]}, {}});
        QVERIFY((now->unknown == range::UnknownValues{21, 41, 61}));
        QVERIFY(now->notes == std::vector{range::unknown_text(now->unknown)});
        now = range::grown(*now, {{blocks[1]}, {opened[1]}}); // it comes back
        QVERIFY((now->unknown == range::UnknownValues{21, 41, 61}));
        // The first one, too, because it was opened alone.
        now = range::grown(*now, {{blocks[0]}, {}});
        QVERIFY((now->unknown == opened[1]->unknown));
        // Of blocks that were opened together, nobody knows which one read what.
        const auto both = open(first_height, first_height + 1);
        FOLLOWED_OK(both);
        range::Range together = **both;
        together.unknown = {5, 0, 0};
        QVERIFY(
            (range::grown(together, {{blocks[1]}, {}})->unknown == range::UnknownValues{5, 0, 0}));
    }

    /// An indexer that lags behind, or still has the other branch: its blocks wait, what replaces
    /// them meanwhile replaces them silently, and an indexer that is away is waited for.
    void an_indexer_that_lags_is_waited_for() {
        const auto node = range::open_node(source(), {});
        FOLLOWED_OK(node);
        CoreRpc indexer_chain(first_height, first(1));
        std::atomic<bool> away = false;
        NodeServer indexer_server([&](const ServedRequest& request) {
            return away ? Reply::with_status(404, "away") : indexer_chain(request);
        });
        const auto indexer = range::open_node("core:" + indexer_server.url(), {});
        FOLLOWED_OK(indexer);
        JumpingClock clock;
        range::FollowPlan plan{.node = **node, .clock = clock};
        plan.interval = 1;
        plan.known = {{first_height, hash_of(blocks_[0])}};
        plan.last = first_height + 2;
        std::vector<Bytes> other = first(3);
        other[1] = replaced(other[1]);
        core_->replace({other[0], other[1]});
        std::vector<std::string> seen;
        int asked = 0;
        range::ChainEvents events;
        events.why_not_yet = [&](const node::NodeBlock& block) {
            switch (++asked) {
            case 4: // block 501 is waiting: another branch takes its place
                core_->replace(first(3));
                break;
            case 6:
                away = true;
                break;
            case 8:
                away = false;
                indexer_chain.replace({other[0], other[1]}); // it lags with the wrong one
                break;
            case 10:
                indexer_chain.replace(first(3));
                break;
            default:
                break;
            }
            return range::why_no_state_yet(**indexer, **node, block, true, {});
        };
        events.added = [&](const node::NodeBlock& block) -> Result<bool> {
            seen.push_back(fmt::format("added {}", to_reversed_hex(block.hash)));
            return true;
        };
        events.removed = [&](const node::NodeBlock&) {
            seen.emplace_back("removed");
            return Status();
        };
        std::vector<std::string> waits;
        events.waiting = [&](const std::string& why) { waits.push_back(why); };
        events.unreachable = [&](const Error&) { seen.emplace_back("away"); };
        events.reachable = [&] { seen.emplace_back("back"); };
        FOLLOWED_OK(range::follow_chain(plan, events, {}));
        const auto added = [](const Bytes& block) {
            return "added " + to_reversed_hex(hash_of(block));
        };
        QCOMPARE(seen,
                 (std::vector<std::string>{"away", "back", added(blocks_[1]), added(blocks_[2])}));
        QCOMPARE(waits.size(), std::size_t{2}); // once for each block that waits
        QVERIFY2(waits.front().find("block 501 waits until the indexer has block 501; its last "
                                    "block is 500") != std::string::npos,
                 waits.front().c_str());
        // Without its records, the block before is enough; on another branch it is not.
        indexer_chain.replace({other[0], other[1]});
        const auto why = [&](std::uint64_t height, bool recorded) {
            const auto hashes = (*node)->hashes(height, 1, {});
            const auto said =
                range::why_no_state_yet(**indexer, **node, hashes->front(), recorded, {});
            return said ? *said : said.error().message;
        };
        QCOMPARE(why(first_height + 1, false), std::string());
        QVERIFY(why(first_height + 1, true).find("as block 501; it has") != std::string::npos);
        QVERIFY(why(first_height + 2, false).find("as block 501; it has") != std::string::npos);
    }

    /// The folder of an indexer that goes on writing, and rolls back.
    void a_database_is_followed_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<bool>("running");
        for (const auto layout : {store::NodeLayout::v8, store::NodeLayout::v9,
                                  store::NodeLayout::v9_hashes, store::NodeLayout::v10})
            for (const bool running : {true, false})
                QTest::addRow("%s %s", std::string(text_of(layout)).c_str(),
                              running ? "running" : "stopped meanwhile")
                    << int(layout) << running;
    }
    void a_database_is_followed() {
        QFETCH(int, layout);
        QFETCH(bool, running);
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString() + "/node";
        std::unique_ptr<NodeWriter> writer;
        std::uint64_t blocks = 0;
        const auto write = [&](std::uint64_t height, const char* words) {
            if (!writer) {
                writer = std::make_unique<NodeWriter>(path, store::NodeLayout(layout));
                writer->continue_at(sequence_name, blocks);
            }
            writer->put(sequence_name, sixteen(++blocks));
            writer->end_block(height, test_hash(words));
            if (!running) writer.reset();
        };
        write(first_height, "a");
        range::RangeOptions options;
        options.sources = {"metashrew:" + path};
        options.state.place = options.sources.front();
        options.state.access =
            running ? store::NodeOptions::Access::running : store::NodeOptions::Access::stopped;
        QVERIFY(range::can_be_followed(options.sources.front()));
        const auto node = range::open_followed_source(options);
        FOLLOWED_OK(node);
        JumpingClock clock;
        range::FollowPlan plan{.node = **node, .clock = clock};
        plan.interval = 1;
        plan.first = first_height;
        plan.last = first_height + 2;
        std::vector<std::string> seen;
        range::ChainEvents events;
        events.unreachable = [](const Error& why) { QFAIL(why.message.c_str()); };
        events.removed = [&](const node::NodeBlock& block) {
            seen.push_back(fmt::format("removed {}", block.height));
            return Status();
        };
        events.added = [&](const node::NodeBlock& block) -> Result<bool> {
            seen.push_back(fmt::format("added {}", block.height));
            const std::size_t step = seen.size();
            if (step == 1) write(first_height + 1, "b");
            if (step == 2) write(first_height + 1, "another b");
            if (step == 4) write(first_height + 2, "c");
            return true;
        };
        FOLLOWED_OK(range::follow_chain(plan, events, {}));
        QCOMPARE(seen, (std::vector<std::string>{"added 500", "added 501", "removed 501",
                                                 "added 501", "added 502"}));
        // Nothing of the state has to be waited for: it is where the blocks are.
        const auto state = range::open_followed_state(options);
        FOLLOWED_OK(state);
        QVERIFY(*state == nullptr);
    }

    void heights_of_a_node() {
        core_->replace(first(3));
        range::RangeOptions options;
        options.sources = {source()};
        FOLLOWED_OK(range::choose_heights(options, {}));
        QVERIFY(options.from == first_height + 2 && options.to == first_height + 2);
        options.from = first_height;
        options.to.reset();
        FOLLOWED_OK(range::choose_heights(options, {}));
        QVERIFY(options.from == first_height && options.to == first_height + 2);
        options.from = first_height + 9;
        options.to.reset();
        FOLLOWED_OK(range::choose_heights(options, {}));
        QVERIFY(!options.to); // reading it says what is wrong
        options.sources = {"demo"};
        options.from.reset();
        FOLLOWED_OK(range::choose_heights(options, {}));
        QVERIFY(!options.from);
    }

    void no_password_is_repeated() {
        for (const char* url : {"core:https://alice:S3cr3t@node", "rest:http://node/?key=S3cr3t",
                                "metashrew:http://alice:S3cr3t@127.0.0.1", "http://a:S3cr3t@b",
                                "ftp://alice:S3cr3t@node"}) {
            QVERIFY2(range::shown_source(url).find("S3cr3t") == std::string::npos, url);
            const Status checked = range::check_node_source(url);
            QVERIFY(!checked);
            QVERIFY2(checked.error().message.find("S3cr3t") == std::string::npos, url);
        }
        QCOMPARE(range::shown_source("core:http://Node:8332/"),
                 std::string("core:http://node:8332"));
        QCOMPARE(range::shown_source("/blocks/a.bin"), std::string("/blocks/a.bin"));
        FOLLOWED_OK(range::check_node_source("rest:https://node.example/btc"));
    }
};

QTEST_GUILESS_MAIN(TestFollowedRange)
#include "test_followed_range.moc"
