// Generated blocks are valid, linked, the same for the same seed, and have the shape asked for.
#include "base/sha256.h"
#include "chain/block_source.h"
#include "chain/ordering.h"
#include "recipes/random.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace blockloom;
using recipes::BlockShape;
using recipes::Recipe;

namespace {

std::vector<Bytes> blocks_of(const Recipe& recipe) {
    auto blocks = recipes::make_blocks(recipe);
    if (!blocks) qFatal("%s", blocks.error().message.c_str());
    return std::move(*blocks);
}

chain::Block decoded(const Bytes& bytes) {
    auto block = chain::decode_block(nullptr, bytes, "made");
    if (!block) qFatal("%s", block.error().message.c_str());
    return std::move(*block);
}

Recipe with_shape(const BlockShape& shape, std::uint32_t blocks = 1) {
    Recipe recipe;
    recipe.blocks = blocks;
    recipe.shapes = {shape};
    return recipe;
}

/// For each task after the coinbase: its depth in the chains of spends inside the block.
std::vector<std::size_t> depths(const chain::Block& block) {
    std::map<Hash256, std::size_t> depth_of;
    std::vector<std::size_t> depths;
    for (std::size_t i = 0; i < block.transactions.size(); ++i) {
        const chain::Transaction& tx = block.transactions[i];
        std::size_t depth = 1;
        for (std::uint32_t k = 0; k < tx.input_count; ++k) {
            Hash256 txid{};
            std::memcpy(txid.data(), block.outpoint(block.inputs[tx.first_input + k]).data(), 32);
            const auto creator = depth_of.find(txid);
            if (creator != depth_of.end()) depth = std::max(depth, creator->second + 1);
        }
        depth_of[block.txids[i]] = depth;
        if (i > 0) depths.push_back(depth);
    }
    return depths;
}

std::size_t deepest(const BlockShape& shape) {
    const auto all = depths(decoded(blocks_of(with_shape(shape)).front()));
    return *std::max_element(all.begin(), all.end());
}

std::string error_of(const std::string& json) {
    const auto recipe = recipes::parse_recipe(as_bytes(json), "r.json");
    return recipe ? std::string() : recipe.error().message;
}

} // namespace

class TestRecipes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_named_recipe_makes_valid_linked_blocks() {
        for (Recipe recipe : recipes::named_recipes()) {
            recipe.blocks = std::min(recipe.blocks, 4u);
            const auto blocks = blocks_of(recipe);
            QCOMPARE(blocks.size(), std::size_t{recipe.blocks});
            std::set<std::string> spent; // no outpoint twice in the whole range
            std::map<std::string, std::uint64_t> value_of;
            Hash256 previous{};
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                const chain::Block block = decoded(blocks[i]);
                QVERIFY(block.checks.merkle);
                QCOMPARE(block.checks.witness_commitment, std::optional(true));
                QCOMPARE(block.height, std::optional(recipe.first_height + i));
                if (i > 0) QCOMPARE(block.header.previous, previous);
                previous = block.hash;
                QCOMPARE(block.header.bits, 0x207fffffu);
                QVERIFY(block.hash[31] <= 0x7f); // the target that these bits stand for
                if (!recipe.has_messages())
                    QCOMPARE(block.transactions.size(),
                             std::size_t{recipe.shapes[i % recipe.shapes.size()].tasks});
                check_coins(block, spent, value_of);
            }
        }
    }

    void the_same_seed_gives_the_same_bytes() {
        Recipe recipe = with_shape({.tasks = 200, .joins = 0.1}, 3);
        const auto first = blocks_of(recipe);
        QCOMPARE(blocks_of(recipe), first);
        recipe.seed = 2;
        QVERIFY(blocks_of(recipe) != first);
        // Pinned: a change of generator, library or machine that changes bytes shows here.
        Sha256 hasher;
        Hash256 digest{};
        for (const Bytes& block : blocks_of(*recipes::find_recipe("spends")))
            digest = hasher.once({digest, block});
        QCOMPARE(to_hex(digest),
                 std::string("019051455576238b1d7ef27ba14a9c9b63238cd0a9b9a086953f528b5615af74"));
    }

    void knobs_do_what_they_say() {
        const BlockShape none{.tasks = 500, .chained = 0, .joins = 0};
        const BlockShape one_chain{
            .tasks = 500, .chained = 1, .skew = 0, .lanes = 1, .fan_out = 0, .joins = 0};
        QCOMPARE(deepest(none), std::size_t{1});
        QCOMPARE(deepest(one_chain), std::size_t{499});
        BlockShape lanes = one_chain;
        lanes.lanes = 50;
        const std::size_t even = deepest(lanes);
        QVERIFY(even >= 10 && even < 30);
        lanes.skew = 1.5; // more on the first lane
        QVERIFY(deepest(lanes) > 4 * even);
        BlockShape wide = one_chain;
        wide.fan_out = 1;
        QVERIFY(deepest(wide) < 20);
        for (const double share : {0.2, 0.5, 0.8}) {
            BlockShape some{.tasks = 2000, .chained = share, .skew = 0.8, .lanes = 10};
            const auto all = depths(decoded(blocks_of(with_shape(some)).front()));
            const auto chained =
                std::count_if(all.begin(), all.end(), [](std::size_t depth) { return depth > 1; });
            QVERIFY(std::abs(static_cast<double>(chained) / 2000 - share) < 0.05);
        }
    }

    void a_chain_never_runs_dry() {
        const BlockShape shape{.tasks = 50'000, .chained = 1, .skew = 0, .lanes = 1, .fan_out = 0};
        QCOMPARE(deepest(shape), std::size_t{49'999});
    }

    void the_demo_has_variety() {
        const Recipe demo = recipes::demo_recipe();
        const auto blocks = blocks_of(demo);
        QCOMPARE(blocks.size(), std::size_t{27});
        double least = 1e9, most = 0;
        for (std::size_t i = 1; i < blocks.size(); ++i) { // the first one deploys
            const auto all = depths(decoded(blocks[i]));
            QVERIFY2(all.size() >= 295 && all.size() <= 2500,
                     qPrintable(QString::number(all.size())));
            const double levels = static_cast<double>(*std::max_element(all.begin(), all.end()));
            least = std::min(least, levels / static_cast<double>(all.size()));
            most = std::max(most, levels / static_cast<double>(all.size()));
        }
        QVERIFY(least < 0.01); // all at once
        QVERIFY(most > 0.99);  // one after the other
    }

    void changes_reach_every_shape() {
        const Recipe changed = recipes::with_changes(recipes::demo_recipe(), {.blocks = 3,
                                                                              .tasks = 50,
                                                                              .seed = 9,
                                                                              .skew = 1,
                                                                              .chained = 0,
                                                                              .contracts = 7,
                                                                              .prefixed = 0.5});
        QCOMPARE(changed.blocks, 3u);
        QCOMPARE(changed.seed, std::uint64_t{9});
        for (const BlockShape& shape : changed.shapes) {
            QCOMPARE(shape.tasks, 50u);
            QCOMPARE(shape.skew, 1.0);
            QCOMPARE(shape.chained, 0.0);
            QCOMPARE(shape.messages->contracts, 7u);
            QCOMPARE(shape.messages->prefixed, 0.5);
        }
        QCOMPARE(recipes::with_changes(recipes::demo_recipe(), {}), recipes::demo_recipe());
    }

    void recipes_are_read_from_json() {
        for (const Recipe& recipe : recipes::named_recipes()) {
            const auto again = recipes::parse_recipe(as_bytes(recipes::to_json(recipe)), "r.json");
            QVERIFY2(again.ok(), again ? "" : again.error().message.c_str());
            QCOMPARE(*again, recipe);
        }
        const auto some = recipes::parse_recipe(
            as_bytes(R"({"recipe":"serial","tasks":70,"seed":3,"shapes":[{},{"lanes":4}]})"),
            "r.json");
        QVERIFY(some.ok());
        QCOMPARE(some->blocks, 2u);
        const auto said = recipes::parse_recipe(
            as_bytes(R"({"recipe":"amm","shapes":[{},{"messages":{"plain":2}}]})"), "r.json");
        QVERIFY2(said.ok(), said ? "" : said.error().message.c_str());
        QCOMPARE(said->blocks, 3u); // one more, which deploys
        QCOMPARE(said->shapes[1].messages->plain, 2.0);
        QCOMPARE(said->shapes[1].messages->mix.swap, 0.92);
        QCOMPARE(some->seed, std::uint64_t{3});
        QCOMPARE(some->shapes[0].chained, 1.0);
        QCOMPARE(some->shapes[1].lanes, 4u);
        QCOMPARE(some->shapes[1].tasks, 70u);
    }

    void wrong_recipes_say_what_is_wrong() {
        QCOMPARE(error_of("{"), std::string("r.json: offset 2: expected JSON, found its end"));
        QCOMPARE(error_of("[]"), std::string("r.json: expected an object, found []"));
        QVERIFY(error_of(R"({"taks":5})").find("found taks") != std::string::npos);
        QCOMPARE(
            error_of(R"({"tasks":-5})"),
            std::string("r.json: tasks: expected a whole number from 0 to 4294967295, found -5"));
        QVERIFY(error_of(R"({"tasks":4294967296})").find("from 0 to 4294967295") !=
                std::string::npos);
        QVERIFY(error_of(R"({"tasks":0})").find("tasks: expected 1 to") != std::string::npos);
        QVERIFY(error_of(R"({"chained":1.5})").find("from 0 to 1, found 1.5") != std::string::npos);
        QVERIFY(error_of(R"({"chained":"x"})").find("a number, found \"x\"") != std::string::npos);
        QVERIFY(error_of(R"({"skew":1e300})").find("skew") != std::string::npos);
        QVERIFY(error_of(R"({"recipe":"nope"})").find("the name of a recipe") != std::string::npos);
        QVERIFY(error_of(R"({"shapes":[]})").find("at least one") != std::string::npos);
        QVERIFY(error_of(R"({"shapes":[{},{"x":1}]})").find("shapes[1]") != std::string::npos);
        QVERIFY(error_of(R"({"shapes":[5]})").find("shapes[0]: expected an object, found 5") !=
                std::string::npos);
        QVERIFY(error_of(R"({"blocks":0})").find("blocks: expected 1 to") != std::string::npos);
        QVERIFY(error_of(std::string(100'000, '[')).find("at most 8 nested arrays") !=
                std::string::npos);
        QVERIFY(error_of(R"({"messages":5})").find("messages: expected an object") !=
                std::string::npos);
        QVERIFY(error_of(R"({"messages":{"swaps":1}})")
                    .find("messages.swaps: expected one of contracts") != std::string::npos);
        QVERIFY(error_of(R"({"messages":{"prefixed":2}})").find("prefixed") != std::string::npos);
        QVERIFY(error_of(R"({"messages":{"swap":-1}})").find("weights") != std::string::npos);
        QVERIFY(error_of(R"({"messages":{"free_mint":0}})").find("one above 0") !=
                std::string::npos);
        QVERIFY(error_of(R"({"shapes":[{},{"messages":{}}]})").find("all shapes or in none") !=
                std::string::npos);
        const auto unknown = recipes::find_recipe("no such recipe");
        QVERIFY(!unknown.ok());
        QVERIFY(unknown.error().message.find("demo, independent, mixed") != std::string::npos);
        Recipe bad;
        bad.shapes.clear();
        QVERIFY(!recipes::make_blocks(bad).ok());
        bad.shapes = {BlockShape{.skew = std::nan("")}};
        QVERIFY(!recipes::make_blocks(bad).ok());
    }

    void written_blocks_are_a_source() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("made")).toStdString();
        const Recipe recipe = with_shape({.tasks = 30}, 12);
        SilentProgress silent;
        QVERIFY(recipes::write_blocks(path, recipe, silent).ok());
        const auto blocks = blocks_of(recipe);
        const auto listing = chain::list_blocks(std::vector{path}, silent);
        QVERIFY(listing.ok());
        QVERIFY(listing->notes.empty() && listing->malformed.empty());
        QCOMPARE(listing->blocks.size(), blocks.size());
        const auto order = chain::order_blocks(listing->blocks);
        QVERIFY(order.off_chain.empty());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto block = chain::load_block(listing->blocks[order.order[i]]);
            QVERIFY(block.ok());
            QVERIFY(std::equal(block->bytes.begin(), block->bytes.end(), blocks[i].begin(),
                               blocks[i].end()));
        }
        QFile manifest(folder.filePath(QStringLiteral("made/synth.json")));
        QVERIFY(manifest.open(QIODevice::ReadOnly));
        const QByteArray text = manifest.readAll();
        QVERIFY(text.contains("\"chain\": \"bitcoin\""));
        QVERIFY(text.contains(to_reversed_hex(listing->blocks.front().hash).c_str()));
        SilentProgress quiet;
        const Recipe said = recipes::with_changes(*recipes::find_recipe("mixed"),
                                                  {.blocks = 2, .tasks = 20, .prefixed = 0.5});
        QVERIFY(recipes::write_blocks(path, said, quiet).ok());
        QFile said_manifest(folder.filePath(QStringLiteral("made/synth.json")));
        QVERIFY(said_manifest.open(QIODevice::ReadOnly));
        const QByteArray said_text = said_manifest.readAll();
        QVERIFY(said_text.contains("\"chain\": \"alkanes\""));
        QVERIFY(said_text.contains("\"network\": \"blockloom\""));
        std::stop_source stop;
        stop.request_stop();
        const Status stopped = recipes::write_blocks(path, recipe, silent, stop.get_token());
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
    }

    void random_numbers_are_spread_as_asked() {
        recipes::Random random(1);
        std::array<int, 10> seen{};
        for (int i = 0; i < 100'000; ++i) ++seen[random.below(10)];
        for (const int count : seen) QVERIFY(std::abs(count - 10'000) < 500);
        const recipes::Zipf zipf(4, 1); // 12 : 6 : 4 : 3
        std::array<int, 4> ranks{};
        for (int i = 0; i < 100'000; ++i) ++ranks[zipf.draw(random)];
        for (std::size_t rank = 0; rank < 4; ++rank)
            QVERIFY(std::abs(ranks[rank] - 48'000 / static_cast<int>(rank + 1)) < 1000);
    }

private:
    /// Nothing is spent twice, nothing more than it is worth; known outputs only after they were
    /// made.
    static void check_coins(const chain::Block& block, std::set<std::string>& spent,
                            std::map<std::string, std::uint64_t>& value_of) {
        for (std::size_t i = 0; i < block.transactions.size(); ++i) {
            const chain::Transaction& tx = block.transactions[i];
            std::uint64_t in = 0, out = 0;
            bool all_known = true;
            for (std::uint32_t k = 0; i > 0 && k < tx.input_count; ++k) {
                const std::string outpoint =
                    to_hex(block.outpoint(block.inputs[tx.first_input + k]));
                QVERIFY(spent.insert(outpoint).second);
                const auto known = value_of.find(outpoint);
                all_known &= known != value_of.end();
                if (known != value_of.end()) in += known->second;
            }
            for (std::uint32_t k = 0; k < tx.output_count; ++k) {
                const std::uint64_t value = block.outputs[tx.first_output + k].value;
                out += value;
                Bytes outpoint(block.txids[i].begin(), block.txids[i].end());
                append_le(outpoint, k);
                QVERIFY(!spent.contains(to_hex(outpoint))); // never spent before it is made
                value_of[to_hex(outpoint)] = value;
            }
            if (i > 0 && all_known) QVERIFY(out <= in);
        }
    }
};

QTEST_APPLESS_MAIN(TestRecipes)
#include "test_recipes.moc"
