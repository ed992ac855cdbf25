// Access sets of Bitcoin blocks: against a naive reference, and the published figures of real
// blocks.
#include "base/file.h"
#include "chain/random_block.h"
#include "headers/shared_data.h"
#include "places.h"
#include "trace/bitcoin.h"

#include <QTest>

#include <filesystem>
#include <map>
#include <set>
#include <string>

using namespace blockloom;
using trace::Mode;

namespace {

using Sets = std::vector<std::map<std::string, Mode>>; // per task: key name to mode

std::string key_name(const Hash256& txid, std::uint32_t place) {
    return "utxo:" + to_reversed_hex(txid) + ":" + std::to_string(place);
}

/// As the definition reads.
Sets naive(const model::Block& block) {
    Sets sets;
    for (const model::Transaction& tx : block.transactions) {
        auto& task = sets.emplace_back();
        for (const model::Input& input : tx.inputs) {
            const bool null = input.txid == Hash256{} && input.vout == 0xffffffff;
            if (!null) task[key_name(input.txid, input.vout)] = Mode::read_write;
        }
        const Hash256 txid = model::txid(tx);
        for (std::uint32_t place = 0; place < tx.outputs.size(); ++place)
            task[key_name(txid, place)] = Mode::write;
    }
    return sets;
}

std::shared_ptr<const trace::BlockTrace> trace_of(ByteView bytes, const std::string& place) {
    auto block = chain::decode_block(nullptr, bytes, place);
    if (!block) qFatal("%s", block.error().message.c_str());
    auto trace = trace::trace_block(std::make_shared<const chain::Block>(std::move(*block)));
    if (!trace) qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// The trace as names; fails if a task holds a key twice or an id is not below the count.
Sets as_names(const trace::BlockTrace& trace) {
    Sets sets;
    for (trace::TaskId task = 0; task < trace.tasks(); ++task) {
        auto& names = sets.emplace_back();
        for (const trace::Access access : trace.sets.of(task)) {
            if (access.key() >= trace.sets.key_count) qFatal("a key id too large");
            const bool is_new =
                names.emplace(trace.keys->printable(access.key()), access.mode()).second;
            if (!is_new) qFatal("a key twice in a task");
        }
    }
    return sets;
}

void compare(const model::Block& block) {
    const Bytes bytes = model::bytes_of(block);
    const auto trace = trace_of(bytes, "block.bin");
    const Sets expected = naive(block);
    QCOMPARE(as_names(*trace), expected);
    for (trace::TaskId task = 0; task < trace->tasks(); ++task)
        QCOMPARE(trace->names->printable(task),
                 to_reversed_hex(model::txid(block.transactions[task])));
    // Two ids never name the same key.
    std::map<std::string, trace::KeyId> ids;
    for (const trace::Access access : trace->sets.accesses) {
        const auto [at, is_new] = ids.emplace(trace->keys->printable(access.key()), access.key());
        QVERIFY(is_new || at->second == access.key());
    }
}

} // namespace

class TestBitcoin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void random_blocks_equal_the_naive_reference() {
        model::Dice dice(1);
        for (int round = 0; round < 150; ++round)
            compare(dice.block(1 + dice.below(30), 700'000, dice.once_in(2)));
    }

    void spends_of_later_and_absent_outputs() {
        model::Dice dice(2);
        model::Block block = dice.block(4, 700'000, false);
        auto& tasks = block.transactions;
        tasks[3].outputs.resize(2);
        tasks[1].inputs = {{model::txid(tasks[3]), 1, {}, 0, {}},  // made by a later task
                           {model::txid(tasks[3]), 2, {}, 0, {}},  // made by nobody
                           {model::txid(tasks[3]), 2, {}, 1, {}},  // and once more
                           {model::txid(tasks[3]), 1, {}, 1, {}}}; // and this
        tasks[2].inputs = {{Hash256{}, 0, {}, 0, {}},              // not the null outpoint
                           {Hash256{}, 0xfffffffe, {}, 0, {}},
                           {model::txid(tasks[3]), 0xffffffff, {}, 0, {}}};
        model::set_merkle_root(block);
        compare(block);
        const Bytes bytes = model::bytes_of(block);
        QCOMPARE(trace_of(bytes, "block.bin")->sets.of(1).size(), 2 + tasks[1].outputs.size());
    }

    void a_transaction_that_stands_twice_writes_the_same_keys() {
        model::Dice dice(3);
        model::Block block = dice.block(6, 700'000, false);
        block.transactions.push_back(block.transactions[2]);
        block.transactions.push_back(block.transactions[4]);
        block.transactions.push_back(block.transactions[2]);
        compare(block);
    }

    void blocks_are_named() {
        model::Dice dice(4);
        const Bytes reported = model::bytes_of(dice.block(2, 700'000, false));
        const Bytes untold = model::bytes_of(dice.block(2, std::nullopt, false));
        const auto named = trace_of(reported, "/x/some.bin");
        QCOMPARE(named->chain, std::string("bitcoin"));
        QCOMPARE(named->block.label, std::string("700000"));
        QCOMPARE(named->block.height, std::optional(700'000ul));
        QCOMPARE(named->block.hash, to_reversed_hex(model::hash(ByteView(reported).first(80))));
        QCOMPARE(trace_of(untold, "/x/some.bin")->block.label, std::string("some"));
        QCOMPARE(named->keys->kind(0), std::string("utxo"));
        QVERIFY(named->cost.empty());
    }

    void real_blocks_have_the_published_figures() {
        struct Figures {
            const char* file;
            std::size_t tasks, accesses, keys;
        };
        const Figures published[]{{"300025", 461, 4080, 2465},
                                  {"367891", 420, 42487, 21651},
                                  {"413567", 1557, 13353, 8180},
                                  {"482683", 12, 127, 76},
                                  {"849236", 2410, 22544, 12244},
                                  {"892614", 2489, 20908, 13382},
                                  {"testnet3-928848", 676, 29809, 18594},
                                  {"testnet3-928849", 993, 27452, 18847},
                                  {"testnet3-1087400", 97, 641, 426}};
        NEEDS_SHARED_DATA("bitcoin");
        const std::filesystem::path folder = test::shared_data("bitcoin").toStdString();
        for (const Figures& expected : published) {
            const auto file = FileContent::read(folder / (std::string(expected.file) + ".bin"));
            QVERIFY(file.ok());
            const auto trace = trace_of(file->bytes(), expected.file);
            std::size_t accesses = 0;
            std::set<trace::KeyId> keys;
            for (const trace::Access access : trace->sets.accesses) {
                accesses += access.count();
                keys.insert(access.key());
            }
            QCOMPARE(std::size_t{trace->tasks()}, expected.tasks);
            QCOMPARE(accesses, expected.accesses);
            QCOMPARE(keys.size(), expected.keys);
        }
    }
};

QTEST_APPLESS_MAIN(TestBitcoin)
#include "test_bitcoin.moc"
