#include "chain/block.h"
#include "chain/block_head.h"
#include "chain/byte_reader.h"
#include "chain/commitments.h"

#include <fmt/format.h>

#include <limits>

namespace blockloom::chain {

namespace {

// The minimum size of one of each, which bounds a count.
constexpr std::size_t least_input = 36 + 1 + 4;
constexpr std::size_t least_output = 8 + 1;
constexpr std::size_t least_transaction = 4 + 1 + least_input + 1 + 4;

/// Fills a block from its bytes in one pass; each transaction is hashed while it is in the cache.
class BlockDecoder {
public:
    BlockDecoder(Block& block, const std::string& place, std::uint64_t base_offset, Sha256& hasher)
        : block_(block), reader_(block.bytes, place, base_offset), hasher_(hasher) {}

    [[nodiscard]] bool decode() {
        std::uint64_t count = 0;
        if (!reader_.skip(header_size, "header")) return false;
        block_.header = parse_header(block_.bytes);
        block_.hash = hasher_.twice({block_.bytes.first(header_size)});
        const std::size_t count_at = reader_.position();
        if (!reader_.count(count, least_transaction, "transactions")) return false;
        if (count == 0) return reader_.fail(count_at, "at least one transaction", "none");
        block_.transactions.reserve(count);
        block_.txids.reserve(count);
        block_.wtxids.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i)
            if (!transaction()) return false;
        if (reader_.remaining() != 0)
            return reader_.fail(reader_.position(), "the end of the block",
                                fmt::format("{} trailing bytes", reader_.remaining()));
        return true;
    }

    [[nodiscard]] const Error& error() const noexcept { return reader_.error(); }

private:
    [[nodiscard]] std::uint32_t position() const noexcept {
        return static_cast<std::uint32_t>(reader_.position());
    }

    [[nodiscard]] bool transaction() {
        Transaction tx;
        tx.begin = position();
        if (!reader_.read(tx.version, "transaction version")) return false;
        std::uint32_t body = position(); // what txid and wtxid share starts here
        bool segwit = false;
        // No transaction has no inputs, so a zero here is segwit's marker.
        if (reader_.remaining() != 0 && *reader_.here() == 0) {
            Byte flag = 0;
            const std::size_t marker_at = reader_.position();
            if (!reader_.skip(1, "marker") || !reader_.read(flag, "segwit flag")) return false;
            if (flag != 1)
                return reader_.fail(marker_at, "an input, or marker 00 and flag 01",
                                    fmt::format("00 {:02x}", flag));
            segwit = true;
            body = position();
        }
        if (!inputs(tx) || !outputs(tx)) return false;
        const std::uint32_t body_end = position();
        if (segwit && !witness(tx)) return false;
        const std::uint32_t locktime = position();
        if (!reader_.read(tx.locktime, "locktime")) return false;
        tx.size = position() - tx.begin;

        const ByteView bytes = block_.bytes;
        const ByteView whole = bytes.subspan(tx.begin, tx.size);
        const Hash256 wtxid = hasher_.twice({whole});
        block_.wtxids.push_back(wtxid);
        block_.txids.push_back(
            segwit ? hasher_.twice({whole.first(4), bytes.subspan(body, body_end - body),
                                    bytes.subspan(locktime, 4)})
                   : wtxid);
        block_.transactions.push_back(tx);
        return true;
    }

    [[nodiscard]] bool inputs(Transaction& tx) {
        std::uint64_t count = 0;
        const std::size_t count_at = reader_.position();
        if (!reader_.count(count, least_input, "inputs")) return false;
        if (count == 0) return reader_.fail(count_at, "at least one input", "none");
        tx.first_input = static_cast<std::uint32_t>(block_.inputs.size());
        tx.input_count = static_cast<std::uint32_t>(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            Input input;
            input.outpoint = position();
            if (!reader_.skip(36, "outpoint") ||
                !reader_.sized_bytes(input.script, input.script_size, "input script") ||
                !reader_.read(input.sequence, "sequence"))
                return false;
            block_.inputs.push_back(input);
        }
        return true;
    }

    [[nodiscard]] bool outputs(Transaction& tx) {
        std::uint64_t count = 0;
        if (!reader_.count(count, least_output, "outputs")) return false;
        tx.first_output = static_cast<std::uint32_t>(block_.outputs.size());
        tx.output_count = static_cast<std::uint32_t>(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            Output output;
            if (!reader_.read(output.value, "output value") ||
                !reader_.sized_bytes(output.script, output.script_size, "output script"))
                return false;
            block_.outputs.push_back(output);
        }
        return true;
    }

    [[nodiscard]] bool witness(Transaction& tx) {
        tx.witness = position();
        bool any = false;
        for (std::uint32_t i = 0; i < tx.input_count; ++i) {
            std::uint64_t items = 0;
            if (!reader_.count(items, 1, "witness items")) return false;
            any |= items != 0;
            for (std::uint64_t item = 0; item < items; ++item) {
                std::uint32_t begin = 0, size = 0;
                if (!reader_.sized_bytes(begin, size, "witness item")) return false;
            }
        }
        tx.witness_size = position() - tx.witness;
        if (!any) // nodes refuse it too: the same transaction would have two serializations
            return reader_.fail(tx.witness, "a non-empty witness stack (segwit flag 01 is set)",
                                "only empty ones");
        return true;
    }

    Block& block_;
    ByteReader reader_;
    Sha256& hasher_;
};

} // namespace

Result<Block> decode_block(std::shared_ptr<const BlockStorage> storage, ByteView bytes,
                           const std::string& place, std::uint64_t base_offset) {
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
        return input_error(place, base_offset, "a block of at most 4 GB",
                           fmt::format("{} bytes", bytes.size()));
    thread_local Sha256 hasher;
    Block block;
    block.storage = std::move(storage);
    block.bytes = bytes;
    block.source = place;
    BlockDecoder decoder(block, place, base_offset, hasher);
    if (!decoder.decode()) return decoder.error();
    const Input& first = block.inputs.front();
    if (is_null_outpoint(block.outpoint(first).data()))
        block.height = coinbase_height(block.header.version, block.script(first));
    block.checks = check_commitments(block, hasher);
    return block;
}

} // namespace blockloom::chain
