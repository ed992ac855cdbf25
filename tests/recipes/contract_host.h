// A small host for contracts, independent of the engine's: what the tests of the demonstration
// contracts hold them against. One map of storage per contract, balances, nested calls.
#pragma once

#include "base/u128.h"
#include "recipes/contracts.h"
#include "wasm/run.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::tests {

using Id = std::pair<u128, u128>;
using Tokens = std::vector<std::pair<Id, u128>>;
using Storage = std::map<std::string, std::string>;

struct Answer {
    std::string status; ///< "success", "revert", "trap" or "error"
    std::string text;   ///< of a revert or a trap
    Tokens transfers;
    Storage written;
    std::string data;
    std::uint64_t fuel = 0;
    std::vector<std::string> host_calls; ///< names, in order; of the outermost contract
    [[nodiscard]] bool ok() const { return status == "success"; }
    [[nodiscard]] u128 number(std::size_t at = 0) const {
        return u128_from_bytes(std::string_view(data).substr(16 * at, 16)).value_or(0);
    }
};

/// A chain's contracts and their state. Calls commit where they succeed.
class ContractHost {
public:
    void put(Id id, recipes::Contract contract);
    /// A message: `tokens` come in from nowhere and what goes out leaves.
    Answer call(Id id, std::vector<u128> inputs, Tokens tokens = {});
    /// `__meta`.
    std::string meta(Id id);
    /// Instructions of each function during the next calls, by name; null: none.
    void set_profile(std::map<std::string, std::uint64_t>* profile) { profile_ = profile; }

    std::map<Id, Storage> storage;
    std::map<Id, std::map<Id, u128>> balances; ///< of a contract: by token
    std::string transaction;                   ///< bytes
    std::uint64_t height = 960'100, fuel = 10'000'000;
    u128 mints = 1, coinbase = 0; ///< what the precompiles answer

private:
    struct Frame;
    struct Nested {
        std::int32_t length = 0;
        std::string returned;
        std::uint64_t fuel = 0;
    };
    enum class Kind : std::uint8_t { call, delegate, fixed };
    Answer run(Frame& frame, const char* entry);
    wasm::Imports imports(Frame& frame);
    Nested nested(Frame& caller, Kind kind, const std::string& cellpack, const std::string& parcel,
                  const std::string& checkpoint, std::uint64_t fuel_left);
    bool take(Id who, const Tokens& tokens);

    std::map<Id, std::shared_ptr<const wasm::Program>> code_;
    std::map<Id, Id> clones_;
    u128 next_ = 1000;
    std::map<std::string, std::uint64_t>* profile_ = nullptr;
};

} // namespace blockloom::tests
