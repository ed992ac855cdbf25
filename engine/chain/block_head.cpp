#include "chain/block_head.h"

#include "chain/byte_reader.h"
#include "chain/commitments.h"

namespace blockloom::chain {

BlockHeader parse_header(ByteView bytes) noexcept {
    BlockHeader header;
    const Byte* at = bytes.data();
    header.version = read_le<std::int32_t>(at);
    std::memcpy(header.previous.data(), at + 4, sizeof(Hash256));
    std::memcpy(header.merkle_root.data(), at + 36, sizeof(Hash256));
    header.time = read_le<std::uint32_t>(at + 68);
    header.bits = read_le<std::uint32_t>(at + 72);
    header.nonce = read_le<std::uint32_t>(at + 76);
    return header;
}

std::optional<BlockHead> read_block_head(ByteView bytes) {
    static const std::string nowhere; // failures are answers here: their text is never used
    ByteReader reader(bytes, nowhere, 0);
    std::uint64_t count = 0, inputs = 0;
    if (!reader.skip(header_size, "header") || !reader.compact_size(count, "transactions") ||
        count == 0 || !reader.skip(4, "version"))
        return std::nullopt;
    if (reader.remaining() >= 2 && reader.here()[0] == 0 && reader.here()[1] == 1 &&
        !reader.skip(2, "marker and flag"))
        return std::nullopt;
    if (!reader.compact_size(inputs, "inputs") || inputs != 1 || reader.remaining() < 37 ||
        !is_null_outpoint(reader.here()) || !reader.skip(36, "outpoint"))
        return std::nullopt;

    thread_local Sha256 hasher;
    BlockHead head;
    head.header = parse_header(bytes);
    head.hash = hasher.twice({bytes.first(header_size)});
    std::uint64_t script = 0;
    if (reader.compact_size(script, "coinbase script"))
        head.height = coinbase_height(
            head.header.version,
            ByteView(reader.here(), std::min<std::uint64_t>(script, reader.remaining())));
    return head;
}

} // namespace blockloom::chain
