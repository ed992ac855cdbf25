// A chain that is followed, and the range that grows with it.
#include "node/jumping_clock.h"
#include "range/core_rpc.h"
#include "range/fixtures.h"
#include "range/followed_range.h"
#include "range/node_blocks.h"
#include "range/open_range.h"

#include <fmt/format.h>

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
        std::vector<std::string> told;
        range::FollowEvents events;
        events.open = [this](std::uint64_t height) { return open(height, height); };
        events.removed = [&](const node::NodeBlock& block) {
            told.push_back("removed " + std::to_string(block.height));
            now = range::grown(*now, {{block}, {}});
            return Status();
        };
        events.added = [&](const node::NodeBlock& block,
                           const std::shared_ptr<const range::Range>& range) {
            told.push_back("added " + std::to_string(block.height));
            now = range::grown(*now, {{}, {range}});
            std::vector<Bytes> next = first(3);
            next[1] = replaced(next[1]);
            if (told.size() == 1) core_->replace({next[0], next[1]});
            if (told.size() == 3) core_->replace(first(3));
            return Status();
        };
        events.unreachable = [&](const Error&) { told.emplace_back("away"); };
        FOLLOWED_OK(range::follow_blocks(plan, events, {}));
        QCOMPARE(told, (std::vector<std::string>{"added 501", "removed 501", "added 501",
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
