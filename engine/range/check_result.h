// What a comparison of a replay with an indexer's records found (range/node_check.h), as plain
// data.
#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::range {

/// Where the two differ, and what each has. Texts are for people.
struct CheckDifference {
    std::uint64_t height = 0;
    std::optional<std::uint32_t> transaction; ///< in the block; absent: of a key, or of the block
    std::string txid;                         ///< as Bitcoin prints it; empty: none
    std::optional<std::uint32_t> protostone;  ///< in its transaction
    std::optional<std::uint32_t> event;       ///< in the message's trace, from 0
    std::string field;                        ///< "fuel", "status", "storage", "value", …
    std::string key;                          ///< of "storage" and "value"
    std::string node, replay;
};

/// One block of a check. Counts of what was compared, equal or not.
struct CheckedBlock {
    std::uint64_t height = 0;
    Hash256 hash{};
    Hash256 digest{}; ///< of the block, by the replay that was compared; 0: not recorded
    std::uint64_t messages = 0, events = 0, keys = 0;
    std::uint64_t values = 0; ///< single values of all these
    std::uint64_t differences = 0;
};

/// The result of a check.
struct NodeCheck {
    /// The number of differences that are listed; all are counted.
    static constexpr std::size_t most_listed = 2000;

    std::string place; ///< of the node's records
    std::vector<CheckedBlock> blocks;
    std::vector<CheckDifference> differences;
    /// What one of the sides has and was not compared, and how often.
    std::map<std::string, std::uint64_t> not_compared;

    /// Of all blocks.
    [[nodiscard]] CheckedBlock total() const noexcept {
        CheckedBlock total;
        for (const CheckedBlock& block : blocks) {
            total.messages += block.messages;
            total.events += block.events;
            total.keys += block.keys;
            total.values += block.values;
            total.differences += block.differences;
        }
        return total;
    }
    /// No difference, and something was compared.
    [[nodiscard]] bool equal() const noexcept {
        const CheckedBlock all = total();
        return all.differences == 0 && all.values != 0;
    }
};

/// "equal: 12,345 values of 165 messages and 210 keys in 1 block", or how many differ.
[[nodiscard]] std::string check_words(const NodeCheck& check);
/// "block 892614, transaction 12 (TXID), protostone 0, event 3: fuel".
[[nodiscard]] std::string place_words(const CheckDifference& difference);

} // namespace blockloom::range
