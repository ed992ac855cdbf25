// What generated blocks say to Alkanes: decoding finds what was meant, and a replay from an empty
// state does what the recipe promises.
#include "alkanes/block_execution.h"
#include "alkanes/block_messages.h"
#include "alkanes/host_functions.h"
#include "recipes/chained_blocks.h"
#include "recipes/random.h"
#include "state/memory_state.h"

#include <QTest>

#include <map>
#include <set>

using namespace blockloom;
using recipes::Recipe;

namespace {

Recipe small(const std::string& name, const recipes::RecipeChanges& changes) {
    return recipes::with_changes(*recipes::find_recipe(name), changes);
}

const std::vector<std::string>& names() {
    static const std::vector<std::string> all{"demo",         "independent", "mixed",
                                              "amm",          "chained",     "mainnet-2025",
                                              "mainnet-2026", "adversarial"};
    return all;
}

std::shared_ptr<const chain::Block> decoded(const Bytes& bytes) {
    auto block = chain::decode_block(nullptr, bytes, "made");
    if (!block) qFatal("%s", block.error().message.c_str());
    return std::make_shared<chain::Block>(*std::move(block));
}

/// Replays a recipe's blocks; keeps the last execution of each.
struct Replay {
    std::vector<Bytes> bytes;
    std::vector<alkanes::BlockExecution> blocks;
    state::MemoryState state;

    explicit Replay(const Recipe& recipe, alkanes::Network network = alkanes::Network::mainnet) {
        alkanes::Runtime runtime(alkanes::host_imports, std::make_shared<alkanes::Contracts>());
        SilentProgress silent;
        recipes::ChainedBlocks generator(recipe);
        for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
            bytes.push_back(generator.next().bytes);
            const auto context = alkanes::open_block(decoded(bytes.back()),
                                                     {.network = network, .height = {}}, state);
            if (!context) qFatal("%s", context.error().message.c_str());
            auto execution = alkanes::execute_block(runtime, *context, state, {}, silent);
            if (!execution) qFatal("%s", execution.error().message.c_str());
            for (const state::Change& change : execution->changes)
                state.put(change.key, change.after);
            blocks.push_back(*std::move(execution));
        }
    }

    /// Messages of block `i` by status; the text of the first that failed goes to the log.
    [[nodiscard]] std::map<std::string, int> statuses(std::size_t i) const {
        std::map<std::string, int> seen;
        bool reported = false;
        for (const auto& tx : blocks[i].transactions)
            for (const auto& record : tx.records) {
                if (!record.is_message) continue;
                ++seen[name_of(record.status)];
                if (record.ok() || reported) continue;
                reported = true;
                qInfo("block %zu, transaction %u: %s (%s)", i, record.transaction,
                      record.text.c_str(), alkanes::id_text(record.target).c_str());
            }
        return seen;
    }
};

} // namespace

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decoding_finds_what_was_meant_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void decoding_finds_what_was_meant() {
        QFETCH(QString, name);
        const Recipe recipe = small(name.toStdString(), {.blocks = 4, .prefixed = 0.3});
        recipes::ChainedBlocks generator(recipe), again(recipe);
        for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
            const Bytes bytes = generator.next().bytes;
            QCOMPARE(again.next().bytes, bytes);
            const auto block = decoded(bytes);
            QVERIFY(block->checks.merkle);
            QCOMPARE(block->checks.witness_commitment, std::optional(true));
            const alkanes::BlockMessages found = alkanes::decode_messages(*block, true);
            QCOMPARE(found.protostones.size(), generator.meant().size());
            std::size_t tasks = 0;
            for (std::size_t k = 0; k < found.protostones.size(); ++k) {
                const auto& meant = generator.meant()[k];
                QCOMPARE(found.protostones[k].transaction, meant.transaction);
                QCOMPARE(found.protostones[k].place, meant.place);
                auto stone = meant.protostone; // edicts are ordered by id on their way
                std::stable_sort(stone.edicts.begin(), stone.edicts.end(),
                                 [](const auto& a, const auto& b) { return a.id < b.id; });
                QVERIFY(found.protostones[k].protostone == stone);
                tasks += stone.protocol == 1 ? 1 : 0;
            }
            QCOMPARE(tasks, std::size_t{generator.tasks()});
            if (i > 0)
                QCOMPARE(tasks, std::size_t{recipe.shapes[(i - 1) % recipe.shapes.size()].tasks});
        }
    }

    void any_knobs_give_the_tasks_asked_for() {
        recipes::Random random(5);
        for (int round = 0; round < 12; ++round)
            for (const std::string& name : names()) {
                Recipe recipe =
                    small(name, {.blocks = static_cast<std::uint32_t>(2 + round % 2),
                                 .tasks = static_cast<std::uint32_t>(1 + random.below(60)),
                                 .seed = random.next(),
                                 .skew = static_cast<double>(random.below(11)),
                                 .chained = static_cast<double>(random.below(5)) / 4,
                                 .contracts = static_cast<std::uint32_t>(random.below(40)),
                                 .prefixed = static_cast<double>(random.below(3)) / 2});
                for (recipes::BlockShape& shape : recipe.shapes) {
                    shape.joins = static_cast<double>(random.below(3)) / 2;
                    shape.lanes = static_cast<std::uint32_t>(1 + random.below(5));
                }
                recipes::ChainedBlocks generator(recipe);
                for (std::uint32_t i = 0; i < recipe.blocks; ++i) {
                    const Bytes bytes = generator.next().bytes; // the block lies in them
                    const auto block = decoded(bytes);
                    QVERIFY(block->checks.merkle);
                    QCOMPARE(alkanes::decode_messages(*block, true).protostones.size(),
                             generator.meant().size());
                    if (i > 0)
                        QCOMPARE(generator.tasks(),
                                 recipe.shapes[(i - 1) % recipe.shapes.size()].tasks);
                }
            }
    }

    void every_deployment_succeeds() { // with the least fuel too, which other networks give
        for (const auto network : {alkanes::Network::mainnet, alkanes::Network::blockloom})
            for (const std::string& name : names()) {
                const Replay replay(small(name, {.blocks = 2, .tasks = 40, .contracts = 5}),
                                    network);
                const auto statuses = replay.statuses(0);
                QCOMPARE(statuses.size(), std::size_t{1});
                QVERIFY(statuses.contains("success"));
                QVERIFY(replay.blocks[0].messages >= 7);
            }
    }

    void one_block_deploys_and_runs() {
        const Replay replay(small("mixed", {.blocks = 1, .tasks = 60, .contracts = 3}));
        QCOMPARE(replay.blocks.size(), std::size_t{1});
        QVERIFY(replay.blocks[0].tasks >= 70);
    }

    void independent_messages_share_no_key() {
        const Replay replay(small("independent", {.blocks = 3, .tasks = 100}));
        for (std::size_t i = 1; i < 3; ++i) {
            QCOMPARE(replay.blocks[i].succeeded, std::uint64_t{100});
            std::set<state::Key> written;
            for (const auto& tx : replay.blocks[i].transactions) {
                for (const auto& read : tx.log.reads) QVERIFY(!written.contains(read.key));
                for (const auto& [key, value] : tx.log.writes) QVERIFY(written.insert(key).second);
            }
        }
    }

    void reward_mints_share_the_reward() {
        const Replay replay(small("mainnet-2026", {.blocks = 3, .tasks = 500}));
        for (std::size_t i = 1; i < 3; ++i) {
            std::size_t mints = 0;
            std::set<u128> values;
            for (const auto& tx : replay.blocks[i].transactions)
                for (const auto& record : tx.records)
                    if (record.target == alkanes::AlkaneId{2, 0}) {
                        QVERIFY2(record.ok(), record.text.c_str());
                        ++mints;
                        for (const auto& transfer : record.transfers) values.insert(transfer.value);
                    }
            QVERIFY(mints >= 490);
            QCOMPARE(values.size(), std::size_t{1});
        }
        const Recipe whole = *recipes::find_recipe("mainnet-2026");
        QVERIFY(whole.shapes.front().tasks >= 3650 && whole.shapes.front().tasks <= 3750);
    }

    void most_of_amm_swaps() {
        const Replay replay(small("amm", {.blocks = 4, .tasks = 300, .contracts = 4}));
        for (std::size_t i = 1; i < 4; ++i) {
            auto seen = replay.statuses(i);
            int swaps = 0;
            for (const auto& tx : replay.blocks[i].transactions)
                for (const auto& record : tx.records)
                    swaps += record.ok() && record.opcode == u128{3} ? 1 : 0;
            QVERIFY2(swaps >= 240, qPrintable(QString::number(swaps)));
            QVERIFY(seen["success"] >= 290);
        }
    }

    void mixed_does_everything() {
        const Replay replay(small("mixed", {.blocks = 4, .tasks = 400, .contracts = 6}));
        std::map<u128, int> opcodes;
        int edicts = 0;
        for (const auto& block : replay.blocks)
            for (const auto& tx : block.transactions)
                for (const auto& record : tx.records) {
                    if (!record.is_message)
                        ++edicts;
                    else if (record.ok() && record.opcode)
                        ++opcodes[*record.opcode];
                }
        for (const u128 opcode : {0, 1, 2, 3, 11, 14, 77}) QVERIFY(opcodes[opcode] > 0);
        QVERIFY(edicts > 50);
        for (std::size_t i = 1; i < 4; ++i) QVERIFY(replay.statuses(i)["success"] >= 300);
    }

    void chained_messages_pass_tokens_on() {
        const Replay replay(small("chained", {.blocks = 3, .tasks = 400}));
        std::size_t inside = 0, swaps = 0;
        for (const auto& tx : replay.blocks[2].transactions) {
            for (const auto& record : tx.records)
                swaps += record.ok() && !record.incoming.empty() ? 1 : 0;
        }
        const auto block = decoded(replay.bytes[2]);
        const std::set<Hash256> txids(block->txids.begin(), block->txids.end());
        for (const chain::Input& input : block->inputs) {
            Hash256 txid{};
            std::memcpy(txid.data(), block->outpoint(input).data(), 32);
            inside += txids.contains(txid) ? 1 : 0;
        }
        QVERIFY2(inside >= 120, qPrintable(QString::number(inside)));
        QVERIFY2(swaps >= 20, qPrintable(QString::number(swaps)));
        const int succeeded = replay.statuses(2)["success"];
        QVERIFY2(succeeded >= 200, qPrintable(QString::number(succeeded)));
    }

    void one_chain_swaps_on_and_on() {
        Recipe recipe = small("chained", {.blocks = 2, .tasks = 200, .skew = 0, .chained = 1});
        recipe.shapes.front().lanes = 1;
        recipe.shapes.front().fan_out = 0;
        recipe.shapes.front().messages->mix = {.swap = 0.3, .transfer = 0.7};
        const Replay replay(recipe);
        const auto statuses = replay.statuses(1);
        QCOMPARE(statuses.size(), std::size_t{1});
        QVERIFY(statuses.at("success") >= 40);
    }

    void the_cap_is_met_in_the_middle() {
        Recipe recipe = small("mainnet-2025", {.blocks = 3, .tasks = 150});
        recipe.shapes.front().messages->cap = 100;
        const Replay replay(recipe);
        const auto first = replay.statuses(1), second = replay.statuses(2);
        QVERIFY(first.at("success") >= 90);
        QVERIFY(second.at("revert") > 100); // the busiest mint is used up
    }

    void the_adversary_reaches_every_end() {
        const Replay replay(small("adversarial", {.blocks = 4}));
        std::map<std::string, int> seen;
        std::size_t voids = 0;
        for (std::size_t i = 1; i < 4; ++i) {
            for (const auto& [status, count] : replay.statuses(i)) seen[status] += count;
            for (const auto& tx : replay.blocks[i].transactions)
                voids += tx.void_reason.empty() ? 0 : 1;
        }
        for (const char* status : {"success", "revert", "trap", "out_of_fuel", "error"})
            QVERIFY2(seen[status] > 0, status);
        QVERIFY(voids > 0);
        // The trap of stale reads ran whole: c = b + 1, and b grew by 7 each time.
        const Recipe recipe = *recipes::find_recipe("adversarial");
        const recipes::ContractIds ids(recipes::contract_counts(recipe));
        const auto c = replay.state.get(alkanes::storage_key(ids.misbehaving(0), "/c"));
        QVERIFY(c.ok() && *c);
        const u128 value = *u128_from_bytes(std::string((**c).data(), (**c).size()));
        QVERIFY(value > 1 && value % 7 == 1);
    }

    void prefixed_messages_are_candidates() {
        const Recipe recipe = small("chained", {.blocks = 3, .tasks = 200, .prefixed = 0.5});
        const Replay with(recipe, alkanes::Network::blockloom), without(recipe);
        QVERIFY(with.blocks[2].candidates + with.blocks[2].demoted > 40);
        QVERIFY(with.blocks[2].demoted > 0);
        QVERIFY(with.blocks[2].succeeded > without.blocks[2].succeeded); // mainnet knows no prefix
        QCOMPARE(without.blocks[2].candidates, 0u);
    }
};

QTEST_APPLESS_MAIN(TestMessages)
#include "test_messages.moc"
