#include "recipes/block_writer.h"

#include "chain/commitments.h"

#include <algorithm>

namespace blockloom::recipes {

namespace {

constexpr Byte op_true = 0x51;
constexpr std::uint32_t regtest_bits = 0x207fffff;
constexpr std::string_view coinbase_tag = "/blockloom/";

void append(Bytes& to, ByteView bytes) {
    if (bytes.empty()) return;
    const std::size_t at = to.size();
    to.resize(at + bytes.size());
    std::memcpy(to.data() + at, bytes.data(), bytes.size());
}

void append_compact_size(Bytes& to, std::uint64_t value) {
    if (value < 0xfd) {
        to.push_back(static_cast<Byte>(value));
    } else if (value <= 0xffff) {
        to.push_back(0xfd);
        append_le(to, static_cast<std::uint16_t>(value));
    } else {
        to.push_back(0xfe);
        append_le(to, static_cast<std::uint32_t>(value));
    }
}

/// SHA-256 of OP_TRUE, and RIPEMD-160 of it.
constexpr std::array<Byte, 32> true_sha256{
    0x4a, 0xe8, 0x15, 0x72, 0xf0, 0x6e, 0x1b, 0x88, 0xfd, 0x5c, 0xed, 0x7a, 0x1a, 0x00, 0x09, 0x45,
    0x43, 0x2e, 0x83, 0xe1, 0x55, 0x1e, 0x6f, 0x72, 0x1e, 0xe9, 0xc0, 0x0b, 0x8c, 0xc3, 0x32, 0x60};
constexpr std::array<Byte, 20> true_hash160{0xda, 0x17, 0x45, 0xe9, 0xb5, 0x49, 0xbd,
                                            0x0b, 0xfa, 0x1a, 0x56, 0x99, 0x71, 0xc7,
                                            0x7e, 0xba, 0x30, 0xcd, 0x5a, 0x4b};

void append_output(Bytes& to, const Payment& payment) {
    append_le(to, payment.value);
    if (!payment.script.empty()) {
        append_compact_size(to, payment.script.size());
        append(to, payment.script);
        return;
    }
    switch (payment.lock) {
    case Lock::witness_script:
        to.insert(to.end(), {34, 0x00, 32});
        append(to, true_sha256);
        break;
    case Lock::script_hash:
        to.insert(to.end(), {23, 0xa9, 20});
        append(to, true_hash160);
        to.push_back(0x87);
        break;
    case Lock::bare:
        to.insert(to.end(), {1, op_true});
        break;
    }
}

void append_input(Bytes& to, const Coin& coin) {
    append(to, coin.txid);
    append_le(to, coin.place);
    if (coin.lock == Lock::script_hash) {
        to.insert(to.end(), {2, 1, op_true});
    } else {
        to.push_back(0);
    }
    append_le(to, std::uint32_t{0xffffffff});
}

/// Splices marker and flag after the version and the witness before the locktime.
Bytes with_witness(const Bytes& stripped, ByteView witness) {
    Bytes whole;
    whole.reserve(stripped.size() + 2 + witness.size());
    const auto locktime = stripped.end() - 4;
    whole.assign(stripped.begin(), stripped.begin() + 4);
    whole.insert(whole.end(), {0x00, 0x01});
    whole.insert(whole.end(), stripped.begin() + 4, locktime);
    append(whole, witness);
    whole.insert(whole.end(), locktime, stripped.end());
    return whole;
}

WrittenTransaction finish(Bytes stripped, ByteView witness, Sha256& hasher) {
    WrittenTransaction written;
    written.txid = hasher.twice({stripped});
    written.bytes = witness.empty() ? std::move(stripped) : with_witness(stripped, witness);
    written.wtxid = witness.empty() ? written.txid : hasher.twice({written.bytes});
    return written;
}

/// BIP34: a minimal push of the height.
void append_height(Bytes& script, std::uint64_t height) {
    if (height == 0) {
        script.push_back(0);
    } else if (height <= 16) {
        script.push_back(static_cast<Byte>(op_true + height - 1));
    } else {
        Bytes digits;
        for (; height != 0; height >>= 8) digits.push_back(static_cast<Byte>(height));
        if ((digits.back() & 0x80) != 0) digits.push_back(0);
        script.push_back(static_cast<Byte>(digits.size()));
        append(script, digits);
    }
}

WrittenTransaction write_coinbase(const BlockFrame& frame, ByteView commitment, Sha256& hasher) {
    Bytes tx;
    append_le(tx, std::uint32_t{2});
    tx.push_back(1);
    tx.insert(tx.end(), 32, 0);
    append_le(tx, std::uint32_t{0xffffffff});
    Bytes script;
    append_height(script, frame.height);
    append(script, as_bytes(coinbase_tag));
    append_compact_size(tx, script.size());
    append(tx, script);
    append_le(tx, std::uint32_t{0xffffffff});
    tx.push_back(2);
    append_output(tx, {frame.reward, Lock::witness_script});
    append_le(tx, std::uint64_t{0});
    tx.insert(tx.end(), {38, 0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed});
    append(tx, commitment);
    append_le(tx, std::uint32_t{0});
    Bytes witness{1, 32}; // the reserved value: zeros
    witness.resize(2 + 32, 0);
    return finish(std::move(tx), witness, hasher);
}

/// Whether a hash is at most regtest's target, 7fffff followed by zeros.
bool meets_target(const Hash256& hash) {
    const std::uint32_t top = static_cast<std::uint32_t>(hash[31]) << 16 |
                              static_cast<std::uint32_t>(hash[30]) << 8 | hash[29];
    return top < 0x7fffff;
}

} // namespace

WrittenTransaction write_transaction(std::span<const Coin> inputs, std::span<const Payment> outputs,
                                     Sha256& hasher, std::span<const Bytes> first_witness) {
    Bytes tx;
    append_le(tx, std::uint32_t{2});
    append_compact_size(tx, inputs.size());
    for (const Coin& coin : inputs) append_input(tx, coin);
    append_compact_size(tx, outputs.size());
    for (const Payment& payment : outputs) append_output(tx, payment);
    append_le(tx, std::uint32_t{0});
    Bytes witness;
    if (!first_witness.empty() || std::any_of(inputs.begin(), inputs.end(), [](const Coin& coin) {
            return coin.lock == Lock::witness_script;
        }))
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (i == 0 && !first_witness.empty()) {
                append_compact_size(witness, first_witness.size());
                for (const Bytes& item : first_witness) {
                    append_compact_size(witness, item.size());
                    append(witness, item);
                }
            } else if (inputs[i].lock == Lock::witness_script) {
                witness.insert(witness.end(), {1, 1, op_true});
            } else {
                witness.push_back(0);
            }
        }
    return finish(std::move(tx), witness, hasher);
}

WrittenBlock write_block(const BlockFrame& frame, std::span<const WrittenTransaction> transactions,
                         Sha256& hasher) {
    std::vector<Hash256> txids(1), wtxids(1); // the coinbase counts as zeros among the wtxids
    for (const WrittenTransaction& tx : transactions) {
        txids.push_back(tx.txid);
        wtxids.push_back(tx.wtxid);
    }
    const Hash256 reserved{};
    const Hash256 commitment =
        hasher.twice({chain::merkle_root(std::move(wtxids), hasher).root, reserved});
    const WrittenTransaction coinbase = write_coinbase(frame, commitment, hasher);
    txids.front() = coinbase.txid;

    WrittenBlock block;
    append_le(block.bytes, std::uint32_t{0x20000000});
    append(block.bytes, frame.previous);
    append(block.bytes, chain::merkle_root(std::move(txids), hasher).root);
    append_le(block.bytes, frame.time);
    append_le(block.bytes, regtest_bits);
    for (std::uint32_t nonce = 0;; ++nonce) {
        append_le(block.bytes, nonce);
        block.hash = hasher.twice({block.bytes});
        if (meets_target(block.hash)) break;
        block.bytes.resize(block.bytes.size() - sizeof nonce);
    }
    append_compact_size(block.bytes, transactions.size() + 1);
    append(block.bytes, coinbase.bytes);
    for (const WrittenTransaction& tx : transactions) append(block.bytes, tx.bytes);
    return block;
}

} // namespace blockloom::recipes
