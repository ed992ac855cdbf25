// The decoder against random blocks, damaged blocks and real blocks.
#include "base/file.h"
#include "chain/block.h"
#include "chain/commitments.h"
#include "chain/random_block.h"
#include "headers/shared_data.h"
#include "places.h"

#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <new>

using namespace blockloom;

namespace {

std::size_t allocated = 0; // bytes asked for since it was set to 0

Result<chain::Block> decode(const Bytes& bytes) {
    return chain::decode_block(nullptr, bytes, "block");
}

bool equal(ByteView a, ByteView b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// A small block with everything in it: both kinds of transactions, witnesses, a commitment.
model::Block small_block() {
    model::Dice dice(5);
    model::Block block = dice.block(1, 700'000, true);
    block.transactions.clear();
    model::Transaction coinbase;
    coinbase.inputs.push_back({{}, 0xffffffff, model::height_push(700'000), 0, {}});
    coinbase.outputs.push_back({50, {0x51}});
    model::Transaction legacy;
    legacy.inputs.push_back({dice.some_hash(), 1, {0x01, 0x51}, 7, {}});
    legacy.outputs = {{10, {0x51}}, {11, {}}};
    model::Transaction segwit = legacy;
    segwit.inputs.front() = {dice.some_hash(), 0, {}, 8, {{0x51}, {}, {1, 2, 3}}};
    block.transactions = {coinbase, legacy, segwit};
    model::commit_to_witnesses(block, Bytes(32, 0));
    model::set_merkle_root(block);
    return block;
}

bool all_hold(const chain::Block& block) {
    return block.checks.merkle && block.checks.witness_commitment == std::optional(true);
}

} // namespace

void* operator new(std::size_t size) {
    allocated += size;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

class TestDecode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decoding_gives_back_what_was_written() {
        model::Dice dice(1);
        for (int round = 0; round < 150; ++round) {
            const bool segwit = dice.once_in(2);
            const auto height =
                dice.once_in(3)
                    ? std::nullopt
                    : std::optional(static_cast<std::uint32_t>(17 + dice.below(8'000'000)));
            const model::Block expected =
                dice.block(1 + dice.below(dice.once_in(20) ? 300 : 12), height, segwit);
            const Bytes bytes = model::bytes_of(expected);
            const auto block = decode(bytes);
            QVERIFY2(block.ok(), block ? "" : block.error().message.c_str());
            compare(*block, expected);
            QCOMPARE(block->height.has_value(), height.has_value());
            if (height) QCOMPARE(*block->height, std::uint64_t{*height});
            QVERIFY(block->checks.merkle);
            QCOMPARE(block->checks.witness_commitment, segwit ? std::optional(true) : std::nullopt);
        }
    }

    void a_flipped_byte_never_goes_unnoticed() {
        const Bytes good = model::bytes_of(small_block());
        const auto reference = decode(good);
        QVERIFY(reference.ok() && all_hold(*reference));
        for (std::size_t at = 0; at < good.size(); ++at)
            for (const unsigned flip : {0x01u, 0x02u, 0x80u, 0xffu}) {
                Bytes bytes = good;
                bytes[at] = static_cast<Byte>(bytes[at] ^ flip);
                const auto block = decode(bytes);
                if (!block) continue;
                QVERIFY2(block->hash != reference->hash || !all_hold(*block),
                         qPrintable(QStringLiteral("byte %1").arg(at)));
            }
    }

    void every_truncation_and_every_addition_is_an_error() {
        const Bytes good = model::bytes_of(small_block());
        for (std::size_t size = 0; size < good.size(); ++size) {
            const Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
            const auto block = chain::decode_block(nullptr, bytes, "file.bin", 1000);
            QVERIFY(!block.ok());
            QCOMPARE(block.error().code, ErrorCode::bad_input);
            QVERIFY(block.error().message.starts_with("file.bin: offset 1"));
        }
        Bytes longer = good;
        longer.push_back(0);
        const auto block = chain::decode_block(nullptr, longer, "file.bin", 1000);
        QVERIFY(!block.ok());
        QVERIFY(block.error().message.starts_with("file.bin: offset " +
                                                  std::to_string(1000 + good.size()) + ":"));
        QVERIFY(block.error().message.find("1 trailing bytes") != std::string::npos);
    }

    // The memory asked for stays a small multiple of the input, whatever its counts say.
    void absurd_counts_are_refused_before_memory_is_asked_for() {
        const Bytes good = model::bytes_of(small_block());
        for (std::size_t at = 80; at < good.size(); ++at)
            for (const Bytes& count : {Bytes{0xfd, 0xff, 0xff}, Bytes{0xfe, 0xff, 0xff, 0xff, 0x7f},
                                       Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                       Bytes{0xff, 0, 0, 0, 0, 0, 0, 0, 0x80}}) {
                Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(at));
                model::put(bytes, count);
                bytes.insert(bytes.end(), good.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                             good.end());
                bytes.resize(bytes.size() + 5000); // room for counts that are merely wrong
                allocated = 0;
                const bool ok = decode(bytes).ok();
                const std::size_t asked = allocated;
                QVERIFY(!ok);
                QVERIFY2(asked < 16 * bytes.size() + 4096,
                         qPrintable(QStringLiteral("%1 bytes").arg(asked)));
            }
    }

    void memory_stays_a_small_multiple_of_the_densest_input() {
        model::Block block = small_block();
        model::Transaction dense;
        dense.inputs.push_back({{}, 0, {}, 0, {}});
        block.transactions.resize(2000, dense);
        dense.outputs.resize(20'000);
        block.transactions.push_back(dense);
        const Bytes bytes = model::bytes_of(block);
        allocated = 0;
        const bool ok = decode(bytes).ok();
        const std::size_t asked = allocated;
        QVERIFY(ok);
        QVERIFY2(asked < 16 * bytes.size(), qPrintable(QStringLiteral("%1").arg(asked)));
    }

    void a_merkle_root_that_repetition_forges_is_a_failed_check() {
        model::Dice dice(3);
        for (std::size_t tasks : {3u, 5u, 6u, 7u, 11u}) {
            model::Block block = dice.block(tasks, 700'000, false);
            const Hash256 root = block.merkle_root;
            // The last pair (or group) again: the same root, more transactions.
            std::size_t group = 1;
            while ((tasks / group) % 2 == 0) group *= 2;
            for (std::size_t i = tasks - group; i < tasks; ++i)
                block.transactions.push_back(block.transactions[i]);
            model::set_merkle_root(block);
            QCOMPARE(block.merkle_root, root);
            const auto decoded = decode(model::bytes_of(block));
            QVERIFY(decoded.ok());
            QVERIFY(!decoded->checks.merkle);
        }
    }

    void witness_commitments() {
        model::Dice dice(4);
        model::Block block = dice.block(4, 700'000, true);
        model::Transaction& coinbase = block.transactions.front();
        const auto check = [&] {
            model::set_merkle_root(block);
            const auto decoded = decode(model::bytes_of(block));
            return decoded ? decoded->checks.witness_commitment : std::nullopt;
        };
        QCOMPARE(check(), std::optional(true));
        // The last output that looks like a commitment counts; longer scripts may carry more.
        const model::Output commitment = coinbase.outputs.back();
        coinbase.outputs.insert(coinbase.outputs.begin(), commitment);
        coinbase.outputs.front().script[10] ^= 1;
        coinbase.outputs.back().script.push_back(0x51);
        QCOMPARE(check(), std::optional(true));
        std::swap(coinbase.outputs.front(), coinbase.outputs.back());
        QCOMPARE(check(), std::optional(false));
        std::swap(coinbase.outputs.front(), coinbase.outputs.back());
        const auto witness = coinbase.inputs.front().witness;
        coinbase.inputs.front().witness = {Bytes(31, 0)};
        QCOMPARE(check(), std::optional(false));
        coinbase.inputs.front().witness.clear();
        block.transactions.back().inputs.front().witness = {{1}};
        QCOMPARE(check(), std::optional(false));
        coinbase.inputs.front().witness = witness;
        QCOMPARE(check(), std::optional(false)); // another witness than was committed to
        coinbase.outputs.resize(1);
        coinbase.outputs.front().script = {0x51};
        QCOMPARE(check(), std::optional(false)); // witnesses and no commitment
    }

    void commitments_from_before_segwit_hold_with_zeros() {
        model::Dice dice(6);
        model::Block block = dice.block(4, 470'000, false);
        model::commit_to_witnesses(block, Bytes(32, 0));
        block.transactions.front().inputs.front().witness.clear();
        model::set_merkle_root(block);
        const auto decoded = decode(model::bytes_of(block));
        QVERIFY(decoded.ok());
        QCOMPARE(decoded->checks.witness_commitment, std::optional(true));
    }

    void heights_are_sane_minimal_pushes() {
        using chain::coinbase_height;
        const std::optional<std::uint64_t> nothing;
        QCOMPARE(coinbase_height(2, Bytes{0x03, 0x54, 0xf5, 0x0c}), std::optional(849236ul));
        QCOMPARE(coinbase_height(1, Bytes{0x03, 0x54, 0xf5, 0x0c}), nothing);
        QCOMPARE(coinbase_height(-1, Bytes{0x03, 0x54, 0xf5, 0x0c}), nothing);
        QCOMPARE(coinbase_height(2, Bytes{0x51}), std::optional(1ul));
        QCOMPARE(coinbase_height(2, Bytes{0x60}), std::optional(16ul));
        QCOMPARE(coinbase_height(2, Bytes{0x01, 0x11}), std::optional(17ul));
        QCOMPARE(coinbase_height(2, Bytes{0x02, 0x80, 0x00}), std::optional(128ul));
        QCOMPARE(coinbase_height(2, Bytes{0x01, 0x10}), nothing);       // 16 has an opcode
        QCOMPARE(coinbase_height(2, Bytes{0x02, 0x11, 0x00}), nothing); // padded
        QCOMPARE(coinbase_height(2, Bytes{0x01, 0x91}), nothing);       // negative
        QCOMPARE(coinbase_height(2, Bytes{0x03, 0x54, 0xf5}), nothing); // cut
        QCOMPARE(coinbase_height(2, Bytes{}), nothing);
        QCOMPARE(coinbase_height(2, Bytes{0x00}), nothing); // found by the fuzzer
        QCOMPARE(coinbase_height(2, Bytes{0x00, 0x11}), nothing);
        QCOMPARE(coinbase_height(2, Bytes{0x04, 0xff, 0xff, 0x00, 0x1d}), nothing); // bits
    }

    void errors_say_what_is_wrong() {
        const auto message = [](const model::Block& block) {
            const auto decoded = decode(model::bytes_of(block));
            return decoded ? std::string() : decoded.error().message;
        };
        model::Block block = small_block();
        block.transactions[1].inputs.clear();
        block.transactions[1].outputs.clear();
        QCOMPARE(QString::fromStdString(message(block)).contains(QLatin1String("marker 00")), true);
        block.transactions.clear();
        QCOMPARE(message(block), std::string("block: offset 80: expected at least one "
                                             "transaction, found none"));
        model::Block empty_stacks = small_block();
        Bytes bytes = model::bytes_of(empty_stacks);
        empty_stacks.transactions.resize(2);
        bytes.resize(80);
        bytes.push_back(1);
        model::put(bytes, model::bytes_of(small_block().transactions[1], true));
        const auto decoded = decode(bytes);
        QVERIFY(!decoded.ok());
        QVERIFY(decoded.error().message.find("only empty ones") != std::string::npos);
    }

    void real_blocks_keep_their_commitments() {
        NEEDS_SHARED_DATA("bitcoin");
        const std::filesystem::path folder = test::shared_data("bitcoin").toStdString();
        std::size_t seen = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const auto file = FileContent::read(entry.path());
            QVERIFY(file.ok());
            const auto block = chain::decode_block(nullptr, file->bytes(), entry.path().string());
            QVERIFY2(block.ok(), block ? "" : block.error().message.c_str());
            QVERIFY(block->checks.merkle);
            const std::string stem = entry.path().stem().string();
            const std::uint64_t height = std::stoull(stem.substr(stem.find_last_of('-') + 1));
            QCOMPARE(block->height, std::optional(height));
            const bool before_segwit = height < 481'824;
            QCOMPARE(block->checks.witness_commitment,
                     before_segwit ? std::nullopt : std::optional(true));
            ++seen;
        }
        QVERIFY(seen > 0);
    }

private:
    static void compare(const chain::Block& block, const model::Block& expected) {
        QCOMPARE(block.header.version, expected.version);
        QCOMPARE(block.header.previous, expected.previous);
        QCOMPARE(block.header.merkle_root, expected.merkle_root);
        QCOMPARE(block.header.time, expected.time);
        QCOMPARE(block.header.bits, expected.bits);
        QCOMPARE(block.header.nonce, expected.nonce);
        QCOMPARE(block.hash, model::block_hash(expected));
        QCOMPARE(block.transactions.size(), expected.transactions.size());
        for (std::size_t i = 0; i < expected.transactions.size(); ++i) {
            const model::Transaction& want = expected.transactions[i];
            const chain::Transaction& tx = block.transactions[i];
            QCOMPARE(tx.version, want.version);
            QCOMPARE(tx.locktime, want.locktime);
            QCOMPARE(tx.has_witness(), want.has_witness());
            QCOMPARE(block.txids[i], model::txid(want));
            QCOMPARE(block.wtxids[i], model::wtxid(want));
            QVERIFY(equal(block.bytes.subspan(tx.begin, tx.size),
                          model::bytes_of(want, want.has_witness())));
            QCOMPARE(std::size_t{tx.input_count}, want.inputs.size());
            QCOMPARE(std::size_t{tx.output_count}, want.outputs.size());
            for (std::uint32_t k = 0; k < tx.input_count; ++k) {
                const chain::Input& input = block.inputs[tx.first_input + k];
                QVERIFY(equal(block.outpoint(input).first(32), want.inputs[k].txid));
                QCOMPARE(read_le<std::uint32_t>(block.outpoint(input).data() + 32),
                         want.inputs[k].vout);
                QVERIFY(equal(block.script(input), want.inputs[k].script));
                QCOMPARE(input.sequence, want.inputs[k].sequence);
            }
            for (std::uint32_t k = 0; k < tx.output_count; ++k) {
                const chain::Output& output = block.outputs[tx.first_output + k];
                QCOMPARE(output.value, want.outputs[k].value);
                QVERIFY(equal(block.script(output), want.outputs[k].script));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDecode)
#include "test_decode.moc"
