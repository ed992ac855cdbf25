// The manifest of generated blocks, written by `synth`, and that of the demo: their chain, and the
// network whose rules apply.
#pragma once

#include "alkanes/network.h"
#include "base/bytes.h"
#include "base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace blockloom::range {

/// A generated chain starts from an empty state.
struct Manifest {
    std::string chain; ///< "bitcoin" or "alkanes"
    alkanes::Network network = alkanes::Network::mainnet;
    std::vector<Hash256> first_blocks{}; ///< of each chain; the manifests of several may be joined

    /// Whether the block is the first one of a generated chain with messages.
    [[nodiscard]] bool begins_with(const Hash256& block) const noexcept;
};

/// Name of the file that `synth` writes beside its blocks.
inline constexpr const char* manifest_name = "synth.json";

/// Reads the file that `synth` wrote. Fails on anything else.
[[nodiscard]] Result<Manifest> read_manifest(const std::filesystem::path& file);

/// The same, from its text; `place` names it in errors.
[[nodiscard]] Result<Manifest> parse_manifest(ByteView json, const std::string& place);

/// The manifest of the demo.
[[nodiscard]] Manifest demo_manifest();

} // namespace blockloom::range
