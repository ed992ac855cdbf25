// Coarsening of keys: storage slots, balances, nonces and code become their account.
#pragma once

#include "trace/block_trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace blockloom::trace {

/// The account in "KIND:ACCOUNT", "KIND:ACCOUNT:…" or "KIND:ACCOUNT/…" with KIND storage, balance,
/// nonce, code or account; empty if the key has none.
[[nodiscard]] std::string_view account_of(std::string_view printable) noexcept;

/// "account:ACCOUNT" of a key that has an account.
[[nodiscard]] std::string account_name(std::string_view printable);

/// Assigns coarse ids, dense, in the order in which accounts and other keys first appear.
class AccountTable {
public:
    /// The coarse id of a key of this name; call it once for each key, in ascending order.
    KeyId place(KeyId key, std::string_view printable);

    [[nodiscard]] const std::vector<KeyId>& first_keys() const noexcept { return first_; }
    [[nodiscard]] const std::vector<bool>& accounts() const noexcept { return is_account_; }

private:
    std::unordered_map<std::string, KeyId> ids_;
    std::vector<KeyId> first_;
    std::vector<bool> is_account_;
};

/// Names of coarse ids, computed on demand from those of the trace. If `fine` is null, the result
/// is null too.
[[nodiscard]] std::shared_ptr<const KeyNames> coarse_names(std::shared_ptr<const KeyNames> fine,
                                                           std::vector<KeyId> first,
                                                           std::vector<bool> is_account);

} // namespace blockloom::trace
