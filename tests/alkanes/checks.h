// What must hold for any bytes: decoding ends, stays inside its bounds, and what was decoded
// without a flaw is encoded and decoded again without a loss. Shared by tests and fuzz targets; a
// broken promise aborts.
#pragma once

#include "alkanes/cellpack.h"
#include "alkanes/envelope.h"
#include "alkanes/protostone.h"
#include "alkanes/random_stones.h"
#include "alkanes/runestone.h"

#include <cstdlib>

namespace stones {

inline void must(bool holds) {
    if (!holds) std::abort();
}

inline void check_protocol(std::span<const u128> protocol) {
    const auto decoded = alkanes::decode_protostones(protocol);
    if (!decoded) {
        must(!decoded.error().message.empty());
        return;
    }
    for (const alkanes::Protostone& stone : *decoded) {
        must(stone.protocol != 0 && stone.message.size() % 15 == 0);
        const auto cellpack = alkanes::decode_cellpack(stone.message);
        if (!cellpack) continue;
        must(stone.is_message());
        must(*alkanes::decode_cellpack(alkanes::encode_cellpack(*cellpack)) == *cellpack);
    }
    const auto again = alkanes::decode_protostones(alkanes::encode_protostones(*decoded));
    must(again && *again == *decoded);
}

/// `payload`: what stands behind OP_RETURN OP_13.
inline void check_runestone(ByteView payload, std::uint32_t outputs) {
    Bytes script{0x6a, 0x5d};
    script.insert(script.end(), payload.begin(), payload.end());
    const alkanes::Runestone stone = alkanes::decode_runestone(script, outputs);
    for (const alkanes::RuneEdict& edict : stone.edicts) must(edict.output <= outputs);
    if (stone.flaw) {
        must(stone.protocol.empty());
        return;
    }
    must(alkanes::decode_runestone(alkanes::encode_runestone(stone), outputs) == stone);
    check_protocol(stone.protocol);
}

inline void check_envelopes(ByteView script) {
    constexpr std::size_t most = std::size_t{1} << 16U;
    std::size_t bytes = 0;
    for (const alkanes::Envelope& envelope : alkanes::envelopes_of_script(script, 1)) {
        bytes += envelope.payload.size();
        const auto own =
            alkanes::envelopes_of_script(alkanes::envelope_script(envelope.payload), 1);
        must(own.size() == 1 && own.front() == envelope);
        const auto code = alkanes::inflate_code(envelope.payload, "input", most);
        must(code ? code->size() <= most : !code.error().message.empty());
    }
    must(bytes <= script.size());
}

} // namespace stones
