// What lanes of a program's function have shown of it, which a GPU's code is made for.
#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace blockloom::simt {

struct LaneProfile {
    std::set<std::uint32_t> pages; ///< small ones that lanes wrote
    std::vector<bool> ran;         ///< native::RanBlocks::so_far; empty: nothing is known

    /// Blocks of both have run.
    void add(const std::vector<bool>& more);
    [[nodiscard]] bool operator==(const LaneProfile&) const = default;
};

/// To be kept: "BLLP", u32 version 1, u32 number of pages, the pages (u32 each), u32 number of
/// instructions, and a bit for each, the first in the lowest one. Little-endian.
[[nodiscard]] Bytes note_of(const LaneProfile& profile);
/// Nothing if it is damaged, of another version, or of a program with another number of
/// instructions or less memory.
[[nodiscard]] std::optional<LaneProfile> profile_in(ByteView note, std::uint64_t most_bytes,
                                                    std::size_t instructions);

} // namespace blockloom::simt
