// Values that the place of a state cannot know exactly (docs/metashrew.md#what-rpc-does-not-know):
// they are taken for absent, and every figure that rests on them says so.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace blockloom::range {

/// How many of each kind were read.
struct UnknownValues {
    std::uint64_t balances = 0; ///< of contracts
    std::uint64_t outputs = 0;  ///< of transactions: what tokens they carry
    std::uint64_t codes = 0;    ///< whether some contract has this code already

    [[nodiscard]] std::uint64_t total() const noexcept { return balances + outputs + codes; }
    UnknownValues& operator+=(const UnknownValues& other) noexcept {
        balances += other.balances;
        outputs += other.outputs;
        codes += other.codes;
        return *this;
    }
    /// `other` is a part of this.
    UnknownValues& operator-=(const UnknownValues& other) noexcept {
        balances -= other.balances;
        outputs -= other.outputs;
        codes -= other.codes;
        return *this;
    }
    bool operator==(const UnknownValues&) const = default;
};

/// "12 values that are not known were taken as 0: 9 balances of contracts, 3 outputs"; empty if
/// there are none.
[[nodiscard]] std::string unknown_text(const UnknownValues& unknown);

/// The keys of a state that were read and are not known. May be used by several threads.
class UnknownKeys {
public:
    /// A key of the state (alkanes/state_keys.h).
    void add(std::string_view key);
    [[nodiscard]] bool contains(std::string_view key) const;
    [[nodiscard]] UnknownValues counts() const;

private:
    mutable std::mutex guard_;
    std::set<std::string, std::less<>> keys_;
    UnknownValues counts_;
};

} // namespace blockloom::range
