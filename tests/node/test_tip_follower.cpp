// The tip of a chain as it grows, loses blocks, and fails: nothing is missed and nothing comes
// twice.
#include "node/fixtures.h"

#include "node/tip_follower.h"

#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::test;
using node::NodeBlock;
using node::TipChange;

namespace {

/// A chain in memory: a branch is a number, the hash of a block its branch and height.
class ScriptedNode final : public node::BlockNode {
public:
    std::vector<int> chain; ///< by height
    int failures = 0;       ///< calls that fail from now on, after `calls_before`
    int calls_before = 0;

    static Hash256 hash_of(int branch, std::uint64_t height) {
        Hash256 hash{};
        hash[0] = static_cast<Byte>(branch);
        for (std::size_t i = 0; i < 4; ++i) hash[1 + i] = static_cast<Byte>(height >> (8 * i));
        return hash;
    }
    [[nodiscard]] Result<std::uint64_t> tip(const std::stop_token&) const override {
        if (fails()) return Error{ErrorCode::bad_input, "not now"};
        return std::uint64_t{chain.size() - 1};
    }
    [[nodiscard]] Result<std::vector<NodeBlock>> hashes(std::uint64_t first, std::size_t count,
                                                        const std::stop_token&) const override {
        if (fails()) return Error{ErrorCode::bad_input, "not now"};
        std::vector<NodeBlock> blocks;
        for (std::uint64_t height = first; height < first + count; ++height) {
            if (height >= chain.size()) return Error{ErrorCode::bad_input, "no such block"};
            blocks.push_back({height, hash_of(chain[height], height)});
        }
        return blocks;
    }
    Status read(std::span<const NodeBlock>, const node::TakeBlock&,
                const std::stop_token&) const override {
        return {};
    }
    [[nodiscard]] const node::NodeAddress& address() const noexcept override { return address_; }

private:
    bool fails() const {
        auto* const self = const_cast<ScriptedNode*>(this);
        if (self->calls_before > 0) {
            --self->calls_before;
            return false;
        }
        return self->failures > 0 && self->failures-- > 0;
    }
    node::NodeAddress address_{.url = "http://node", .origin = {}};
};

/// What somebody knows who has only seen the changes.
class Watched {
public:
    void apply(const TipChange& change) {
        for (const NodeBlock& block : change.removed) {
            if (chain_.empty() || chain_.rbegin()->first != block.height ||
                chain_.rbegin()->second != block.hash)
                ++wrong;
            chain_.erase(block.height);
        }
        for (const NodeBlock& block : change.added) {
            if (!chain_.empty() && chain_.rbegin()->first + 1 != block.height) ++wrong;
            chain_[block.height] = block.hash;
        }
    }
    [[nodiscard]] bool is(const ScriptedNode& node, std::uint64_t first) const {
        if (node.chain.size() <= first) return chain_.empty();
        if (chain_.size() != node.chain.size() - first) return false;
        for (const auto& [height, hash] : chain_)
            if (hash != ScriptedNode::hash_of(node.chain[height], height)) return false;
        return true;
    }
    int wrong = 0;

private:
    std::map<std::uint64_t, Hash256> chain_;
};

} // namespace

class TestTipFollower : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocks_come_and_are_replaced() {
        ScriptedNode node;
        node.chain = {0, 0, 0, 0, 0};
        JumpingClock clock;
        node::TipFollower follower(node, 3, clock, JumpingClock::second);
        auto change = follower.look({});
        NODE_OK(change);
        QCOMPARE(change->added.size(), std::size_t{2});
        QCOMPARE(change->added[0].height, std::uint64_t{3});
        QVERIFY(change->removed.empty());
        change = follower.look({});
        NODE_OK(change);
        QVERIFY(change->empty());
        node.chain = {0, 0, 0, 0, 1, 1}; // the last one is replaced by two
        change = follower.look({});
        NODE_OK(change);
        QCOMPARE(change->removed.size(), std::size_t{1});
        QVERIFY(change->removed[0].hash == ScriptedNode::hash_of(0, 4));
        QCOMPARE(change->added.size(), std::size_t{2});
        node.chain = {0, 0, 0, 0}; // two are taken back, nothing comes
        change = follower.look({});
        NODE_OK(change);
        QCOMPARE(change->removed.size(), std::size_t{2});
        QCOMPARE(change->removed[0].height, std::uint64_t{5});
        QVERIFY(change->added.empty());
    }

    /// Blocks that were read before it began count as known.
    void blocks_that_are_known_already() {
        ScriptedNode node;
        node.chain = {0, 0, 0, 0, 1}; // the last known one was replaced meanwhile
        JumpingClock clock;
        std::vector<NodeBlock> known;
        for (std::uint64_t height = 2; height < 5; ++height)
            known.push_back({height, ScriptedNode::hash_of(0, height)});
        node::TipFollower follower(node, known, clock, 1);
        auto change = follower.look({});
        NODE_OK(change);
        QCOMPARE(change->removed.size(), std::size_t{1});
        QVERIFY(change->removed[0].hash == known.back().hash);
        QCOMPARE(change->added.size(), std::size_t{1});
        QVERIFY(change->added[0].hash == ScriptedNode::hash_of(1, 4));
        node.chain = {2, 2, 2, 2, 2, 2}; // all of them: it begins at the first again
        change = follower.look({});
        NODE_OK(change);
        QCOMPARE(change->removed.size(), std::size_t{3});
        QCOMPARE(change->added.size(), std::size_t{4});
        QCOMPARE(change->added[0].height, std::uint64_t{2});
        node::TipFollower nothing_new(
            node, {{4, ScriptedNode::hash_of(2, 4)}, {5, ScriptedNode::hash_of(2, 5)}}, clock, 1);
        change = nothing_new.look({});
        NODE_OK(change);
        QVERIFY(change->empty());
    }

    /// It asks again and again, at its pace, and a stop ends it.
    void it_waits() {
        ScriptedNode node;
        node.chain = {0};
        class Growing final : public node::WaitClock {
        public:
            explicit Growing(ScriptedNode& of) : node(of) {}
            [[nodiscard]] Nanoseconds now() const noexcept override { return time; }
            void rest_until(Nanoseconds until, const std::stop_token&) override {
                slept.push_back(until - time);
                time = until;
                if (slept.size() == 3) node.chain.push_back(0);
                if (slept.size() == 6) stop.request_stop();
            }
            ScriptedNode& node;
            Nanoseconds time = 0;
            std::vector<Nanoseconds> slept;
            std::stop_source stop;
        } clock(node);
        node::TipFollower follower(node, 1, clock, 7);
        const auto change = follower.wait(clock.stop.get_token());
        NODE_OK(change);
        QCOMPARE(change->added.size(), std::size_t{1});
        QCOMPARE(clock.slept, (std::vector<Nanoseconds>{7, 7, 7}));
        const auto stopped = follower.wait(clock.stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
    }

    void a_branch_that_is_too_long() {
        ScriptedNode node;
        node.chain.assign(3000, 0);
        JumpingClock clock;
        node::TipFollower follower(node, 0, clock, 1);
        for (auto change = follower.look({}); !change->empty(); change = follower.look({})) {
        }
        node.chain.assign(3000, 1);
        const auto change = follower.look({});
        QVERIFY2(contains(message_of(change), "before block 2000"), message_of(change).c_str());
    }

    /// Whatever a chain does, and however often a question fails in between.
    void any_history() {
        std::mt19937 random(19);
        JumpingClock clock;
        for (int trial = 0; trial < 300; ++trial) {
            ScriptedNode node;
            node.chain.assign(20, 0);
            node::TipFollower follower(node, 10, clock, 1);
            Watched watched;
            int branch = 0;
            for (int step = 0; step < 30; ++step) {
                // A block has one hash for all that is below it: another branch each time.
                node.chain.resize(std::max<std::size_t>(node.chain.size() - random() % 5, 12));
                ++branch;
                for (auto more = random() % 40; more > 0; --more) node.chain.push_back(branch);
                node.calls_before = static_cast<int>(random() % 4);
                node.failures = static_cast<int>(random() % 3);
                for (int quiet = 0; quiet < 2;) {
                    const auto change = follower.look({});
                    if (!change) continue;
                    watched.apply(*change);
                    quiet = change->empty() ? quiet + 1 : 0;
                }
                QVERIFY2(watched.is(node, 10), qPrintable(QString::number(trial)));
                QCOMPARE(watched.wrong, 0);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestTipFollower)
#include "test_tip_follower.moc"
