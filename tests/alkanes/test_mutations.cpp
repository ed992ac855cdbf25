// Broken inputs: valid ones with random changes never crash and keep every promise of checks.h.
#include "alkanes/checks.h"
#include "alkanes/message_blocks.h"

#include <QTest>

#include <random>

using namespace blockloom;

namespace {

/// A few bytes changed, put in, or taken out, or the end cut off.
Bytes damaged(Bytes bytes, std::mt19937_64& random) {
    for (std::uint64_t n = 1 + random() % 4; n > 0 && !bytes.empty(); --n) {
        const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
        const auto value = static_cast<Byte>(random());
        switch (random() % 4) {
        case 0:
            bytes[static_cast<std::size_t>(at)] = value;
            break;
        case 1:
            bytes.insert(bytes.begin() + at, value);
            break;
        case 2:
            bytes.erase(bytes.begin() + at);
            break;
        default:
            bytes.resize(static_cast<std::size_t>(at));
        }
    }
    return bytes;
}

} // namespace

class TestMutations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runestones() {
        std::mt19937_64 random(11);
        for (int i = 0; i < 2'000; ++i) {
            const Bytes script = alkanes::encode_runestone(stones::runestone(random, 3));
            for (int j = 0; j < 5; ++j)
                stones::check_runestone(damaged({script.begin() + 2, script.end()}, random), 3);
        }
    }

    void protocol_fields() {
        std::mt19937_64 random(12);
        for (int i = 0; i < 5'000; ++i) {
            std::vector<u128> field = alkanes::encode_protostones(stones::protostones(random));
            if (field.empty()) continue;
            field[random() % field.size()] ^= u128{random() % 256} << 8 * (random() % 16);
            stones::check_protocol(field);
        }
    }

    void envelopes() {
        std::mt19937_64 random(13);
        for (int i = 0; i < 1'000; ++i) {
            Bytes code(random() % 4'000);
            for (Byte& byte : code) byte = static_cast<Byte>(random() % 5);
            const Bytes script = alkanes::envelope_script(*alkanes::deflate_code(code));
            stones::check_envelopes(script);
            for (int j = 0; j < 5; ++j) stones::check_envelopes(damaged(script, random));
        }
    }

    /// Scripts of the outputs are no part of what a block checks, so whole blocks decode.
    void blocks() {
        std::mt19937_64 random(14);
        std::size_t flaws = 0, voided = 0, messages = 0;
        for (int i = 0; i < 20; ++i) {
            std::vector<model::Transaction> transactions;
            for (int j = 0; j < 40; ++j) {
                const Bytes script = alkanes::encode_runestone(stones::runestone(random, 2));
                Bytes changed = damaged({script.begin() + 2, script.end()}, random);
                changed.insert(changed.begin(), {Byte{0x6a}, Byte{0x5d}});
                transactions.push_back(stones::carrying(j % 2 == 0 ? script : changed));
            }
            const Bytes bytes = stones::block_bytes(transactions);
            const auto block = chain::decode_block(nullptr, bytes, "made");
            QVERIFY(block);
            const auto found = alkanes::decode_messages(*block, true);
            QCOMPARE(found.transactions.size(), transactions.size());
            std::size_t placed = 0, sent = 0;
            for (const auto& tx : found.transactions) {
                QCOMPARE(std::size_t{tx.first_protostone}, placed);
                QCOMPARE(std::size_t{tx.first_message}, sent);
                placed += tx.protostone_count;
                sent += tx.message_count;
                flaws += tx.runestone.flaw ? 1U : 0U;
                voided += tx.void_reason ? 1U : 0U;
            }
            QCOMPARE(found.protostones.size(), placed);
            QCOMPARE(found.messages.size(), sent);
            messages += sent;
        }
        QVERIFY(flaws > 50 && voided > 5 && messages > 50);
    }
};

QTEST_APPLESS_MAIN(TestMutations)
#include "test_mutations.moc"
