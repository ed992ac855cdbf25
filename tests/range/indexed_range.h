// A generated range, and what an indexer would have of it.
#pragma once

#include "range/indexer_export.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::test {

struct IndexedRange {
    std::vector<execute::ReplaySource> blocks;
    std::vector<Bytes> raw;            ///< their bytes
    std::vector<IndexedBlock> indexed; ///< replayed serially by the interpreter
};

/// The blocks in a folder of `blockloom-cli synth`, by the rules of its manifest; `fuel`: instead
/// of the rule of its network.
[[nodiscard]] Result<IndexedRange> index_folder(const std::string& folder,
                                                std::optional<wasm::FuelRule> fuel = {});

} // namespace blockloom::test
