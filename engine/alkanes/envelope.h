// Deployment envelopes: OP_FALSE OP_IF "BIN" … OP_ENDIF in a tapscript
// (docs/alkanes-protocol.md#envelopes).
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "chain/block.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::alkanes {

/// Most bytes that a contract may inflate to.
inline constexpr std::size_t most_inflated = std::size_t{16} * 1024 * 1024;

struct Envelope {
    std::uint32_t input = 0; ///< of its transaction
    Bytes payload;           ///< all pushes after the body tag: the gzipped code in a deployment

    friend bool operator==(const Envelope&, const Envelope&) = default;
};

/// The envelopes of one tapscript, in order. A script with a push that runs over its end has none.
[[nodiscard]] std::vector<Envelope> envelopes_of_script(ByteView script, std::uint32_t input);

/// The envelopes of a transaction's inputs, in order. The first one's payload is what [1, 0] and
/// [3, n] deploy.
[[nodiscard]] std::vector<Envelope> find_envelopes(const chain::Block& block,
                                                   const chain::Transaction& tx);

/// Inflates the first gzip member of `stored`, which must be complete with a correct checksum;
/// anything after it is ignored. Stops as soon as there are more than `most` bytes. `place` names
/// it in errors: bad_input concerns the bytes, any other code only this machine.
[[nodiscard]] Result<Bytes> inflate_code(ByteView stored, const std::string& place,
                                         std::size_t most = most_inflated);

/// The size of a gzip's content, which is not kept.
struct GzipContent {
    std::uint64_t size = 0; ///< as far as it was inflated
    std::array<Byte, 8> head{};
    bool whole = false; ///< inflated to its end with a correct checksum; else it exceeds the limit
};
/// Inflates the first gzip member of `stored`, up to `most` bytes of its content. Fails if it is
/// not gzip.
[[nodiscard]] Result<GzipContent> look_through(ByteView stored, const std::string& place,
                                               std::uint64_t most);

/// Compresses `code` to one gzip member; equal input gives equal bytes.
[[nodiscard]] Result<Bytes> deflate_code(ByteView code);

/// A tapscript with one envelope of `payload`, in pushes of at most 520 bytes.
[[nodiscard]] Bytes envelope_script(ByteView payload);

/// The witness stack of an input that spends by `script`: script and a control block of one leaf.
[[nodiscard]] std::vector<Bytes> envelope_witness(ByteView payload);

} // namespace blockloom::alkanes
