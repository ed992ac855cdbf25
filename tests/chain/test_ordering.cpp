// Order by links, against a naive reference on random trees.
#include "chain/ordering.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace blockloom;
using chain::ChainLink;

namespace {

constexpr std::uint32_t easy = 0x207fffff, hard = 0x1f00ffff;

Hash256 name(std::uint64_t number) {
    Hash256 hash{};
    std::memcpy(hash.data(), &number, sizeof number);
    hash[31] = 1; // none is all zeros
    return hash;
}

/// A chain of `count` blocks named from `first` on, after block `previous`.
std::vector<ChainLink> chain_of(std::uint64_t first, std::size_t count, std::uint64_t previous,
                                std::optional<std::uint64_t> height = {}) {
    std::vector<ChainLink> links;
    for (std::size_t i = 0; i < count; ++i)
        links.push_back({name(first + i), name(i == 0 ? previous : first + i - 1), easy,
                         height ? std::optional(*height + i) : std::nullopt});
    return links;
}

std::vector<Hash256> hashes(const std::vector<ChainLink>& links, const chain::ChainOrder& order) {
    std::vector<Hash256> result;
    for (const std::size_t block : order.order) result.push_back(links[block].hash);
    return result;
}

std::vector<Hash256> names_from(std::uint64_t first, std::size_t count) {
    std::vector<Hash256> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(name(first + i));
    return result;
}

void add(std::vector<ChainLink>& to, const std::vector<ChainLink>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

class TestOrdering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_shuffled_chain_finds_its_order() {
        std::mt19937_64 random(1);
        for (int round = 0; round < 50; ++round) {
            auto links = chain_of(100, 60, 99);
            std::shuffle(links.begin(), links.end(), random);
            links[round % 60].height = 500 + read_le<std::uint64_t>(links[round % 60].hash.data());
            const auto order = chain::order_blocks(links);
            QCOMPARE(hashes(links, order), names_from(100, 60));
            QVERIFY(order.off_chain.empty());
            for (std::size_t i = 0; i < links.size(); ++i) // reported by one, inferred for all
                QCOMPARE(order.heights[i],
                         std::optional(500 + read_le<std::uint64_t>(links[i].hash.data())));
        }
    }

    void the_branch_with_most_work_wins() {
        auto links = chain_of(100, 5, 99, 10);
        add(links, chain_of(200, 4, 102)); // longer: 102 + 4 against 102 + 2
        auto order = chain::order_blocks(links);
        std::vector<Hash256> expected = names_from(100, 3);
        for (const Hash256& hash : names_from(200, 4)) expected.push_back(hash);
        QCOMPARE(hashes(links, order), expected);
        QCOMPARE(order.off_chain.size(), std::size_t{2});
        for (const auto& left : order.off_chain) {
            QVERIFY(left.stale);
            QVERIFY(left.reason.find(to_reversed_hex(name(203))) != std::string::npos);
        }
        QCOMPARE(order.heights[8], std::optional(16ul)); // inferred along the link

        links[3].bits = links[4].bits = hard; // fewer blocks, more work
        order = chain::order_blocks(links);
        QCOMPARE(hashes(links, order), names_from(100, 5));
        QCOMPARE(order.off_chain.size(), std::size_t{4});
    }

    void of_equal_branches_the_first_seen_wins() {
        auto links = chain_of(100, 3, 99);
        add(links, chain_of(200, 2, 100));
        QCOMPARE(hashes(links, chain::order_blocks(links)), names_from(100, 3));
        std::rotate(links.begin(), links.begin() + 3, links.end()); // now 200, 201 come first
        QCOMPARE(hashes(links, chain::order_blocks(links)),
                 (std::vector{name(100), name(200), name(201)}));
    }

    void siblings_of_a_missing_parent_compete() {
        auto links = chain_of(100, 1, 99, 7);
        add(links, chain_of(200, 2, 99));
        const auto order = chain::order_blocks(links);
        QCOMPARE(hashes(links, order), names_from(200, 2));
        QCOMPARE(order.heights[2], std::optional(8ul));
    }

    void unlinked_blocks_follow_by_height() {
        std::vector<ChainLink> links;
        add(links, chain_of(500, 2, 1));         // no height: last
        add(links, chain_of(300, 3, 2, 30'000)); // reported
        add(links, chain_of(100, 3, 3, 10'000));
        add(links, chain_of(600, 1, 4));
        add(links, chain_of(200, 2, 5, 20'000));
        const auto order = chain::order_blocks(links);
        std::vector<Hash256> expected = names_from(100, 3);
        for (const auto& more :
             {names_from(200, 2), names_from(300, 3), names_from(500, 2), names_from(600, 1)})
            expected.insert(expected.end(), more.begin(), more.end());
        QCOMPARE(hashes(links, order), expected);
        QVERIFY(!order.heights[0].has_value());
    }

    void duplicates_count_once() {
        auto links = chain_of(100, 4, 99);
        links.push_back(links[2]);
        links.push_back(links[2]);
        const auto order = chain::order_blocks(links);
        QCOMPARE(hashes(links, order), names_from(100, 4));
        QCOMPARE(order.off_chain.size(), std::size_t{2});
        QVERIFY(!order.off_chain.front().stale);
    }

    void told_heights_that_disagree_are_outvoted() {
        auto links = chain_of(100, 5, 99, 1000);
        links[0].height = 3;
        links[4].height = 0; // below its depth: cannot be
        const auto order = chain::order_blocks(links);
        for (std::size_t i = 0; i < links.size(); ++i)
            QCOMPARE(order.heights[i], std::optional(1000 + i));
    }

    void circles_are_left_out() {
        std::vector<ChainLink> links = chain_of(100, 2, 99);
        links.push_back({name(1), name(2), easy, {}});
        links.push_back({name(2), name(1), easy, {}});
        links.push_back({name(3), name(3), easy, {}});
        links.push_back({name(4), name(3), easy, {}});
        const auto order = chain::order_blocks(links);
        QCOMPARE(hashes(links, order), names_from(100, 2));
        QCOMPARE(order.off_chain.size(), std::size_t{4});
        QVERIFY(chain::order_blocks(std::span<const ChainLink>{}).order.empty());
    }

    void random_trees_equal_the_naive_reference() {
        std::mt19937_64 random(7);
        for (int round = 0; round < 300; ++round) {
            const std::size_t count = 1 + random() % 25;
            std::vector<ChainLink> links;
            for (std::size_t i = 0; i < count; ++i)
                links.push_back({name(100 + i), name(99 + (i == 0 ? 0 : random() % (i + 1))),
                                 random() % 4 == 0 ? hard : easy, std::nullopt});
            std::shuffle(links.begin(), links.end(), random);
            const auto order = chain::order_blocks(links);
            QCOMPARE(hashes(links, order), naive_best(links));
            QCOMPARE(order.order.size() + order.off_chain.size(), count);
        }
    }

    // A parent-to-child recursion would end here; a quadratic pass would not end.
    void half_a_million_blocks() {
        std::mt19937_64 random(8);
        auto links = chain_of(1000, 500'000, 999, 1);
        std::shuffle(links.begin(), links.end(), random);
        const auto order = chain::order_blocks(links);
        QCOMPARE(order.order.size(), links.size());
        QCOMPARE(links[order.order.front()].hash, name(1000));
        QCOMPARE(links[order.order.back()].hash, name(500'999));
        std::vector<ChainLink> apart; // as many blocks without a link between them
        for (std::uint64_t i = 0; i < 200'000; ++i)
            apart.push_back({name(1'000'000 + 2 * i), name(1'000'001 + 2 * i), easy, 200'000 - i});
        QCOMPARE(chain::order_blocks(apart).order.front(), std::size_t{199'999});
    }

private:
    /// All blocks hang on block 99, which is missing. Walks every block's branch up.
    static std::vector<Hash256> naive_best(const std::vector<ChainLink>& links) {
        std::map<Hash256, const ChainLink*> by_hash;
        for (const ChainLink& link : links) by_hash[link.hash] = &link;
        std::vector<Hash256> best;
        std::uint64_t most = 0;
        for (const ChainLink& tip : links) {
            std::vector<Hash256> branch;
            std::uint64_t work = 0;
            for (auto at = by_hash.find(tip.hash); at != by_hash.end();
                 at = by_hash.find(at->second->previous)) {
                branch.insert(branch.begin(), at->first);
                // 2^256 / target of the two targets that are used here
                work += at->second->bits == easy ? 2 : 65'537;
            }
            if (work > most) {
                most = work;
                best = branch;
            }
        }
        return best;
    }
};

QTEST_APPLESS_MAIN(TestOrdering)
#include "test_ordering.moc"
