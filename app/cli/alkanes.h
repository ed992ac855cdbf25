// What the alkanes commands share.
#pragma once

#include "alkanes/block_messages.h"
#include "alkanes/rule_table.h"
#include "chain/block.h"
#include "command.h"

#include <cstdint>
#include <optional>
#include <string>

namespace blockloom::cli {

/// Bytes that envelopes of one block may inflate to together when they are only looked at.
inline constexpr std::size_t most_looked_at = std::size_t{64} * 1024 * 1024;

/// Decoded messages as one JSON document (docs/json.md#decoded-blocks).
[[nodiscard]] std::string decoded_json(const chain::Block& block,
                                       const alkanes::BlockMessages& messages,
                                       alkanes::RuleLine line);

/// The same for people: counts, what is called how often, messages and envelopes. At most `rows`
/// messages are listed.
[[nodiscard]] std::string decoded_text(const chain::Block& block,
                                       const alkanes::BlockMessages& messages, std::size_t rows);

/// What is inside an envelope, if it is gzip of at most what `budget` has left, which it lowers.
[[nodiscard]] Result<Bytes> look_into(const alkanes::Envelope& envelope, std::size_t& budget);

Command add_alkanes_decode(CLI::App& group);
Command add_alkanes_call(CLI::App& group);

} // namespace blockloom::cli
