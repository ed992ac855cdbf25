// Writes to the state outside blocks: single values and seed files.
#pragma once

#include "alkanes/state_keys.h"
#include "base/result.h"
#include "state/view.h"
#include "state/write_set.h"

#include <filesystem>
#include <functional>
#include <map>

namespace blockloom::cli {

/// Collects writes over a state, to be applied as one.
class SeedWrites {
public:
    /// `before` must outlive this.
    explicit SeedWrites(const state::StateView& before) : before_(&before) {}

    void put(std::string_view key, state::Value value);

    /// Code as Alkanes stores it: a module is compressed, gzip is kept as it is (and must contain a
    /// module). Raises the sequence past the id.
    Status put_code(const alkanes::AlkaneId& id, const std::filesystem::path& file);
    /// Makes the id run the code of another contract. Raises the sequence past the id.
    Status put_clone(const alkanes::AlkaneId& id, const alkanes::AlkaneId& sample);
    /// Sets the amount of a token at an outpoint; 0 removes it.
    Status put_token(const alkanes::Outpoint& outpoint, const alkanes::AlkaneId& id, u128 amount);
    void put_balance(const alkanes::AlkaneId& who, const alkanes::AlkaneId& what, u128 amount);
    void put_sequence(u128 next);
    /// Everything in a seed file (docs/state.md). Files named in it are relative to it.
    Status put_file(const std::filesystem::path& seed);

    /// Sorted by key.
    [[nodiscard]] state::WriteSet writes() const { return {writes_.begin(), writes_.end()}; }

private:
    [[nodiscard]] Result<state::Value> get(std::string_view key) const;
    Status raise_sequence_past(const alkanes::AlkaneId& id);
    void put_all(const state::WriteSet& writes);

    const state::StateView* before_;
    std::map<state::Key, state::Value, std::less<>> writes_;
};

} // namespace blockloom::cli
