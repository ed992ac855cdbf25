#include "chain/commitments.h"

#include <algorithm>

namespace blockloom::chain {

namespace {

constexpr std::array<Byte, 6> commitment_prefix{0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed};
constexpr std::size_t commitment_script_size = commitment_prefix.size() + sizeof(Hash256);

/// The 32 committed bytes, or nothing.
std::optional<ByteView> find_commitment(const Block& block) {
    const Transaction& coinbase = block.transactions.front();
    for (std::uint32_t i = coinbase.output_count; i-- > 0;) {
        const ByteView script = block.script(block.outputs[coinbase.first_output + i]);
        if (script.size() >= commitment_script_size &&
            std::equal(commitment_prefix.begin(), commitment_prefix.end(), script.begin()))
            return script.subspan(commitment_prefix.size(), sizeof(Hash256));
    }
    return std::nullopt;
}

/// The reserved value: the coinbase has one input, whose stack must be one item of 32 bytes.
std::optional<ByteView> reserved_value(const Block& block) {
    const Transaction& coinbase = block.transactions.front();
    if (coinbase.input_count != 1 || coinbase.witness_size != 2 + sizeof(Hash256))
        return std::nullopt;
    const ByteView stack = block.bytes.subspan(coinbase.witness, coinbase.witness_size);
    if (stack[0] != 1 || stack[1] != sizeof(Hash256)) return std::nullopt;
    return stack.subspan(2);
}

std::optional<bool> check_witnesses(const Block& block, Sha256& hasher) {
    const bool any_witness = std::any_of(block.transactions.begin(), block.transactions.end(),
                                         [](const Transaction& tx) { return tx.has_witness(); });
    const std::optional<ByteView> commitment = find_commitment(block);
    if (!commitment) return any_witness ? std::optional(false) : std::nullopt;

    static constexpr Hash256 zeros{};
    std::optional<ByteView> reserved = reserved_value(block);
    if (!reserved && !any_witness) reserved = ByteView(zeros);
    if (!reserved) return false;

    std::vector<Hash256> leaves = block.wtxids;
    leaves.front() = zeros; // the coinbase cannot commit to itself
    const MerkleRoot merkle = merkle_root(std::move(leaves), hasher);
    const Hash256 expected = hasher.twice({merkle.root, *reserved});
    return !merkle.mutated && std::equal(expected.begin(), expected.end(), commitment->begin());
}

} // namespace

MerkleRoot merkle_root(std::vector<Hash256> leaves, Sha256& hasher) {
    MerkleRoot result;
    if (leaves.empty()) return result;
    std::size_t row = leaves.size();
    while (row > 1) {
        for (std::size_t i = 0; i + 1 < row; i += 2)
            if (leaves[i] == leaves[i + 1]) result.mutated = true;
        if (row % 2 != 0) {
            if (row == leaves.size()) leaves.push_back(leaves.back());
            leaves[row] = leaves[row - 1];
            ++row;
        }
        for (std::size_t i = 0; i < row; i += 2)
            leaves[i / 2] = hasher.twice({ByteView(leaves[i].data(), 2 * sizeof(Hash256))});
        row /= 2;
    }
    result.root = leaves.front();
    return result;
}

BlockChecks check_commitments(const Block& block, Sha256& hasher) {
    BlockChecks checks;
    const MerkleRoot merkle = merkle_root(block.txids, hasher);
    checks.merkle = !merkle.mutated && merkle.root == block.header.merkle_root;
    checks.witness_commitment = check_witnesses(block, hasher);
    return checks;
}

std::optional<std::uint64_t> coinbase_height(std::int32_t version, ByteView script) {
    constexpr std::uint64_t highest = 100'000'000;
    if (version < 2 || script.empty()) return std::nullopt;
    const Byte first = script[0];
    if (first >= 0x51 && first <= 0x60) return first - 0x50u; // OP_1 … OP_16
    if (first == 0 || first > 4 || script.size() < 1u + first) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = first; i > 0; --i) value = value << 8 | script[i];
    const Byte top = script[first];
    const bool negative = (top & 0x80) != 0;
    const bool padded = top == 0 && (first == 1 || (script[first - 1u] & 0x80) == 0);
    // Numbers up to 16 have their own opcodes: a longer push is not minimal.
    if (negative || padded || value <= 16 || value > highest) return std::nullopt;
    return value;
}

bool is_null_outpoint(const Byte* outpoint) noexcept {
    static constexpr std::array<Byte, 36> null = [] {
        std::array<Byte, 36> bytes{};
        for (std::size_t i = 32; i < bytes.size(); ++i) bytes[i] = 0xff;
        return bytes;
    }();
    return std::memcmp(outpoint, null.data(), null.size()) == 0;
}

Hash256 txid_of(ByteView outpoint) noexcept {
    Hash256 txid;
    std::copy(outpoint.begin(), outpoint.begin() + 32, txid.begin());
    return txid;
}

} // namespace blockloom::chain
