// A contract that asks for its balance, the next id and its block: devices answer from the batch's
// tables once they have seen that it does, and the answer is the serial one, whoever changed what
// it reads.
#include "alkanes/envelope.h"
#include "alkanes/wat_contract.h"
#include "compute/cpu/cpu_provider.h"
#include "compute/faults/renamed_provider.h"
#include "execute/first_difference.h"
#include "execute/message_blocks.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"

#include <QTest>

#include <set>

using namespace blockloom;
using alkanes::Engine;
using execute::ReplayOptions;
using execute::Strategy;

namespace {

// Issues tokens of its own with each call, five if it holds none, some of which the next block pays
// in again. The data of its
// response: its balance of them, the next id, the size of the block, its first 80 bytes and its
// last 32. The second id is a longer buffer.
const char* const body = R"(
 (local $block i32)
 (drop (call $load_context (i32.const 4100)))
 (i32.store (i32.const 4996) (i32.const 32))
 (memory.copy (i32.const 5000) (i32.const 4100) (i32.const 32))
 (i32.store (i32.const 5096) (i32.const 40))
 (memory.copy (i32.const 5100) (i32.const 4100) (i32.const 32))
 (call $balance (i32.const 5000) (i32.const 5100) (i32.const 6000))
 (call $sequence (i32.const 6100))
 (local.set $block (call $request_block))
 (call $load_block (i32.const 8192))
 (i64.store (i32.const 2048) (i64.const 1))
 (memory.copy (i32.const 2064) (i32.const 4100) (i32.const 32))
 (i64.store (i32.const 2096)
  (select (i64.const 5) (i64.const 1) (i64.eqz (i64.load (i32.const 6000)))))
 (memory.copy (i32.const 2116) (i32.const 5996) (i32.const 20))
 (memory.copy (i32.const 2136) (i32.const 6096) (i32.const 20))
 (i32.store (i32.const 2156) (local.get $block))
 (memory.copy (i32.const 2160) (i32.const 8192) (i32.const 80))
 (memory.copy (i32.const 2240) (i32.add (i32.const 8160) (local.get $block)) (i32.const 32))
 (call $reply (i32.const 224))
)";

constexpr std::uint32_t contracts = 4, messages = 48;
constexpr std::uint64_t first_number = 900;

std::vector<execute::ReplaySource> make_blocks() {
    tests::MessageBlocks writer;
    std::vector<execute::ReplaySource> blocks;
    const auto packed = alkanes::deflate_code(calls::contract(body));
    writer.begin();
    for (std::uint32_t i = 0; i < contracts; ++i)
        (void)writer.say({3, first_number + i}, {0}, writer.coin(),
                         alkanes::envelope_witness(*packed));
    blocks.push_back(writer.end());
    std::vector<recipes::Coin> issued;
    for (int block = 0; block < 5; ++block) {
        const std::vector<recipes::Coin> paid = std::move(issued);
        issued.clear();
        writer.begin();
        for (std::uint32_t i = 0; i < messages; ++i) {
            // Every third pays in what was issued to it; one in the middle takes the next id.
            const bool pays = i % 3 == 0 && i < paid.size();
            issued.push_back(
                writer.say({4, first_number + i % contracts}, {7}, pays ? paid[i] : writer.coin()));
            if (i == messages / 2)
                (void)writer.say({1, 0}, {0}, writer.coin(), alkanes::envelope_witness(*packed));
        }
        blocks.push_back(writer.end());
    }
    return blocks;
}

} // namespace

class TestDeviceTables : public QObject {
    Q_OBJECT

    std::vector<execute::ReplaySource> sources_;
    tests::ReplayedBlocks truth_;

    static ReplayOptions options() {
        ReplayOptions made;
        made.engine = Engine::interpreter;
        made.contracts = std::make_shared<alkanes::Contracts>();
        return made;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        sources_ = make_blocks();
        auto blocks = tests::replay(sources_, options());
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        truth_ = *std::move(blocks);
        // What it is asked differs within a block and between blocks.
        std::set<std::string> balances, ids, tails;
        for (const auto& block : truth_)
            for (const auto& tx : block->execution->transactions)
                for (const auto& record : tx.records) {
                    QVERIFY2(record.ok(), record.text.c_str());
                    const std::string_view data = record.data.view();
                    QCOMPARE(data.size(), std::size_t{156});
                    balances.emplace(data.substr(4, 16));
                    ids.emplace(data.substr(24, 16));
                    tails.emplace(data.substr(40));
                }
        QVERIFY(balances.size() >= 6);
        QVERIFY(ids.size() > 5);
        QCOMPARE(tails.size(), sources_.size());
    }

    void devices_answer_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<int>("strategy");
        for (const char* const device : {"simt", "profiled", "vulkan"})
            for (const Strategy strategy : {Strategy::speculative, Strategy::predict})
                QTest::addRow("%s, %s", device, execute::name_of(strategy))
                    << QString::fromLatin1(device) << static_cast<int>(strategy);
    }
    void devices_answer() {
        QFETCH(QString, device);
        QFETCH(int, strategy);
        ReplayOptions on_device = options();
        on_device.strategy.strategy = static_cast<Strategy>(strategy);
        on_device.strategy.workers = 2;
        on_device.device_options.wait_for_code = true;
        Engine expected = Engine::simt;
        if (device == QStringLiteral("vulkan")) {
            on_device.device = tests::open_vulkan_device();
            if (on_device.device == nullptr) QSKIP("no Vulkan device");
            expected = Engine::vulkan;
        } else {
            on_device.device = compute::open_lanes();
            on_device.device_options.tapes = 0; // a call of the host ejects a lane
            if (device == QStringLiteral("profiled")) {
                on_device.device = compute::renamed(compute::open_lanes(), "cuda");
                expected = Engine::cuda;
            }
        }
        const auto blocks = tests::replay(sources_, on_device);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        for (std::size_t i = 0; i < truth_.size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *truth_[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
        }
        std::uint64_t on_it = 0;
        for (const auto& tx : blocks->back()->execution->transactions)
            for (const auto& record : tx.records) on_it += record.engine == expected;
        QVERIFY(on_it >= messages / 2);
        const auto& ejected = blocks->back()->rounds.ejected;
        QVERIFY(!ejected.contains("tapes"));
    }
};

QTEST_MAIN(TestDeviceTables)
#include "test_device_tables.moc"
