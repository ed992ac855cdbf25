// A state bundle: all that a range of blocks reads of the state before it, in one file that opens
// on any machine (docs/metashrew.md#state-bundles).
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "range/unknown_values.h"
#include "state/view.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::range {

struct BundleBlock {
    std::uint64_t height = 0;
    Hash256 hash{};
};

/// What a bundle has. Immutable once made.
struct StateBundle {
    std::string made_by; ///< the program's version
    std::string from;    ///< where the state was read
    std::string rules;   ///< by which the blocks were executed
    Hash256 parent{};    ///< the block whose resulting state this is
    std::vector<BundleBlock> blocks;
    /// Sorted by key, each once. An absent value was asked for and not there.
    std::vector<std::pair<state::Key, state::Value>> entries;
    /// Those of the absent ones that were not known where the state was read, sorted.
    std::vector<state::Key> unknown;
};

/// As a file: gzip; the same bundle gives the same bytes.
[[nodiscard]] Result<Bytes> bundle_bytes(const StateBundle& bundle);
/// Reads what `bundle_bytes` made; `place` names it in errors. Fails on anything else, on a digest
/// that does not fit, and on more than a bundle may have.
[[nodiscard]] Result<StateBundle> bundle_from(ByteView bytes, const std::string& place);

/// The largest file that is read.
inline constexpr std::uint64_t most_bundle_bytes = std::uint64_t{1} << 30;
[[nodiscard]] Result<StateBundle> read_bundle(const std::filesystem::path& file);

/// A bundle as a state. A key that it does not have is an error that names it, never absence.
class BundleView final : public state::StateView {
public:
    /// `place` names the bundle in errors.
    BundleView(StateBundle bundle, std::string place)
        : bundle_(std::move(bundle)), place_(std::move(place)) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override;
    [[nodiscard]] bool is_in_memory() const noexcept override {
        return bundle_.unknown.empty(); // else reads are counted, with a lock
    }

    /// The values that were read so far and are not known.
    [[nodiscard]] UnknownValues unknown() const { return unknown_.counts(); }
    [[nodiscard]] bool is_unknown(std::string_view key) const { return unknown_.contains(key); }

private:
    StateBundle bundle_;
    std::string place_;
    mutable UnknownKeys unknown_;
};

} // namespace blockloom::range
