// The blocks of a recipe, all at once: in memory or as files.
#pragma once

#include "base/progress.h"
#include "recipes/recipe.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace blockloom::recipes {

/// The blocks in order: valid Bitcoin serializations, linked, with regtest's easy target and a
/// correct merkle root, witness commitment and BIP34 height; scripts are anyone-can-spend. Outputs
/// of blocks before the first are invented, including those whose witness deploys code. Fails on a
/// recipe that `check` refuses.
[[nodiscard]] Result<std::vector<Bytes>> make_blocks(const Recipe& recipe,
                                                     const std::stop_token& stop = {});

/// Writes `HEIGHT.bin` for each block into a folder (created if absent), and `synth.json`: recipe,
/// chain ("alkanes" if there are messages, with the network whose rules they need, else "bitcoin"),
/// and the height, hash and tasks of each file. Holds one block in memory at a time.
Status write_blocks(const std::filesystem::path& folder, const Recipe& recipe,
                    ProgressSink& progress, const std::stop_token& stop = {});

} // namespace blockloom::recipes
