// Random blocks as plain values, and their bytes: what the decoder is compared with. Written apart
// from the engine's own writer, straight from docs/formats.md#bitcoin-blocks.
#pragma once

#include "base/bytes.h"
#include "base/sha256.h"

#include <optional>
#include <random>
#include <vector>

namespace model {

using namespace blockloom;

struct Input {
    Hash256 txid{};
    std::uint32_t vout = 0;
    Bytes script;
    std::uint32_t sequence = 0;
    std::vector<Bytes> witness;
};

struct Output {
    std::uint64_t value = 0;
    Bytes script;
};

struct Transaction {
    std::int32_t version = 2;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::uint32_t locktime = 0;

    [[nodiscard]] bool has_witness() const {
        for (const Input& input : inputs)
            if (!input.witness.empty()) return true;
        return false;
    }
};

struct Block {
    std::int32_t version = 0x20000000;
    Hash256 previous{}, merkle_root{};
    std::uint32_t time = 0, bits = 0x207fffff, nonce = 0;
    std::vector<Transaction> transactions;
};

inline void put(Bytes& to, ByteView bytes) {
    for (const Byte byte : bytes) to.push_back(byte);
}

inline void put_size(Bytes& to, std::uint64_t value) {
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

inline Bytes bytes_of(const Transaction& tx, bool with_witness) {
    Bytes to;
    append_le(to, tx.version);
    if (with_witness) put(to, Bytes{0, 1});
    put_size(to, tx.inputs.size());
    for (const Input& input : tx.inputs) {
        put(to, input.txid);
        append_le(to, input.vout);
        put_size(to, input.script.size());
        put(to, input.script);
        append_le(to, input.sequence);
    }
    put_size(to, tx.outputs.size());
    for (const Output& output : tx.outputs) {
        append_le(to, output.value);
        put_size(to, output.script.size());
        put(to, output.script);
    }
    if (with_witness)
        for (const Input& input : tx.inputs) {
            put_size(to, input.witness.size());
            for (const Bytes& item : input.witness) {
                put_size(to, item.size());
                put(to, item);
            }
        }
    append_le(to, tx.locktime);
    return to;
}

inline Hash256 hash(ByteView bytes) {
    Sha256 hasher;
    return hasher.twice({bytes});
}

inline Hash256 txid(const Transaction& tx) {
    return hash(bytes_of(tx, false));
}

inline Hash256 wtxid(const Transaction& tx) {
    return hash(bytes_of(tx, tx.has_witness()));
}

/// As the rule reads: rows of pairs, an odd row repeats its last.
inline Hash256 merkle_root(std::vector<Hash256> row) {
    while (row.size() > 1) {
        if (row.size() % 2 != 0) row.push_back(row.back());
        std::vector<Hash256> above;
        for (std::size_t i = 0; i < row.size(); i += 2) {
            Bytes pair(row[i].begin(), row[i].end());
            put(pair, row[i + 1]);
            above.push_back(hash(pair));
        }
        row = above;
    }
    return row.front();
}

inline void set_merkle_root(Block& block) {
    std::vector<Hash256> txids;
    for (const Transaction& tx : block.transactions) txids.push_back(txid(tx));
    block.merkle_root = merkle_root(txids);
}

/// Appends the commitment output and the reserved value to the coinbase.
inline void commit_to_witnesses(Block& block, const Bytes& reserved) {
    block.transactions.front().inputs.front().witness = {reserved};
    std::vector<Hash256> wtxids{Hash256{}};
    for (std::size_t i = 1; i < block.transactions.size(); ++i)
        wtxids.push_back(wtxid(block.transactions[i]));
    const Hash256 root = merkle_root(wtxids);
    Bytes committed(root.begin(), root.end());
    put(committed, reserved);
    Bytes script{0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed};
    put(script, hash(committed));
    block.transactions.front().outputs.push_back({0, script});
}

inline Bytes bytes_of(const Block& block) {
    Bytes to;
    append_le(to, block.version);
    put(to, block.previous);
    put(to, block.merkle_root);
    append_le(to, block.time);
    append_le(to, block.bits);
    append_le(to, block.nonce);
    put_size(to, block.transactions.size());
    for (const Transaction& tx : block.transactions) put(to, bytes_of(tx, tx.has_witness()));
    return to;
}

inline Hash256 block_hash(const Block& block) {
    return hash(ByteView(bytes_of(block)).first(80));
}

/// A minimal push of a height of 17 to 8 million.
inline Bytes height_push(std::uint32_t height) {
    Bytes digits;
    for (; height != 0; height >>= 8) digits.push_back(static_cast<Byte>(height));
    if ((digits.back() & 0x80) != 0) digits.push_back(0);
    Bytes script{static_cast<Byte>(digits.size())};
    put(script, digits);
    return script;
}

/// Draws blocks: mostly small things, some just above the borders of CompactSize.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    std::uint64_t below(std::uint64_t end) { return random_() % end; }
    bool once_in(std::uint64_t n) { return below(n) == 0; }

    Bytes some_bytes(std::size_t size) {
        Bytes bytes(size);
        for (Byte& byte : bytes) byte = static_cast<Byte>(random_());
        return bytes;
    }

    Bytes script() {
        if (once_in(200)) return some_bytes(0x10000 + below(10));
        if (once_in(20)) return some_bytes(250 + below(10));
        return some_bytes(below(40));
    }

    Hash256 some_hash() {
        Hash256 value{};
        for (Byte& byte : value) byte = static_cast<Byte>(random_());
        return value;
    }

    Transaction transaction(bool segwit) {
        Transaction tx;
        tx.version = static_cast<std::int32_t>(random_());
        tx.locktime = static_cast<std::uint32_t>(random_());
        for (std::uint64_t n = 1 + below(4); n > 0; --n)
            tx.inputs.push_back({some_hash(),
                                 static_cast<std::uint32_t>(below(5)),
                                 script(),
                                 static_cast<std::uint32_t>(random_()),
                                 {}});
        for (std::uint64_t n = once_in(50) ? 300 : below(4); n > 0; --n)
            tx.outputs.push_back({random_(), script()});
        if (segwit && !once_in(3))
            for (Input& input : tx.inputs)
                for (std::uint64_t n = below(4); n > 0; --n) input.witness.push_back(script());
        return tx;
    }

    /// A block of `tasks` transactions whose commitments hold. Some inputs spend outputs of the
    /// block: of earlier and of later transactions, places that do not exist, and twice the same.
    Block block(std::size_t tasks, std::optional<std::uint32_t> height, bool segwit) {
        Block made;
        made.previous = some_hash();
        made.time = static_cast<std::uint32_t>(random_());
        Transaction coinbase;
        coinbase.inputs.push_back({{}, 0xffffffff, height ? height_push(*height) : Bytes{}, 0, {}});
        put(coinbase.inputs.front().script, some_bytes(2 + below(20)));
        if (!height) coinbase.inputs.front().script.front() = 0x6a; // no number
        coinbase.outputs.push_back({50, script()});
        made.transactions.push_back(coinbase);
        // From the last to the first: a txid is known once the transactions it spends from are.
        std::vector<Transaction> spenders;
        for (std::size_t i = 1; i < tasks; ++i) {
            Transaction tx = transaction(segwit);
            for (Input& input : tx.inputs)
                if (!spenders.empty() && once_in(2))
                    input.txid = txid(spenders[below(spenders.size())]);
            if (once_in(10)) tx.inputs.push_back(tx.inputs.front());
            spenders.push_back(tx);
        }
        if (once_in(4) && spenders.size() > 1) // some spends stand before what they spend
            std::swap(spenders.front(), spenders.back());
        made.transactions.insert(made.transactions.end(), spenders.begin(), spenders.end());
        if (segwit) commit_to_witnesses(made, some_bytes(32));
        set_merkle_root(made);
        return made;
    }

private:
    std::mt19937_64 random_;
};

} // namespace model
