// Common parts of the alkanes commands.
#pragma once

#include "alkanes/block_messages.h"
#include "alkanes/rule_table.h"
#include "chain/block.h"
#include "command.h"

#include <cstdint>
#include <optional>
#include <string>

namespace blockloom::cli {

/// Most bytes that all envelopes of a block may inflate to when they are only displayed.
inline constexpr std::size_t most_looked_at = std::size_t{64} * 1024 * 1024;

/// Decoded messages as one JSON document (docs/json.md#decoded-blocks).
[[nodiscard]] std::string decoded_json(const chain::Block& block,
                                       const alkanes::BlockMessages& messages,
                                       alkanes::RuleLine line);

/// The same as text: counts, frequencies of calls, messages and envelopes. At most `rows` messages
/// are listed.
[[nodiscard]] std::string decoded_text(const chain::Block& block,
                                       const alkanes::BlockMessages& messages, std::size_t rows);

/// The content of an envelope, if it is gzip and fits the rest of `budget`, which is reduced.
[[nodiscard]] Result<Bytes> look_into(const alkanes::Envelope& envelope, std::size_t& budget);

Command add_alkanes_decode(CLI::App& group);
Command add_alkanes_call(CLI::App& group);

} // namespace blockloom::cli
