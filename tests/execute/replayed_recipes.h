// Generated blocks, replayed from an empty state.
#pragma once

#include "execute/replay.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::tests {

using ReplayedBlocks = std::vector<std::shared_ptr<const execute::ReplayedBlock>>;

/// Blocks of a recipe, with two contracts of each kind; no number: as many as the recipe has.
[[nodiscard]] std::vector<execute::ReplaySource>
sources_of(const char* name, std::uint32_t tasks, std::uint32_t blocks = 2,
           std::optional<std::uint32_t> contracts = 2);

/// No submission to a device times out. `summary`: set if it succeeds.
[[nodiscard]] Result<ReplayedBlocks> replay(std::span<const execute::ReplaySource> sources,
                                            const execute::ReplayOptions& options,
                                            execute::ReplaySummary* summary = nullptr);

/// What is different in the blocks of another replay of the same sources, in words; empty: nothing.
[[nodiscard]] std::string difference(const ReplayedBlocks& found, const ReplayedBlocks& truth);

} // namespace blockloom::tests
