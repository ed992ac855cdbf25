// Writes to the state without a block: single ones, and files of many.
#pragma once

#include "alkanes/state_keys.h"
#include "base/result.h"
#include "state/view.h"
#include "state/write_set.h"

#include <filesystem>
#include <functional>
#include <map>

namespace blockloom::cli {

/// Collects writes over a state, so that all of them are one.
class SeedWrites {
public:
    /// `before` must outlive this.
    explicit SeedWrites(const state::StateView& before) : before_(&before) {}

    void put(std::string_view key, state::Value value);

    /// Code as Alkanes stores it: a module is compressed, gzip is taken as it is (and must hold a
    /// module). Raises the sequence past the id.
    Status put_code(const alkanes::AlkaneId& id, const std::filesystem::path& file);
    /// Makes the id run the code of another one. Raises the sequence past it.
    Status put_clone(const alkanes::AlkaneId& id, const alkanes::AlkaneId& sample);
    /// Sets what an outpoint holds of one token; 0 takes it off.
    Status put_token(const alkanes::Outpoint& outpoint, const alkanes::AlkaneId& id, u128 amount);
    void put_balance(const alkanes::AlkaneId& who, const alkanes::AlkaneId& what, u128 amount);
    void put_sequence(u128 next);
    /// Everything a seed file names (docs/state.md). Files in it are relative to it.
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
