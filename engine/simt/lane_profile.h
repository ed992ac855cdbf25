// What lanes of a program's function have shown of it, which a GPU's code is made for.
#pragma once

#include "base/bytes.h"
#include "native/lanes/ran_blocks.h"

#include <cstdint>
#include <optional>
#include <set>

namespace blockloom::simt {

struct LaneProfile {
    std::set<std::uint32_t> pages; ///< small ones that lanes wrote
    native::RanCode ran;           ///< native::RanBlocks::so_far
    /// Lanes left code without the data that none was seen to read, and showed nothing new.
    bool needs_all_data = false;

    [[nodiscard]] bool operator==(const LaneProfile&) const = default;
};

/// To be kept: "BLLP", u32 version 3, u32 whether all data are needed, u64 pages copied, u32 number
/// of pages, the pages (u32 each), u32 number of instructions, and a bit for each, the first in the
/// lowest one; u32 number of accesses whose pages are known, and of each u32 instruction and u64
/// pages; u32 number of functions that closed a circle, and of each u32 function and u32 rounds.
/// Little-endian.
[[nodiscard]] Bytes note_of(const LaneProfile& profile);
/// Nothing if it is damaged, of another version, or of a program with another number of
/// instructions, fewer functions or less memory.
[[nodiscard]] std::optional<LaneProfile> profile_in(ByteView note, std::uint64_t most_bytes,
                                                    const wasm::Program& program);

} // namespace blockloom::simt
