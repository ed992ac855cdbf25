// The Alkanes state after a block, read from the database of the indexer that made it
// (docs/metashrew.md).
#pragma once

#include "alkanes/ids.h"
#include "state/view.h"
#include "store/metashrew/node_database.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace blockloom::range {

/// Reads what is asked for, when it is asked for. What it returns does not change while it lives,
/// whatever the node does: what can no longer be read exactly is an error.
class MetashrewState final : public state::StateView {
public:
    /// The state after the block at `height`, at which `database` stays.
    MetashrewState(std::shared_ptr<const store::NodeDatabase> database, std::uint64_t height);
    ~MetashrewState() override;

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override;

private:
    [[nodiscard]] Result<std::optional<std::string>> read(std::string_view indexer_key) const;
    [[nodiscard]] Result<state::Value> code(std::string_view key) const;
    [[nodiscard]] Result<state::Value> stored_code(std::string_view key) const;
    /// Finds the contracts that have code of their own, by the hash of it.
    Status find_all_code() const;

    std::shared_ptr<const store::NodeDatabase> database_;
    std::uint64_t height_;

    // The indexer keeps code by contract, the state by hash.
    mutable std::mutex guard_;
    mutable std::map<std::string, state::Value, std::less<>>
        code_; ///< by key, of code that was read
    mutable std::optional<std::map<std::string, std::string, std::less<>>>
        owners_; ///< key of stored code → the indexer's key; nothing: not looked for yet
};

} // namespace blockloom::range
